#!/usr/bin/env python3
"""GNU Go's regression tests, answered by any GTP engine: each test is a position of a
game and a pattern that the engine's move has to match. Each test is asked once; tests
whose command the engine does not know are left out.

    regression.py REGRESSION ENGINE [FILE.tst]…

REGRESSION is the directory regression of GNU Go's source, ENGINE a command such as
"kawari --time 0.5 --seed 1"; without files all are asked that consist of moves. With
VERBOSE=1 it prints every wrong answer.

    regression.py gnugo-3.8/regression "kawari --time 0.5" 9x9.tst 13x13.tst tiny.tst thrash.tst
"""
import os
import re
import shlex
import subprocess
import sys

if len(sys.argv) < 3:
    sys.exit(__doc__)
directory, command, *names = sys.argv[1:]
is_verbose = os.environ.get("VERBOSE") == "1"


class Engine:
    """A GTP engine in the directory of the tests, which name their games by relative paths."""

    def __init__(self):
        self.process = subprocess.Popen(shlex.split(command), cwd=directory, text=True, bufsize=1,
                                        stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(self, line):
        """Whether the engine obeys, and its reply."""
        self.process.stdin.write(line + "\n")
        reply = []
        while (text := self.process.stdout.readline()).strip() or not reply:
            if not text:
                sys.exit("the engine ended at: " + line)
            if text.strip():
                reply.append(text.strip())
        return reply[0].startswith("="), "\n".join(reply)[1:].strip()

    def knows(self, name):
        return self.ask("known_command " + name)[1] == "true"

    def quit(self):
        self.process.communicate("quit\n")


def tests(name):
    """The tests of a file: commands before each, its command, and the pattern."""
    before, question = [], None
    with open(os.path.join(directory, name), errors="replace") as lines:
        for line in map(str.strip, lines):
            if line.startswith("#?") and question:
                # [D4|E5] names good moves, [!D4] bad ones; * and & are GNU Go's own results.
                pattern = re.fullmatch(r"#\?\s*\[(!?)(.*)\][&*]*", line)
                if pattern:
                    yield before, question, pattern[1] == "!", pattern[2]
                before, question = [], None
            elif line and not line.startswith("#"):
                number, _, rest = line.partition(" ")
                if number.isdigit() and rest:
                    question = number, rest.strip()
                else:
                    before.append(line)


def count(name):
    """Tests that the engine passes, tests that it was asked, and tests left out."""
    engine, passed, asked, left_out = Engine(), 0, 0, 0
    for before, (number, question), is_bad, pattern in tests(name):
        is_known = engine.knows(question.split()[0])
        loaded = all([engine.ask(line)[0] for line in before])
        if not is_known or not loaded:
            left_out += 1
            continue
        _, reply = engine.ask(question)
        asked += 1
        if bool(re.fullmatch(pattern, reply, re.IGNORECASE)) != is_bad:
            passed += 1
        elif is_verbose:
            print(f"{name}:{number}: {question}: {reply}, expected {'not ' * is_bad}{pattern}")
    engine.quit()
    return passed, asked, left_out


def is_of_moves(name):
    return any(question.startswith("reg_genmove") for _, (_, question), *_ in tests(name))


def print_row(name, passed, asked, left_out):
    share = 100 * passed / asked if asked else 0
    print(f"{name:20} {passed:5} of {asked:5}  {share:3.0f}%  {left_out:5} left out", flush=True)


names = names or [name for name in sorted(os.listdir(directory)) if name.endswith(".tst") and is_of_moves(name)]
total = [0, 0, 0]
for name in names:
    found = count(name)
    print_row(name, *found)
    total = [sum(pair) for pair in zip(total, found)]
print_row("all", *total)
