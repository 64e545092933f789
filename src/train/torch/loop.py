#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["torch>=1.13", "numpy"]
# ///
"""Trains a net of one game by self-play: games, fit, gate, generation after generation.

Half of the games are on the board of --size, the others on smaller and larger ones, rectangles,
boards with blocked points and with joined sides, some under other rules. Only a net that wins the gate plays the next
games. DIR/best.net is the last net that won. After a kill the same command continues; DIR/history.jsonl
has a line per generation.

    loop.py --variant tao --size 9 --komi 6.5 --dir run
    loop.py --variant tao --size 9 --komi 6.5 --dir run --from go.net      a net of any game
    kawari --variant tao --size 9 --net run/best.net

--selfplay, --fit and --gate pass further options on to these commands.
"""

import argparse
import importlib
import json
import os
import pathlib
import shlex
import shutil
import subprocess
import sys
import time

OTHER_SIDES = [5, 6, 7, 8, 10, 11, 13]
RECTANGLES = [(7, 9), (9, 5), (6, 11), (13, 9)]


def sizes(side, squares_only):
    """Half of the games on the usual board, a tenth of them where a game takes far longer."""
    others = [f"{other}" for other in OTHER_SIDES if other != side]
    if not squares_only:
        others += [f"{columns}x{rows}" for columns, rows in RECTANGLES]
    usual = len(others) if side <= 13 else len(others) / 9
    return ",".join([f"{side}:{usual:g}", *(f"{other}:1" for other in others)])


def check_imports():
    """Says what is missing before the first games, which take minutes."""
    for module in ["numpy", "torch"]:
        try:
            importlib.import_module(module)
        except ImportError as error:
            sys.exit(f"loop.py: {error}; install PyTorch and NumPy (on Debian: apt install python3-torch python3-numpy)")


class Loop:
    def __init__(self, options):
        self.options = options
        self.dir = pathlib.Path(options.dir)
        self.history = self.dir / "history.jsonl"
        self.best_net = self.dir / "best.net"
        for part in ["games", "nets", "fits"]:
            (self.dir / part).mkdir(parents=True, exist_ok=True)

    def past(self):
        return [json.loads(line) for line in self.history.read_text().splitlines()] if self.history.exists() else []

    def kawari(self, stage, *arguments):
        """Runs a subcommand of `kawari train`; returns its output."""
        command = [self.options.kawari, "train", stage, "--variant", self.options.variant, *map(str, arguments)]
        print(shlex.join(command), flush=True)
        return subprocess.run(command, check=True, stdout=subprocess.PIPE, text=True).stdout.strip()

    def boards(self):
        options = self.options
        shares = ["--blocked-share", options.blocked_share, "--joined-share", options.joined_share,
                  "--varied-share", options.varied_share]
        komi = ["--komi", options.komi] if options.komi else []
        rules = [word for rule in options.rule for word in ("--rule", rule)]
        mixed = ["--sizes", options.sizes or sizes(options.size, options.squares_only)]
        return [*mixed, *shares, *komi, "--komi-stdev", options.komi_stdev, *rules, "--threads", options.threads]

    def play(self, number, best):
        options = self.options
        playouts = ["--playouts", options.playouts, "--fast-playouts", options.fast_playouts]
        net = ["--net", best] if best else []
        self.kawari("selfplay", *self.boards(), *playouts, *net, "--games", options.games, "--seed", number + 1,
                    "--generation", number, "--out", self.dir / f"games/{number:04}.games", *shlex.split(options.selfplay))

    def fit(self, number, best):
        """Returns the new net and its errors on held-out games."""
        options, net = self.options, self.dir / f"nets/{number:04}.net"
        games = [self.dir / f"games/{each:04}.games" for each in range(max(0, number + 1 - options.window), number + 1)]
        learned, held_out = self.dir / "fits/learned.bin", self.dir / "fits/held-out.bin"
        weights = self.dir / f"fits/{number:04}.weights"
        printed = self.kawari("pack", *games, "--out", learned)
        self.kawari("pack", *games, "--held-out", "--value-positions", 0, "--search-share", 0, "--out", held_out)
        positions = int(printed.split()[0])
        first = ["--from", best or options.first] if best or options.first else []
        command = [sys.executable, pathlib.Path(__file__).with_name("fit.py"), learned, "--held-out", held_out, *first,
                   "--net-size", options.net_size, "--samples", int(options.samples_per_position * positions / len(games)),
                   "--threads", options.threads, "--seed", number + 1, "--out", weights, *shlex.split(options.fit)]
        command = list(map(str, command))
        print(shlex.join(command), flush=True)
        with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as fit:
            for line in fit.stdout:
                print(line, end="", flush=True)
        if fit.returncode:
            raise subprocess.CalledProcessError(fit.returncode, command)
        self.kawari("export", weights, "--out", net)
        return net, json.loads(line)

    def gate(self, net, best):
        options = self.options
        against = ["--against", best] if best else []
        return self.kawari("gate", "--net", net, *against, *self.boards(), "--playouts", options.playouts,
                           "--pairs", options.gate_pairs, "--seed", 1, *shlex.split(options.gate))

    def keep(self, best):
        """Replaces best.net in one step, so that no kill leaves half a file."""
        partial = self.best_net.with_suffix(".partial")
        shutil.copyfile(best, partial)
        os.replace(partial, self.best_net)

    def run(self):
        past = self.past()
        passed = [line["net"] for line in past if line["passed"]]
        best = passed[-1] if passed else self.options.player
        if passed:
            self.keep(best)
        for number in range(len(past), self.options.generations):
            started = time.time()
            self.play(number, best)
            played = time.time()
            net, errors = self.fit(number, best)
            fitted = time.time()
            verdict = self.gate(net, best)
            line = {
                "generation": number,
                "net": str(net),
                "passed": verdict.endswith(": stronger"),
                "gate": verdict,
                **errors,
                "seconds": {"play": round(played - started), "fit": round(fitted - played), "gate": round(time.time() - fitted)},
            }
            with self.history.open("a") as file:
                file.write(json.dumps(line) + "\n")
            print(json.dumps(line), flush=True)
            if line["passed"]:
                best = str(net)
                self.keep(best)
        if self.best_net.exists():
            print(f"{self.best_net} is the strongest net: {best}")
        else:
            print("no net has won its gate yet: continue with more --generations or --games")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--variant", required=True, metavar="ID", help="the game")
    parser.add_argument("--dir", required=True, help="the folder of games, nets and history")
    parser.add_argument("--kawari", default="kawari", metavar="PROGRAM", help="the program [default: %(default)s]")
    parser.add_argument("--size", type=int, default=9, metavar="N", help="the usual side of the board [default: %(default)s]")
    parser.add_argument("--sizes", default="", metavar="SIZE:SHARE,…", help="all sizes, instead of --size [default: --size and sides near it]")
    parser.add_argument("--squares-only", action="store_true", help="no rectangles (games with layers)")
    for option, games in [("blocked", "on boards with blocked points"), ("joined", "on cylinders and tori"), ("varied", "with another value of a rule option")]:
        parser.add_argument(f"--{option}-share", type=float, default=0.15, metavar="SHARE", help=f"share of games {games} [default: %(default)s]")
    parser.add_argument("--komi", default="", metavar="K", help="the mean komi [default: the game's]")
    parser.add_argument("--komi-stdev", type=float, default=3, metavar="POINTS", help="standard deviation of komi [default: %(default)s]")
    parser.add_argument("--rule", action="append", default=[], metavar="KEY=VALUE", help="a rule option; may be repeated [default: the game's]")
    parser.add_argument("--from", dest="first", metavar="NET", help="the first fit begins with this net, possibly of another game [default: random weights]")
    parser.add_argument("--player", metavar="NET", help="this net plays the first games [default: the search without a net]")
    parser.add_argument("--net-size", default="4x32", metavar="BLOCKSxCHANNELS", help="blocks, and channels, a multiple of 32 [default: %(default)s]")
    parser.add_argument("--generations", type=int, default=4, metavar="N", help="generations of games, fit and gate [default: %(default)s]")
    parser.add_argument("--games", type=int, default=1000, metavar="N", help="games of a generation [default: %(default)s]")
    parser.add_argument("--window", type=int, default=4, metavar="N", help="generations to learn from [default: %(default)s]")
    parser.add_argument("--playouts", type=int, default=100, metavar="N", help="playouts of a full search and of a search of the gate [default: %(default)s]")
    parser.add_argument("--fast-playouts", type=int, default=25, metavar="N", help="playouts of a fast search [default: %(default)s]")
    parser.add_argument("--samples-per-position", type=float, default=15, metavar="N", help="how often the fit sees each position [default: %(default)s]")
    parser.add_argument("--gate-pairs", type=int, default=60, metavar="N", help="pairs of games of a gate [default: %(default)s]")
    parser.add_argument("--threads", type=int, default=1, metavar="N", help="games at the same time, and threads of the fit [default: %(default)s]")
    for step in ["selfplay", "fit", "gate"]:
        parser.add_argument(f"--{step}", default="", metavar="OPTIONS", help=f"further options of {step} [default: no options]")
    options = parser.parse_args()
    check_imports()
    Loop(options).run()


if __name__ == "__main__":
    main()
