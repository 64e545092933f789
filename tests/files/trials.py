#!/usr/bin/env python3
"""Commands that write files are killed at random instants, run on a disk that is full, and
run where nothing may be written. No file that existed may be changed unless the command may
replace it, and then it is the old one or a whole new one.

    trials.py KAWARI kill [TIMES [ONLY]]     each command killed so often [100]
    trials.py KAWARI full [ONLY]             on a tmpfs with more and more space (root)
    trials.py KAWARI readonly [ONLY]         files and folders without write permission (root)
"""
import atexit
import json
import os
import random
import shutil
import signal
import subprocess
import sys
import tempfile
import time
import zlib

NOBODY = 65534
PAGE = 4096
NOTES = b"my notes, without a line break"
MARK = "7700%d" % os.getpid()  # marks the command lines of our engines


def sgf(data):
    """Whether the parentheses outside of values match, to the end."""
    depth, inside, escaped = 0, False, False
    for c in data.decode():
        if inside:
            if escaped:
                escaped = False
            elif c == "\\":
                escaped = True
            elif c == "]":
                inside = False
        elif c == "[":
            inside = True
        elif c in "()":
            depth += 1 if c == "(" else -1
            if depth < 0:
                return False
    return depth == 0 and not inside


def ends(mark):
    return lambda data: data.rstrip().endswith(mark)


def whole_lines(data):
    for line in data.split(b"\n")[:-1]:
        json.loads(line)
    return True


def training_games(data):
    """Whether all games are whole, but for the last, of which there may be a part."""
    assert data.startswith(b"kawariTG")
    at = 11 + data[10]
    while len(data) >= at + 8:
        length, checksum = (int.from_bytes(data[i:i + 4], "little") for i in (at, at + 4))
        body = data[at + 8:at + 8 + length]
        if len(body) == length and zlib.crc32(body) != checksum:
            return False
        at += 8 + length
    return True


class Trial:
    """A command, the files that it writes with a test of each, and the run before it, which
    leaves files that the command may replace or goes on with."""

    def __init__(self, name, before, command, files, text=None, appended=()):
        self.name, self.before, self.command, self.files = name, before, command, files
        self.text, self.appended = text, appended


def trials(kawari):
    engine = kawari + " --playouts 1 --seed " + MARK
    match = ["match", "--engine", engine, "--engine", engine, "--size", "7", "--seed", "1", "--restart",
             "--out", "match.jsonl", "--sgf", "all.sgf", "--report", "page.html", "--games"]
    balance = ["balance", "--size", "3", "--playouts", "20", "--threads", "2", "--out",
               "balance.jsonl", "--plot", "plot.svg", "--games"]
    selfplay = ["train", "selfplay", "--size", "5", "--playouts", "20", "--seed", "1", "--out",
                "some.games", "--games"]
    moves = ["%s %s" % (c, v) for v, c in zip(
        [a + str(n) for n in range(1, 10) for a in "ABCDEFGHJ"], "BW" * 41)]
    games = "printsgf game.sgf --force\nprintsgf named.sgf --force\n"
    games += "".join("play %s\nprintsgf game.sgf\ngomill-savesgf named.sgf PB=x\n" % m for m in moves)
    return [
        Trial("match", match + ["4"], match + ["12"],
              {"match.jsonl": whole_lines, "all.sgf": sgf, "page.html": ends(b"</html>")},
              appended=("match.jsonl", "all.sgf")),
        Trial("balance", balance + ["20"], balance + ["80"],
              {"balance.jsonl": whole_lines, "plot.svg": ends(b"</svg>")},
              appended=("balance.jsonl",)),
        Trial("selfplay", selfplay + ["20"], selfplay + ["60"], {"some.games": training_games},
              appended=("some.games",)),
        Trial("printsgf", ["--size", "9"], ["--size", "9"], {"game.sgf": sgf, "named.sgf": sgf},
              text=games),
    ]


def engines():
    """The process ids of our engines that run."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open("/proc/%s/cmdline" % pid, "rb").read().split(b"\0")
            state = open("/proc/%s/stat" % pid).read().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if MARK.encode() in words and state != "Z":
            yield int(pid)


def no_engine_is_left():
    deadline = time.time() + 5
    while any(engines()):
        assert time.time() < deadline, "engines still run"
        time.sleep(0.005)


def start(kawari, words, room, uid=None):
    return subprocess.Popen(
        [kawari] + words, cwd=room, stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        stderr=subprocess.PIPE, user=uid, group=uid)


def run(kawari, trial, words, room, uid=None):
    """Exit status, output, and seconds."""
    began = time.time()
    process = start(kawari, words, room, uid)
    out, error = process.communicate((trial.text or "").encode(), timeout=300)
    return process.returncode, out, error, time.time() - began


def prepared(kawari, trial):
    """A folder after the run before, with a file of somebody else, and its contents."""
    room = tempfile.mkdtemp(prefix="kawari-trial-")
    atexit.register(shutil.rmtree, room, ignore_errors=True)
    code, _, error, _ = run(kawari, trial, trial.before, room)
    assert code == 0, error.decode()
    with open(os.path.join(room, "notes"), "wb") as notes:
        notes.write(NOTES)
    return room, contents(room)


def contents(room):
    files = {}
    for name in os.listdir(room):
        with open(os.path.join(room, name), "rb") as file:
            files[name] = file.read()
    return files


def check(trial, before, room):
    """How many files are the old ones; leftovers that nobody takes for a file of his own."""
    now, old, left = contents(room), 0, 0
    for name, data in now.items():
        if name.startswith(".kawari-") and name.endswith(".tmp"):
            left += 1
        elif name in trial.files:
            old += data == before.get(name)
            assert trial.files[name](data), "%s: %s is damaged" % (trial.name, name)
            if name in trial.appended:
                assert data.startswith(before[name]), "%s: %s lost something" % (trial.name, name)
        else:
            assert name == "filler" or data == before[name], "%s: %s changed" % (trial.name, name)
    assert set(before) <= set(now), "%s: a file is gone" % trial.name
    return old, left


def without_leftovers(trial, room):
    """The same command must end well after a kill."""
    code, _, error, _ = run(kawari, trial, trial.command, room)
    assert code == 0, "%s does not go on: %s" % (trial.name, error.decode())
    for name in trial.appended:
        if name.endswith(".jsonl"):
            lines = [json.loads(line) for line in open(os.path.join(room, name))]
            games = sorted(line["game"] for line in lines if "game" in line)
            assert len(games) == len(set(games)) == int(trial.command[-1]), "games are missing"


def kill(trial, times):
    source, before = prepared(kawari, trial)
    copy = source + "-copy"
    shutil.copytree(source, copy)
    _, _, _, seconds = run(kawari, trial, trial.command, copy)
    shutil.rmtree(copy)
    hits = old = left = total = 0
    while hits < times:
        shutil.copytree(source, copy)
        process = start(kawari, trial.command, copy)
        if trial.text:
            # The pipe holds only some of it, so a thread of ours would have to go on writing.
            pid = os.fork()
            if pid == 0:
                try:
                    process.stdin.write(trial.text.encode())
                    process.stdin.close()
                except OSError:
                    pass
                os._exit(0)
        drains = [subprocess.Popen(["cat"], stdin=end, stdout=subprocess.DEVNULL)
                  for end in (process.stdout, process.stderr)]
        time.sleep(random.uniform(0, seconds))
        alive = process.poll() is None
        process.send_signal(signal.SIGKILL)
        process.wait()
        if trial.text:
            os.kill(pid, signal.SIGKILL)
            os.waitpid(pid, 0)
        for end in (process.stdin, process.stdout, process.stderr):
            try:
                end.close()
            except OSError:
                pass
        for drain in drains:
            drain.wait()
        no_engine_is_left()
        hits += alive
        a, b = check(trial, before, copy)
        old, left, total = old + a, left + b, total + len(trial.files)
        if random.random() < 0.1:
            without_leftovers(trial, copy)
        shutil.rmtree(copy)
    print("%-9s %d kills within %.1f s: of %d files %d were as before, all others whole; "
          "%d temporary files were left" % (trial.name, hits, seconds, total, old, left), flush=True)


def full(trial):
    source, before = prepared(kawari, trial)
    disk = tempfile.mkdtemp(prefix="kawari-disk-")
    size = 64 << 20
    subprocess.check_call(["mount", "-t", "tmpfs", "-o", "size=%d" % size, "tmpfs", disk])
    try:
        pages, failed = 0, 0
        while True:
            for name in os.listdir(disk):
                os.remove(os.path.join(disk, name))
            for name, data in before.items():
                with open(os.path.join(disk, name), "wb") as file:
                    file.write(data)
            free = os.statvfs(disk).f_bavail
            with open(os.path.join(disk, "filler"), "wb") as filler:
                os.posix_fallocate(filler.fileno(), 0, max(1, free - pages) * PAGE)
            code, out, error, _ = run(kawari, trial, trial.command, disk)
            check(trial, before, disk)
            leftovers = [name for name in os.listdir(disk) if name.endswith(".tmp")]
            assert not leftovers, "%s: temporary files are left" % trial.name
            if code == 0 and b"cannot save" not in out:
                break
            words = error + out
            assert b"space" in words or b"cannot save" in words, words.decode()
            failed += 1
            pages += 1 if pages < 8 else pages // 4
        print("%-9s failed on %d full disks, ended well with %d free pages" % (trial.name, failed, pages),
              flush=True)
    finally:
        subprocess.check_call(["umount", disk])
        os.rmdir(disk)


def readonly(trial):
    source, before = prepared(kawari, trial)
    for what, folder, files in (("folder and files", 0o555, 0o444), ("folder", 0o555, 0o666),
                                ("files", 0o777, 0o444)):
        if what == "folder" and set(trial.appended) == set(trial.files):
            continue  # it creates no file
        if what == "files" and not set(before) & set(trial.files):
            continue  # it replaces none
        os.chmod(source, folder)
        for name in os.listdir(source):
            os.chmod(os.path.join(source, name), files)
        code, out, error, seconds = run(kawari, trial, trial.command, source, uid=NOBODY)
        assert code != 0 or b"cannot save" in out, "%s does not fail" % trial.name
        assert contents(source) == before, "%s changed something" % trial.name
        print("%-9s %s read-only: fails after %.2f s: %s" % (
            trial.name, what, seconds, (error + out).decode().splitlines()[0]), flush=True)


if len(sys.argv) < 3 or sys.argv[2] not in ("kill", "full", "readonly"):
    sys.exit(__doc__)
kawari, what = os.path.abspath(sys.argv[1]), sys.argv[2]
if what != "kill" and os.geteuid() != 0:
    sys.exit("this needs root")
rest = sys.argv[3:]
times = int(rest.pop(0)) if rest and rest[0].isdigit() else 100
for trial in trials(kawari):
    if not rest or trial.name in rest:
        if what == "kill":
            kill(trial, times)
        else:
            {"full": full, "readonly": readonly}[what](trial)
