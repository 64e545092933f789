#!/usr/bin/env python3
"""Writes the seeds of the fuzz targets from the fixtures: tests/fuzz/seeds.py KAWARI"""

import gzip
import json
import pathlib
import random
import re
import struct
import subprocess
import sys

FOLDER = pathlib.Path(__file__).parent
FIXTURES = FOLDER.parent.parent / "fixtures"
SOURCES = FOLDER.parent.parent / "src"
KAWARI = sys.argv[1]
SETUPS = re.findall(r'^    "(.*)",$', (FOLDER / "src/lib.rs").read_text().split("SETUPS")[1].split("];")[0], re.M)
WIDE = re.findall(r'"([^"]*)"', (FOLDER / "src/lib.rs").read_text().split("WIDE")[1].split("];")[0])
LISTED = subprocess.run([KAWARI, "variants"], capture_output=True, text=True, check=True).stdout
VARIANTS = [line.split()[0] for line in LISTED.splitlines()]
ENCODINGS = ["native", "panel", "sabaki"]


def save(target, name, data):
    path = FOLDER / "seeds" / target / name
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(data)


def choice(words):
    """The byte of the setup that comes nearest to these words."""
    same = lambda setup: sum(1 for a, b in zip(setup.split(), words.split()) if a == b)
    return bytes([max(range(len(SETUPS)), key=lambda at: same(SETUPS[at]))])


def engine(lines):
    out = subprocess.run([KAWARI, "--playouts", "1", "--seed", "1"], input="\n".join(lines) + "\n", text=True, capture_output=True)
    return out.stdout


def sessions():
    for path in sorted((FIXTURES / "gtp").glob("*.gtp")):
        setup, lines, logs, encoding = "go 9", [], [], 0
        for line in path.read_text().splitlines():
            if line.startswith("@ "):
                setup = line[2:]
                encoding = next((at for at, name in enumerate(ENCODINGS) if name in line), 0)
            elif line.startswith("> "):
                lines.append(line[2:])
                logs.append(line[2:])
            elif line.startswith(("=", "?")):
                logs += [line, ""]
        for part, at in enumerate(range(0, min(len(lines), 160), 80)):
            text = "\n".join(lines[at : at + 80]).encode()
            save("gtp", f"{path.stem}-{part}", choice(setup) + bytes([encoding]) + text)
        log = "\n".join(logs)[:1600].encode()
        save("transcript", path.stem, choice(setup) + bytes([encoding]) + log)


def written(turn):
    letter = "B" if turn["color"] == "black" else "W"
    return f"{letter} {turn['turn']}"


def games():
    for path in sorted((FIXTURES / "games").glob("*.jsonl.gz")):
        with gzip.open(path, "rt") as lines:
            game = json.loads(next(lines))
        variant, width, height = game["variant"], game["width"], game["height"]
        size = str(width) if width == height else f"{width}x{height}"
        byte = choice(f"{variant} {size}")
        turns = [written(turn) for turn in game["turns"]][:40]
        save("turns", path.stem[:-6], byte + "\n".join(turns).encode())
        if "19" in size or "25" in size:
            continue
        command = [f"kawari-variant {variant}", f"boardsize {width}" if width == height else f"rectangular_boardsize {width} {height}"]
        for turn in turns:
            color, rest = turn.split(" ", 1)
            word, _, more = rest.partition(" ")
            command.append(f"{word} {color} {more}" if more else f"play {color} {word}")
        record = engine([*command, "printsgf"]).split("= ")[-1]
        if len(record) < 8000:
            save("sgf", path.stem[:-6], byte + record.rstrip().encode())
        save("transcript", f"game-{path.stem[:-6]}", byte + b"\0" + "\n".join(command).encode())
        save("openings", f"lines-{path.stem[:-6]}", byte + b"\0" + (", ".join(turns[:6]) + "\n" + ", ".join(turns[:3])).encode())
        player = {"name": "a", "command": "kawari", "engine": "kawari", "version": "1", "move-format": "turns", "time": "none"}
        rules = json.loads(engine([*command[:2], "kawari-rules"]).split("= ")[-1])
        row = {
            "match": "0123", "game": 1, "pair": 1, "seed": 5, "black": player, "white": player, "variant": variant,
            "width": width, "height": height, "komi": 7.5, "rules": rules, "blocks": [], "opening": 0, "turns": turns,
            "times": [0.1] * len(turns), "result": "B+R", "reason": "resign", "scores": {"black": None, "white": None, "referee": None},
            "mismatch": False,
        }
        header = {
            "kawari-match": 1, "id": "0123", "games": 2, "runner": "kawari 1",
            "settings": {"engines": [{"name": "a"}, {"name": "b"}], "pairings": "gauntlet"},
        }
        if len(turns) < 40:
            save("match_record", path.stem[:-6], byte + f"{json.dumps(header)}\n{json.dumps(row)}\n".encode())
    for path in sorted((FIXTURES / "sgf").glob("*.sgf")):
        save("sgf", path.stem, b"\1" + path.read_bytes())
        save("openings", path.stem, b"\1\1" + path.read_bytes())
    for name, setup, encoding, text in [
        ("wide-panel", "no 25x12", 1, "(;GM[1]SZ[51:12]AB[Ha])"),
        ("wide-points", "no 25x12", 1, "(;GM[1]SZ[51:12]AB[ya][aa:yl]AW[Yl];B[Aa])"),
        ("wide-sabaki", "sygo 19", 2, "(;GM[1]SZ[25:19]AB[aa];W[ca];B[ya])"),
    ]:
        every = SETUPS + WIDE
        save("sgf", name, bytes([every.index(setup) + len(every) * encoding]) + text.encode())


def files():
    guide = (SOURCES / "guide/match.md").read_text()
    for at, text in enumerate(re.findall(r"```toml\n(.*?)```", guide, re.S)):
        save("match_file", f"guide-{at}", text.encode())
    save("match_file", "all", b'variant = "tao"\nsize = "7"\nkomi = 6.5\ngames = 10\nhandicap = "C3,E5"\nmax-turns = 50\n'
        b'seed = 4\ntime-margin = 0.5\ntimeout = 3\nreferee = "gnugo --mode gtp"\nrestart = true\nconcurrency = 2\n'
        b'rule = ["ko=simple", "tao-supply=2"]\nblock = "A1"\nsprt = ["elo0=0", "elo1=5"]\nopening-turns = 2\n'
        b'engine = []\n[[engine]]\nname = "a"\ncommand = "x \'y z\'"\ntime = "canadian 60 30 10"\n[[engine]]\nname = "b"\ncommand = "y"\nplayouts = 3\n')
    for layered in (False, True):
        save("net", "layered" if layered else "flat", small_net(layered))


def small_net(layered):
    """A net of one block, as crates/engine/src/net/file.rs writes it, without its checksum."""
    numbers = random.Random(1)
    planes, globals_, channels, blocks, head, points, boards, hidden = 4, 2, 32, 1, 32, 1, 1, 4
    taps = 11 if layered else 9
    weights = lambda count: bytes(numbers.choice([0, 0, 0, 1, 255, 7]) for _ in range(count))
    words = lambda count: bytes(4 * count)
    floats = lambda count: struct.pack(f"<{count}f", *[0.25] * count)
    convolution = lambda taps, inputs: weights(taps * inputs * 32) + words(32) + bytes([64] * 32) + bytes([16] * 32)
    layer = lambda inputs: weights(inputs * 32) + bytes([1])
    data = b"kawariNN" + struct.pack("<H", 1) + b"\2go"
    data += struct.pack("<9H", planes, globals_, channels, blocks, head, points, boards, hidden, layered)
    data += convolution(taps, planes) + layer(globals_)
    data += convolution(taps, channels) + layer(3 * channels) + convolution(taps, channels)
    data += convolution(1, channels) + layer(3 * channels)
    data += weights((points + 1) * head) + floats(points + 1) * 2
    inputs, last, values = 3 * channels + globals_ + 1, hidden + 1, 5 + boards
    return data + floats(inputs * hidden + hidden) + floats(last * values + values)


sessions()
games()
files()
