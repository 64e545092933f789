#!/usr/bin/env python3
"""The worst files that we know, a megabyte each: seconds of the processor and memory of the
engine with each. More than 0.3 s or 50 MB are marked.

tests/fuzz/worst.py KAWARI [FILTER]
"""

import os
import pathlib
import subprocess
import sys
import tempfile
import time

MEGABYTE = 1 << 20
LETTERS = "abcdefghijklmnopqrstuvwxy"


def vertex(at):
    return "ABCDEFGHJKLMNOPQRSTUVWXYZ"[at % 25] + str(at // 25 % 25 + 1)


def point(at):
    return LETTERS[at % 25] + LETTERS[at // 25 % 25]


def fill(part, begin="", end=""):
    """A megabyte of parts, numbered where `part` is a function."""
    text, size, at = [begin], len(begin) + len(end), 0
    while size < MEGABYTE:
        piece = part(at) if callable(part) else part
        text.append(piece)
        size, at = size + len(piece), at + 1
    return "".join(text) + end


def name(at):
    letters = ""
    for _ in range(5):
        letters, at = letters + chr(65 + at % 26), at // 26
    return letters + "[]"


ROOT = "(;GM[1]FF[4]SZ[25]"
SGF = {
    "rectangles": lambda: fill("[aa:yy]", ROOT + "AB", ")"),
    "rectangles of two colours": lambda: fill("AB[aa:yy]AW[aa:yy]", ROOT, ")"),
    "rectangles in nodes": lambda: fill(";AB[aa:yx]AE[aa:yy]", ROOT, ")"),
    "rectangles in a game": lambda: fill(";AB[aa:yx]AE[aa:yy]", ROOT + ";B[aa]", ")"),
    "rectangles of territory": lambda: fill("[aa:yy]", ROOT + "RE[B+3];B[aa];W[];B[];TB", ")"),
    "rectangles of blocks": lambda: fill("[aa:yy]", ROOT + "KAWARI[go]KBLOCK", ")"),
    "distinct properties": lambda: fill(name, ROOT, ")"),
    "distinct properties of a turn": lambda: fill(name, ROOT + ";B[aa]", ")"),
    "comments": lambda: fill("C[x]", ROOT, ")"),
    "a long comment": lambda: fill("\\]\r\n\t", ROOT + "C[", "])"),
    "a long Japanese comment": lambda: fill("\u0081a", "(;CA[Shift_JIS]C[", "])"),
    "setup that changes nothing": lambda: fill(lambda at: f";{'BW'[at % 2]}[]AB[aa]", ROOT + "AB[aa];B[bb]", ")"),
    "setup that changes something": lambda: fill(";B[];AB[aa];B[];AE[aa]", ROOT + ";B[bb]", ")"),
    "setup after many turns": lambda: fill(lambda at: f";{'BW'[at % 2]}[]", ROOT, ";AB[aa])"),
    "passes": lambda: fill(lambda at: f";{'BW'[at % 2]}[]", ROOT, ")"),
    "a ko forever": lambda: fill(";B[ba];W[bc];B[bb]AB[bb];W[cb]", ROOT + "AB[ab][ba]AW[ac][bc][cb]", ")"),
    "turns": lambda: fill(lambda at: f";{'BW'[at % 2]}[{point(at * 7)}]", ROOT, ")"),
    "cleared boards": lambda: fill(lambda at: f";B[{point(at)}]AE[aa:yy]", ROOT, ")"),
    "turns in words": lambda: fill(lambda at: ";B[]KTURN[pass]", ROOT + "KAWARI[go]", ")"),
    "nukes": lambda: fill(";B[aa]KTURN[A9];W[]KTURN[pass];B[]KTURN[nuke A9]", "(;KAWARI[no]SZ[9]", ")"),
    "an invalid last turn": lambda: fill(lambda at: f";{'BW'[at % 2]}[]", ROOT, ";B[zz])"),
    "an illegal last turn": lambda: fill(lambda at: f";{'BW'[at % 2]}[]", ROOT + ";B[aa]", ";B[aa];W[aa])"),
    "invalid turns after setup": lambda: fill(lambda at: ";B[];AB[aa];B[];AE[aa]", ROOT, ";B[zz])"),
    "depth": lambda: fill("(;", ROOT, ")" * 400000),
    "depth without end": lambda: fill("(;"),
    "variations": lambda: fill("(;)", ROOT, ")"),
    "tiny games": lambda: fill("(;)"),
    "tiny games of 25": lambda: fill("(;SZ[25])"),
    "tiny games with a stone": lambda: fill("(;;B[aa])\n"),
    "tiny games with a result": lambda: fill("(;RE[B+1];B[aa])\n"),
    "broken games": lambda: fill("\n(;GM[1]"),
    "broken games, closed": lambda: fill("\n(;GM[1]B)"),
    "broken games, unclosed values": lambda: fill("\n(;GM[1]C["),
    "text that is not a game": lambda: fill("( ( (\n"),
    "blanks": lambda: fill(" " * 100 + "(", "(;"),
    "a long name": lambda: fill("A", "(;", "[])"),
    "a long size": lambda: fill("9", "(;SZ[", "])"),
    "rules": lambda: fill("[ko:simple]", "(;KAWARI[go]KRULE", ")"),
    "dead stones": lambda: fill(lambda at: f";{'BW'[at % 2]}[{point(at * 2 % 624)}]", ROOT + "RE[B+33]", ")"),
}

GTP = {
    "rules": lambda: fill(lambda at: f"kata-set-rule ko {['SIMPLE', 'POSITIONAL'][at % 2]}\nplay b pass\n"),
    "rules after a game": lambda: "play b pass\nplay w pass\n" * 20000 + fill("kata-set-rule ko SIMPLE\n")[: MEGABYTE // 2],
    "komi": lambda: "play b pass\n" * 40000 + "komi 1\n" * 70000,
    "undo and play": lambda: "boardsize 25\n" + "".join(f"play b {vertex(at * 2)}\n" for at in range(63)) + fill("undo\nplay b Z25\n"),
    "undo twice": lambda: "boardsize 25\n" + "".join(f"play b {vertex(at * 2)}\n" for at in range(62)) + fill("play b Z25\nplay w Z24\nundo\nundo\n"),
    "gg-undo": lambda: "boardsize 25\n" + fill("".join(f"play b {vertex(at * 2)}\n" for at in range(40)) + "gg-undo 40\n"),
    "undo all": lambda: "play b pass\n" * 40000 + "undo\n" * 100000,
    "sizes": lambda: fill(lambda at: f"boardsize {at % 20 + 6}\n"),
    "sizes with a stone": lambda: fill(lambda at: f"boardsize {at % 20 + 6}\nplay b a1\n"),
    "cleared boards": lambda: fill("play b a1\nclear_board\n"),
    "variants": lambda: fill(lambda at: f"kawari-variant {['go', 'no', 'sygo'][at % 3]}\n"),
    "blocks": lambda: fill(lambda at: f"kawari-block {vertex(at)}\n" + ("clear_board\n" if at % 625 == 624 else ""), "boardsize 25\n"),
    "free handicap": lambda: fill("place_free_handicap 600\nclear_board\n", "boardsize 25\n"),
    "set handicap": lambda: fill("set_free_handicap " + " ".join(vertex(at) for at in range(0, 625, 2)) + "\nclear_board\n", "boardsize 25\n"),
    "passes": lambda: fill("play b pass\n"),
    "turns": lambda: fill(lambda at: f"play {'bw'[at % 2]} {vertex(at * 7)}\n" + ("clear_board\n" if at % 90 == 89 else ""), "boardsize 25\n"),
    "undo only": lambda: "play b a1\n" + fill("undo\n"),
    "one long line": lambda: fill("play b a1 "),
    "a long word": lambda: fill("x", "play b "),
    "replies without commands": lambda: "name\n" * 10000 + fill("= \n"),
    "waiting commands": lambda: "= \n" + "1 name\n" * 10000 + fill("1 name\n=9\n"),
    "conversations": lambda: fill(lambda at: f"{'BWR'[at % 3]}>> play b a1\n{'BWR'[at % 3]}<< = \n"),
    "sequences": lambda: fill(lambda at: f"gogui-play_sequence b pass w pass\n"),
    "typed turns": lambda: fill(lambda at: "nuke b a1\n", "kawari-variant no\nkata-set-param encoding sabaki\nplay b a1\n"),
    "loads": lambda: fill("loadsgf x\n"),
    "setups in Sabaki": lambda: fill("clear_board\nplay b a1\nplay w b1\nplay b a1\n", "kata-set-param encoding sabaki\n"),
}

TURNS = '"B pass",'
JSON = {
    "passes": lambda: fill(TURNS, '{"width":25,"height":25,"turns":[', '"B pass"]}\n'),
    "turns": lambda: fill(lambda at: f'"{"BW"[at % 2]} {vertex(at * 7)}",', '{"width":25,"height":25,"turns":[', '"B pass"]}\n'),
    "nothing": lambda: fill("{}\n"),
    "tiny games": lambda: fill('{"turns":[]}\n'),
    "tiny games of 25": lambda: fill('{"width":25,"turns":["B A1"]}\n'),
    "headers": lambda: fill('{"kawari-match":1}\n'),
    "blocks": lambda: fill(lambda at: f'"{vertex(at)}",', '{"blocked_points":[', '"A1"],"turns":[]}\n'),
    "rules": lambda: fill(lambda at: f'"ko{at}":"simple",', '{"rules":{', '"ko":"simple"},"turns":[]}\n'),
    "depth": lambda: fill("[", '{"rules":{"ko":'),
    "text": lambda: fill("\\u0041", '{"result":"', '","turns":[]}\n'),
    "numbers": lambda: fill("1", '{"komi":', ',"turns":[]}\n'),
}

HEADER = '{"kawari-match":1,"id":"0","games":2,"runner":"x","settings":{"engines":['
RESULTS = {
    "engines": lambda: fill('{"name":"a"},', HEADER, '{"name":"b"}]}}\n'),
    "headers": lambda: fill(HEADER + '{"name":"b"}]}}\n'),
    "blank lines": lambda: HEADER + '{"name":"b"}]}}\n' + fill("\n"),
}

OPENINGS = {
    "txt lines": lambda: fill("A1\n"),
    "txt long line": lambda: fill("pass A1 ", end="\n"),
    "txt comments": lambda: fill("#\n", end="A1\n"),
    "txt turns": lambda: fill(lambda at: f"{vertex(at * 2)},{vertex(at * 2 + 1)}\n"),
    "sgf tiny games": lambda: fill("(;SZ[25];B[aa])\n"),
    "sgf turns": lambda: fill(lambda at: ";B[];B[aa];AE[aa]", ROOT, ")"),
    "sgf games": lambda: fill(lambda at: f"(;SZ[25];B[{point(at)}];W[{point(at + 3)}])"),
    "gtp games": lambda: fill(lambda at: f"clear_board\nplay b {vertex(at)}\n"),
    "gtp rules": lambda: fill(lambda at: f"kata-set-rule ko {['SIMPLE', 'POSITIONAL'][at % 2]}\nplay b a{at % 9 + 1}\nundo\n", end="play b a1\n"),
}

TOML = {
    "engines": lambda: fill(lambda at: f'[[engine]]\nname="e{at}"\ncommand="x"\n'),
    "engines without names": lambda: fill(lambda at: f'[[engine]]\ncommand="x{at}"\n'),
    "rules": lambda: fill('"ko=simple",', "rule=[", "]\n"),
    "handicap": lambda: fill(lambda at: vertex(at) + ",", 'handicap="', 'A1"\n'),
    "blocks": lambda: fill(lambda at: vertex(at) + ",", 'block="', 'A1"\n'),
    "depth": lambda: fill("[", "rule="),
    "inline tables": lambda: fill("{a=", "rule="),
    "keys": lambda: fill(lambda at: f"k{at}=1\n"),
    "dotted keys": lambda: fill(lambda at: f"rule.k{at}=1\n"),
    "one dotted key": lambda: fill("a.", "", "b=1\n"),
    "unclosed text": lambda: fill("x", 'variant="'),
    "words of sprt": lambda: fill('"elo0=0",', "sprt=[", "]\n"),
    "a command": lambda: fill("x ", '[[engine]]\nname="a"\ncommand="', '"\n[[engine]]\nname="b"\ncommand="y"\n'),
}

def runs(folder, pattern):
    engines = ["--engine", "a=true", "--engine", "b=true"]
    for kind, table, ending, arguments in [
        ("check", SGF, "sgf", lambda path: ["check", path]),
        ("loadsgf", SGF, "sgf", lambda path: [f"loadsgf {path}"]),
        ("check", GTP, "gtp", lambda path: ["check", "--format", "gtp", path]),
        ("check", JSON, "jsonl", lambda path: ["check", "--format", "json", path]),
        ("merge", RESULTS, "jsonl", lambda path: ["match", "merge", path]),
        ("match", TOML, "toml", lambda path: ["match", "--out", os.path.join(folder, "m.jsonl"), "--games", "1", "--seed", "1", "--shard", "7/7", "--config", path]),
        ("openings", OPENINGS, "", lambda path: ["match", "--size", "25", *engines, "--openings", path, "--games", "1", "--seed", "1",
            "--shard", "7/7", "--out", os.path.join(folder, "m.jsonl")]),
    ]:
        for title, make in table.items():
            if pattern not in f"{kind} {ending}: {title}":
                continue
            suffix = ending or title.split()[0]
            path = os.path.join(folder, f"worst.{suffix}")
            encoding = "latin-1" if "Japanese" in title else "utf-8"
            # In another process: a child begins with the peak of memory of its parent.
            if (child := os.fork()) == 0:
                pathlib.Path(path).write_bytes(make().encode(encoding))
                os._exit(0)
            os.waitpid(child, 0)
            yield f"{kind} {ending}: {title}", arguments(path)


def main():
    kawari, pattern = sys.argv[1], " ".join(sys.argv[2:])
    worst = [0, 0]
    with tempfile.TemporaryDirectory() as folder:
        for title, arguments in runs(folder, pattern):
            lines = arguments[0] + "\n" if arguments[0].startswith("loadsgf") else ""
            command = [kawari] if lines else [kawari, *arguments]
            begin = time.perf_counter()
            child = subprocess.Popen(
                ["prlimit", "--as=4000000000", "timeout", "30", *command], text=True,
                stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
            try:
                child.stdin.write(lines)
                child.stdin.close()
            except BrokenPipeError:
                pass
            _, _, usage = os.wait4(child.pid, 0)
            waited = time.perf_counter() - begin
            seconds = usage.ru_utime + usage.ru_stime
            megabytes = usage.ru_maxrss / 1024
            worst = [max(worst[0], seconds), max(worst[1], megabytes)]
            mark = "  <--" if seconds > 0.3 or megabytes > 50 else ""
            print(f"{seconds:7.3f} s ({waited:.3f} s waited) {megabytes:7.1f} MB  {title}{mark}", flush=True)
    print(f"worst: {worst[0]:.3f} s, {worst[1]:.1f} MB")


main()
