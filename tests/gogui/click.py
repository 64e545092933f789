#!/usr/bin/env python3
"""Times what the engine has to answer when somebody clicks in GoGui late in a
game: four replays of all moves, as GoGui asks for them, and its questions.

    KAWARI=target/release/kawari tests/gogui/click.py [MOVES [SIDE]]

Prints a line for each variant: the median and the worst of eleven clicks, in
milliseconds. Fails if a median is 100 or more.
"""
import os
import random
import statistics
import subprocess
import sys
import time

kawari = os.environ.get("KAWARI", "target/release/kawari")
if not os.access(kawari, os.X_OK):
    print(f"skipped: no {kawari}")
    sys.exit(77)
wanted = int(sys.argv[1]) if len(sys.argv) > 1 else 250
side = sys.argv[2] if len(sys.argv) > 2 else "19"
# Each game in each encoding, the stacked ones as large as they can be.
listed = subprocess.run([kawari, "variants"], capture_output=True, text=True, check=True).stdout
GAMES = [
    (variant, "12" if variant == "2.5d" else side, encoding)
    for variant in (line.split()[0] for line in listed.splitlines())
    for encoding in ("native", "panel")
]
slow = False
for variant, size, encoding in GAMES:
    engine = subprocess.Popen(
        [kawari, "--variant", variant, "--size", size, "--encoding", encoding, "--log", "off"],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
    )

    def ask(line):
        engine.stdin.write(line + "\n")
        engine.stdin.flush()
        lines = []
        while (line := engine.stdout.readline()) != "\n":
            lines.append(line.rstrip("\n"))
        return "\n".join(lines)[2:]

    rng, plays = random.Random(1), []
    while len(plays) < wanted:
        moves = ask("gogui-rules_legal_moves").split()
        moves = [move for move in moves if move != "pass"]
        if not moves:
            break
        color = ask("gogui-rules_side_to_move")
        # Few nukes and tao stones, or the board is soon a desert.
        own = [move for move in moves if len(move.rstrip("0123456789")) == 1]
        move = rng.choice(own if own and rng.random() < 0.99 else moves)
        if variant in ("no", "go-san"):
            empty = [move for move in own if rng.random() < 0.5]
            board = ask("gogui-rules_board").splitlines()
            letters = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
            empty = [m for m in own if board[-int(m[1:])][letters.index(m[0])] == "."]
            move = rng.choice(empty) if empty and rng.random() < 0.995 else move
        ask(f"play {color} {move}")
        plays.append(f"play {color} {move}")
    times = []
    for _ in range(11):
        started = time.perf_counter()
        for _ in range(4):
            for line in ["clear_board", *plays]:
                ask(line)
            for question in ["board", "board_size", "captured_count", "side_to_move"]:
                ask(f"gogui-rules_{question}")
        for question in 10 * ["side_to_move"] + 4 * ["board_gfx", "legal_moves"]:
            ask(f"gogui-rules_{question}")
        times.append(1000 * (time.perf_counter() - started))
    engine.stdin.close()
    engine.wait()
    median = statistics.median(times)
    slow |= median >= 100
    print(f"{variant} {size} {encoding}: {len(plays)} moves, {median:.0f} ms, worst {max(times):.0f}")
sys.exit(slow)
