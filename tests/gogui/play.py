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
import sys
import time

from screen import Engine, GoGui, Screen, need, wires

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
MOST = int(os.environ.get("CLICKS", "24"))


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


def play(name, directory, display):
    variant, encoding = name.rsplit("-", 1)
    options = ["--variant", variant.removesuffix("-19"), "--encoding", encoding, *GAMES[name]]
    options += ["--playouts", "40", "--seed", "3", "--log", "off"]
    gogui = GoGui(directory, display, options, ["-computer-white"])
    judge = Engine(options)

    def shot(number):
        gogui.picture(os.path.join(directory, f"{name}-{number}.png"))

    try:
        gogui.wait_for_board()
        shot(0)
        log, known = [], 0
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
                gogui.key("Return")
                time.sleep(1)
            if (click >= MOST or not moves) and "pass" in legal:
                gogui.key("F2")
            else:
                move = rng.choice(moves)
                gogui.click(move)
            patience = time.time() + 30
            while time.time() < patience and len(player_of(directory)) <= known:
                time.sleep(0.2)
            gogui.settle()
            if player_of(directory)[known:] == []:
                print(f"{name}: nothing came of {move if moves else 'a pass'}")
                shot("stuck")
                break
            if click in (5, 11, 17, 23):
                shot(click)
        gogui.key("Return")
        time.sleep(1)
        shot("end")
        while known < len(player_of(directory)):
            color, move = player_of(directory)[known]
            judge.ask(f"play {color} {move}")
            known += 1
        # GoGui sends a move to the ruler twice; the second is refused.
        replies = [reply for wire in wires(directory) for _, (_, reply) in wire]
        refused = sum(reply.startswith("?") for reply in replies)
        text = gogui.log()
        over = judge.ask("gogui-rules_legal_moves") == ""
        print(
            f"{name}: {known} moves, over: {over}, {judge.ask('final_score')}, "
            f"{refused} refusals{', output: ' + text[:200] if text else ''}"
        )
        return over
    finally:
        gogui.close()
        judge.close()


def main():
    need("Xvfb", "openbox", "xdotool", "import", "java")
    directory = os.path.abspath(sys.argv[1])
    names = sys.argv[2:] or list(GAMES)
    with Screen() as display:
        results = [play(name, os.path.join(directory, name), display) for name in names]
    sys.exit(not all(results))


main()
