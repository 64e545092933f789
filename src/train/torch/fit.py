#!/usr/bin/env python3
"""Fits a net on a GPU to the records of `kawari train pack`, with PyTorch.

Net, losses and optimizer are those of `kawari train fit`; the checkpoint that is written
is one of its own, which `kawari train export` makes a net in integers. The schedule is by
time: the learning rate rises for 400 steps, then falls as a cosine until the seconds are over.

    kawari train pack people.games --entries 1 --out people.bin
    fit.py people.bin --net-size 6x64 --seconds 600 --out big.checkpoint
    kawari train export big.checkpoint --out big.net
"""

import argparse
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
SCORE_UNIT = 20  # points
BOARD_KINDS = 2  # the pass, and the end of a turn
VALUES = 5  # win, draw, loss; mean and logarithm of the deviation of the score
HEAD, HIDDEN = 32, 64
NO_SCORE = -32768
OWNED = 4  # quarters of ownership in records
LOSSES = {"policy": 1.0, "reply": 0.15, "result": 1.0, "ownership": 1.5, "score": 0.1}  # as `src/train/loss.rs` weighs them
DEVICE = "cuda" if torch.cuda.is_available() else "cpu"
NUMBERS = torch.bfloat16 if DEVICE == "cuda" else torch.float32


class Net(nn.Module):
    """The net of `src/net/model.rs` in floating point."""

    def __init__(self, planes, global_inputs, kinds, blocks, channels):
        super().__init__()
        self.kinds, self.channels = kinds, channels
        self.fields = (planes, global_inputs, channels, blocks, HEAD, kinds, BOARD_KINDS, HIDDEN, 0)
        self.parts = nn.ParameterList()  # in the order of `src/train/layout.rs`

        def part(shape, inputs=0, scale=1.0):
            deviation = scale * math.sqrt(2 / inputs) if inputs else 0.0
            self.parts.append(nn.Parameter(torch.randn(shape) * deviation))

        def convolution(inputs, outputs, side, scale=1.0):
            part((outputs, inputs, side, side), inputs * side * side, scale)
            part((outputs,))

        def dense(inputs, outputs, scale, biased=True):
            part((inputs, outputs), inputs, scale)
            if biased:
                part((outputs,))

        convolution(planes, channels, 3)
        part((global_inputs, channels))  # zero, so that inputs never set have no effect
        for _ in range(blocks):
            convolution(channels, channels, 3)
            dense(3 * channels, channels, 0.2, biased=False)
            convolution(channels, channels, 3, 0.2)
        convolution(channels, HEAD, 1)
        dense(3 * channels, HEAD, 0.2, biased=False)
        dense(HEAD, 2 * kinds + 1, 0.2)
        dense(3 * channels + global_inputs + 1, HIDDEN, 1.0)
        with torch.no_grad():
            self.parts[-2][3 * channels : -1] = 0
        dense(HIDDEN + 1, VALUES + 2 * BOARD_KINDS, 0.2)

    def forward(self, planes, global_inputs, size_factor):
        """Policy, reply, ownership, values."""
        parts = iter(self.parts)

        def take():
            return next(parts)

        def convolve(inputs, padding):
            return functional.conv2d(inputs, take().to(NUMBERS), take().to(NUMBERS), padding=padding)

        def pool(trunk):
            mean = torch.mean(trunk, (2, 3), dtype=torch.float32)
            return torch.cat([mean, mean * size_factor, trunk.amax((2, 3)).float()], 1)

        def add(sums, inputs):
            added = (inputs @ take()).to(NUMBERS)
            return (sums + added[:, :, None, None]).clamp(0, GREATEST)

        trunk = add(convolve(planes, 1), global_inputs)
        for _ in range(self.fields[3]):
            inner = add(convolve(trunk, 1), pool(trunk))
            trunk = (convolve(inner, 1) + trunk).clamp(0, GREATEST)
        pooled = pool(trunk)
        head = add(convolve(trunk, 0), pooled)
        points = torch.einsum("bcn,co->bon", head.flatten(2).float(), take()) + take()[None, :, None]
        ownership = torch.tanh(points[:, self.kinds])
        owned = ownership.sum(1, keepdim=True) / SCORE_UNIT
        hidden = torch.relu(torch.cat([pooled, global_inputs, owned], 1) @ take() + take())
        values = torch.cat([hidden, owned], 1) @ take() + take()
        values, board_policy, board_reply = values.split([VALUES, BOARD_KINDS, BOARD_KINDS], 1)
        policy = torch.cat([points[:, : self.kinds].flatten(1), board_policy], 1)
        reply = torch.cat([points[:, self.kinds + 1 :].flatten(1), board_reply], 1)
        return policy, reply, ownership, values


def to_list(part):
    """A parameter as `src/train/layout.rs` keeps it: convolutions by 32 outputs, tap, input, output."""
    if part.dim() == 4:
        outputs, inputs, side, _ = part.shape
        part = part.reshape(outputs // 32, 32, inputs, side * side).permute(0, 3, 2, 1)
    return part.detach().float().cpu().reshape(-1).numpy().astype("<f4")


def from_list(part, numbers):
    """The contrary."""
    numbers = torch.from_numpy(numbers.copy())
    if part.dim() == 4:
        outputs, inputs, side, _ = part.shape
        numbers = numbers.reshape(outputs // 32, side * side, inputs, 32).permute(0, 3, 2, 1)
    part.data.copy_(numbers.reshape(part.shape))


HEADER = struct.Struct("<8sH9H3Q")


def write_checkpoint(path, net, parts):
    """Writes what `src/train/checkpoint.rs` reads."""
    numbers = b"".join(to_list(part).tobytes() for part in parts)
    header = HEADER.pack(b"kawariCP", 2, *net.fields, 1, 0, 0)
    body = header + numbers + 2 * bytes(len(numbers)) + numbers
    with open(path + ".tmp", "wb") as file:
        file.write(body + struct.pack("<I", zlib.crc32(body)))
    os.replace(path + ".tmp", path)


def read_checkpoint(path, net):
    """Takes the averaged weights of a checkpoint of the same shape."""
    with open(path, "rb") as file:
        body = file.read()
    magic, version, *fields = HEADER.unpack_from(body)
    if magic != b"kawariCP" or version != 2 or tuple(fields[:9]) != net.fields:
        raise SystemExit(f"{path}: not a checkpoint of a net of this shape")
    lists = numpy.frombuffer(body[HEADER.size : -4], "<f4").reshape(4, -1)
    at = 0
    for part in net.parts:
        from_list(part, lists[3, at : at + part.numel()])
        at += part.numel()


class Records:
    """The records of a file on the device."""

    def __init__(self, path):
        with open(path, "rb") as file:
            head = file.read(24)
            magic, version, self.width, self.height, self.planes, self.kinds, self.globals, self.entries, symmetric = (
                struct.unpack("<8s8H", head)
            )
            if magic != b"kawariPS" or version != 2:
                raise SystemExit(f"{path}: expected records of version 2; kawari train pack writes them")
            raw = numpy.fromfile(file, numpy.uint8)
        self.points = self.width * self.height
        self.outputs = self.kinds * self.points + BOARD_KINDS
        row = (self.points + 7) // 8
        owners, legal = (self.points + 1) // 2, (self.outputs + 7) // 8
        self.parts = [self.planes * row, owners, legal, 4 * self.entries, 4 * self.entries, 4, 2, 1, 1, self.globals]
        self.records = torch.from_numpy(raw.reshape(-1, sum(self.parts))).to(DEVICE)
        self.symmetries = symmetries(self.width, self.height) if symmetric else symmetries(self.width, self.height)[:1]

    def size_factor(self):
        return max(-63, min(63, math.isqrt(16 * self.points) - 52)) / UNIT

    def draw(self, count):
        chosen = torch.randint(len(self.records), (count,), device=DEVICE)
        return self.batch(self.records[chosen], self.symmetries)

    def batch(self, records, turned):
        """Inputs and targets; each of the symmetries turns an equal part of them."""
        count, points, kinds = len(records), self.points, self.kinds
        planes, owners, legal, policy, reply, result, score, deviation, is_owned, global_inputs = records.split(self.parts, 1)
        planes = bits(planes.reshape(count, self.planes, -1), points)
        owners = torch.stack([owners & 15, owners >> 4], 2).flatten(1)[:, :points].float() / OWNED - 1
        legal = bits(legal, self.outputs)
        policy, reply = (self.shares(each) for each in (policy, reply))
        share = -(-count // len(turned))

        def turn(numbers, layers):
            on_points = numbers[:, : layers * points].reshape(count, layers, points)
            pieces = zip(on_points.split(share), turned)
            on_points = torch.cat([piece[:, :, places] for piece, places in pieces])
            return torch.cat([on_points.flatten(1), numbers[:, layers * points :]], 1)

        planes = turn(planes.flatten(1), self.planes).reshape(count, self.planes, self.height, self.width)
        low, high = score.long().unbind(1)
        score = low + 256 * high
        inputs = planes.to(NUMBERS).contiguous(memory_format=torch.channels_last)
        return {
            "inputs": (inputs, global_inputs.contiguous().view(torch.int8).float() / UNIT, self.size_factor()),
            "legal": turn(legal, kinds),
            "policy": turn(policy, kinds),
            "reply": turn(reply, kinds),
            "result": result.float() / 255,
            "score": torch.where(score >= 32768, score - 65536, score),
            "deviation": deviation[:, 0].float() / (2 * SCORE_UNIT),
            "is_owned": is_owned[:, 0].float(),
            "ownership": turn(owners, 1),
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


def symmetries(width, height):
    """For each way to turn or mirror the board, from where each point comes."""
    board = torch.arange(width * height, device=DEVICE).reshape(height, width)
    boards = [board, board.T] if width == height else [board]
    mirrored = [[], [0], [1], [0, 1]]
    return [each.flip(axes).reshape(-1) for each in boards for axes in mirrored]


def losses(outputs, batch, weights):
    """The weighted sum, and by themselves: policy, share of first moves, result, error of the win rate
    in percentage points, error of the score in points, ownership."""
    policy, reply, ownership, values = outputs
    target = batch["policy"]
    known = (target.sum(1) > 0.5).float()
    logits = policy.masked_fill(batch["legal"] == 0, -1e4)
    off = torch.special.xlogy(target, target) - target * torch.log_softmax(logits, 1)
    of_policy = (off.sum(1) * known).mean()
    of_reply = -(batch["reply"] * torch.log_softmax(reply, 1)).sum(1).mean()
    result = torch.log_softmax(values[:, :3], 1)
    shares, result_weight = batch["result"][:, :3], batch["result"][:, 3]
    of_result = -((shares * result).sum(1) * result_weight).mean()
    of_ownership = (((ownership - batch["ownership"]) ** 2).mean(1) * batch["is_owned"]).mean()
    counted = (batch["score"] != NO_SCORE).float()
    log_deviation = values[:, 4].clamp(-3, 2)
    score = batch["score"].float() * counted / (2 * SCORE_UNIT)
    deviations = (values[:, 3] - score) / log_deviation.exp()
    spread = batch["deviation"] / log_deviation.exp()
    # Quadratic up to three deviations, linear beyond.
    pull = deviations.detach().clamp(-3, 3)
    of_score = ((pull * deviations - pull * pull / 2 + spread * spread / 2 + log_deviation) * counted).mean()
    each = {"policy": of_policy, "reply": of_reply, "result": of_result, "ownership": of_ownership, "score": of_score}
    total = sum(weights[name] * loss for name, loss in each.items())
    first = mean((logits.argmax(1) == target.argmax(1)).float(), known)
    win_rate = (result.exp() - shares)[:, 0] + (result.exp() - shares)[:, 1] / 2
    off_win_rate = 100 * mean(win_rate.abs(), (result_weight > 0).float())
    off_score = SCORE_UNIT * mean((values[:, 3] - score).abs(), counted)
    return total, torch.stack([of_policy, first, of_result, off_win_rate, off_score, of_ownership]).detach()


def mean(numbers, known):
    """The mean of the numbers that are known."""
    return (numbers * known).sum() / known.sum().clamp(min=1)


def fit(net, groups, options):
    """Trains; returns the averaged weights."""
    optimizer = torch.optim.AdamW(net.parameters(), lr=0.0, betas=(0.9, 0.99), weight_decay=1e-3)
    average = [part.detach().clone() for part in net.parts]
    compiled = torch.compile(net, dynamic=False) if options.compile else net
    of = torch.compile(losses, dynamic=False) if options.compile else losses
    shares = torch.tensor([share for _, share, _ in groups])
    weights = [{**options.loss_weights, "policy": options.loss_weights["policy"] * policy} for _, _, policy in groups]
    start, step = time.time(), 0
    while (done := (time.time() - start) / options.seconds) < 1:
        number = int(torch.multinomial(shares, 1))
        records, *_ = groups[number]
        batch = records.draw(options.batch)
        rate = options.learning_rate * min(1, (step + 1) / 400) * (0.02 + 0.49 * (1 + math.cos(math.pi * done)))
        for group in optimizer.param_groups:
            group["lr"] = rate
        total, parts = of(compiled(*batch["inputs"]), batch, weights[number])
        optimizer.zero_grad(set_to_none=True)
        total.backward()
        nn.utils.clip_grad_norm_(net.parameters(), 2.0)
        optimizer.step()
        step += 1
        with torch.no_grad():
            kept = min(0.999, step / (step + 20))
            torch._foreach_lerp_(average, [part.detach() for part in net.parts], 1 - kept)
        if step % 500 == 0:
            numbers = " ".join(f"{number:.4f}" for number in parts.tolist())
            print(f"{100 * done:.0f}% step {step}, group {number + 1}: {numbers}", flush=True)
    print(f"{step} steps, {step * options.batch} samples")
    return average


def group(text):
    """FILE[:SHARE[:POLICY]]"""
    path, *numbers = text.split(":")
    share, policy_weight = [float(number) for number in numbers] + [1.0, 1.0][len(numbers) :]
    return path, share, policy_weight


def loss_weights(text):
    """LOSS:WEIGHT,…"""
    given = dict(pair.split(":") for pair in text.split(","))
    if not given.keys() <= LOSSES.keys():
        raise argparse.ArgumentTypeError(f"expected LOSS:WEIGHT with one of {', '.join(LOSSES)}")
    return {**LOSSES, **{name: float(weight) for name, weight in given.items()}}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("groups", nargs="+", type=group, metavar="FILE[:SHARE[:POLICY]]",
                        help="records, their share of the steps, and the weight of their policy")
    parser.add_argument("--net-size", "--tower", default="6x64", metavar="BLOCKSxCHANNELS")
    parser.add_argument("--from", dest="first", metavar="CHECKPOINT", help="begin with these weights")
    parser.add_argument("--loss-weights", type=loss_weights, default=LOSSES, metavar="LOSS:WEIGHT,…",
                        help="how much each loss counts, if not as usual, such as score:0.5,ownership:2")
    parser.add_argument("--seconds", type=float, default=600)
    parser.add_argument("--batch", type=int, default=2048)
    parser.add_argument("--learning-rate", type=float, default=2.5e-3)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--no-compile", dest="compile", action="store_false")
    parser.add_argument("--out", required=True, metavar="CHECKPOINT")
    options = parser.parse_args()
    torch.manual_seed(options.seed)
    torch.backends.cudnn.benchmark = True
    groups = [(Records(path), share, policy_weight) for path, share, policy_weight in options.groups]
    blocks, channels = map(int, options.net_size.split("x"))
    records = groups[0][0]
    net = Net(records.planes, records.globals, records.kinds, blocks, channels)
    if options.first:
        read_checkpoint(options.first, net)
    net = net.to(DEVICE).to(memory_format=torch.channels_last)
    write_checkpoint(options.out, net, fit(net, groups, options))


main()
