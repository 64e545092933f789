//! The features of a step, from which its prior is computed.

use super::ladder::{LADDER_FEATURES, LadderMoves, LadderReader};
use super::large_pattern::{LargePattern, PatternPoints};
use super::local::{LocalReplies, Tactics};
use super::opening::{CORNER_POINTS, NEAREST_STONE_CLASSES, Opening};
use super::weights::CompiledWeights;
use crate::board::{Board, Cell, Color, FewLiberties, Grid, Lattice, Point, contains_point};
use crate::rules::{Position, Step, Variant};
use smallvec::SmallVec;

/// A family of features. A step has at most one feature of a family, except for
/// tactical features and variant features.
#[derive(Clone, Copy, Debug)]
pub struct FeatureFamily {
    /// The name in weights files.
    pub name: &'static str,
    /// Number of features.
    pub size: usize,
}

macro_rules! groups {
    ($($constant:ident = $name:literal: $size:expr;)+) => {
        /// All feature families except patterns.
        pub static FAMILIES: &[FeatureFamily] = &[$(FeatureFamily { name: $name, size: $size }),+];
        groups!(@offsets 0; $($constant = $size;)+);
    };
    (@offsets $at:expr; $constant:ident = $size:expr; $($rest:tt)*) => {
        const $constant: usize = $at;
        groups!(@offsets $at + $size; $($rest)*);
    };
    (@offsets $at:expr;) => {
        /// Number of features except patterns.
        pub const FEATURE_COUNT: usize = $at;
    };
}

groups! {
    REASON = "reason": Tactics::COUNT;
    CAPTURE = "capture": 4;
    FREES = "frees": 1;
    ESCAPE = "escape": 4;
    SHORT = "short": 6;
    ATARI = "atari": 3;
    LAST = "last": DISTANCES;
    BEFORE = "before": DISTANCES;
    LINE = "line": LINES * STAGES;
    KIND = "kind": 7;
    ABOVE = "above": 16;
    SIGN = "sign": VARIANT_FEATURES;
    EYE = "eye": 3;
    LADDER = "chase": LADDER_FEATURES;
    WIDE_LAST = "wide-last": DISTANCES;
    WIDE_BEFORE = "wide-before": DISTANCES;
    WIDE_LINE = "wide-line": WIDE_LINES * STAGES;
    WIDE_CORNER = "wide-corner": CORNER_POINTS;
    WIDE_ROOM = "wide-room": NEAREST_STONE_CLASSES;
}

/// Maximum number of variant features.
pub const VARIANT_FEATURES: usize = 32;
const DISTANCES: usize = 17;
const LINES: usize = 6;
const WIDE_LINES: usize = 8;
/// Boards with at least so many lines on each side have location features of their
/// own, because their centre is far from the edge.
const LARGE_BOARD: u8 = 12;
const STAGES: usize = 3;

/// The features of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// The 3x3 pattern around the point, if the step places a stone.
    pub pattern: Option<u16>,
    /// The large pattern around it, if there are weights of large patterns.
    pub large_pattern: Option<LargePattern>,
    /// Numbers below [`FEATURE_COUNT`].
    pub ids: SmallVec<[u16; 20]>,
}

/// Detectors of the expensive features; those without a weight are left out.
#[derive(Clone, Debug)]
pub struct FeatureDetectors<L: Lattice> {
    replies: LocalReplies,
    pattern_points: Option<PatternPoints>,
    ladder_reader: Option<LadderReader<L>>,
}

impl<L: Lattice> FeatureDetectors<L> {
    /// Detectors of all features.
    pub fn all(grid: &Grid) -> Self {
        FeatureDetectors {
            replies: LocalReplies::default(),
            pattern_points: Some(PatternPoints::new(grid)),
            ladder_reader: Some(LadderReader::default()),
        }
    }

    /// Detectors of the features that have weights.
    pub fn needed_by(weights: &CompiledWeights, grid: &Grid) -> Self {
        let ladder_weights = &weights.prior[LADDER..LADDER + LADDER_FEATURES];
        let reads_ladders = ladder_weights.iter().any(|&weight| weight != 1.0);
        FeatureDetectors {
            replies: LocalReplies::default(),
            pattern_points: (!weights.large_patterns.is_empty()).then(|| PatternPoints::new(grid)),
            ladder_reader: reads_ladders.then(LadderReader::default),
        }
    }
}

/// What the features of all steps of a position share.
#[derive(Clone, Debug)]
pub struct FeatureContext<'a> {
    pattern_points: Option<&'a PatternPoints>,
    ladder_moves: LadderMoves,
    replies: &'a LocalReplies,
    last: Point,
    before: Point,
    stage: usize,
    large_board: bool,
    /// The opening, on large boards.
    opening: Option<Opening>,
}

/// The class of a group's size: 0 for one stone, 1 for two or three, 2 for four to
/// nine, 3 for more.
fn size_class(size: u16) -> usize {
    match size {
        0 | 1 => 0,
        2 | 3 => 1,
        4..=9 => 2,
        _ => 3,
    }
}

impl<'a> FeatureContext<'a> {
    /// Prepares a position; `before` is the point of the turn before the latest.
    pub fn new<V: Variant>(
        position: &Position<V>,
        before: Point,
        detectors: &'a mut FeatureDetectors<V::Lattice>,
    ) -> FeatureContext<'a> {
        let FeatureDetectors {
            pattern_points,
            ladder_reader,
            replies,
        } = detectors;
        let read = |reader: &mut LadderReader<_>| reader.read(&position.board, position.to_move);
        let ladder_moves = ladder_reader.as_mut().map(read).unwrap_or_default();
        replies.generate(position);
        replies.mark_self_ataris(position);
        let board = &position.board;
        let grid = board.grid();
        let points = usize::from(grid.width()) * usize::from(grid.height());
        let stones = usize::from(board.stones(Color::Black) + board.stones(Color::White));
        let stage = match () {
            () if stones * 8 < points => 0,
            () if stones * 2 < points => 1,
            () => 2,
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
            opening: (large_board && stage == 0).then(|| Opening::new(board, position.to_move)),
        }
    }

    /// Whether this is the opening of a game on a large board.
    pub fn is_opening(&self) -> bool {
        self.opening.is_some()
    }

    /// Writes the features of a legal step of the side to move to `out`.
    pub fn extract<V: Variant>(&self, position: &Position<V>, step: Step, out: &mut Features) {
        (out.pattern, out.large_pattern) = (None, None);
        out.ids.clear();
        let kind = match step {
            Step::Pass if position.passes > 0 => 1,
            Step::Pass => 0,
            Step::Nuke(_) => 2,
            Step::Tao(_) => 3,
            Step::Done => 4,
            Step::Grow(_) => 5,
            Step::Stone(_) => 6,
        };
        out.ids.push((KIND + kind) as u16);
        V::note_features(position, step, &mut |feature| {
            out.ids
                .push((SIGN + feature.min(VARIANT_FEATURES - 1)) as u16);
        });
        if let Some(point) = step.point() {
            self.add_location(position, point, out);
            out.ids.extend(eye_feature(position, step));
        }
        if let Step::Stone(point) | Step::Grow(point) = step {
            self.add_stone(position, point, out);
        }
    }

    /// Adds the features of a point's location.
    fn add_location<V: Variant>(&self, position: &Position<V>, point: Point, out: &mut Features) {
        let grid = position.board.grid();
        let (last, before, first_line, lines) = match self.large_board {
            true => (WIDE_LAST, WIDE_BEFORE, WIDE_LINE, WIDE_LINES),
            false => (LAST, BEFORE, LINE, LINES),
        };
        for (group, placed) in [(last, self.last), (before, self.before)] {
            if placed != Point::NONE {
                let far = distance(grid, point, placed).min(DISTANCES - 1);
                out.ids.push((group + far) as u16);
            }
        }
        let (across, up) = edges(grid, point);
        let line = usize::from(across.min(up)).min(lines - 1);
        out.ids
            .push((first_line + self.stage * lines + line) as u16);
        if let Some(opening) = &self.opening {
            let corner = opening.corner(grid, point);
            out.ids.extend(corner.map(|at| (WIDE_CORNER + at) as u16));
            out.ids
                .push((WIDE_ROOM + opening.nearest_stone(grid, point)) as u16);
        }
    }

    /// Adds the features of a stone.
    fn add_stone<V: Variant>(&self, position: &Position<V>, point: Point, out: &mut Features) {
        let (board, own) = (&position.board, position.to_move);
        out.pattern = Some(board.pattern_3x3(point, own));
        out.large_pattern = self
            .pattern_points
            .map(|points| points.large_pattern(board, point, own));
        if V::Lattice::DEGREE > 4 {
            out.ids
                .push((ABOVE + usize::from(board.pattern_above_below(point, own) & 15)) as u16);
        }
        let tactics_at = self.replies.tactics_at(point);
        for bit in 0..Tactics::COUNT {
            if tactics_at.0 >> bit & 1 != 0 {
                out.ids.push((REASON + bit) as u16);
            }
        }
        let here = self.ladder_moves.iter().filter(|(at, _)| *at == point);
        out.ids
            .extend(here.map(|&(_, ladder)| LADDER as u16 + ladder));
        add_tactics(board, point, own, out);
    }
}

/// The feature of a step that fills an own eye: with a stone, with a stone that
/// saves a group in atari, or with something else.
fn eye_feature<V: Variant>(position: &Position<V>, step: Step) -> Option<u16> {
    let (board, own) = (&position.board, position.to_move);
    let kind = match step {
        Step::Stone(point) | Step::Grow(point) if board.is_eye(point, own) => {
            let mut around = board.neighbours(point);
            usize::from(around.any(|n| board.cell(n).is_stone() && board.is_last_liberty(n, point)))
        }
        Step::Tao(point) if board.is_eye(point, own) => 2,
        _ => return None,
    };
    Some((EYE + kind) as u16)
}

/// Adds the features of captures, escapes, ataris and few liberties.
fn add_tactics<L: Lattice>(board: &Board<L>, point: Point, own: Color, out: &mut Features) {
    let (mut captured, mut frees) = (0, false);
    let (mut saved, mut threatened) = (0, 0);
    let mut size = 1;
    let mut seen: SmallVec<[Point; 6]> = SmallVec::new();
    for n in board.neighbours(point) {
        let Some(group) = board
            .group(n)
            .filter(|group| !contains_point(&seen, group.head))
        else {
            continue;
        };
        seen.push(group.head);
        let last = group.liberties.single().is_some();
        if board.cell(n) == Cell::stone(own) {
            size += group.size;
            saved += if last { group.size } else { 0 };
        } else if last {
            captured += group.size;
            frees |= relieves_own_group(board, n, own);
        } else if matches!(board.few_liberties(n), FewLiberties::Two(..)) {
            threatened = threatened.max(group.size);
        }
    }
    let liberties = board.liberties_after(point, own, 3);
    let mut push = |feature: usize| out.ids.push(feature as u16);
    if captured > 0 {
        push(CAPTURE + size_class(captured));
    }
    if frees {
        push(FREES);
    }
    if saved > 0 {
        let fails = liberties < 2 && captured == 0;
        push(ESCAPE + if fails { 3 } else { size_class(saved).min(2) });
    }
    match liberties {
        0 | 1 if captured == 0 => push(SHORT + size_class(size).min(2)),
        2 => push(SHORT + 3 + size_class(size).min(2)),
        _ => {}
    }
    if threatened > 0 {
        push(ATARI + size_class(threatened).min(2));
    }
}

/// Whether a group of `own` next to the group of `stone` is in atari.
fn relieves_own_group<L: Lattice>(board: &Board<L>, stone: Point, own: Color) -> bool {
    board.group_stones(stone).take(40).any(|at| {
        board.touches(at, own)
            && board.neighbours(at).any(|n| {
                board.cell(n) == Cell::stone(own)
                    && board
                        .group(n)
                        .is_some_and(|group| group.liberties.single().is_some())
            })
    })
}

/// The distance of two points: dx + dy + max(dx, dy), as in Coulom's "Computing Elo
/// Ratings of Move Patterns in the Game of Go" (2007), plus the number of layers
/// between them.
pub(super) fn distance(grid: &Grid, a: Point, b: Point) -> usize {
    let ((al, ac, ar), (bl, bc, br)) = (grid.layer_coordinates(a), grid.layer_coordinates(b));
    let (dx, dy) = (ac.abs_diff(bc), ar.abs_diff(br));
    let far = dx + dy + dx.max(dy) + al.abs_diff(bl);
    usize::from(far)
}

/// The number of lines between a point and the nearest edges of its layer,
/// across and up.
pub(super) fn edges(grid: &Grid, point: Point) -> (u8, u8) {
    let (_, column, row) = grid.layer_coordinates(point);
    let across = column.min(grid.layer_width() - 1 - column);
    (across, row.min(grid.height() - 1 - row))
}

#[cfg(test)]
mod tests {
    use super::{
        FeatureContext, FeatureDetectors, Features, LADDER, LADDER_FEATURES, LINE, WIDE_LINE,
    };
    use crate::board::{Color, Point};
    use crate::rules::go::Go;
    use crate::rules::{Game, Setup, Step, Turn, variant};
    use crate::search::policy::{CompiledWeights, Weights};

    /// Whether a stone on D5 has a ladder feature.
    fn has_ladder_feature(weights: &Weights) -> bool {
        let setup = Setup::new(variant("go").expect("go"));
        let mut game = Game::<Go>::new(setup.start().expect("a start"));
        let grid = *game.position().board.grid();
        let point = |column, row| grid.point(column, row).expect("a point");
        let at = [(3, 3), (2, 3), (9, 9), (4, 3), (9, 8), (3, 2)].map(|(x, y)| point(x, y));
        let run = point(3, 4);
        for (color, at) in Color::BOTH.into_iter().cycle().zip(at) {
            game.play(color, &Turn::Stone(at)).expect("legal");
        }
        let position = game.position();
        let mut detectors =
            FeatureDetectors::needed_by(&CompiledWeights::new(weights), position.board.grid());
        let context = FeatureContext::new(position, Point::NONE, &mut detectors);
        let mut features = Features::default();
        context.extract(position, Step::Stone(run), &mut features);
        let ladder =
            |&feature: &u16| (LADDER..LADDER + LADDER_FEATURES).contains(&usize::from(feature));
        features.ids.iter().any(ladder)
    }

    /// The features of a stone on C4 of an empty square board.
    fn on_c4(side: u8) -> Vec<u16> {
        let mut setup = Setup::new(variant("go").expect("go"));
        (setup.size.width, setup.size.height) = (side, side);
        let game = Game::<Go>::new(setup.start().expect("a start"));
        let grid = *game.position().board.grid();
        let mut detectors = FeatureDetectors::all(&grid);
        let context = FeatureContext::new(game.position(), Point::NONE, &mut detectors);
        let mut features = Features::default();
        let point = grid.point(2, 3).expect("a point");
        context.extract(game.position(), Step::Stone(point), &mut features);
        features.ids.to_vec()
    }

    #[test]
    fn lines_of_large_boards_are_separate_features() {
        let (line, wide_line) = (LINE as u16 + 2, WIDE_LINE as u16 + 2);
        for (side, has, lacks) in [(9, line, wide_line), (19, wide_line, line)] {
            let features = on_c4(side);
            assert!(
                features.contains(&has) && !features.contains(&lacks),
                "{side}"
            );
        }
    }

    #[test]
    fn ladders_are_read_only_if_a_weight_needs_them() {
        let mut weights = Weights::default();
        assert!(!has_ladder_feature(&weights));
        weights.prior[LADDER + LADDER_FEATURES - 1] = 2.0;
        assert!(has_ladder_feature(&weights));
    }
}
