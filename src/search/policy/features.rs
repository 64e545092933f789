//! Finds the features of a step, for its prior.

use super::compiled::CompiledWeights;
use super::families::{
    CaptureEffect, CaptureSize, DISTANCES, Escape, EyeFilling, Family, Features, GroupSize,
    LARGE_BOARD_LINES, LINES, Stage,
};
use super::large_pattern::PatternPoints;
use super::opening::{Opening, distance};
use crate::board::{Board, Cell, Color, FewLiberties, Grid, Lattice, Point, contains_point};
use crate::rules::{Position, Step, StepKind, Variant};
use crate::search::ladder::{LadderMoves, LadderReader};
use crate::search::local::{LocalReplies, Tactics};
use smallvec::SmallVec;

/// Boards with this many lines on each side have location features of their own, because their
/// centre is far from the edge.
const LARGE_BOARD: u8 = 12;

/// Detectors of expensive features; features without weights have no detector.
#[derive(Clone, Debug)]
pub struct FeatureDetectors<L: Lattice> {
    replies: LocalReplies,
    pattern_points: Option<PatternPoints>,
    ladder_reader: Option<LadderReader<L>>,
}

impl<L: Lattice> FeatureDetectors<L> {
    pub fn needed_by(weights: &CompiledWeights, grid: &Grid) -> Self {
        let ladder_weights = &weights.prior[Family::Ladder.range()];
        let reads_ladders = ladder_weights.iter().any(|&weight| weight != 1.0);
        FeatureDetectors {
            replies: LocalReplies::default(),
            pattern_points: (!weights.large_patterns.is_empty()).then(|| PatternPoints::new(grid)),
            ladder_reader: reads_ladders.then(LadderReader::default),
        }
    }
}

/// Facts of a position for the features of all its steps.
#[derive(Clone, Debug)]
pub struct FeatureContext<'a> {
    pattern_points: Option<&'a PatternPoints>,
    ladder_moves: LadderMoves,
    replies: &'a LocalReplies,
    last: Point,
    before: Point,
    stage: Stage,
    large_board: bool,
    /// The opening of a game on a large board.
    pub(super) opening: Option<Opening>,
}

impl<'a> FeatureContext<'a> {
    /// `before` is the point of the turn before the latest.
    pub fn new<V: Variant>(
        position: &Position<V>,
        before: Point,
        detectors: &'a mut FeatureDetectors<V::Lattice>,
    ) -> FeatureContext<'a> {
        let FeatureDetectors { pattern_points, ladder_reader, replies } = detectors;
        let read = |reader: &mut LadderReader<_>| reader.read(&position.board, position.to_move);
        let ladder_moves = ladder_reader.as_mut().map(read).unwrap_or_default();
        replies.generate(position);
        replies.mark_self_ataris(position);
        let board = &position.board;
        let grid = board.grid();
        let points = usize::from(grid.width()) * usize::from(grid.height());
        let stones = usize::from(board.stones(Color::Black) + board.stones(Color::White));
        let stage = match () {
            () if stones * 8 < points => Stage::Opening,
            () if stones * 2 < points => Stage::MiddleGame,
            () => Stage::Endgame,
        };
        let large_board = grid.layer_width().min(grid.height()) >= LARGE_BOARD;
        FeatureContext {
            pattern_points: pattern_points.as_ref(),
            ladder_moves,
            replies,
            last: position.latest.placed,
            before,
            stage,
            large_board,
            opening: (large_board && stage == Stage::Opening)
                .then(|| Opening::new(board, position.to_move)),
        }
    }

    /// Writes the features of a legal step of the side to move to `out`.
    pub fn extract<V: Variant>(&self, position: &Position<V>, step: Step, out: &mut Features) {
        (out.pattern, out.large_pattern) = (None, None);
        out.ids.clear();
        let kind = match step.kind() {
            StepKind::PASS if V::pass_ends_game(position, position.to_move) => 1,
            StepKind::PASS => 0,
            StepKind::END => 2,
            kind => (3 + kind.index()).min(Family::StepKind.range().len() - 1),
        };
        out.push(Family::StepKind, kind);
        V::note_features(position, step, &mut |feature| out.push(Family::Variant, feature));
        if let Some(point) = step.point() {
            self.add_location(position, point, out);
            if let Some(filling) = eye_filling(position, step) {
                out.push(Family::EyeFilling, filling as usize);
            }
        }
        if let Some(point) = V::placed_point(step) {
            self.add_stone(position, point, out);
        }
    }

    fn add_location<V: Variant>(&self, position: &Position<V>, point: Point, out: &mut Features) {
        let grid = position.board.grid();
        let (last, previous) = if self.large_board {
            (Family::LargeBoardLastDistance, Family::LargeBoardPreviousDistance)
        } else {
            (Family::LastDistance, Family::PreviousDistance)
        };
        for (family, placed) in [(last, self.last), (previous, self.before)] {
            if placed != Point::NONE {
                out.push(family, distance(grid, point, placed).min(DISTANCES - 1));
            }
        }
        let (across, up) = grid.lines_to_edges(point);
        let line = usize::from(across.min(up));
        let large_board_line = line.min(LARGE_BOARD_LINES - 1);
        match (self.large_board, self.stage as usize) {
            (false, stage) => out.push(Family::Line, stage * LINES + line.min(LINES - 1)),
            (true, 0) => out.push(Family::LargeBoardOpeningLine, large_board_line),
            (true, stage) => {
                let first = (stage - 1) * LARGE_BOARD_LINES;
                out.push(Family::LargeBoardLine, first + large_board_line);
            }
        }
        if let Some(opening) = &self.opening {
            if let Some(corner) = opening.corner(grid, point) {
                out.push(Family::Corner, corner);
            }
            out.push(Family::NearestStone, opening.nearest_stone(grid, point));
        }
    }

    fn add_stone<V: Variant>(&self, position: &Position<V>, point: Point, out: &mut Features) {
        let (board, own) = (&position.board, position.to_move);
        out.pattern = Some(board.pattern_3x3(point, own));
        out.large_pattern =
            self.pattern_points.map(|points| points.large_pattern(board, point, own));
        if V::Lattice::DEGREE > 4 {
            let above_below = board.pattern_above_below(point, own) & 15;
            out.push(Family::AboveBelow, usize::from(above_below));
        }
        let tactics = self.replies.tactics_at(point);
        for tactic in 0..Tactics::COUNT {
            if tactics.0 >> tactic & 1 != 0 {
                out.push(Family::Tactic, tactic);
            }
        }
        for &(at, effect, is_group) in &self.ladder_moves {
            if at == point {
                out.push(Family::Ladder, 2 * effect as usize + usize::from(is_group));
            }
        }
        add_tactics(board, point, own, out);
    }
}

/// How a step fills an eye of the side to move; `None` if it does not.
fn eye_filling<V: Variant>(position: &Position<V>, step: Step) -> Option<EyeFilling> {
    let (board, own) = (&position.board, position.to_move);
    let open = step.point().filter(|&point| board.cell(point).is_open());
    let eye = open.filter(|&point| board.is_eye(point, own))?;
    let saves = |n| board.cell(n).is_stone() && board.is_last_liberty(n, eye);
    Some(match V::placed_point(step) {
        Some(_) if board.neighbours(eye).any(saves) => EyeFilling::SavingStone,
        Some(_) => EyeFilling::Stone,
        None => EyeFilling::Other,
    })
}

/// The stones of the groups next to a point.
struct AdjacentStones {
    captured: u16,
    /// Whether a captured group touches an own group in atari.
    saves_neighbour: bool,
    /// Of own groups in atari.
    saved: u16,
    /// Of the largest enemy group that a stone puts in atari.
    threatened: u16,
    /// Of the new group.
    size: u16,
}

impl AdjacentStones {
    #[inline]
    fn new<L: Lattice>(board: &Board<L>, point: Point, own: Color) -> AdjacentStones {
        let mut found = AdjacentStones {
            captured: 0,
            saves_neighbour: false,
            saved: 0,
            threatened: 0,
            size: 1,
        };
        let mut seen: SmallVec<[Point; 6]> = SmallVec::new();
        for n in board.neighbours(point) {
            let Some(group) = board.group(n).filter(|group| !contains_point(&seen, group.head))
            else {
                continue;
            };
            seen.push(group.head);
            let last = group.liberties.single().is_some();
            if board.cell(n) == Cell::stone(own) {
                found.size += group.size;
                found.saved += if last { group.size } else { 0 };
            } else if last {
                found.captured += group.size;
                found.saves_neighbour |= has_neighbour_in_atari(board, n, own);
            } else if matches!(board.few_liberties(n), FewLiberties::Two(..)) {
                found.threatened = found.threatened.max(group.size);
            }
        }
        found
    }
}

fn add_tactics<L: Lattice>(board: &Board<L>, point: Point, own: Color, out: &mut Features) {
    let AdjacentStones { captured, saves_neighbour, saved, threatened, size } =
        AdjacentStones::new(board, point, own);
    let liberties = board.liberties_after(point, own, 3);
    if captured > 0 {
        out.push(Family::Capture, CaptureSize::from_stones(captured) as usize);
    }
    if saves_neighbour {
        out.push(Family::CaptureEffect, CaptureEffect::SavesOwnGroup as usize);
    }
    if saved > 0 {
        let escape = match (liberties < 2 && captured == 0, GroupSize::from_stones(saved)) {
            (true, _) => Escape::Fails,
            (_, GroupSize::One) => Escape::One,
            (_, GroupSize::TwoOrThree) => Escape::TwoOrThree,
            (_, GroupSize::FourOrMore) => Escape::FourOrMore,
        };
        out.push(Family::Escape, escape as usize);
    }
    match liberties {
        0 | 1 if captured == 0 => {
            out.push(Family::SelfAtari, GroupSize::from_stones(size) as usize)
        }
        2 => out.push(Family::TwoLiberties, GroupSize::from_stones(size) as usize),
        _ => {}
    }
    if threatened > 0 {
        out.push(Family::Atari, GroupSize::from_stones(threatened) as usize);
    }
}

/// Whether a group of `own` next to the group of `stone` is in atari.
fn has_neighbour_in_atari<L: Lattice>(board: &Board<L>, stone: Point, own: Color) -> bool {
    board.group_stones(stone).take(40).any(|at| {
        board.touches(at, own)
            && board.neighbours(at).any(|n| {
                board.cell(n) == Cell::stone(own)
                    && board.group(n).is_some_and(|group| group.liberties.single().is_some())
            })
    })
}

#[cfg(test)]
mod tests {
    use super::{Family, FeatureContext, FeatureDetectors, Features};
    use crate::board::{Color, Point, Random, Topology};
    use crate::rules::go::Go;
    use crate::rules::{
        AnyGame, Position, RuleKey, Setup, Step, Turn, VARIANTS, Variant, variant, with_position,
    };
    use crate::search::policy::{CompiledWeights, Weights, embedded};

    /// Whether a stone on D5 has a ladder feature.
    fn has_ladder_feature(weights: &Weights) -> bool {
        let setup = Setup::new(variant("go").expect("go"));
        let mut game = AnyGame::new(&setup).expect("a game");
        let grid = *game.grid();
        let point = |column, row| grid.point(column, row).expect("a point");
        let at = [(3, 3), (2, 3), (9, 9), (4, 3), (9, 8), (3, 2)].map(|(x, y)| point(x, y));
        let run = point(3, 4);
        for (color, at) in Color::BOTH.into_iter().cycle().zip(at) {
            game.play(color, &Turn::stone(at)).expect("legal");
        }
        let position: &Position<Go> = game.position().of_variant();
        let mut detectors =
            FeatureDetectors::needed_by(&CompiledWeights::new(weights), position.board.grid());
        let context = FeatureContext::new(position, Point::NONE, &mut detectors);
        let mut features = Features::default();
        context.extract(position, Step::stone(run), &mut features);
        let ladder = |&id: &u16| Family::Ladder.range().contains(&usize::from(id));
        features.ids.iter().any(ladder)
    }

    /// The features of a stone on C4 of an empty square board.
    fn on_c4(side: u8) -> Vec<u16> {
        let mut setup = Setup::new(variant("go").expect("go"));
        (setup.size.width, setup.size.height) = (side, side);
        let position = &setup.start::<Go>().expect("a start");
        let grid = *position.board.grid();
        let mut detectors =
            FeatureDetectors::needed_by(&CompiledWeights::new(&Weights::default()), &grid);
        let context = FeatureContext::new(position, Point::NONE, &mut detectors);
        let mut features = Features::default();
        let point = grid.point(2, 3).expect("a point");
        context.extract(position, Step::stone(point), &mut features);
        features.ids.to_vec()
    }

    #[test]
    fn lines_of_large_boards_are_separate_features() {
        let third_line = [Family::Line.id(2), Family::LargeBoardOpeningLine.id(2)];
        let [line, large_board_line] = third_line;
        for (side, has, lacks) in [(9, line, large_board_line), (19, large_board_line, line)] {
            let features = on_c4(side);
            assert!(features.contains(&has) && !features.contains(&lacks), "{side}");
        }
    }

    /// Plays at random on a torus, and the same a few columns and rows further on: all steps
    /// have the same features there.
    fn compare_moved<V: Variant>(start: &Position<V>) {
        let grid = *start.board.grid();
        let moved = |step: Step| match step.point() {
            Some(point) => {
                let to = grid.point_at_offset(point, 7, 5).expect("a point");
                Step::new(step.kind(), to)
            }
            None => step,
        };
        let weights = CompiledWeights::new(&embedded(V::INFO));
        let features = |position: &Position<V>, steps: &[Step]| {
            let mut detectors = FeatureDetectors::needed_by(&weights, &grid);
            let context = FeatureContext::new(position, Point::NONE, &mut detectors);
            let all = steps.iter().map(|&step| {
                let mut features = Features::default();
                context.extract(position, step, &mut features);
                features.ids.sort_unstable();
                features
            });
            all.collect::<Vec<_>>()
        };
        let (mut here, mut there) = (start.clone(), start.clone());
        let mut random = Random::new(5);
        for number in 0..80 {
            assert_eq!(here.ending, there.ending);
            if here.ending.is_some() {
                break; // voids are everywhere
            }
            if number % 8 == 7 {
                let mut steps = Vec::new();
                V::for_each_step(&here, here.to_move, &mut |step| steps.push(step));
                let elsewhere: Vec<_> = steps.iter().copied().map(moved).collect();
                assert_eq!(features(&here, &steps), features(&there, &elsewhere));
            }
            let step = V::random_step(&mut here, &mut random, |_, _, _| true);
            assert_eq!(there.check(there.to_move, moved(step)), Ok(()));
            here.make(here.to_move, step);
            there.make(there.to_move, moved(step));
        }
    }

    #[test]
    fn a_torus_is_the_same_everywhere() {
        for info in VARIANTS.iter().filter(|info| info.keys.contains(&RuleKey::Board)) {
            let mut setup = Setup::new(info);
            setup.rules.board = Topology::TORUS;
            // There is no tengen.
            (setup.size.width, setup.size.height) = (12, 12);
            let game = AnyGame::new(&setup).expect("a game");
            with_position!(game.position(), start => compare_moved(start));
        }
    }

    #[test]
    fn ladders_are_read_only_if_a_weight_needs_them() {
        let mut weights = Weights::default();
        assert!(!has_ladder_feature(&weights));
        weights.prior[Family::Ladder.range().end - 1] = 2.0;
        assert!(has_ladder_feature(&weights));
    }
}
