#!/usr/bin/env python3
"""A stress test of matches: engines that exit, do not respond, print garbage, flood and
close their pipes; engines that are killed; and a match that is killed and continued. No
game may be lost or played twice, and no engine may be left.

    stress.py KAWARI [GAMES [KILLS]]
"""
import json
import os
import random
import signal
import subprocess
import sys
import tempfile
import time

kawari = os.path.abspath(sys.argv[1])
games = int(sys.argv[2]) if len(sys.argv) > 2 else 1000
kills = int(sys.argv[3]) if len(sys.argv) > 3 else 20
here = os.path.dirname(os.path.abspath(__file__))
room = tempfile.mkdtemp(prefix="kawari-stress-")
results, table = os.path.join(room, "match.jsonl"), os.path.join(room, "table.txt")
mark = "7700%d" % os.getpid()  # marks the command lines of our engines
engine = "%s --playouts 1 --seed %s" % (kawari, mark)
nasty = "%s %s/nasty.py 0.004 %s" % (sys.executable, here, engine)
command = [
    kawari, "match", "--engine", "honest=" + engine, "--engine", "nasty=" + nasty,
    "--engine", "mortal=" + engine, "--size", "9", "--games", str(games // 3),
    "--concurrency", "2", "--opening-turns", "4", "--opening-playouts", "10",
    "--timeout", "1", "--seed", "1", "--out", results,
]


def processes():
    """The process ids of our engines."""
    for pid in filter(str.isdigit, os.listdir("/proc")):
        try:
            words = open("/proc/%s/cmdline" % pid, "rb").read()
            state = open("/proc/%s/stat" % pid).read().rsplit(")", 1)[1].split()[0]
        except OSError:
            continue
        if mark.encode() in words and b"\0match\0" not in words and state != "Z":
            yield int(pid)


def lines():
    try:
        return open(results, "rb").read().count(b"\n")
    except OSError:
        return 0


def all_gone(seconds):
    deadline = time.time() + seconds
    while any(processes()):
        if time.time() > deadline:
            return False
        time.sleep(0.01)
    return True


started, runs, killed, peak = time.time(), 0, 0, 0
pairings = 3 * (games // 3)
targets = sorted(random.sample(range(2, pairings), kills))
while True:
    runs += 1
    runner = subprocess.Popen(command, stdout=open(table, "wb"), stderr=subprocess.DEVNULL)
    target = targets[0] if targets else None
    while runner.poll() is None:
        time.sleep(0.05)
        if random.random() < 0.02:
            victims = list(processes())
            if victims:
                try:
                    os.kill(random.choice(victims), signal.SIGKILL)
                    killed += 1
                except OSError:
                    pass
        try:
            for row in open("/proc/%d/status" % runner.pid):
                if row.startswith("VmHWM"):
                    peak = max(peak, int(row.split()[1]))
        except OSError:
            pass
        if target is not None and lines() > target:
            runner.kill()
            runner.wait()
            targets.pop(0)
            assert all_gone(5), "engines still run"
            break
    else:
        assert runner.returncode == 0, "the match failed: %d" % runner.returncode
        break
assert all_gone(5), "engines still run"

numbers, reasons = [], {}
for line in open(results):
    entry = json.loads(line)
    if "game" in entry:
        numbers.append(entry["game"])
        reasons[entry["reason"]] = reasons.get(entry["reason"], 0) + 1
assert len(numbers) == pairings and len(set(numbers)) == pairings, "games lost or played twice"
print("%d games in %.0f s, %d runs of the match, %d engines killed, memory of the match at most %d kB"
      % (len(numbers), time.time() - started, runs, killed, peak))
print("ended by: " + ", ".join("%s %d" % item for item in sorted(reasons.items())))
checker = os.path.join(here, "statistics.py")
sys.exit(subprocess.call([sys.executable, checker, results, table]))
