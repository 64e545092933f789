#!/usr/bin/env python3
"""Stands between a client and an engine and notes what passes, with times.

    wire.py DIRECTORY ENGINE [OPTION]...

Each process notes in a file of its own: lines that begin with the seconds since
the epoch, then `>` (to the engine), `<` (a line of a reply) or `!` (standard
error), then the line.
"""
import os
import subprocess
import sys
import threading
import time

log = open(os.path.join(sys.argv[1], f"{os.getpid()}.wire"), "w", buffering=1)
engine = subprocess.Popen(
    sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE, stderr=subprocess.PIPE
)


def carry(source, target, mark):
    for line in iter(source.readline, b""):
        log.write(f"{time.time():.6f} {mark} {line.decode(errors='replace').rstrip()}\n")
        try:
            target.write(line)
            target.flush()
        except OSError:
            break
    if mark == ">":
        engine.stdin.close()


pairs = [
    (engine.stdout, sys.stdout.buffer, "<"),
    (engine.stderr, sys.stderr.buffer, "!"),
]
threads = [threading.Thread(target=carry, args=(a, b, m)) for a, b, m in pairs]
threading.Thread(target=carry, args=(sys.stdin.buffer, engine.stdin, ">"), daemon=True).start()
for thread in threads:
    thread.start()
for thread in threads:
    thread.join()
sys.exit(engine.wait())
