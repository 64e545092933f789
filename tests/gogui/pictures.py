#!/usr/bin/env python3
"""Takes the pictures of GoGui in fixtures/screenshots: plays the turns of each
game by mouse clicks in the real GoGui.

    GOGUI=CLASSES KAWARI=target/release/kawari tests/gogui/pictures.py DIRECTORY [VARIANT]...

CLASSES is what build.sh made. Needs Xvfb, openbox, xdotool, import and convert
(ImageMagick), cwebp and java; without one it says so and stops with 77.
"""
import os
import sys
import time

from screen import GoGui, Screen, need

# Options of the engine, and the clicks of both sides. In `go` the engine then searches, and draws.
GAMES = {
    "go": (["--size", "9", "--time", "20"], "C4 F5 G3 D6 E6"),
    "no": (["--encoding", "panel"], "D6 F5 O6 G4 C3 Q5 E3 G7"),
    "go-san": (["--encoding", "panel"], "E6 E5 P6 C4 H6 P5 G3 H3 S6"),
    "tao": (["--size", "9", "--encoding", "panel"], "F4 C4 G6 C6 E7 G8"),
    "sygo": (["--size", "9"], "B2 H8 H2 B8 B3"),
    "stoical": (["--size", "9", "--block", "B7,B8,H2"], "D5 G5 E6 F6 E4 F4"),
    "2.5d": (["--size", "5"], "C3 J3 C4 J4 D3"),
}


def take(name, directory, display):
    options, clicks = GAMES[name]
    log = os.path.join(directory, name)
    gogui = GoGui(log, display, ["--variant", name, "--seed", "3", "--log", "off", *options], ["-computer-none"])
    try:
        gogui.wait_for_board()
        for vertex in clicks.split():
            gogui.click(vertex)
            gogui.settle()
        if name == "go":
            gogui.key("F5")
            # Later the best move has nearly all visits, and the others have no figure.
            time.sleep(1.2)
        gogui.picture_of_window(os.path.join(directory, f"gogui-{name}.webp"))
    finally:
        gogui.close()


def main():
    need("Xvfb", "openbox", "xdotool", "import", "convert", "cwebp", "java")
    directory = os.path.abspath(sys.argv[1])
    with Screen() as display:
        for name in sys.argv[2:] or GAMES:
            take(name, directory, display)


main()
