#!/usr/bin/env python3
"""Costs of the runner itself: time per turn beside the engines' thinking, and
memory over a long match.

    overhead.py KAWARI [GAMES]
"""
import json
import os
import subprocess
import sys
import tempfile
import time

kawari = os.path.abspath(sys.argv[1])
games = sys.argv[2] if len(sys.argv) > 2 else "1000"
results = os.path.join(tempfile.mkdtemp(prefix="kawari-overhead-"), "match.jsonl")
engine = kawari + " --playouts 1"
started = time.time()
runner = subprocess.Popen(
    [kawari, "match", "--engine", engine, "--engine", engine, "--size", "9", "--games", games,
     "--concurrency", "2", "--out", results],
    stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
memory, ticks = [], 0
while runner.poll() is None:
    time.sleep(0.2)
    try:
        rows = dict(row.split(":", 1) for row in open("/proc/%d/status" % runner.pid))
        memory.append(int(rows["RssAnon"].split()[0]))
        fields = open("/proc/%d/stat" % runner.pid).read().rsplit(")", 1)[1].split()
        ticks = int(fields[11]) + int(fields[12])
    except (OSError, KeyError, IndexError):
        pass
assert runner.returncode == 0
wall = time.time() - started
turns = thought = played = 0
for line in open(results):
    game = json.loads(line)
    if "turns" in game:
        turns += len(game["turns"])
        thought += sum(game["times"])
        played += game["seconds"]
cpu = ticks / os.sysconf("SC_CLK_TCK")
tenth = len(memory) // 10 or 1
print("%s games, %d turns in %.0f s" % (games, turns, wall))
print("beside the thinking of the side to move: %.3f ms per turn" % (1000 * (played - thought) / turns))
print("processor time of the runner: %.3f ms per turn" % (1000 * cpu / turns))
print("memory of the runner: %d kB after a tenth of the match, %d kB at its end, %d kB at most"
      % (memory[tenth - 1], memory[-1], max(memory)))
assert played - thought < 0.001 * turns, "more than a millisecond per turn"
assert memory[-1] < memory[tenth - 1] + 4096, "memory grows"
