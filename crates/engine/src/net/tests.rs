//! Nets of random numbers: the same bits on every set of instructions, equal to
//! a plain reference, and refused when their files are damaged.

use super::layers::{ConvolutionData, MAX_ACTIVATION, OUTPUTS};
use super::sample::*;
use super::{Evaluation, Frame, Instructions, Net, Scratch, Shape};
use crate::board::{Random, Topology};

const SHAPE: Shape = Shape {
    planes: 12,
    globals: 5,
    channels: 32,
    blocks: 2,
    head_channels: 32,
    point_kinds: 2,
    board_kinds: 1,
    hidden: 16,
    layered: false,
};

fn fill(scratch: &mut Scratch, frame: &Frame, random: &mut Random) {
    for position in frame.playable() {
        for plane in scratch.planes(position) {
            *plane = if random.below(3) == 0 { random.below(128) as u8 } else { 0 };
        }
    }
    for number in scratch.globals() {
        *number = small(random, 127);
    }
}

/// Frames of many shapes: small, wide, with blocked points, with layers. Miri, which is slow, has
/// only the first.
fn frames() -> Vec<(Frame, bool)> {
    let flat = |width, height| (Frame::new(width, height, 0, |_, _| true), false);
    if cfg!(miri) {
        return vec![flat(2, 2)];
    }
    vec![
        flat(2, 2),
        flat(9, 9),
        flat(19, 19),
        flat(25, 3),
        (Frame::new(7, 6, 0, |column, row| (column + 2 * row) % 5 != 0), false),
        (Frame::new(19, 9, 10, |column, _| column != 9), true),
        (Frame::new(23, 5, 6, |column, _| column % 6 != 5), true),
        (Frame::with_topology(9, 7, Topology::TORUS, |column, row| (column, row) != (8, 0)), false),
    ]
}

fn evaluate(net: &Net, set: Instructions, frame: &Frame, scratch: &Scratch) -> Evaluation {
    let mut evaluation = Evaluation::default();
    net.evaluate(set, frame, &mut scratch.clone(), &mut evaluation);
    evaluation
}

#[test]
fn all_instructions_give_the_same_bits() {
    let mut random = Random::new(1);
    for (frame, layered) in frames() {
        for (channels, head_channels) in [(32, 32), (64, 32), (96, 64)] {
            let shape = Shape { channels, head_channels, layered, ..SHAPE };
            let net = Net::new(data(shape, &mut random)).expect("a net");
            let mut scratch = Scratch::new(&shape, &frame);
            fill(&mut scratch, &frame, &mut random);
            let plain = evaluate(&net, Instructions::PLAIN, &frame, &scratch);
            assert_eq!(plain.ownership.len(), frame.points());
            assert_eq!(plain.point_policy.len(), 2 * frame.points());
            for set in Instructions::all() {
                let other = evaluate(&net, set, &frame, &scratch);
                assert_eq!(other, plain, "{set:?}, {} points", frame.points());
            }
        }
    }
}

/// On a torus all points are alike: a position that is moved along has the same evaluation.
#[test]
fn a_torus_has_no_edges() {
    const SIDES: [u8; 2] = [6, 5];
    let mut random = Random::new(9);
    let net = Net::new(data(SHAPE, &mut random)).expect("a net");
    let [width, height] = SIDES;
    let wall = (4, 0);
    let before =
        Frame::with_topology(width, height, Topology::TORUS, |column, row| (column, row) != wall);
    let mut scratch = Scratch::new(&SHAPE, &before);
    fill(&mut scratch, &before, &mut random);
    let expected = evaluate(&net, Instructions::best(), &before, &scratch);
    let coordinates = |frame: &Frame| -> Vec<_> {
        let all = (0..height).flat_map(|row| (0..width).map(move |column| (column, row)));
        let on_board = |&(column, row): &(u8, u8)| {
            frame.playable().any(|at| at == frame.position(column, row))
        };
        all.filter(on_board).collect()
    };
    for (right, up) in [(1, 0), (0, 1), (3, 4)] {
        let moved = |(column, row): (u8, u8)| ((column + right) % width, (row + up) % height);
        let after = Frame::with_topology(width, height, Topology::TORUS, |column, row| {
            (column, row) != moved(wall)
        });
        let mut shifted = Scratch::new(&SHAPE, &after);
        shifted.globals().copy_from_slice(&scratch.globals);
        for point in coordinates(&before) {
            let inputs = scratch.planes(before.position(point.0, point.1)).to_vec();
            let to = moved(point);
            shifted.planes(after.position(to.0, to.1)).copy_from_slice(&inputs);
        }
        let evaluation = evaluate(&net, Instructions::best(), &after, &shifted);
        // The sum of ownership is that of other addends first.
        let both = evaluation.result.iter().zip(&expected.result);
        assert!(both.into_iter().all(|(one, other)| (one - other).abs() < 1e-4));
        let places = coordinates(&after);
        for (point, owner) in coordinates(&before).into_iter().zip(&expected.ownership) {
            let at = places.iter().position(|&place| place == moved(point)).expect("a point");
            assert_eq!(evaluation.ownership[at], *owner, "{point:?}");
        }
    }
}

/// A convolution written as the formula has it, over columns and rows.
fn reference(
    layer: &ConvolutionData,
    inputs: usize,
    (side, at): (i32, (i32, i32)),
    input: impl Fn(i32, i32, usize) -> u8,
    output: usize,
) -> u8 {
    let mut sum = i64::from(layer.bias[output]);
    let taps = (-1..=1).flat_map(|row| (-1..=1).map(move |column| (column, row)));
    for (tap, (right, up)) in taps.enumerate() {
        let (column, row) = (at.0 + right, at.1 + up);
        if (0..side).contains(&column) && (0..side).contains(&row) {
            for channel in 0..inputs {
                let weight = layer.weights[(output * 9 + tap) * inputs + channel];
                sum += i64::from(weight) * i64::from(input(column, row, channel));
            }
        }
    }
    let scaled =
        sum as f64 * f64::from(layer.multiplier[output]) / f64::from(1 << layer.shift[output]);
    (scaled + 0.5).floor().clamp(0.0, f64::from(MAX_ACTIVATION)) as u8
}

#[test]
fn a_convolution_is_what_the_formula_says() {
    let mut random = Random::new(2);
    let side = if cfg!(miri) { 3 } else { 9 };
    let frame = Frame::new(side, side, 0, |_, _| true);
    let layer = convolution(&mut random, 9, 12, OUTPUTS);
    let laid_out = super::layers::Convolution::new(9, 12, OUTPUTS, &layer).expect("a layer");
    let mut input = vec![0; frame.positions() * 12];
    for position in frame.playable() {
        input[position * 12..][..12].fill_with(|| random.below(128) as u8);
    }
    let taps: Vec<_> = frame.taps(false).map(|tap| tap * 12).collect();
    for set in Instructions::all() {
        let mut output = vec![0; frame.positions() * OUTPUTS];
        for run in frame.runs() {
            let run = super::kernels::Run {
                input: &input,
                at: run.position * 12,
                taps: &taps,
                points: run.length,
                residual: None,
                output_at: run.position * OUTPUTS,
            };
            set.convolve(&run, &laid_out, 0, &laid_out.bias(0, &[]), &mut output);
        }
        let at = |column: i32, row: i32| frame.position(column as u8, row as u8);
        let given = |column, row, channel| input[at(column, row) * 12 + channel];
        for row in 0..i32::from(side) {
            for column in 0..i32::from(side) {
                for channel in 0..OUTPUTS {
                    let place = (i32::from(side), (column, row));
                    let wanted = reference(&layer, 12, place, given, channel);
                    let found = output[at(column, row) * OUTPUTS + channel];
                    assert_eq!(found, wanted, "{set:?} {column},{row} channel {channel}");
                }
            }
        }
    }
}

#[test]
fn a_net_of_symmetric_weights_turns_with_the_board() {
    // Pooling and heads see no place: a net whose 3x3 weights are all alike in
    // each channel pair must give a mirrored board the mirrored answer.
    let mut random = Random::new(3);
    let mut numbers = data(SHAPE, &mut random);
    let alike = |layer: &mut ConvolutionData, inputs: usize| {
        for weights in layer.weights.chunks_exact_mut(9 * inputs) {
            let (first, rest) = weights.split_at_mut(inputs);
            rest.chunks_exact_mut(inputs).for_each(|tap| tap.copy_from_slice(first));
        }
    };
    alike(&mut numbers.stem.convolution, SHAPE.planes);
    for block in &mut numbers.blocks {
        alike(&mut block.first.convolution, SHAPE.channels);
        alike(&mut block.second, SHAPE.channels);
    }
    let net = Net::new(numbers).expect("a net");
    let frame = Frame::new(7, 7, 0, |_, _| true);
    let mut scratch = Scratch::new(&SHAPE, &frame);
    fill(&mut scratch, &frame, &mut random);
    let mut mirrored = scratch.clone();
    for row in 0..7 {
        for column in 0..7 {
            let from = scratch.planes(frame.position(column, row)).to_vec();
            mirrored.planes(frame.position(6 - column, row)).copy_from_slice(&from);
        }
    }
    let set = Instructions::best();
    let straight = evaluate(&net, set, &frame, &scratch);
    let turned = evaluate(&net, set, &frame, &mirrored);
    for (point, &owned) in straight.ownership.iter().enumerate() {
        let (row, column) = (point / 7, point % 7);
        assert_eq!(turned.ownership[row * 7 + 6 - column], owned);
    }
    assert!(straight.ownership.windows(2).any(|pair| pair[0] != pair[1]));
    assert_eq!(turned.board_policy.len(), 1);
}

#[test]
fn scratch_keeps_nothing_from_one_position_to_the_next() {
    let mut random = Random::new(4);
    let frame = Frame::new(9, 9, 0, |_, _| true);
    for (channels, head_channels) in [(32, 32), (64, 32), (32, 64)] {
        let shape = Shape { channels, head_channels, ..SHAPE };
        let net = Net::new(data(shape, &mut random)).expect("a net");
        let mut first = Scratch::new(&shape, &frame);
        fill(&mut first, &frame, &mut random);
        let mut used = first.clone();
        let mut evaluation = Evaluation::default();
        for _ in 0..3 {
            fill(&mut used, &frame, &mut random);
            net.evaluate(Instructions::best(), &frame, &mut used, &mut evaluation);
        }
        for position in frame.playable() {
            let planes = first.planes(position).to_vec();
            used.planes(position).copy_from_slice(&planes);
        }
        let globals = first.globals().to_vec();
        used.globals().copy_from_slice(&globals);
        net.evaluate(Instructions::best(), &frame, &mut used, &mut evaluation);
        let fresh = evaluate(&net, Instructions::best(), &frame, &first);
        assert_eq!(evaluation, fresh, "{channels} channels, {head_channels} of the heads");
    }
}

#[test]
fn files_give_back_the_net_and_damaged_ones_are_refused() {
    let mut random = Random::new(5);
    let net = Net::new(data(SHAPE, &mut random)).expect("a net");
    let bytes = net.to_bytes("go");
    assert_eq!(Net::from_bytes(&bytes, "go").as_ref(), Ok(&net));
    let refused = |bytes: &[u8], id| Net::from_bytes(bytes, id).expect_err("no net").to_string();
    assert_eq!(refused(&bytes, "tao"), "a net for \"go\"");
    for end in [0, 7, 8, 9, 20, bytes.len() / 2, bytes.len() - 1] {
        assert!(Net::from_bytes(&bytes[..end], "go").is_err(), "cut at {end}");
    }
    for _ in 0..200 {
        let mut damaged = bytes.clone();
        let at = random.below(bytes.len() as u32) as usize;
        damaged[at] ^= 1 << random.below(8);
        assert!(Net::from_bytes(&damaged, "go").is_err(), "byte {at}");
    }
    let mut long = bytes.clone();
    long.push(0);
    assert!(Net::from_bytes(&long, "go").is_err());
    // A right checksum does not make wrong numbers good.
    let shape_at = 8 + 2 + 1 + 2;
    for (place, number) in [(0, u16::MAX), (8, 2)] {
        let at = shape_at + 2 * place;
        let mut wrong = bytes[..bytes.len() - 4].to_vec();
        wrong[at..at + 2].copy_from_slice(&number.to_le_bytes());
        wrong.extend(crc32fast::hash(&wrong).to_le_bytes());
        assert_eq!(refused(&wrong, "go"), "the shape of the net is invalid");
    }
}

#[test]
fn weights_that_could_overflow_are_refused() {
    let mut random = Random::new(6);
    let mut numbers = data(Shape { channels: 512, ..SHAPE }, &mut random);
    numbers.blocks[0].first.convolution.weights.fill(127);
    let refused = Net::new(numbers).expect_err("no net");
    assert_eq!(refused.to_string(), "weights of a channel are too large together");
}
