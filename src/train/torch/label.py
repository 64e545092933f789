#!/usr/bin/env python3
"""Labels positions: asks an engine of KataGo's analysis protocol about the lines of `kawari train positions`.

`kawari train records` reads the labels; guide *training* has their format. After a kill the same command continues and
keeps all answers. Only the standard library is needed.

    kawari train positions games.sgf.gz --positions 0.05 | label.py --engine 'katago analysis …' --out labels.txt
"""

import argparse
import concurrent.futures
import contextlib
import json
import math
import shlex
import struct
import subprocess
import sys
import threading
import time

try:
    import fcntl
except ImportError:  # Windows
    fcntl = None

HEADER = "# kawari labels 2"
REFUSED = "# refused: "
LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
# Steps with smaller shares are left out.
MAX_ENTRIES = 14
# With fewer visits, the net's policy says more.
MIN_VISITS = 32
# Labels between lines of progress.
PROGRESS = 1000


class Refused(Exception):
    """Why a position has no label."""


def single(number):
    """In the precision of engines, so that no other digit decides how a number is rounded."""
    try:
        return struct.unpack("f", struct.pack("f", number))[0]
    except OverflowError:
        return math.inf


def rounded(number):
    """Halves away from zero."""
    return int(math.copysign(math.floor(abs(number) + 0.5), number))


def point(vertex, width, height):
    """The number of a point from the top row; that after the last one is the pass."""
    if vertex.lower() == "pass":
        return width * height
    column, row = LETTERS.find(vertex[:1].upper() or " "), vertex[1:]
    if not (0 <= column < width and row.isdecimal() and 1 <= int(row) <= height):
        raise Refused(f"{vertex} is not on a board of {width}x{height}")
    return (height - int(row)) * width + column


def policy(answer, width, height):
    """Shares of visits, or of the policy after a short search, in thousandths."""
    moves = answer.get("moveInfos", [])
    total = sum(info["visits"] for info in moves)
    if total >= MIN_VISITS:
        shares = [(point(info["move"], width, height), info["visits"] / total) for info in moves]
    else:
        shares = list(enumerate(answer.get("policy", [])))
        if len(shares) != width * height + 1:
            raise Refused(f"policy: {width * height + 1} numbers are expected")
    thousandths = [(at, min(rounded(single(1000 * single(share))), 1000)) for at, share in shares]
    largest = sorted((entry for entry in thousandths if entry[1] > 0), key=lambda entry: -entry[1])
    if not largest:
        raise Refused("no policy and no visits")
    return ",".join(f"{at}:{share / 1000:.3f}" for at, share in largest[:MAX_ENTRIES])


def label(position, answer):
    """The line of an answer."""
    query, root = position["query"], answer.get("rootInfo")
    width, height = query["boardXSize"], query["boardYSize"]
    if root is None:
        raise Refused("rootInfo is missing")
    win_rate, lead = single(root["winrate"]), single(root["scoreLead"])
    if not (0 <= win_rate <= 1 and math.isfinite(lead)):
        raise Refused("rootInfo: a win rate from 0 to 1 and a lead are expected")
    ownership = answer.get("ownership", [])
    if len(ownership) != width * height:
        raise Refused(f"ownership: {width * height} numbers are expected")
    owners = "".join("abcdefghi"[4 + max(-4, min(4, rounded(single(4 * owner))))] for owner in ownership)
    values = f"{win_rate:.4f} {lead:.1f} {max(single(root.get('scoreStdev', 0)), 0):.1f}"
    return f"{position['label']} {values} {policy(answer, width, height)} {owners} {position['game']}"


def position_of(line):
    try:
        return json.loads(line)
    except ValueError:
        sys.exit(f"not a line of `kawari train positions`: {line.strip()[:200]}")


def line_of(position, answer):
    try:
        if "error" in answer:
            raise Refused(answer["error"])
        return label(position, answer)
    except Refused as why:
        return REFUSED + "".join(" " if ord(letter) < 32 or 127 <= ord(letter) < 160 else letter for letter in str(why))


class Labels:
    """The growing file. `done` counts its lines after the header."""

    def __init__(self, path, positions):
        """Skips the positions that the file answers, and cuts off a line that a kill has torn."""
        self.done = self.refused = 0
        self.file = open(path, "a+b")
        if fcntl:
            try:
                fcntl.flock(self.file, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                sys.exit(f"{path}: another process is writing to this file")
        self.file.seek(0)
        whole, begun = 0, False
        for number, line in enumerate(self.file, 1):
            text = line.decode(errors="replace")
            if not line.endswith(b"\n"):
                if not begun and not HEADER.startswith(text):
                    sys.exit(f"{path}: not a file of labels")
                break
            whole += len(line)
            if begun:
                self.skip(text, positions, f"{path}:{number}")
            elif text.rstrip() != HEADER:
                sys.exit(f"{path}:{number}: expected '{HEADER}'")
            begun = True
        self.file.truncate(whole)
        if not begun:
            self.append(HEADER)

    def skip(self, text, positions, place):
        position = next(positions, None)
        is_refused = text.startswith("#")
        if position is None or not (is_refused or text.startswith(position["label"] + " ")):
            sys.exit(f"{place}: not a position of these lines")
        self.done += 1
        self.refused += is_refused

    def append(self, line):
        self.file.write(line.encode() + b"\n")
        self.file.flush()

    def add(self, line):
        self.append(line)
        self.done += 1
        self.refused += line.startswith(REFUSED)


class Teacher:
    def __init__(self, command, visits, in_flight):
        words = shlex.split(command)
        if not words:
            sys.exit("--engine: expected a shell command")
        try:
            self.engine = subprocess.Popen(words, stdin=subprocess.PIPE, stdout=subprocess.PIPE)
        except OSError as error:
            sys.exit(f"--engine: {words[0]}: {error.strerror}")
        self.settings = {
            "maxVisits": visits,
            "analysisPVLen": 1,
            "includePolicy": True,
            "includeOwnership": True,
            "overrideSettings": {"reportAnalysisWinratesAs": "BLACK"},
        }
        self.free = threading.Semaphore(in_flight)
        # Positions that the engine has, by their number.
        self.asked = {}

    def ask(self, first, positions):
        """Sends all questions, then says that no more come."""
        try:
            for number, position in enumerate(positions, first):
                self.free.acquire()
                self.asked[str(number)] = position
                query = {"id": str(number), **position["query"], **self.settings}
                self.engine.stdin.write(json.dumps(query, separators=(",", ":")).encode() + b"\n")
                self.engine.stdin.flush()
            self.engine.stdin.close()
        except OSError:
            # The end of the output reports an engine that has ended.
            with contextlib.suppress(OSError):
                self.engine.stdin.close()
        except BaseException:
            self.engine.kill()
            raise

    def answers(self):
        """Numbers of questions and their lines, as they come."""
        warned = False
        for text in self.engine.stdout:
            try:
                answer = json.loads(text) if text.strip() else {"isDuringSearch": True}
                number, is_final = answer.get("id"), not answer.get("isDuringSearch")
            except (ValueError, AttributeError) as error:
                sys.exit(f"--engine: no answer of the protocol: {error}: {text.decode(errors='replace').strip()[:200]}")
            if "warning" in answer:
                if not warned:
                    print(f"the engine warns: {answer['warning']}", file=sys.stderr)
                warned = True
            elif is_final:
                if number not in self.asked:
                    sys.exit(f"--engine: {answer.get('error', 'an answer to no question')}")
                yield int(number), line_of(self.asked.pop(number), answer)
                self.free.release()


def run(labels, teacher, positions):
    """Writes the answers in the order of the questions."""
    first, started, waiting = labels.done, time.monotonic(), {}
    with concurrent.futures.ThreadPoolExecutor(1) as pool:
        asking = pool.submit(teacher.ask, first, positions)
        try:
            for number, line in teacher.answers():
                waiting[number] = line
                while labels.done in waiting:
                    labels.add(waiting.pop(labels.done))
                    if labels.done % PROGRESS == 0:
                        rate = (labels.done - first) / (time.monotonic() - started)
                        print(f"{labels.done} positions, {labels.refused} refused, {rate:.0f} positions/s", file=sys.stderr)
            teacher.free.release()
            asking.result()
            if teacher.asked:
                sys.exit(f"--engine: it ended before its answers (exit status: {teacher.engine.wait()})")
        finally:
            teacher.engine.kill()
            teacher.engine.wait()
            teacher.free.release()  # its pipe is broken now


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("positions", nargs="?", default="-", help="lines of `kawari train positions`; standard input otherwise")
    parser.add_argument("--engine", required=True, help="shell command of `katago analysis` or `kawari analysis`")
    parser.add_argument("--visits", type=int, default=1, help="visits of each position")
    parser.add_argument("--in-flight", type=int, default=64, help="positions that the engine has at the same time")
    parser.add_argument("--out", required=True, help="append the labels to this file")
    options = parser.parse_args()
    if options.visits < 1 or options.in_flight < 1:
        parser.error("--visits and --in-flight: expected a number from 1")
    source = sys.stdin if options.positions == "-" else open(options.positions, encoding="utf-8")
    positions = map(position_of, source)
    labels = Labels(options.out, positions)
    teacher = Teacher(options.engine, options.visits, options.in_flight)
    try:
        run(labels, teacher, positions)
    except KeyboardInterrupt:
        sys.exit(f"the same command continues from the labels of {options.out}")
    print(f"{labels.done - labels.refused} labels, {labels.refused} positions refused")
    if labels.done == labels.refused:
        sys.exit("no position was labelled")


if __name__ == "__main__":
    main()
