//! The learned policy: weights of patterns and tactical features, for priors and
//! for playouts.
//!
//! Both are log-linear: the probability of a step is proportional to the product
//! of the weights (gammas) of its features, as in Coulom's "Computing Elo Ratings
//! of Move Patterns in the Game of Go" (2007), who fits them by minorization
//! maximization.
//!
//! - `families` lists the features: local tactics, captures, ladders, distances, lines, and the
//!   features of a variant. Most are Coulom's; Pachi's `pattern` module and Fuego's
//!   `GoUctFeatureKnowledge` are similar.
//! - 3x3 patterns are those of MoGo and Pachi with learned weights; large patterns are nested as in
//!   Stern, Herbrich and Graepel (2006).
//! - The playout policy plays local replies first, then captures and escapes, then global moves, as
//!   Pachi's `moggy` and Fuego's `GoUctPlayoutPolicy` do.
//! - [`Weights::parse`] reads a file of weights; [`CompiledWeights`] are its tables for a search.

mod compiled;
mod families;
mod features;

mod large_pattern;

mod opening;
mod playout;
mod weights;
mod weights_file;

pub use compiled::CompiledWeights;
pub use weights::Weights;

use super::evaluator::{Evaluator, Leaf, Outcome, Trace};
use crate::board::Random;
use crate::rules::{AnyPosition, Position, Variant, VariantInfo, go};
use families::Features;
use features::{FeatureContext, FeatureDetectors};
use playout::PlayoutPolicy;
use std::sync::Arc;

/// Evaluates with learned weights: priors from features, values from a playout.
#[derive(Debug)]
pub(super) struct PolicyEvaluator<V: Variant> {
    weights: Arc<CompiledWeights>,
    playouts: PlayoutPolicy,
    scratch: Position<V>,
    features: Features,
    detectors: FeatureDetectors<V::Lattice>,
}

impl<V: Variant> PolicyEvaluator<V> {
    pub(super) fn new(position: &Position<V>, weights: Arc<CompiledWeights>) -> Self {
        PolicyEvaluator {
            detectors: FeatureDetectors::needed_by(&weights, position.board.grid()),
            weights,
            playouts: PlayoutPolicy::default(),
            scratch: position.clone(),
            features: Features::default(),
        }
    }
}

impl<V: Variant> Evaluator for PolicyEvaluator<V> {
    fn knows_eyes(&self) -> bool {
        true
    }

    fn expand(&mut self, leaf: Leaf<'_>, priors: &mut Vec<f32>, _: &mut Trace) -> Option<Outcome> {
        let Leaf { before, steps, .. } = leaf;
        let position: &Position<V> = leaf.position.of_variant();
        let context = FeatureContext::new(position, before, &mut self.detectors);
        for &step in steps {
            context.extract(position, step, &mut self.features);
            priors.push(self.weights.prior_of(&self.features));
        }
        let mut all: f32 = priors.iter().sum();
        if !all.is_normal() {
            // A product of many weights may be out of range.
            priors.clear();
            for &step in steps {
                context.extract(position, step, &mut self.features);
                priors.push(self.weights.log_prior_of(&self.features));
            }
            let greatest = priors.iter().copied().fold(f32::MIN, f32::max);
            for prior in priors.iter_mut() {
                *prior = libm::expf(*prior - greatest);
            }
            all = priors.iter().sum();
        }
        let sum = if context.opening.is_some() {
            self.weights.opening_prior_scale
        } else {
            self.weights.prior_scale
        };
        let scale = sum / all;
        for prior in priors {
            *prior *= scale;
        }
        None
    }

    fn value(
        &mut self,
        position: &dyn AnyPosition,
        random: &mut Random,
        trace: &mut Trace,
    ) -> Outcome {
        self.scratch.copy_from(position.of_variant());
        let outcome =
            self.playouts.play(&mut self.scratch, &self.weights, random, &mut trace.steps);
        trace.ownership.note(&self.scratch.board);
        outcome
    }
}

/// The file of built-in weights of a variant; `None` if it has no weights of its own.
fn embedded_text(variant: &VariantInfo) -> Option<&'static str> {
    let own = FILES.iter().find(|(id, _)| *id == variant.id);
    own.map(|(_, text)| *text)
}

/// The built-in weights of a variant, or those of standard Go without the features of Go alone.
pub(super) fn embedded(variant: &'static VariantInfo) -> Weights {
    let parse = |text, of| Weights::parse(text, of).expect("tests read all built-in weights");
    match embedded_text(variant) {
        Some(text) => parse(text, variant),
        None => parse(FILES[0].1, <go::Go as Variant>::INFO).without_variant_features(),
    }
}

/// The files, by the id of the variant; the first is that of standard Go.
static FILES: &[(&str, &str)] = &[
    ("go", include_str!("weights/go.txt")),
    ("no", include_str!("weights/no.txt")),
    ("go-san", include_str!("weights/go-san.txt")),
    ("tao", include_str!("weights/tao.txt")),
    ("sygo", include_str!("weights/sygo.txt")),
    ("stoical", include_str!("weights/stoical.txt")),
    ("2.5d", include_str!("weights/2.5d.txt")),
];

#[cfg(test)]
mod tests {
    use super::families::Family;
    use super::*;
    use crate::board::Point;
    use crate::rules::{Setup, Step, no};

    #[test]
    fn priors_of_any_weights_are_shares() {
        let mut setup = Setup::new(&go::INFO);
        (setup.size.width, setup.size.height) = (9, 9);
        let position = &setup.start::<go::Go>().expect("a start");
        let point = |column| position.board.grid().point(column, 4).expect("a point");
        let steps: Vec<_> = (0..5).map(|column| Step::stone(point(column))).collect();
        let line = Family::Line.range().start;
        for (weight, other) in [(f32::MAX, 1e30), (1e-30, 1e-38), (f32::MIN_POSITIVE, f32::MAX)] {
            let mut weights = Weights::default();
            weights.prior.fill(weight);
            weights.prior[line] = other;
            weights.pattern_3x3.fill(weight);
            weights.scalars.prior_scale = f32::MAX;
            weights.scalars.opening_prior_scale = 1.0;
            let mut evaluator =
                PolicyEvaluator::new(position, Arc::new(CompiledWeights::new(&weights)));
            let (mut priors, mut trace) = (Vec::new(), Trace::default());
            let leaf = Leaf { position, before: Point::NONE, steps: &steps, is_root: true };
            evaluator.expand(leaf, &mut priors, &mut trace);
            let sum: f32 = priors.iter().sum();
            assert!(sum.is_normal() && priors.iter().all(|prior| prior.is_finite()), "{priors:?}");
            // The first column alone is on the first line.
            assert_eq!(priors[0] > priors[1], other > weight, "{priors:?}");
        }
    }

    #[test]
    fn a_variant_without_weights_gets_those_of_go_for_what_both_have() {
        static OTHER: VariantInfo = VariantInfo { id: "other", ..no::INFO };
        let (own, of_go) = (embedded(&OTHER), embedded(&go::INFO));
        assert_eq!(own.pattern_3x3, of_go.pattern_3x3);
        let pass = Family::StepKind.range().start;
        assert!(own.prior[pass] < 0.1 && own.prior[pass] == of_go.prior[pass]);
        assert!(own.prior[Family::Variant.range()].iter().all(|&weight| weight == 1.0));
        let of_no = embedded(&no::INFO);
        assert!(of_no.prior[Family::Variant.range()].iter().any(|&weight| weight != 1.0));
    }
}
