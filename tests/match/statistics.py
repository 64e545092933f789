#!/usr/bin/env python3
"""Computes the statistics of a match from its results file, and compares them with the
table that `kawari match` printed.

    statistics.py RESULTS.jsonl [TABLE.txt]

No code of kawari is used. Formulas: Wilson (1927) for the rate; the difference
in Elo is the logistic one of the mean score of pairs of games with the same
opening (of single games if fewer than nine in ten are in pairs), its error half
of the interval mean +- 1.96 standard errors, converted to Elo; LOS is
Phi(sum x / sqrt(sum x^2)) over scores less one half.
"""
import json
import math
import sys

Z = 1.959963984540054


def read(path):
    header, games = None, {}
    for line in open(path, "rb"):
        if not line.endswith(b"\n"):
            break  # torn off
        entry = json.loads(line)
        if "kawari-match" in entry:
            header = entry
            continue
        assert entry["match"] == header["id"], "a game of another match"
        assert entry["game"] not in games, "game %d twice" % entry["game"]
        games[entry["game"]] = entry
    return header, games


def points(game):
    """The points of Black; None without a result."""
    return {"B": 1.0, "W": 0.0, "0": 0.5}.get(game["result"][0])


def wilson(rate, n):
    middle = (rate + Z * Z / (2 * n)) / (1 + Z * Z / n)
    reach = Z * math.sqrt(rate * (1 - rate) / n + Z * Z / (4 * n * n)) / (1 + Z * Z / n)
    return max(0.0, middle - reach), min(1.0, middle + reach)


def elo(score):
    if score <= 0:
        return -math.inf
    if score >= 1:
        return math.inf
    return 400 * math.log10(score / (1 - score))


def mean_interval(scores):
    n = len(scores)
    mean = sum(scores) / n
    variance = sum((x - mean) ** 2 for x in scores) / n
    if variance == 0:
        return mean, wilson(mean, n)
    reach = Z * math.sqrt(variance / n)
    return mean, (mean - reach, mean + reach)


def percent(rate):
    return "%.1f%%" % (100 * rate)


def whole(number):
    if math.isinf(number):
        return ("-" if number < 0 else "") + "∞"
    return "%.0f" % number


def signed(number):
    return whole(number) if number < 0 or math.isinf(number) and number < 0 else "+" + whole(number)


def engine_rows(names, games):
    rows = []
    for name in names:
        mine = {"black": [], "white": []}
        seconds, failures = [], {}
        for game in games.values():
            for side, letter in (("black", "B"), ("white", "W")):
                if game[side]["name"] != name:
                    continue
                own = game["turns"][game["opening"]:]
                seconds += [t for turn, t in zip(own, game["times"]) if turn[0] == letter]
                score = points(game)
                if score is None:
                    continue
                score = score if side == "black" else 1 - score
                mine[side].append(score)
                counted = ("passes", "rules", "turn-limit", "resign")
                if score == 0 and game["reason"] not in counted:
                    failures[game["reason"]] = failures.get(game["reason"], 0) + 1
        scores = mine["black"] + mine["white"]
        if not scores:
            continue
        rate = sum(scores) / len(scores)
        low, high = wilson(rate, len(scores))
        share = lambda list: percent(sum(list) / len(list)) if list else "-"
        rows.append([
            name, str(len(scores)), str(scores.count(1)), str(scores.count(0.5)), str(scores.count(0)),
            percent(rate), "%.1f-%.1f%%" % (100 * low, 100 * high),
            share(mine["black"]), share(mine["white"]),
            "%.3f" % (sum(seconds) / max(1, len(seconds))), "%.3f" % max(seconds, default=0),
            failures,
        ])
    return rows


def pairing_rows(names, games, gauntlet):
    rows = []
    for i, a in enumerate(names):
        if gauntlet and i > 0:
            break
        for b in names[i + 1:]:
            scores, pairs = [], {}
            for game in games.values():
                black, white = game["black"]["name"], game["white"]["name"]
                score = points(game)
                if {black, white} != {a, b} or score is None:
                    continue
                score = score if black == a else 1 - score
                scores.append(score)
                pairs.setdefault(game["pair"], []).append(score)
            if not scores:
                continue
            both = [sum(pair) / 2 for pair in pairs.values() if len(pair) == 2]
            used = both if both and 20 * len(both) >= 9 * len(scores) else scores
            mean, (low, high) = mean_interval(used)
            square = sum((x - 0.5) ** 2 for x in used)
            los = 0.5
            if square > 0:
                los = 0.5 * math.erfc(-sum(x - 0.5 for x in used) / math.sqrt(2 * square))
            rows.append([
                "%s – %s" % (a, b), str(len(scores)),
                str(scores.count(1)), str(scores.count(0.5)), str(scores.count(0)),
                percent(sum(scores) / len(scores)), signed(elo(mean)),
                whole((elo(high) - elo(low)) / 2), percent(los),
                " ".join(str(both.count(x / 4)) for x in range(5)),
            ])
    return rows


def table_rows(path):
    rows = []
    for line in open(path, encoding="utf-8"):
        if line.startswith("|"):
            rows.append([cell.strip() for cell in line.strip().strip("|").split("|")])
    return rows


def near(ours, theirs):
    """Equal, but for the last digit of a number that was rounded."""
    if ours == theirs:
        return True
    ours, theirs = ours.split(), theirs.split()
    if len(ours) != len(theirs):
        return False
    for a, b in zip(ours, theirs):
        for x, y in zip(a.strip("%").split("-"), b.strip("%").split("-")):
            try:
                digits = len(x.partition(".")[2])
                if abs(float(x) - float(y)) > 1.001 * 10 ** -digits:
                    return False
            except ValueError:
                if x != y:
                    return False
    return True


def main():
    header, games = read(sys.argv[1])
    settings = header["settings"]
    names = [engine["name"] for engine in settings["engines"]]
    engines = engine_rows(names, games)
    pairings = pairing_rows(names, games, settings["pairings"] == "gauntlet")
    for row in engines:
        failures = ", ".join("%s %d" % item for item in sorted(row[-1].items()))
        row[-1] = failures or "none"
    if len(sys.argv) < 3:
        for row in engines + pairings:
            print(" | ".join(row))
        return
    theirs = {row[0]: row for row in table_rows(sys.argv[2])}
    for row in engines + pairings:
        other = theirs.get(row[0])
        assert other is not None, "no row for %s" % row[0]
        for ours, printed in zip(row, other):
            if row in engines and ours is row[-1]:
                ours, printed = (", ".join(sorted(x.split(", "))) for x in (ours, printed))
            assert near(ours, printed), "%s: we count %r, the table says %r" % (row[0], ours, printed)
    print("%d games: the table agrees with the records" % len(games))


main()
