//! Begins training with the weights of a net in integers, possibly of another variant (Soemers et
//! al., "Transfer of fully convolutional policy-value networks between games and game variants",
//! 2021).

use super::layout::{BiasedPlace, ConvolutionPlace, DensePlace, Layout};
use super::trainer::Trainer;
use crate::net::layers::ConvolutionData;
use crate::net::layers::{ACTIVATION_UNIT, POOL_PARTS};
use crate::net::{BiasedConvolution, DenseLayer, Net, VALUES};
use crate::rules::VariantInfo;
use crate::search::neural::{GLOBALS, PLANES};

impl Trainer {
    /// Copies the weights of a net for `from` into training for `to`. Inputs and kinds of step
    /// match by name. New inputs get weight 0, new blocks add 0 to the trunk, and new outputs keep
    /// random weights. Fails and changes nothing if the widths of layers differ.
    pub fn adopt(
        &mut self,
        net: &Net,
        from: &VariantInfo,
        to: &VariantInfo,
    ) -> Result<(), &'static str> {
        let (old, new) = (net.shape(), self.shape());
        let widths =
            |shape: &crate::net::Shape| (shape.channels, shape.head_channels, shape.hidden);
        if widths(old) != widths(new) {
            return Err("a net with other numbers of channels");
        }
        let source = Source::new(net);
        let names = Names {
            planes: matches(PLANES, from.planes, to.planes),
            globals: matches(GLOBALS, from.globals, to.globals),
            kinds: kinds(from, to),
        };
        let layout = self.layout.clone();
        let mut target = Target { params: &mut self.params, source: &source };
        target.take(&layout, &names);
        self.average.copy_from_slice(&self.params);
        Ok(())
    }
}

/// For each input or kind of the new net, the number in the old net.
struct Names {
    planes: Vec<Option<usize>>,
    globals: Vec<Option<usize>>,
    kinds: Vec<Option<usize>>,
}

/// Inputs of all variants, then those of the new one.
fn matches(common: &[&str], old: &[&str], new: &[&str]) -> Vec<Option<usize>> {
    let all = 0..common.len();
    let own = new.iter().map(|name| {
        let at = old.iter().position(|old| old == name);
        at.map(|at| common.len() + at)
    });
    all.map(Some).chain(own).collect()
}

/// The first kind always places a stone; others match by word.
fn kinds(old: &VariantInfo, new: &VariantInfo) -> Vec<Option<usize>> {
    let number = |(at, word): (usize, &str)| match at {
        0 => Some(0),
        _ => old.kinds.iter().skip(1).position(|kind| kind.word == word).map(|at| at + 1),
    };
    new.kinds.iter().map(|kind| kind.word).enumerate().map(number).collect()
}

/// The weights of a net as `f32`.
struct Source {
    layout: Layout,
    params: Vec<f32>,
}

impl Source {
    fn new(net: &Net) -> Source {
        let data = net.data();
        let layout = Layout::new(data.shape);
        let mut source = Source { params: vec![0.0; layout.len], layout: layout.clone() };
        source.biased(&layout.stem, &data.stem);
        for (place, block) in layout.blocks.iter().zip(&data.blocks) {
            source.biased(&place.first, &block.first);
            source.convolution(&place.second, &block.second);
        }
        source.biased(&layout.head, &data.head);
        let rows = data.point_weights.chunks_exact(data.shape.head_channels);
        let outputs = rows.zip(data.point_scale.iter().zip(&data.point_bias));
        for (output, (weights, (scale, bias))) in outputs.enumerate() {
            for (input, &weight) in weights.iter().enumerate() {
                let to = layout.points.at(input, output);
                source.params[to] = f32::from(weight) * scale * ACTIVATION_UNIT;
            }
            source.params[layout.points.bias.start + output] = *bias;
        }
        source.dense(&layout.hidden, &data.hidden);
        source.dense(&layout.values, &data.values);
        source
    }

    /// Returns the scale of each output.
    fn convolution(&mut self, place: &ConvolutionPlace, data: &ConvolutionData) -> Vec<f32> {
        let scales = data.multiplier.iter().zip(&data.shift);
        let scales =
            scales.map(|(&multiplier, &shift)| f32::from(multiplier) / (1u32 << shift) as f32);
        let scales: Vec<f32> = scales.collect();
        let rows = data.weights.chunks_exact(place.taps * place.inputs);
        for (output, (row, scale)) in rows.zip(&scales).enumerate() {
            for (at, &weight) in row.iter().enumerate() {
                let to = place.weight(at / place.inputs, at % place.inputs, output);
                self.params[place.weights.start + to] = f32::from(weight) * scale;
            }
            let bias = data.bias[output] as f32 * scale / ACTIVATION_UNIT;
            self.params[place.bias.start + output] = bias;
        }
        scales
    }

    fn biased(&mut self, place: &BiasedPlace, data: &BiasedConvolution) {
        let scales = self.convolution(&place.convolution, &data.convolution);
        let unit = POOL_PARTS as f32 / (1u32 << data.added.shift) as f32;
        let weights = data.added.weights.iter().zip(scales.iter().cycle());
        let numbers = weights.map(|(&weight, scale)| f32::from(weight) * scale * unit);
        for (param, number) in self.params[place.added.weights.clone()].iter_mut().zip(numbers) {
            *param = number;
        }
    }

    /// The layer in training may have more outputs.
    fn dense(&mut self, place: &DensePlace, layer: &DenseLayer) {
        let outputs = layer.bias.len();
        for (input, row) in layer.weights.chunks_exact(outputs).enumerate() {
            let first = place.at(input, 0);
            self.params[first..first + outputs].copy_from_slice(row);
        }
        let first = place.bias.start;
        self.params[first..first + outputs].copy_from_slice(&layer.bias);
    }
}

struct Target<'a> {
    params: &'a mut [f32],
    source: &'a Source,
}

impl Target<'_> {
    fn take(&mut self, to: &Layout, names: &Names) {
        let from = &self.source.layout;
        let channels: Vec<_> = same(to.shape.channels);
        self.biased((&from.stem, &to.stem), (&names.planes, &names.globals), &channels);
        let pooled = same(to.shape.pooled());
        for (number, place) in to.blocks.iter().enumerate() {
            let Some(old) = from.blocks.get(number) else {
                self.params[place.second.weights.clone()].fill(0.0);
                continue;
            };
            self.biased((&old.first, &place.first), (&channels, &pooled), &channels);
            self.convolution((&old.second, &place.second), &channels);
        }
        let head = same(to.shape.head_channels);
        self.biased((&from.head, &to.head), (&channels, &pooled), &head);
        // Policy by kind, then ownership; a net in integers has no reply.
        let mut outputs = names.kinds.clone();
        outputs.push(Some(from.shape.point_kinds));
        self.dense((&from.points, &to.points), &head, &outputs);
        let mut inputs = pooled;
        let globals = names.globals.iter().map(|at| at.map(|at| to.shape.pooled() + at));
        inputs.extend(globals);
        inputs.push(Some(from.shape.pooled() + from.shape.globals));
        let hidden = same(to.shape.hidden);
        self.dense((&from.hidden, &to.hidden), &inputs, &hidden);
        let values = same(VALUES + to.shape.board_kinds.min(from.shape.board_kinds));
        self.dense((&from.values, &to.values), &same(to.shape.last_inputs()), &values);
    }

    fn biased(
        &mut self,
        (from, to): (&BiasedPlace, &BiasedPlace),
        (inputs, added): (&[Option<usize>], &[Option<usize>]),
        outputs: &[Option<usize>],
    ) {
        self.convolution((&from.convolution, &to.convolution), inputs);
        self.dense((&from.added, &to.added), added, outputs);
    }

    /// Unmatched planes and new taps get weight 0.
    fn convolution(
        &mut self,
        (from, to): (&ConvolutionPlace, &ConvolutionPlace),
        inputs: &[Option<usize>],
    ) {
        for output in 0..to.outputs {
            for tap in 0..to.taps {
                for input in 0..to.inputs {
                    let old = inputs.get(input).copied().flatten().filter(|_| tap < from.taps);
                    let old = old.map(|old| from.weights.start + from.weight(tap, old, output));
                    let at = to.weights.start + to.weight(tap, input, output);
                    self.params[at] = old.map_or(0.0, |old| self.source.params[old]);
                }
            }
        }
        let biases = &self.source.params[from.bias.clone()];
        self.params[to.bias.clone()].copy_from_slice(biases);
    }

    fn dense(
        &mut self,
        (from, to): (&DensePlace, &DensePlace),
        inputs: &[Option<usize>],
        outputs: &[Option<usize>],
    ) {
        for (output, old_output) in outputs.iter().enumerate() {
            let Some(old_output) = *old_output else {
                continue;
            };
            for (input, old) in inputs.iter().enumerate() {
                let old = old.map_or(0.0, |old| self.source.params[from.at(old, old_output)]);
                self.params[to.at(input, output)] = old;
            }
            if !to.bias.is_empty() {
                let bias = self.source.params[from.bias.start + old_output];
                self.params[to.bias.start + output] = bias;
            }
        }
    }
}

fn same(count: usize) -> Vec<Option<usize>> {
    (0..count).map(Some).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::Random;
    use crate::net::tests::data;
    use crate::rules::variant;
    use crate::search::neural::shape_for;
    use crate::train::evaluate_net;
    use crate::train::loss::Sample;
    use crate::train::samples::SampleMaker;
    use crate::train::self_play::tests::settings;

    fn info(id: &str) -> &'static VariantInfo {
        variant(id).expect("a variant")
    }

    /// Positions of a short game.
    fn samples(info: &'static VariantInfo) -> Vec<Sample> {
        let mut searcher = crate::search::Searcher::new(Default::default(), 16, 1);
        let played = settings(info.id).play(3, &mut searcher, &|| false);
        let game = played.expect("valid").expect("not stopped");
        let mut maker = SampleMaker::new(info, 0.0);
        let samples = (0..game.steps.len()).filter_map(|step| maker.sample(&game, step, 0).ok()?);
        samples.collect()
    }

    /// A trainer with the weights of a random net, and that net.
    fn adopted(from: &str, to: &str, blocks: usize) -> (Trainer, Net) {
        let shape = shape_for(info(from), 2, 32);
        let net = Net::new(data(shape, &mut Random::new(7))).expect("a net");
        let mut trainer = Trainer::new(shape_for(info(to), blocks, 32), 5);
        trainer.adopt(&net, info(from), info(to)).expect("the same widths");
        (trainer, net)
    }

    #[test]
    fn a_trainer_says_what_the_net_said_and_so_does_its_net() {
        let samples = samples(info("tao"));
        for blocks in [2, 3] {
            let (trainer, net) = adopted("tao", "tao", blocks);
            let weights = *trainer.loss_weights();
            let before = evaluate_net(&net, &samples, &weights).means();
            let in_floats = trainer.evaluate(&samples).means();
            let again =
                evaluate_net(&trainer.export().expect("numbers"), &samples, &weights).means();
            for after in [in_floats, again] {
                for (old, new) in [
                    (before.policy, after.policy),
                    (before.result, after.result),
                    (before.ownership, after.ownership),
                ] {
                    assert!(
                        (old - new).abs() < 0.05 * old.abs().max(0.1),
                        "{blocks}: {before:?} {after:?}"
                    );
                }
            }
        }
    }

    #[test]
    fn inputs_and_kinds_of_step_are_matched_by_name() {
        let (no, go_san, tao) = (info("no"), info("go-san"), info("tao"));
        assert_eq!(kinds(info("go"), tao), [Some(0), None]);
        assert_eq!(kinds(tao, no), [Some(0), None]);
        assert_eq!(kinds(no, go_san), [Some(0), Some(1)]);
        assert!(matches(PLANES, no.planes, go_san.planes).iter().all(Option::is_some));
        let new = matches(PLANES, info("go").planes, tao.planes);
        assert_eq!(new.iter().flatten().count(), PLANES.len());
    }

    #[test]
    fn nets_of_every_variant_begin_with_one_of_go_but_not_of_another_width() {
        for variant in crate::rules::VARIANTS {
            adopted("go", variant.id, 1);
        }
        let (_, net) = adopted("go", "go", 2);
        let mut wide = Trainer::new(shape_for(info("go"), 2, 64), 5);
        let before = wide.to_bytes();
        assert!(wide.adopt(&net, info("go"), info("go")).is_err());
        assert_eq!(wide.to_bytes(), before);
    }
}
