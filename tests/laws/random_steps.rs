//! Random steps: legal, and an end of nearly every game.

use super::trial::pick;
use super::{Trial, Verdict, ensure};
use kawari_core::board::Random;
use kawari_core::rules::{Position, Setup, Size};

/// A playout, and how it may go.
struct Playout<'r> {
    random: &'r mut Random,
    /// One step in so many is drawn from all legal ones instead; none if 0.
    others: u32,
    /// Most steps.
    limit: usize,
}

/// How a playout went: its steps, and whether it came to an end.
struct Outcome {
    steps: usize,
    has_ended: bool,
}

impl Playout<'_> {
    /// Plays on from a position; every random step must be legal.
    fn run(self, start: &Position) -> Result<Outcome, String> {
        let mut position = start.boxed();
        for steps in 0..self.limit {
            if position.situation.is_over() && !position.is_mid_turn() {
                return Ok(Outcome { steps, has_ended: true });
            }
            let color = position.situation.to_move;
            let step = if self.others > 0 && self.random.below(self.others) == 0 {
                let mut steps = Vec::new();
                position.for_each_step(color, &mut |step| steps.push(step));
                pick(&steps, self.random).ok_or("no step is legal, a pass neither")?
            } else {
                position.random_step(self.random, &|_, _| true)
            };
            position.check(color, step).map_err(|why| {
                format!("{} {step:?}, step {steps}: drawn, and refused: {why}", color.letter())
            })?;
            position.make(color, step);
        }
        Ok(Outcome { steps: self.limit, has_ended: false })
    }
}

pub fn random_steps_are_legal(trial: &mut Trial) -> Verdict {
    let acts = trial.random.below(30) as usize;
    trial.random_walk(acts, |_| Ok(()))?;
    for others in [0, 2, 3, 12] {
        let seed = trial.random.bits();
        let random = &mut Random::new(seed);
        let playout = Playout { random, others, limit: 400 };
        let outcome = playout.run(trial.game.position())?;
        trial.counts(outcome.steps);
    }
    Ok(())
}

/// Cycles longer than a simple ko are not seen by random steps, so that a game may go on for
/// ever; it hardly ever does.
pub fn random_games_end(trial: &mut Trial) -> Verdict {
    const GAMES: usize = 40;
    const LEAST: usize = 36;
    let mut setup = Setup::new(trial.setup.info);
    setup.size = Size::square(if setup.info.stacked { 5 } else { 9 });
    trial.begin_again(setup)?;
    let limit = 20 * trial.game.empty_points();
    let mut ended = 0;
    for _ in 0..GAMES {
        let playout = Playout { random: &mut trial.random, others: 0, limit };
        let outcome = playout.run(trial.game.position())?;
        ended += usize::from(outcome.has_ended);
    }
    ensure!(ended >= LEAST, "{ended} of {GAMES} games ended within {limit} steps");
    trial.counts(GAMES);
    Ok(())
}
