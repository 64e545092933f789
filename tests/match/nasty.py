#!/usr/bin/env python3
"""A GTP engine that misbehaves: it forwards lines between a match and a real engine, and
sometimes, when a move is requested, fails in a random way.

    nasty.py CHANCE ENGINE [ARGUMENT…]
"""
import os
import random
import signal
import subprocess
import sys
import time

chance = float(sys.argv[1])
engine = subprocess.Popen(sys.argv[2:], stdin=subprocess.PIPE, stdout=subprocess.PIPE)
out = sys.stdout.buffer


def write(text):
    out.write(text)
    out.flush()


def die():
    os.kill(os.getpid(), signal.SIGKILL)


def close():
    os.close(1)
    os.close(0)
    time.sleep(1000)


def flood():
    # Megabytes on standard error are not a failure.
    for _ in range(64):
        os.write(2, b"warning: all is well\n" * 4096)
    return True


FAILURES = [
    lambda: sys.exit(3),
    die,
    lambda: time.sleep(1000),
    close,
    flood,
    lambda: write(b"what?\n\n"),
    lambda: write(b"= \xff\xfe\x00\n\n"),
    lambda: write(b"x" * (8 << 20)),
    lambda: write(b"=" + b" x\n" * (4 << 20)),
    lambda: write(b"= A1 B2\n\n"),
    lambda: write(b"= Z30\n\n"),
    lambda: write(b"? do it yourself\n\n"),
    lambda: write(b"= pass\n\n= pass\n\n= pass\n\n"),
]

for line in sys.stdin.buffer:
    if b"gen" in line and random.random() < chance:
        if not random.choice(FAILURES)():
            continue
    engine.stdin.write(line)
    engine.stdin.flush()
    while True:
        reply = engine.stdout.readline()
        if not reply:
            sys.exit(1)
        out.write(reply)
        if reply == b"\n":
            break
    out.flush()
