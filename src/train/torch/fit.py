#!/usr/bin/env python3
# /// script
# requires-python = ">=3.9"
# dependencies = ["torch>=1.13", "numpy"]
# ///
"""Fits a net to the records of `kawari train pack`, with PyTorch, on a GPU or a CPU.

The net is that of `crates/engine/src/net/model.rs` in floating point. One fit may mix files, and each batch
mixes boards: all sizes, blocked points, joined sides, layers. The learning rate rises for some
steps, then falls as a cosine until all samples are learned.

    kawari train pack selfplay/ --out games.bin
    kawari train pack selfplay/ --held-out --out held.bin
    fit.py games.bin --held-out held.bin --net-size 4x32 --samples 1000000 --out new.weights
    kawari train export new.weights --out new.net

A killed fit goes on with the same command, from OUT.state. The last line has the errors on the
held-out records, as `kawari train evaluate` prints them for the net in integers.
"""

import argparse
import json
import math
import os
import struct
import time
import zlib

import numpy
import torch
from torch import nn
from torch.nn import functional

GREATEST = 127 / 64  # the greatest activation of the net in integers
UNIT = 64  # inputs and activations of the net in integers that stand for 1
PARTS = 16  # parts of a unit in which that net pools
SCORE_UNIT = 20  # points
BOARD_KINDS = 2  # the pass, and the end of a turn
VALUES = 5  # win, draw, loss; mean and logarithm of the deviation of the score
HEAD, HIDDEN = 32, 64
NO_SCORE = -32768
OWNED = 4  # quarters of ownership in records
SOFTENED = 0.25  # the power of the shares of a soft policy
LOSSES = {"policy": 1.0, "soft": 0.5, "reply": 0.15, "result": 1.0, "ownership": 1.5, "score": 0.1}
WARM_UP = 400  # steps until the full learning rate
CANVASES = [7, 9, 11, 13, 16, 19, 25]  # sides of the canvases on which boards are computed together
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NUMBERS = torch.bfloat16 if DEVICE == "cuda" else torch.float32


class Net(nn.Module):
    """Parameters lie in the order of files of weights; those that only training has come last."""

    def __init__(self, planes, global_inputs, kinds, blocks, channels, layered):
        super().__init__()
        self.kinds, self.blocks, self.channels, self.layered = kinds, blocks, channels, layered
        self.fields = (planes, global_inputs, channels, blocks, HEAD, kinds, BOARD_KINDS, HIDDEN, int(layered))
        self.parts = nn.ParameterList()
        taps = 11 if layered else 9

        def part(shape, inputs=0, scale=1.0):
            deviation = scale * math.sqrt(2 / inputs) if inputs else 0.0
            self.parts.append(nn.Parameter(torch.randn(shape) * deviation))

        def convolution(inputs, outputs, taps, scale=1.0):
            part((outputs, taps, inputs), inputs * taps, scale)
            part((outputs,))

        convolution(planes, channels, taps)
        part((global_inputs, channels))  # zero, so that inputs that are never set have no effect
        for _ in range(blocks):
            convolution(channels, channels, taps)
            part((3 * channels, channels), 3 * channels, 0.2)
            convolution(channels, channels, taps, 0.2)
        convolution(channels, HEAD, 1)
        part((3 * channels, HEAD), 3 * channels, 0.2)
        part((kinds + 1, HEAD), HEAD, 0.2)  # policy by kind, ownership
        part((kinds + 1,))
        part((3 * channels + global_inputs + 1, HIDDEN), 3 * channels + global_inputs + 1)
        part((HIDDEN,))
        with torch.no_grad():
            self.parts[-2][3 * channels : -1] = 0
        part((HIDDEN + 1, VALUES + BOARD_KINDS), HIDDEN + 1, 0.2)
        part((VALUES + BOARD_KINDS,))
        self.exported = len(self.parts)
        # The reply and the soft policy.
        part((2 * kinds, HEAD), HEAD, 0.2)
        part((2 * kinds,))
        part((HIDDEN + 1, 2 * BOARD_KINDS), HIDDEN + 1, 0.2)
        part((2 * BOARD_KINDS,))

    def forward(self, batch):
        """Policy, reply, soft policy, ownership, values."""
        parts = iter(self.parts)
        boards, global_inputs = batch["boards"], batch["globals"]

        def take():
            return next(parts)

        def convolve(inputs):
            weights, bias = take().to(NUMBERS), take().to(NUMBERS)
            if weights.shape[1] == 1:
                return functional.conv2d(inputs, weights[:, 0, :, None, None], bias)
            inputs = boards.joined(inputs)
            square = weights[:, :9].permute(0, 2, 1).reshape(weights.shape[0], -1, 3, 3)
            sums = functional.conv2d(inputs, square, bias, padding=1)
            for tap in range(9, weights.shape[1]):
                sums = sums + functional.conv2d(boards.layer(inputs, 2 * tap - 19), weights[:, tap, :, None, None])
            return sums

        def pool(trunk):
            mean = trunk.sum((2, 3), dtype=torch.float32) / boards.counts[:, None]
            return torch.cat([mean, mean * boards.size_factors[:, None], trunk.amax((2, 3)).float()], 1)

        def add(sums, inputs):
            added = (inputs @ take()).to(NUMBERS)
            return (sums + added[:, :, None, None]).clamp(0, GREATEST) * boards.mask

        trunk = add(convolve(batch["planes"]), global_inputs)
        for _ in range(self.blocks):
            inner = add(convolve(trunk), pool(trunk))
            trunk = (convolve(inner) + trunk).clamp(0, GREATEST) * boards.mask
        pooled = pool(trunk)
        head = add(convolve(trunk), pooled)
        head = boards.at_points(head).float()
        points = torch.einsum("bcp,oc->bop", head, take()) + take()[None, :, None]
        ownership = torch.tanh(points[:, self.kinds]) * boards.playable
        owned = ownership.sum(1, keepdim=True) / SCORE_UNIT
        hidden = torch.relu(torch.cat([pooled, global_inputs, owned], 1) @ take() + take())
        hidden = torch.cat([hidden, owned], 1)
        values, board_policy = (hidden @ take() + take()).split([VALUES, BOARD_KINDS], 1)
        others = torch.einsum("bcp,oc->bop", head, take()) + take()[None, :, None]
        board_others = (hidden @ take() + take()).split(BOARD_KINDS, 1)

        def policy(points, board):
            return torch.cat([points.flatten(1), board], 1)

        reply, soft = (policy(*pair) for pair in zip(others.split(self.kinds, 1), board_others))
        return policy(points[:, : self.kinds], board_policy), reply, soft, ownership, values


HEADER = struct.Struct("<8s9H")


def write_whole(path, write):
    write(path + ".tmp")
    os.replace(path + ".tmp", path)


def write_weights(path, net, parts):
    """Writes what `src/train/export.rs` reads."""
    body = HEADER.pack(b"kawariFW", *net.fields)
    body += b"".join(part.detach().float().cpu().numpy().astype("<f4").tobytes() for part in parts[: net.exported])

    def write(path):
        with open(path, "wb") as file:
            file.write(body + struct.pack("<I", zlib.crc32(body)))

    write_whole(path, write)


class Net8:
    """A net in integers as lists of numbers in floating point, in the order of files of weights."""

    def __init__(self, path):
        with open(path, "rb") as file:
            self.rest = file.read()
        if self.rest[:8] != b"kawariNN":
            raise SystemExit(f"{path}: not a net")
        length = self.rest[10]
        self.variant = self.rest[11 : 11 + length].decode()
        self.fields = struct.unpack_from("<9H", self.rest, 11 + length)
        self.rest = self.rest[29 + length : -4]
        planes, global_inputs, channels, blocks, head, kinds, board_kinds, hidden, layered = self.fields
        taps, pooled = 11 if layered else 9, 3 * channels
        self.parts = []
        self.biased(taps, planes, global_inputs, channels)
        for _ in range(blocks):
            self.biased(taps, channels, pooled, channels)
            self.convolution(taps, channels, channels)
        self.biased(1, channels, pooled, head)
        points = self.take("i1", (kinds + 1, head))
        self.parts += [points * self.take("<f4", (kinds + 1, 1)) * UNIT, self.take("<f4", (kinds + 1,))]
        for inputs, outputs in [(pooled + global_inputs + 1, hidden), (hidden + 1, VALUES + board_kinds)]:
            self.parts += [self.take("<f4", (inputs, outputs)), self.take("<f4", (outputs,))]

    def take(self, kind, shape):
        count = math.prod(shape)
        numbers = numpy.frombuffer(self.rest, kind, count).astype(numpy.float32).reshape(shape)
        self.rest = self.rest[count * numpy.dtype(kind).itemsize :]
        return numbers

    def convolution(self, taps, inputs, outputs):
        weights, bias = self.take("i1", (outputs, taps, inputs)), self.take("<i4", (outputs,))
        multiplier, shift = self.take("u1", (outputs,)), self.take("u1", (outputs,))
        scale = multiplier / 2**shift
        self.parts += [weights * scale[:, None, None], bias * scale / UNIT]
        return scale

    def biased(self, taps, inputs, added, outputs):
        scale = self.convolution(taps, inputs, outputs)
        weights = self.take("i1", (added, outputs))
        shift = self.take("u1", (1,))
        self.parts.append(weights * scale * PARTS / 2**shift)


def adopt(net, path, header):
    """Takes the weights of a net in integers, also of another game: then only those of the inputs
    and of the kind of step that all games have. New inputs and blocks begin at 0."""
    old = Net8(path)
    planes, global_inputs, channels, blocks, head, kinds, _, hidden, layered = old.fields
    if (channels, head, hidden) != (net.channels, HEAD, HIDDEN) or blocks > net.blocks or layered > net.layered:
        raise SystemExit(f"{path}: a net of another size")
    same = old.variant == header["variant"] or old.fields[:2] + (kinds,) == net.fields[:2] + (net.kinds,)
    if not same:
        planes, global_inputs, kinds = header["common_planes"], header["common_globals"], 1
    parts = iter(old.parts)
    pooled = 3 * channels

    def put(part, numbers, *places):
        """Copies the given beginning of each dimension; the rest of the part becomes 0."""
        numbers = torch.from_numpy(numpy.ascontiguousarray(numbers))
        kept = tuple(slice(0, place) for place in places)
        part.zero_()
        part[kept] = numbers[kept]

    with torch.no_grad():
        new = iter(net.parts)
        taps = 11 if layered else 9
        for part, inputs in zip([next(new) for _ in range(3)], [(channels, taps, planes), (channels,), (global_inputs, channels)]):
            put(part, next(parts), *inputs)
        for number in range(net.blocks):
            block = [next(new) for _ in range(5)]
            if number >= blocks:
                for part in block[3:]:
                    part.zero_()
                continue
            for part in block:
                numbers = next(parts)
                put(part, numbers, *numbers.shape)
        for part in [next(new) for _ in range(3)]:
            numbers = next(parts)
            put(part, numbers, *numbers.shape)
        points, bias = next(parts), next(parts)
        for part, numbers in [(next(new), points), (next(new), bias)]:
            # Other kinds of step keep random weights; the last output is ownership.
            part[:kinds] = torch.from_numpy(numbers[:kinds])
            part[net.kinds] = torch.from_numpy(numbers[-1:])[0]
        weights, numbers = next(new), next(parts)
        weights.zero_()
        weights[: pooled + global_inputs] = torch.from_numpy(numbers[: pooled + global_inputs])
        weights[-1] = torch.from_numpy(numbers[-1])
        for part in [next(new) for _ in range(3)]:
            numbers = next(parts)
            put(part, numbers, *numbers.shape)


class Boards:
    """The boards of a file as tables on the device."""

    def __init__(self, header):
        boards, points = header["boards"], header["points"]
        self.columns = numpy.array([board["columns"] for board in boards])
        self.rows = numpy.array([board["rows"] for board in boards])
        self.layer_steps = numpy.array([board["layer_step"] for board in boards])
        self.joins = numpy.array([(board["joins_columns"], board["joins_rows"]) for board in boards])
        self.counts = numpy.array([len(board["points"]) for board in boards])
        self.symmetries = numpy.array([len(board["symmetries"]) for board in boards])
        # Column and row of each point, and under each symmetry; no point lies at −1.
        most = int(self.symmetries.max())
        self.places = numpy.full((len(boards), most, points, 2), -1)
        for number, board in enumerate(boards):
            at = numpy.array(board["points"])
            for symmetry, images in enumerate(board["symmetries"]):
                self.places[number, symmetry, : len(at)] = at[images]
        # Boards that are computed together have one canvas, one distance of layers, and joined sides or none.
        sides = numpy.maximum(self.columns, self.rows)
        canvas = numpy.searchsorted(CANVASES, sides)
        self.groups = canvas * 1000 + self.layer_steps * 2 + self.joins.any(1)

    def on_canvas(self, numbers, drawn):
        """The places of the boards with these numbers, each under one of its symmetries."""
        return Canvas(self, numbers, drawn % self.symmetries[numbers])


class Canvas:
    """Boards beside each other in a batch. Each begins at the lower left corner, behind a border
    of one place where sides are joined; the border holds a copy of the opposite side."""

    def __init__(self, boards, numbers, symmetry):
        joined = bool(boards.joins[numbers].any())
        border = int(joined)
        columns, rows = boards.columns[numbers], boards.rows[numbers]
        self.width, self.height = int(columns.max()) + 2 * border, int(rows.max()) + 2 * border
        self.layer_step = int(boards.layer_steps[numbers[0]])
        places = boards.places[numbers, symmetry]
        is_point = places[..., 0] >= 0
        at = (places[..., 1] + border) * self.width + places[..., 0] + border
        area = self.width * self.height
        # Records have room for more points than a board: these lie beyond the canvas.
        at = numpy.where(is_point, at, area)
        self.at = torch.from_numpy(at).to(DEVICE)
        self.playable = torch.from_numpy(is_point).to(DEVICE).float()
        mask = numpy.zeros((len(numbers), area + 1), numpy.float32)
        numpy.put_along_axis(mask, at, 1.0, 1)
        mask = mask[:, :area].reshape(len(numbers), 1, self.height, self.width)
        self.mask = torch.from_numpy(mask).to(DEVICE).to(NUMBERS)
        counts = boards.counts[numbers]
        factors = [max(-63, min(63, math.isqrt(16 * int(count)) - 52)) / UNIT for count in counts]
        self.counts = torch.tensor(counts, device=DEVICE, dtype=torch.float32)
        self.size_factors = torch.tensor(factors, device=DEVICE)
        self.sources = self.opposite(boards.joins[numbers], columns, rows) if joined else None

    def opposite(self, joins, columns, rows):
        """For each place of each canvas, the place whose number it holds."""

        def along(length, sides, is_joined):
            at = numpy.arange(length)[None, :].repeat(len(sides), 0)
            wrapped = (at - 1) % sides[:, None] + 1
            return numpy.where(is_joined[:, None] & (at <= sides[:, None] + 1), wrapped, at)

        across, up = along(self.width, columns, joins[:, 0]), along(self.height, rows, joins[:, 1])
        sources = up[:, :, None] * self.width + across[:, None, :]
        return torch.from_numpy(sources.reshape(len(columns), 1, -1)).to(DEVICE)

    def spread(self, numbers):
        """Numbers by point, on the canvas."""
        count, layers, _ = numbers.shape
        canvas = torch.zeros(count, layers, self.width * self.height + 1, device=DEVICE, dtype=numbers.dtype)
        canvas.scatter_(2, self.at[:, None].expand(-1, layers, -1), numbers)
        return canvas[..., :-1].reshape(count, layers, self.height, self.width)

    def at_points(self, canvas):
        """The contrary."""
        padded = functional.pad(canvas.flatten(2), (0, 1))
        return padded.gather(2, self.at[:, None].expand(-1, canvas.shape[1], -1))

    def joined(self, canvas):
        """Copies numbers beyond joined sides."""
        if self.sources is None:
            return canvas
        flat = canvas.flatten(2)
        return flat.gather(2, self.sources.expand(-1, flat.shape[1], -1)).reshape(canvas.shape)

    def layer(self, canvas, direction):
        """The layer below (−1) or above (1) each point, zeros beyond."""
        step = self.layer_step
        if step == 0:
            return canvas
        if direction < 0:
            return functional.pad(canvas[..., :-step], (step, 0))
        return functional.pad(canvas[..., step:], (0, step))


class Records:
    """The records of a file."""

    def __init__(self, path):
        with open(path, "rb") as file:
            if file.read(8) != b"kawariPS":
                raise SystemExit(f"{path}: expected records that kawari train pack wrote")
            (length,) = struct.unpack("<I", file.read(4))
            self.header = json.loads(file.read(length))
            raw = numpy.fromfile(file, numpy.uint8)
        header = self.header
        self.points, self.entries = header["points"], header["entries"]
        self.planes, self.globals = header["net_planes"], len(header["globals"])
        self.outputs = len(header["kinds"]) * self.points + BOARD_KINDS
        row = (self.points + 7) // 8
        owners, legal = (self.points + 1) // 2, (self.outputs + 7) // 8
        self.parts = [self.planes * row, owners, legal, 4 * self.entries, 4 * self.entries, 4, 2, 1, 1, self.globals]
        raw = raw.reshape(-1, 2 + sum(self.parts))
        self.board_numbers = raw[:, :2].astype(numpy.int64) @ [1, 256]
        self.boards = Boards(header)
        self.groups = self.boards.groups[self.board_numbers]
        self.records = torch.from_numpy(numpy.ascontiguousarray(raw[:, 2:])).to(DEVICE)

    def draw(self, count, random):
        """Batches of records of boards that are computed together, `count` records in all."""
        chosen = random.integers(len(self.records), size=count)
        return self.split(chosen, random.integers(1 << 30, size=count))

    def split(self, chosen, drawn):
        for group in numpy.unique(self.groups[chosen]):
            own = self.groups[chosen] == group
            yield self.batch(chosen[own], drawn[own])

    def batch(self, chosen, drawn):
        """Inputs and targets."""
        canvas = self.boards.on_canvas(self.board_numbers[chosen], drawn)
        records = self.records[torch.from_numpy(chosen).to(DEVICE)]
        count = len(chosen)
        planes, owners, legal, policy, reply, result, score, deviation, is_owned, global_inputs = records.split(self.parts, 1)
        planes = bits(planes.reshape(count, self.planes, -1), self.points).to(NUMBERS)
        owners = torch.stack([owners & 15, owners >> 4], 2).flatten(1)[:, : self.points].float() / OWNED - 1
        low, high = score.long().unbind(1)
        score = low + 256 * high
        policy, reply = self.shares(policy), self.shares(reply)
        soft = policy**SOFTENED
        return {
            "boards": canvas,
            "planes": canvas.spread(planes).contiguous(memory_format=torch.channels_last),
            "globals": global_inputs.contiguous().view(torch.int8).float() / UNIT,
            "legal": bits(legal, self.outputs),
            "policy": policy,
            "soft": soft / soft.sum(1, keepdim=True).clamp(min=1e-9),
            "reply": reply,
            "result": result.float() / 255,
            "score": torch.where(score >= 32768, score - 65536, score),
            "deviation": deviation[:, 0].float() / (2 * SCORE_UNIT),
            "is_owned": is_owned[:, 0].float(),
            "ownership": owners * canvas.playable,
        }

    def shares(self, entries):
        """The policy by output."""
        entries = entries.reshape(len(entries), self.entries, 4).long()
        output, share = entries[..., 0] + 256 * entries[..., 1], entries[..., 2] + 256 * entries[..., 3]
        return torch.zeros(len(entries), self.outputs, device=DEVICE).scatter_add_(1, output, share.float() / 65535)


def bits(packed, count):
    """The first bits of bytes, the lowest first."""
    places = torch.arange(8, dtype=torch.uint8, device=DEVICE)
    return ((packed[..., None] >> places) & 1).flatten(-2)[..., :count]


def losses(outputs, batch):
    """The sums over a batch of each loss, and of each error with the number of its targets."""
    policy, reply, soft, ownership, values = outputs
    target = batch["policy"]
    known = (target.sum(1) > 0.5).float()
    legal = batch["legal"] == 0
    logits = policy.masked_fill(legal, -1e4)

    def off(logits, target):
        """Cross-entropy less the entropy of the target."""
        return (torch.special.xlogy(target, target) - target * torch.log_softmax(logits, 1)).sum(1)

    of_policy = off(logits, target) * known
    of_soft = off(soft.masked_fill(legal, -1e4), batch["soft"]) * known
    of_reply = -(batch["reply"] * torch.log_softmax(reply, 1)).sum(1)
    result = torch.log_softmax(values[:, :3], 1)
    shares, result_weight = batch["result"][:, :3], batch["result"][:, 3]
    of_result = -(shares * result).sum(1) * result_weight
    counts = batch["boards"].counts
    of_ownership = ((ownership - batch["ownership"]) ** 2).sum(1) / counts * batch["is_owned"]
    counted = (batch["score"] != NO_SCORE).float()
    log_deviation = values[:, 4].clamp(-3, 2)
    score = batch["score"].float() * counted / (2 * SCORE_UNIT)
    deviations = (values[:, 3] - score) / log_deviation.exp()
    spread = batch["deviation"] / log_deviation.exp()
    # Quadratic up to three deviations, linear beyond.
    pull = deviations.detach().clamp(-3, 3)
    of_score = (pull * deviations - pull * pull / 2 + spread * spread / 2 + log_deviation) * counted
    each = {"policy": of_policy, "soft": of_soft, "reply": of_reply, "result": of_result, "ownership": of_ownership, "score": of_score}
    with torch.no_grad():
        win_rate = (result.exp() - shares)[:, 0] + (result.exp() - shares)[:, 1] / 2
        has_result = (result_weight > 0).float()
        owners = (ownership - batch["ownership"]).abs().sum(1) / counts * batch["is_owned"]
        first = (logits.argmax(1) == target.argmax(1)).float() * known
        errors = {
            "firstMove": (first, known),
            "policyLoss": (of_policy, known),
            "winRateError": (win_rate.abs() * has_result, has_result),
            "brier": (win_rate**2 * has_result, has_result),
            "leadError": (SCORE_UNIT * (values[:, 3] - score).abs() * counted, counted),
            "ownershipError": (owners, batch["is_owned"]),
        }
        errors = torch.stack([torch.stack([each.sum(), count.sum()]) for each, count in errors.values()])
    return {name: loss.sum() for name, loss in each.items()}, errors


ERRORS = ["firstMove", "policyLoss", "winRateError", "brier", "leadError", "ownershipError"]


def means(errors):
    return {name: round(total / count, 4) if count else None for name, (total, count) in zip(ERRORS, errors.tolist())}


def evaluate(net, records, count):
    """The errors on the first records."""
    errors = torch.zeros(len(ERRORS), 2, device=DEVICE)
    with torch.no_grad():
        for first in range(0, min(count, len(records.records)), 256):
            chosen = numpy.arange(first, min(first + 256, count, len(records.records)))
            for batch in records.split(chosen, numpy.zeros(len(chosen), numpy.int64)):
                errors += losses(net(batch), batch)[1]
    return means(errors)


class Fit:
    """The state of a fit, which survives a kill."""

    def __init__(self, net, options):
        self.net, self.options, self.step = net, options, 0
        self.optimizer = torch.optim.AdamW(net.parameters(), lr=0.0, betas=(0.9, 0.99), weight_decay=1e-3)
        self.average = [part.detach().clone() for part in net.parts]
        self.path = options.out + ".state"
        if os.path.exists(self.path):
            state = torch.load(self.path, map_location=DEVICE)
            if state["fields"] != net.fields or state["samples"] != options.samples:
                raise SystemExit(f"{self.path}: the state of another fit; remove it to begin anew")
            self.step = state["step"]
            net.load_state_dict(state["net"])
            self.optimizer.load_state_dict(state["optimizer"])
            self.average = state["average"]

    def save(self):
        state = {
            "fields": self.net.fields,
            "samples": self.options.samples,
            "step": self.step,
            "net": self.net.state_dict(),
            "optimizer": self.optimizer.state_dict(),
            "average": self.average,
        }
        write_whole(self.path, lambda path: torch.save(state, path))

    def rate(self, done):
        return self.options.learning_rate * min(1, (self.step + 1) / WARM_UP) * (0.02 + 0.49 * (1 + math.cos(math.pi * done)))

    def run(self, groups):
        options = self.options
        steps = math.ceil(options.samples / options.batch)
        shares = numpy.array([group.share for group in groups])
        saved = time.time()
        errors = torch.zeros(len(ERRORS), 2, device=DEVICE)
        while self.step < steps:
            random = numpy.random.default_rng((options.seed, self.step))
            counts = random.multinomial(options.batch, shares / shares.sum())
            for group in self.optimizer.param_groups:
                group["lr"] = self.rate(self.step / steps)
            self.optimizer.zero_grad(set_to_none=True)
            for group, count in zip(groups, counts):
                for batch in group.records.draw(count, random):
                    each, found = losses(self.net(batch), batch)
                    total = sum(group.weights[name] * loss for name, loss in each.items())
                    (total / options.batch).backward()
                    errors += found
            nn.utils.clip_grad_norm_(self.net.parameters(), 2.0)
            self.optimizer.step()
            self.step += 1
            kept = min(options.average_decay, self.step / (self.step + 20))
            with torch.no_grad():
                for average, part in zip(self.average, self.net.parts):
                    average.lerp_(part, 1 - kept)
            if self.step % 500 == 0:
                print(f"step {self.step} of {steps}: {json.dumps(means(errors))}", flush=True)
                errors.zero_()
            if time.time() - saved > 120:
                self.save()
                saved = time.time()
        self.save()
        with torch.no_grad():
            for part, average in zip(self.net.parts, self.average):
                part.copy_(average)


class Group:
    """A file, its share of the samples and the weights of its losses."""

    def __init__(self, text, weights):
        path, *numbers = text.split(":")
        self.share, policy = [float(number) for number in numbers] + [1.0, 1.0][len(numbers) :]
        self.records = Records(path)
        self.weights = {**weights, "policy": weights["policy"] * policy, "soft": weights["soft"] * policy}


def loss_weights(text):
    """LOSS:WEIGHT,…"""
    given = dict(pair.split(":") for pair in text.split(","))
    if not given.keys() <= LOSSES.keys():
        raise argparse.ArgumentTypeError(f"expected LOSS:WEIGHT with one of {', '.join(LOSSES)}")
    return {**LOSSES, **{name: float(weight) for name, weight in given.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="+", metavar="FILE[:SHARE[:POLICY]]",
                        help="a file of records, its share of the samples, the weight of its policy")
    parser.add_argument("--held-out", action="append", default=[], metavar="FILE", help="records to measure the net on, at the end")
    parser.add_argument("--net-size", default="4x32", metavar="BLOCKSxCHANNELS", help="blocks, and channels, a multiple of 32 [default: %(default)s]")
    parser.add_argument("--from", dest="first", metavar="NET", help="begin with the weights of this net, possibly of another game")
    parser.add_argument("--samples", type=int, default=1_000_000)
    parser.add_argument("--batch", type=int, default=256)
    parser.add_argument("--learning-rate", type=float, default=0.002)
    parser.add_argument("--average-decay", type=float, default=0.999)
    parser.add_argument("--loss-weights", type=loss_weights, default=LOSSES, metavar="LOSS:WEIGHT,…")
    parser.add_argument("--threads", type=int, default=1, help="threads on a CPU")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", required=True, metavar="FILE", help="the weights; OUT.state keeps the state of the fit")
    options = parser.parse_args()
    torch.set_num_threads(options.threads)
    torch.manual_seed(options.seed)
    blocks, channels = (int(number) for number in options.net_size.split("x"))
    groups = [Group(text, options.loss_weights) for text in options.groups]
    records = groups[0].records
    header = records.header
    net = Net(records.planes, records.globals, len(header["kinds"]), blocks, channels, header["layered"])
    if options.first:
        adopt(net, options.first, header)
    fit = Fit(net.to(DEVICE), options)
    fit.run(groups)
    write_weights(options.out, net, list(net.parts))
    for path in options.held_out:
        print(json.dumps({"heldOut": path, **evaluate(net, Records(path), 4000)}))


if __name__ == "__main__":
    main()
