#!/usr/bin/env python3
"""Random games of every variant on a square board, written by the engine and
read by GoGui's own classes: every node must show the stones of the engine's
position, and a mark on every void and tao stone.

    KAWARI=target/release/kawari tests/gogui/records.py CLASSES [GAMES]

CLASSES is what build.sh made. Without it, or without java, it says so and
stops with 77. (2.5D Go is left out: GoGui reads files of square boards only.)
"""
import json
import os
import random
import shutil
import subprocess
import sys
import tempfile

kawari = os.environ.get("KAWARI", "target/release/kawari")
classes = sys.argv[1] if len(sys.argv) > 1 else ""
games = int(sys.argv[2]) if len(sys.argv) > 2 else 3
for missing, what in [
    (not os.access(kawari, os.X_OK), kawari),
    (not os.path.isdir(classes), "directory with GoGui's classes"),
    (not shutil.which("java"), "java"),
]:
    if missing:
        print(f"skipped: no {what}")
        sys.exit(77)
source = os.path.join(os.path.dirname(os.path.abspath(__file__)), "Shown.java")


class Engine:
    def __init__(self, *args):
        self.process = subprocess.Popen(
            [kawari, *args], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, text=True,
        )

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        while (answer := self.process.stdout.readline()) != "\n":
            assert answer, "the engine is gone"
            lines.append(answer.rstrip("\n"))
        assert lines[0].startswith("="), f"{line}: {lines[0]}"
        return "\n".join(lines)[2:]


def play(engine, turns, rng):
    """Plays at random; the positions from the start on."""
    states = [json.loads(engine.ask("kawari-state"))]
    while len(states) <= turns:
        color = states[-1]["to_move"][0]
        legal = engine.ask(f"kawari-legal {color}").split("\n")
        # Few nukes, or the board is soon empty for ever.
        some = [t for t in legal if not t.startswith(("nuke", "pass")) or rng.random() < 0.1]
        word, *rest = rng.choice(some or legal).split()
        if not word:
            break
        engine.ask(" ".join([word, color, *rest]) if rest else f"play {color} {word}")
        states.append(json.loads(engine.ask("kawari-state")))
    return states


def look(shown, states, label):
    assert len(shown) == 2 * len(states), f"{label}: {len(shown) // 2} of {len(states)} nodes"
    for number, state in enumerate(states):
        stones, marks = (row.split() for row in shown[2 * number : 2 * number + 2])
        for row, (true, seen, marked) in enumerate(zip(state["board"], stones, marks)):
            stones_there = true.translate(str.maketrans("+#*", "..."))
            assert stones_there == seen, f"{label}, node {number}, row {row}: {seen} for {true}"
            unmarked = [t for t, m in zip(true, marked) if t in "+*" and m == "."]
            assert not unmarked, f"{label}, node {number}, row {row}: {marked} for {true}"


# GoGui reads files of square boards only.
TURNS = {"go": 250, "no": 40, "go-san": 80, "sygo": 30}
listed = subprocess.run([kawari, "variants"], capture_output=True, text=True, check=True).stdout
for variant in (line.split()[0] for line in listed.splitlines()):
    size, turns = 19 if variant == "go" else 9, TURNS.get(variant, 100)
    if variant == "2.5d":
        continue
    engine, rng, nodes = Engine("--variant", variant, "--size", str(size)), random.Random(1), 0
    for game in range(games):
        engine.ask("clear_board")
        states = play(engine, turns, rng)
        with tempfile.NamedTemporaryFile("w", suffix=".sgf") as file:
            file.write(engine.ask("printsgf"))
            file.flush()
            command = ["java", "-cp", classes, source, file.name]
            done = subprocess.run(command, capture_output=True, text=True, check=True)
        assert not done.stderr.strip(), f"{variant}: {done.stderr}"
        look(done.stdout.splitlines(), states, f"{variant}, game {game + 1}")
        nodes += len(states)
    print(f"{variant}: {games} games, {nodes} nodes as they ought to be", flush=True)
