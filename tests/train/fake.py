#!/usr/bin/env python3
"""An engine of KataGo's analysis protocol whose answers depend only on the number of the query:
a warning first, partial answers, searches and policies of a net, and refusals."""

import json
import random
import sys

LETTERS = "ABCDEFGHJKLMNOPQRSTUVWXYZ"


def answer(query):
    draw = random.Random(int(query["id"]))
    width, height = query["boardXSize"], query["boardYSize"]
    points = width * height
    if draw.random() < 0.1:
        return {"id": query["id"], "error": "not\ttoday"}
    policy = [draw.random() ** 8 for _ in range(points + 1)]
    policy[draw.randrange(points)] = -1
    moves = [f"{LETTERS[column]}{row + 1}" for row in range(height) for column in range(width)] + ["pass"]
    drawn = draw.sample(moves, min(20, points))
    visits = sorted((draw.randrange(400) for _ in drawn), reverse=True) if draw.random() < 0.5 else [1]
    return {
        "id": query["id"],
        "isDuringSearch": False,
        "turnNumber": len(query["moves"]),
        "moveInfos": [{"move": move, "visits": number, "order": 0} for move, number in zip(drawn, visits)],
        "rootInfo": {"winrate": draw.random(), "scoreLead": draw.uniform(-30, 30), "scoreStdev": draw.uniform(-1, 30)},
        "ownership": [draw.choice([-1, -0.625, -0.375, -0.125, 0, 0.125, 0.375, 1, draw.uniform(-1, 1)]) for _ in range(points)],
        "policy": policy,
    }


def main():
    for number, line in enumerate(sys.stdin):
        query = json.loads(line)
        if number == 0:
            print(json.dumps({"id": query["id"], "warning": "this engine draws lots", "field": "komi"}))
        print(json.dumps({"id": query["id"], "isDuringSearch": True, "turnNumber": 0}))
        print(json.dumps(answer(query)), flush=True)


if __name__ == "__main__":
    main()
