"""GoGui on a screen of its own: starts it with an engine, clicks on its board, takes pictures."""
import os
import shutil
import subprocess
import sys
import time

HERE = os.path.dirname(os.path.abspath(__file__))
WIDTH, HEIGHT = 1000, 900
# The edge around GoGui's board, in cells.
EDGE = 0.2


def need(*programs):
    for program in programs:
        if not shutil.which(program):
            print(f"skipped: no {program}")
            sys.exit(77)
    if not os.path.isdir(os.path.join(os.environ.get("GOGUI", ""), "net/sf/gogui")):
        print("skipped: no GoGui (set GOGUI, see build.sh)")
        sys.exit(77)


def program():
    return os.path.abspath(os.environ.get("KAWARI", "target/release/kawari"))


class Engine:
    """An engine that follows the game beside GoGui."""

    def __init__(self, options):
        pipe = subprocess.PIPE
        self.process = subprocess.Popen([program(), *options], stdin=pipe, stdout=pipe, text=True)

    def ask(self, line):
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        lines = []
        while (line := self.process.stdout.readline()) not in ("\n", ""):
            lines.append(line.rstrip("\n"))
        return "\n".join(lines)[2:]

    def close(self):
        self.process.kill()
        self.process.wait()


class Screen:
    """An X server and a window manager; the value of `with` is the display."""

    def __enter__(self):
        display = f":{90 + os.getpid() % 100}"
        self.server = subprocess.Popen(["Xvfb", display, "-screen", "0", f"{WIDTH}x{HEIGHT}x24"])
        time.sleep(2)
        self.manager = subprocess.Popen(["openbox"], env={**os.environ, "DISPLAY": display})
        return display

    def __exit__(self, *_):
        self.manager.terminate()
        self.server.terminate()


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


def column_and_row(vertex):
    letters = vertex.rstrip("0123456789")
    number = 0
    for letter in letters:
        number = number * 25 + "ABCDEFGHJKLMNOPQRSTUVWXYZ".index(letter) + 1
    return number - 1, int(vertex[len(letters) :]) - 1


class GoGui:
    """GoGui with an engine of these options. `directory` gets what passes on the wire."""

    def __init__(self, directory, display, options, arguments=()):
        shutil.rmtree(directory, ignore_errors=True)
        home = os.path.join(directory, "home")
        os.makedirs(home)
        self.directory = directory
        self.environment = {**os.environ, "DISPLAY": display}
        asking = Engine(options)
        self.side = int(asking.ask("gogui-rules_board_size"))
        asking.close()
        command = [os.path.join(HERE, "wire.py"), directory, program(), *options]
        self.process = subprocess.Popen(
            ["java", f"-Duser.home={home}", f"-Djava.util.prefs.userRoot={home}", "-cp"]
            + [os.environ["GOGUI"], "net.sf.gogui.gogui.Main", *arguments]
            + ["-program", " ".join(command)],
            env=self.environment,
            cwd=home,
            stdout=open(os.path.join(directory, "gogui.log"), "w"),
            stderr=subprocess.STDOUT,
        )

    def run(self, *words):
        subprocess.run(words, env=self.environment, check=False)

    def key(self, name):
        self.run("xdotool", "key", name)

    def picture(self, path):
        """The whole screen."""
        self.run("import", "-window", "root", path)

    def picture_of_window(self, path):
        """GoGui's window without the empty screen around it."""
        whole = os.path.join(self.directory, "screen.png")
        self.picture(whole)
        self.run("convert", whole, "-trim", "+repage", "-resize", "640x>", whole)
        self.run("cwebp", "-quiet", "-q", "72", whole, "-o", path)

    def screen(self):
        grab = ["import", "-window", "root", "-depth", "8", "rgb:-"]
        return subprocess.run(grab, env=self.environment, capture_output=True).stdout

    def player_started(self):
        commands = [command for wire in wires(self.directory) for (_, command), _ in wire]
        return "gogui-analyze_commands" in commands and "gogui-title" in commands

    def settle(self):
        """Waits until GoGui is quiet for a while."""
        last, since = None, time.time()
        deadline = time.time() + 60
        while time.time() < deadline:
            names = [name for name in os.listdir(self.directory) if name.endswith(".wire")]
            size = sum(os.path.getsize(os.path.join(self.directory, name)) for name in names)
            if size != last:
                last, since = size, time.time()
            elif time.time() - since > 0.5:
                return
            time.sleep(0.1)

    def wait_for_board(self):
        found = None
        while not found and self.process.poll() is None:
            time.sleep(2)
            self.settle()
            if self.player_started():
                found = board_on(self.screen())
        self.left, self.top, self.width = found

    def click(self, vertex):
        column, row = column_and_row(vertex)
        cell = int(self.width / (self.side + 2 * EDGE))
        offset = (self.width - self.side * cell) // 2
        x = self.left + offset + cell * column + cell // 2
        y = self.top + offset + cell * (self.side - 1 - row) + cell // 2
        self.run("xdotool", "mousemove", str(x), str(y), "click", "1")

    def log(self):
        return open(os.path.join(self.directory, "gogui.log")).read().strip()

    def close(self):
        self.process.terminate()
        self.process.wait()
