#!/usr/bin/env python3
"""Plays whole games in GoGui by mouse clicks, against the engine, and looks
whether GoGui, its player and its ruler agree at the end.

    GOGUI=CLASSES KAWARI=target/release/kawari tests/gogui/play.py DIRECTORY [VARIANT-ENCODING]...

CLASSES is what build.sh made. Into DIRECTORY go what passed on the wire and
pictures of the screen, to be looked at. Needs Xvfb, openbox, xdotool, import
(ImageMagick) and java; without one it says so and stops with 77.
"""
import os
import random
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
GAMES = {  # variant[-side]-encoding: options
    "go-native": ["--size", "9"],
    "no-native": [],
    "no-panel": [],
    "go-san-panel": [],
    "go-san-native": [],
    "tao-panel": ["--size", "9"],
    "tao-native": ["--size", "9"],
    "sygo-native": ["--size", "9"],
    "sygo-panel": ["--size", "9"],
    "stoical-native": ["--size", "9", "--block", "A1,A2,B1"],
    "stoical-panel": ["--size", "9"],
    "2.5d-native": [],
    "2.5d-panel": [],
    "go-panel": ["--size", "13x9"],
    "go-19-native": [],
    "tao-19-native": [],
    "stoical-19-panel": [],
}
WIDTH, HEIGHT = 1000, 900
MOST = int(os.environ.get("CLICKS", "24"))


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: no {program}")
            sys.exit(77)
    if not os.path.isdir(os.path.join(os.environ.get("GOGUI", ""), "net/sf/gogui")):
        print("skipped: no GoGui (set GOGUI, see build.sh)")
        sys.exit(77)


class Engine:
    """An engine that follows the game beside GoGui."""

    def __init__(self, command):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen(command, stdin=pipe, stdout=pipe, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        return "\n".join(lines)[2:]


def wires(directory):
    """What passed between GoGui and each process: lists of (command, reply)."""
    found = []
    for name in sorted(os.listdir(directory)):
        if not name.endswith(".wire"):
            continue
        sent, replies, reply = [], [], []
        for line in open(os.path.join(directory, name)):
            parts = line.rstrip("\n").split(" ", 2)
            if len(parts) < 2:
                continue
            text = parts[2] if len(parts) > 2 else ""
            if parts[1] == ">" and text and not text.startswith("#"):
                sent.append((float(parts[0]), text))
            elif parts[1] == "<":
                if text:
                    reply.append(text)
                elif reply:
                    replies.append((float(parts[0]), "\n".join(reply)))
                    reply = []
        found.append(list(zip(sent, replies)))
    return found


def player_of(directory):
    """The moves that GoGui's player knows of."""
    for wire in wires(directory):
        commands = [command for (_, command), _ in wire]
        if not any(command.startswith("gogui-analyze_commands") for command in commands):
            continue
        moves = []
        for (_, command), (_, reply) in wire:
            words = command.split()
            if words[0] == "clear_board":
                moves = []
            elif words[0] == "play" and reply.startswith("="):
                moves.append((words[1], words[2]))
            elif words[0] == "gogui-play_sequence" and reply.startswith("="):
                moves += list(zip(words[1::2], words[2::2]))
            elif words[0] == "genmove" and reply.startswith("="):
                moves.append((words[1].upper(), reply[2:]))
            elif words[0] == "undo" and reply.startswith("="):
                moves.pop()
        return moves
    return []


def board_on(pixels):
    """Left, top and side in pixels of the wooden square on the screen."""
    columns, rows = {}, {}
    for y in range(84, HEIGHT):
        for x in range(WIDTH):
            red, green, blue = pixels[3 * (y * WIDTH + x) : 3 * (y * WIDTH + x) + 3]
            if red - blue > 50 and red > green > blue:
                columns[x] = columns.get(x, 0) + 1
                rows[y] = rows.get(y, 0) + 1
    xs = [x for x, n in columns.items() if n > 20]
    ys = [y for y, n in rows.items() if n > 20]
    if not xs or not ys:
        return None
    return min(xs), min(ys), max(max(xs) - min(xs), max(ys) - min(ys)) + 1


def column_number(letters):
    number = 0
    for letter in letters:
        number = number * 25 + "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(letter) + 1
    return number - 1


def play(name, directory, display):
    variant, encoding = name.rsplit("-", 1)
    variant = variant.removesuffix("-19")
    shutil.rmtree(directory, ignore_errors=True)
    os.makedirs(directory)
    kawari = os.path.abspath(os.environ.get("KAWARI", "target/release/kawari"))
    options = ["--variant", variant, "--encoding", encoding, *GAMES[name]]
    options += ["--playouts", "40", "--seed", "3", "--log", "off"]
    judge = Engine([kawari, *options])
    side = int(judge.ask("gogui-rules_board_size"))
    environment = {**os.environ, "DISPLAY": display}
    command = [os.path.join(HERE, "wire.py"), directory, kawari, *options]
    home = os.path.join(directory, "home")
    os.makedirs(home)
    gogui = subprocess.Popen(
        ["java", f"-Duser.home={home}", f"-Djava.util.prefs.userRoot={home}", "-cp"]
        + [os.environ["GOGUI"], "net.sf.gogui.gogui.Main", "-computer-white"]
        + ["-program", " ".join(command)],
        env=environment,
        cwd=home,
        stdout=open(os.path.join(directory, "gogui.log"), "w"),
        stderr=subprocess.STDOUT,
    )

    def run(*words):
        subprocess.run(words, env=environment, check=False)

    def shot(number):
        path = os.path.join(directory, f"{name}-{number}.png")
        run("import", "-window", "root", path)
        return path

    def screen():
        grab = ["import", "-window", "root", "-depth", "8", "rgb:-"]
        return subprocess.run(grab, env=environment, capture_output=True).stdout

    def player_started():
        commands = [command for wire in wires(directory) for (_, command), _ in wire]
        return "gogui-analyze_commands" in commands and "gogui-title" in commands

    def settle():
        """Waits until GoGui is quiet for a while."""
        last, since = None, time.time()
        deadline = time.time() + 60
        while time.time() < deadline:
            size = sum(
                os.path.getsize(os.path.join(directory, file))
                for file in os.listdir(directory)
                if file.endswith(".wire")
            )
            if size != last:
                last, since = size, time.time()
            elif time.time() - since > 0.5:
                return
            time.sleep(0.1)

    try:
        found = None
        while not found and gogui.poll() is None:
            time.sleep(2)
            settle()
            if player_started():
                found = board_on(screen())
        left, top, width = found
        shot(0)
        cell = int(width / (side + 2 * 0.2))
        offset = (width - side * cell) // 2
        log, known, passes = [], 0, 0
        rng = random.Random(4)
        for click in range(MOST + 60):
            # What the engine played since.
            for color, move in player_of(directory)[known:]:
                judge.ask(f"play {color} {move}")
                log.append(f"{color} {move}")
            known = len(log)
            legal = judge.ask("gogui-rules_legal_moves").split()
            mover = judge.ask("gogui-rules_side_to_move")
            if not legal or mover != "black":
                break
            moves = [move for move in legal if move != "pass"]
            if log and log[-1].lower() == "w pass":
                # GoGui tells so in a window.
                run("xdotool", "key", "Return")
                time.sleep(1)
            if (click >= MOST or not moves) and "pass" in legal:
                run("xdotool", "key", "F2")
            else:
                move = rng.choice(moves)
                letters = move.rstrip("0123456789")
                column, row = column_number(letters), int(move[len(letters) :]) - 1
                x = left + offset + cell * column + cell // 2
                y = top + offset + cell * (side - 1 - row) + cell // 2
                run("xdotool", "mousemove", str(x), str(y), "click", "1")
            patience = time.time() + 30
            while time.time() < patience and len(player_of(directory)) <= known:
                time.sleep(0.2)
            settle()
            if player_of(directory)[known:] == []:
                print(f"{name}: nothing came of {move if moves else 'a pass'}")
                shot("stuck")
                break
            if click in (5, 11, 17, 23):
                shot(click)
        run("xdotool", "key", "Return")
        time.sleep(1)
        shot("end")
        while known < len(player_of(directory)):
            color, move = player_of(directory)[known]
            judge.ask(f"play {color} {move}")
            known += 1
        # GoGui sends a move to the ruler twice; the second is refused.
        replies = [reply for wire in wires(directory) for _, (_, reply) in wire]
        refused = sum(reply.startswith("?") for reply in replies)
        text = open(os.path.join(directory, "gogui.log")).read().strip()
        over = judge.ask("gogui-rules_legal_moves") == ""
        print(
            f"{name}: {known} moves, over: {over}, {judge.ask('final_score')}, "
            f"{refused} refusals{', output: ' + text[:200] if text else ''}"
        )
        return over
    finally:
        gogui.terminate()
        gogui.wait()
        judge.process.kill()


def main():
    need("Xvfb", "openbox", "xdotool", "import", "java")
    directory = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or list(GAMES)
    display = f":{90 + os.getpid() % 100}"
    screen = subprocess.Popen(["Xvfb", display, "-screen", "0", f"{WIDTH}x{HEIGHT}x24"])
    time.sleep(2)
    manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": display})
    try:
        results = [play(name, os.path.join(directory, name), display) for name in names]
    finally:
        manager.terminate()
        screen.terminate()
    sys.exit(not all(results))


main()
