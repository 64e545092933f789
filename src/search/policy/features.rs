//! What a step is like: the features that priors are learned for.

use super::ladder::{CHASES, Chases, Reader};
use super::local::{Answers, Reasons};
use super::opening::{CORNERS, Opening, ROOMS};
use super::shapes::{Shape, Spots};
use super::weights::Factors;
use crate::board::{Board, Breath, Cell, Color, Grid, Lattice, Point, among};
use crate::rules::{Position, Step, Variant};
use smallvec::SmallVec;

/// A group of features of which a step has at most one (or, for reasons and
/// signs, several).
#[derive(Clone, Copy, Debug)]
pub struct Group {
    /// Its name in files of weights.
    pub name: &'static str,
    /// Number of features.
    pub size: usize,
}

macro_rules! groups {
    ($($constant:ident = $name:literal: $size:expr;)+) => {
        /// All groups of features but patterns.
        pub static GROUPS: &[Group] = &[$(Group { name: $name, size: $size }),+];
        groups!(@offsets 0; $($constant = $size;)+);
    };
    (@offsets $at:expr; $constant:ident = $size:expr; $($rest:tt)*) => {
        const $constant: usize = $at;
        groups!(@offsets $at + $size; $($rest)*);
    };
    (@offsets $at:expr;) => {
        /// Number of features but patterns.
        pub const FEATURES: usize = $at;
    };
}

groups! {
    REASON = "reason": Reasons::COUNT;
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
    SIGN = "sign": SIGNS;
    EYE = "eye": 3;
    CHASE = "chase": CHASES;
    WIDE_LAST = "wide-last": DISTANCES;
    WIDE_BEFORE = "wide-before": DISTANCES;
    WIDE_LINE = "wide-line": WIDE_LINES * STAGES;
    WIDE_CORNER = "wide-corner": CORNERS;
    WIDE_ROOM = "wide-room": ROOMS;
}

/// Signs that a variant may have at most.
pub const SIGNS: usize = 32;
const DISTANCES: usize = 17;
const LINES: usize = 6;
const WIDE_LINES: usize = 8;
/// Boards with so many lines a side have features of place of their own: there
/// the middle is far from the edge.
const WIDE: u8 = 12;
const STAGES: usize = 3;

/// The features of a step.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Features {
    /// What lies around the point, for steps that put a stone there.
    pub pattern: Option<u16>,
    /// The large shape around it, for the same steps, if shapes are asked for.
    pub shape: Option<Shape>,
    /// Numbers below [`FEATURES`].
    pub others: SmallVec<[u16; 20]>,
}

/// What it takes to see the features that cost the most; those that no weight
/// is known for need not be looked at.
#[derive(Clone, Debug)]
pub struct Instruments<L: Lattice> {
    answers: Answers,
    spots: Option<Spots>,
    ladders: Option<Reader<L>>,
}

impl<L: Lattice> Instruments<L> {
    /// Sees everything.
    pub fn full(grid: &Grid) -> Self {
        Instruments {
            answers: Answers::default(),
            spots: Some(Spots::new(grid)),
            ladders: Some(Reader::default()),
        }
    }

    /// Sees what there are weights for.
    pub fn of(factors: &Factors, grid: &Grid) -> Self {
        let chases = &factors.prior[CHASE..CHASE + CHASES];
        let read = chases.iter().any(|&weight| weight != 1.0);
        Instruments {
            answers: Answers::default(),
            spots: (!factors.shapes.is_empty()).then(|| Spots::new(grid)),
            ladders: read.then(Reader::default),
        }
    }
}

/// What is the same for all steps of a position.
#[derive(Clone, Debug)]
pub struct Context<'a> {
    spots: Option<&'a Spots>,
    chases: Chases,
    answers: &'a Answers,
    last: Point,
    before: Point,
    stage: usize,
    wide: bool,
    /// Of wide boards alone.
    opening: Option<Opening>,
}

/// 0 for one, 1 for two or three, 2 for up to nine, 3 for more.
fn size_class(size: u16) -> usize {
    match size {
        0 | 1 => 0,
        2 | 3 => 1,
        4..=9 => 2,
        _ => 3,
    }
}

impl<'a> Context<'a> {
    /// The context of a position; `before` is where the turn before the latest
    /// was placed.
    pub fn new<V: Variant>(
        position: &Position<V>,
        before: Point,
        instruments: &'a mut Instruments<V::Lattice>,
    ) -> Context<'a> {
        let Instruments {
            spots,
            ladders,
            answers,
        } = instruments;
        let read = |reader: &mut Reader<_>| reader.read(&position.board, position.to_move);
        let chases = ladders.as_mut().map(read).unwrap_or_default();
        answers.collect(position);
        answers.look_ahead(position);
        let board = &position.board;
        let grid = board.grid();
        let points = usize::from(grid.width()) * usize::from(grid.height());
        let stones = usize::from(board.stones(Color::Black) + board.stones(Color::White));
        let stage = match () {
            () if stones * 8 < points => 0,
            () if stones * 2 < points => 1,
            () => 2,
        };
        let wide = grid.layer_width().min(grid.height()) >= WIDE;
        Context {
            spots: spots.as_ref(),
            chases,
            answers,
            last: position.latest.placed,
            before,
            stage,
            wide,
            opening: (wide && stage == 0).then(|| Opening::new(board, position.to_move)),
        }
    }

    /// Whether this is the opening of a game on a wide board.
    pub fn is_opening(&self) -> bool {
        self.opening.is_some()
    }

    /// Writes the features of a legal step of the side to move.
    pub fn describe<V: Variant>(&self, position: &Position<V>, step: Step, out: &mut Features) {
        (out.pattern, out.shape) = (None, None);
        out.others.clear();
        let kind = match step {
            Step::Pass if position.passes > 0 => 1,
            Step::Pass => 0,
            Step::Nuke(_) => 2,
            Step::Tao(_) => 3,
            Step::Done => 4,
            Step::Grow(_) => 5,
            Step::Stone(_) => 6,
        };
        out.others.push((KIND + kind) as u16);
        V::signs(position, step, &mut |sign| {
            out.others.push((SIGN + sign.min(SIGNS - 1)) as u16);
        });
        if let Some(point) = step.point() {
            self.place(position, point, out);
            out.others.extend(eye(position, step));
        }
        if let Step::Stone(point) | Step::Grow(point) = step {
            self.stone(position, point, out);
        }
    }

    /// Where a point lies.
    fn place<V: Variant>(&self, position: &Position<V>, point: Point, out: &mut Features) {
        let grid = position.board.grid();
        let (last, before, first_line, lines) = match self.wide {
            true => (WIDE_LAST, WIDE_BEFORE, WIDE_LINE, WIDE_LINES),
            false => (LAST, BEFORE, LINE, LINES),
        };
        for (group, placed) in [(last, self.last), (before, self.before)] {
            if placed != Point::NONE {
                let far = distance(grid, point, placed).min(DISTANCES - 1);
                out.others.push((group + far) as u16);
            }
        }
        let (across, up) = edges(grid, point);
        let line = usize::from(across.min(up)).min(lines - 1);
        out.others
            .push((first_line + self.stage * lines + line) as u16);
        if let Some(opening) = &self.opening {
            let corner = opening.corner(grid, point);
            out.others
                .extend(corner.map(|at| (WIDE_CORNER + at) as u16));
            out.others
                .push((WIDE_ROOM + opening.room(grid, point)) as u16);
        }
    }

    /// What a stone does.
    fn stone<V: Variant>(&self, position: &Position<V>, point: Point, out: &mut Features) {
        let (board, own) = (&position.board, position.to_move);
        out.pattern = Some(board.surroundings(point, own));
        out.shape = self.spots.map(|spots| spots.shape(board, point, own));
        if V::Lattice::DEGREE > 4 {
            out.others
                .push((ABOVE + usize::from(board.above_and_below(point, own) & 15)) as u16);
        }
        let reasons = self.answers.reasons(point);
        for bit in 0..Reasons::COUNT {
            if reasons.0 >> bit & 1 != 0 {
                out.others.push((REASON + bit) as u16);
            }
        }
        let here = self.chases.iter().filter(|(at, _)| *at == point);
        out.others
            .extend(here.map(|&(_, chase)| CHASE as u16 + chase));
        fight(board, point, own, out);
    }
}

/// Whether a step fills an eye of the side to move: with a stone, to save
/// what is in atari or not, or with something else.
fn eye<V: Variant>(position: &Position<V>, step: Step) -> Option<u16> {
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

/// Captures, escapes, ataris and shortages of liberties.
fn fight<L: Lattice>(board: &Board<L>, point: Point, own: Color, out: &mut Features) {
    let (mut captured, mut frees) = (0, false);
    let (mut saved, mut threatened) = (0, 0);
    let mut size = 1;
    let mut seen: SmallVec<[Point; 6]> = SmallVec::new();
    for n in board.neighbours(point) {
        let Some(group) = board.group(n).filter(|group| !among(&seen, group.head)) else {
            continue;
        };
        seen.push(group.head);
        let last = group.liberties.single().is_some();
        if board.cell(n) == Cell::stone(own) {
            size += group.size;
            saved += if last { group.size } else { 0 };
        } else if last {
            captured += group.size;
            frees |= frees_own(board, n, own);
        } else if matches!(board.breath(n), Breath::Two(..)) {
            threatened = threatened.max(group.size);
        }
    }
    let liberties = board.liberties_after(point, own, 3);
    let mut push = |feature: usize| out.others.push(feature as u16);
    if captured > 0 {
        push(CAPTURE + size_class(captured));
    }
    if frees {
        push(FREES);
    }
    if saved > 0 {
        let futile = liberties < 2 && captured == 0;
        push(ESCAPE + if futile { 3 } else { size_class(saved).min(2) });
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

/// Whether the group of `stone` puts one of `own` in atari.
fn frees_own<L: Lattice>(board: &Board<L>, stone: Point, own: Color) -> bool {
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

/// How far two points are apart: the sum of both differences and the greater
/// one again (Coulom, "Computing Elo Ratings of Move Patterns in the Game of
/// Go", 2007), and one for each layer between.
pub(super) fn distance(grid: &Grid, a: Point, b: Point) -> usize {
    let ((al, ac, ar), (bl, bc, br)) = (grid.place_on_layer(a), grid.place_on_layer(b));
    let (dx, dy) = (ac.abs_diff(bc), ar.abs_diff(br));
    let far = dx + dy + dx.max(dy) + al.abs_diff(bl);
    usize::from(far)
}

/// The number of lines between a point and the nearest edges of its layer,
/// across and up.
pub(super) fn edges(grid: &Grid, point: Point) -> (u8, u8) {
    let (_, column, row) = grid.place_on_layer(point);
    let across = column.min(grid.layer_width() - 1 - column);
    (across, row.min(grid.height() - 1 - row))
}

#[cfg(test)]
mod tests {
    use super::{CHASE, CHASES, Context, Features, Instruments, LINE, WIDE_LINE};
    use crate::board::{Color, Point};
    use crate::rules::go::Go;
    use crate::rules::{Game, Setup, Step, Turn, variant};
    use crate::search::policy::{Factors, Weights};

    /// Whether a stone on D5 is told to be about a chase.
    fn sees_a_chase(weights: &Weights) -> bool {
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
        let mut instruments = Instruments::of(&Factors::new(weights), position.board.grid());
        let context = Context::new(position, Point::NONE, &mut instruments);
        let mut features = Features::default();
        context.describe(position, Step::Stone(run), &mut features);
        let chase = |&feature: &u16| (CHASE..CHASE + CHASES).contains(&usize::from(feature));
        features.others.iter().any(chase)
    }

    /// The features of a stone on C4 of an empty square board.
    fn on_c4(side: u8) -> Vec<u16> {
        let mut setup = Setup::new(variant("go").expect("go"));
        (setup.size.width, setup.size.height) = (side, side);
        let game = Game::<Go>::new(setup.start().expect("a start"));
        let grid = *game.position().board.grid();
        let mut instruments = Instruments::full(&grid);
        let context = Context::new(game.position(), Point::NONE, &mut instruments);
        let mut features = Features::default();
        let point = grid.point(2, 3).expect("a point");
        context.describe(game.position(), Step::Stone(point), &mut features);
        features.others.to_vec()
    }

    #[test]
    fn lines_of_wide_boards_are_features_of_their_own() {
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
    fn chases_are_read_where_a_weight_is_known() {
        let mut weights = Weights::default();
        assert!(!sees_a_chase(&weights));
        weights.prior[CHASE + CHASES - 1] = 2.0;
        assert!(sees_a_chase(&weights));
    }
}
