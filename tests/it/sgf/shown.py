#!/usr/bin/env python3
"""Random games of every variant, looked at through sgfmill and read back.

    python3 tests/sgf/shown.py [--games N] [--seed N] [--variant ID] [KAWARI]

KAWARI is the program, `target/release/kawari` if not given. Each game has a
random size, random rules, walls and handicap. It is played at random over GTP,
printed, and then
- every node, as sgfmill shows it, must have the stones of `kawari-state`;
- loaded again, it must have the same history, state, rules and file.

Without sgfmill (`pip install sgfmill`) it says so and does nothing. sgfmill
knows only squares: of other boards the square around them is looked at.
"""

import argparse
import json
import os
import random
import subprocess
import sys
import tempfile
import time

try:
    from sgfmill import boards, sgf
except ImportError:
    print("skipped: sgfmill is missing (pip install sgfmill)")
    sys.exit(0)

COLUMNS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"
KO = ["simple", "positional", "situational", "none"]
SCORING = ["area", "territory"]
RULES = {
    "no": {"nuke-acts": ["next", "now"]},
    "go-san": {"nuke-acts": ["next", "now"]},
    "tao": {
        "tao-cost": ["prisoner", "points:0", "points:1", "points:2.5"],
        "tao-supply": ["0", "0", "1", "5"],
    },
    "sygo": {"first": ["white", "black"]},
    "stoical": {"stoical-rule": ["basic", "snapback", "refined"]},
    "2.5d": {"layers": ["2", "2", "2", "1", "3", "4"]},
}
DEFAULT_SIDE = {"no": 9, "go-san": 9, "2.5d": 9}


class Engine:
    """A program that speaks GTP; several commands go out before replies come back."""

    def __init__(self, path):
        self.process = subprocess.Popen(
            [path], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL
        )

    def ask(self, *lines):
        """The replies, None for those that are refusals."""
        self.process.stdin.write(("\n".join(lines) + "\n").encode())
        self.process.stdin.flush()
        return [self.reply() for _ in lines]

    def tell(self, *lines):
        """The reply to the last line; none may be refused."""
        replies = self.ask(*lines)
        refused = [line for line, reply in zip(lines, replies) if reply is None]
        assert not refused, f"refused: {refused}"
        return replies[-1]

    def reply(self):
        text = b""
        while not text.endswith(b"\n\n"):
            line = self.process.stdout.readline()
            assert line, "the engine is gone"
            text += line
        return text[1:].decode().strip() if text.startswith(b"=") else None


def vertex(column, row):
    return f"{COLUMNS[column]}{row + 1}"


def set_up(engine, variant, rng):
    """A random start."""
    engine.tell(f"kawari-variant {variant}")
    keys = {"ko": KO, "scoring": SCORING, **RULES.get(variant, {})}
    for key, values in keys.items():
        if key == "layers" or rng.random() < 0.4:
            engine.tell(f"kawari-set-rule {key} {rng.choice(values)}")
    usual = rng.random() < 0.05
    if not usual and variant == "2.5d":
        layers = json.loads(engine.tell("kawari-rules"))["layers"]
        most = {1: 7, 2: 6, 3: 4, 4: 3}[layers]
        side = rng.randint(2, most)
        engine.tell(f"rectangular_boardsize {side} {side}")
    elif not usual:
        width, height = rng.randint(2, 7), rng.randint(2, 7)
        if rng.random() < 0.6:
            height = width
        engine.tell(f"rectangular_boardsize {width} {height}")
    state = json.loads(engine.tell("kawari-state"))
    width, height = state["width"], state["height"]
    if rng.random() < 0.5:
        engine.tell(f"komi {rng.randint(-40, 40) / 2}")
    places = [vertex(x, y) for x in range(width) for y in range(height)]
    rng.shuffle(places)
    # Some of these are refused: off the layers, or without a liberty.
    if rng.random() < 0.3:
        engine.ask("kawari-block " + " ".join(places[: rng.randint(1, 4)]))
    if rng.random() < 0.2:
        engine.ask("set_free_handicap " + " ".join(places[4 : 4 + rng.randint(2, 4)]))
    return rng.randint(0, 60) if not usual else rng.randint(100, 300)


def command(color, turn):
    word, _, rest = turn.partition(" ")
    return f"{word} {color} {rest}" if rest else f"play {color} {turn}"


def play(engine, turns, rng):
    """Plays at random; the boards from the start on, rows from the top."""
    state, legal = engine.ask("kawari-state", "kawari-legal")
    shown = [json.loads(state)["board"]]
    for _ in range(turns):
        color = json.loads(state)["to_move"][0]
        if rng.random() < 0.06:
            color = "w" if color == "b" else "b"
            legal = engine.tell(f"kawari-legal {color}")
        if not legal:
            break
        legal = legal.split("\n")
        turn = rng.choice(legal)
        attempts = [turn]
        if turn.startswith("grow"):
            grown = [other.split()[1] for other in legal if other.startswith("grow")]
            more = rng.sample(grown, min(len(grown), rng.randint(1, 4)))
            attempts.insert(0, " ".join(["grow", *more]))
        for turn in attempts:
            played, state, legal = engine.ask(
                command(color, turn), "kawari-state", "kawari-legal"
            )
            if played is not None:
                break
        assert played is not None, f"{turn} is listed and refused"
        shown.append(json.loads(state)["board"])
    if rng.random() < 0.1:
        engine.ask(f"play {rng.choice('bw')} resign")
    return shown


def look(text, shown):
    """Compares what sgfmill shows with what ought to be shown."""
    width, height = len(shown[0][0]), len(shown[0])
    side = max(width, height)
    size = f"SZ[{width}:{height}]" if width != height else f"SZ[{side}]"
    assert text.count(size) == 1
    game = sgf.Sgf_game.from_string(text.replace(size, f"SZ[{side}]"))
    board = boards.Board(side)
    nodes = game.get_main_sequence()
    assert len(nodes) == len(shown), f"{len(nodes)} nodes for {len(shown)} positions"
    layered = "KAWARI[2.5d]" in text
    for node, expected in zip(nodes, shown):
        color, move = node.get_move()
        black, white, empty = node.get_setup_stones()
        if color is not None:
            assert not node.has_setup_stones() and not node.has_property("PL")
            if move is not None:
                board.play(*move, color)
        elif layered:
            # sgfmill takes off what has no liberty on its own layer.
            for points, stone in [(black, "b"), (white, "w"), (empty, None)]:
                for row, column in points:
                    board.board[row][column] = stone
        else:
            assert board.apply_setup(black, white, empty), "a group without liberties"
        symbols = {"b": "X", "w": "O", None: "."}
        rows = ["".join(symbols[board.get(row, column)] for column in range(side))
                for row in reversed(range(side))]
        true = [row.translate(str.maketrans("+#*", "...")) for row in expected]
        true = [row.ljust(side, ".") for row in true] + ["." * side] * (side - height)
        assert rows == true, f"shown {rows}, true {true}"


SIGHTS = ["kawari-history", "kawari-state", "kawari-rules", "get_komi", "final_score", "printsgf"]


def check(engine, variant, rng, file):
    turns = set_up(engine, variant, rng)
    shown = play(engine, turns, rng)
    before = engine.ask(*SIGHTS)
    text = before[-1]
    try:
        look(text, shown)
        with open(file, "w", encoding="utf-8") as out:
            out.write(text)
        engine.tell("kawari-variant " + ("go" if variant != "go" else "no"))
        engine.tell(f"loadsgf {file}")
        after = engine.ask(*SIGHTS)
        assert before == after, f"before {before}, after {after}"
        undone = engine.ask(*["undo"] * len(shown))
        assert undone.count("") >= len(shown) - 1, "undo goes back to the start"
    except Exception:
        print(text)
        raise
    return len(shown)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kawari", nargs="?", default="target/release/kawari")
    parser.add_argument("--games", type=int, default=100, help="games of each variant")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--variant", help="only this one")
    options = parser.parse_args()
    if not os.path.exists(options.kawari):
        print(f"skipped: {options.kawari} is missing (cargo build --release)")
        return
    engine = Engine(options.kawari)
    with tempfile.TemporaryDirectory() as folder:
        file = os.path.join(folder, "game of go.sgf")
        for line in engine.tell("kawari-variants").split("\n"):
            variant = line.split()[0]
            if options.variant not in (None, variant):
                continue
            rng = random.Random(f"{options.seed} {variant}")
            started, nodes = time.time(), 0
            for _ in range(options.games):
                nodes += check(engine, variant, rng, file)
            seconds = time.time() - started
            print(f"{variant}: {options.games} games, {nodes} nodes, {seconds:.0f} s: all the same",
                  flush=True)


if __name__ == "__main__":
    main()
