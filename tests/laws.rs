//! Laws that hold in every game of every variant, tried on random play from
//! random setups. What the engine keeps up to date stone by stone is compared
//! with the same things found by flood fill.

mod common;

use common::{game_from_diagram, new_game, play, setup};
use kawari::board::{Board, Cell, Color, FewLiberties, Grid, Lattice, Point, Random, column_name};
use kawari::rules::sygo::GROW;
use kawari::rules::{
    AnyGame, Game, Illegal, Ko, Position, RuleKey, Step, StepKind, StepKindInfo, Turn, VARIANTS,
    Variant, vertex,
};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::{BTreeMap, BTreeSet};

/// Evaluates an expression for the game inside an [`AnyGame`].
macro_rules! with {
    ($any:expr, $game:ident => $body:expr) => {
        match $any {
            AnyGame::Go($game) => $body,
            AnyGame::No($game) => $body,
            AnyGame::GoSan($game) => $body,
            AnyGame::Tao($game) => $body,
            AnyGame::Sygo($game) => $body,
            AnyGame::Stoical($game) => $body,
            AnyGame::Layers($game) => $body,
        }
    };
}

// ---------------------------------------------------------------- setups

/// Values worth trying of every option.
fn values(key: RuleKey) -> &'static [&'static str] {
    match key {
        RuleKey::Ko => &["positional", "situational", "simple", "none"],
        RuleKey::Scoring => &["area", "territory"],
        RuleKey::NukeActs => &["next", "now"],
        RuleKey::TaoCost => &["prisoner", "points:0", "points:1.5"],
        RuleKey::TaoSupply => &["0", "1", "3"],
        RuleKey::First => &["white", "black"],
        RuleKey::Stoical => &["basic", "snapback", "refined"],
        RuleKey::Layers => &["2", "1", "3", "4"],
    }
}

prop_compose! {
    /// Any variant on a small board, with any options, a few walls and a few
    /// handicap stones where they fit: in words, which a failure shows.
    fn setups()(
        info in select(VARIANTS),
        size in (2u8..=6, 2u8..=6),
        options in vec(any::<usize>(), 4),
        blocks in vec((0u8..20, 1u8..=6), 0..8),
        handicap in vec((0u8..20, 1u8..=6), 0..4),
    ) -> String {
        let (width, height) = if info.stacked { (size.0.min(4), size.0.min(4)) } else { size };
        let mut words = format!("{} {width}x{height}", info.id);
        for (&key, choice) in info.keys.iter().zip(options) {
            let values = values(key);
            words += &format!(" {}={}", key.name(), values[choice % values.len()]);
        }
        add_places(&mut words, "blocks", &blocks);
        add_places(&mut words, "handicap", &handicap);
        words
    }
}

/// Adds those places that leave the setup valid.
fn add_places(words: &mut String, key: &str, places: &[(u8, u8)]) {
    let mut link = format!(" {key}=");
    for &(column, row) in places {
        let longer = format!("{words}{link}{}{row}", column_name(column));
        if AnyGame::new(&setup(&longer)).is_ok() {
            *words = longer;
            link = ",".to_owned();
        }
    }
}

fn config(cases: u32) -> ProptestConfig {
    ProptestConfig {
        failure_persistence: None,
        ..ProptestConfig::with_cases(cases)
    }
}

// ----------------------------------------------------------- random play

/// What one undo takes back.
#[derive(Clone, Debug)]
enum Act {
    Turn(Color, Turn),
    Step(Color, Step),
    Filler(Color),
}

fn perform(game: &mut AnyGame, act: &Act) -> Result<(), Illegal> {
    match act {
        Act::Turn(color, turn) => game.play(*color, turn),
        Act::Step(color, step) => game.step(*color, *step),
        Act::Filler(color) => game.play_filler(*color),
    }
}

fn best_root_child<T: Clone>(list: &[T], random: &mut Random) -> Option<T> {
    list.get(random.below(list.len() as u32) as usize).cloned()
}

fn one_in(n: u32, random: &mut Random) -> bool {
    random.below(n) == 0
}

fn legal_turns(game: &AnyGame, color: Color) -> Vec<Turn> {
    with!(game, game => game.legal(color))
}

/// The steps that may follow in the middle of a turn, found by trying all.
fn next_steps(game: &AnyGame) -> Vec<Step> {
    let steps = game
        .grid()
        .points()
        .flat_map(|p| [Step::new(GROW, p), Step::stone(p)]);
    let legal = |&step: &Step| game.clone().step(game.to_move(), step).is_ok();
    steps.chain([Step::END]).filter(legal).collect()
}

/// A legal act: mostly of the side to move, passes rarely, growths in one go
/// or stone by stone. None if the game is over for good.
fn random_act(game: &AnyGame, random: &mut Random) -> Option<Act> {
    let mover = game.to_move();
    if game.is_mid_turn() {
        if one_in(6, random) {
            return Some(Act::Filler(!mover));
        }
        return Some(Act::Step(
            mover,
            best_root_child(&next_steps(game), random)?,
        ));
    }
    let color = if one_in(8, random) { !mover } else { mover };
    let mut turns = legal_turns(game, color);
    if turns.len() > 1 && !one_in(10, random) {
        turns.retain(|turn| *turn != Turn::pass());
    }
    Some(match best_root_child(&turns, random)? {
        turn if !is_several(game, &turn) => Act::Turn(color, turn),
        turn if one_in(2, random) => Act::Step(color, Step::new(turn.kind(), turn.points()[0])),
        turn => Act::Turn(color, lengthen(game, color, turn, random)),
    })
}

/// Whether a turn may have several points.
fn is_several(game: &AnyGame, turn: &Turn) -> bool {
    let kind = game.info().kind(turn.kind());
    kind.is_some_and(StepKindInfo::is_several)
}

/// Adds points to a turn of several as long as a few random tries succeed.
fn lengthen(game: &AnyGame, color: Color, turn: Turn, random: &mut Random) -> Turn {
    let mut stones = turn.points().to_vec();
    let grow = |stones: &[Point]| Turn::new(turn.kind(), stones.iter().copied());
    let points: Vec<_> = game.grid().points().collect();
    for _ in 0..3 * points.len() {
        stones.extend(best_root_child(&points, random));
        if game.check(color, &grow(&stones)).is_err() {
            stones.pop();
        }
    }
    grow(&stones)
}

/// Calls `visit` at the start and after every act of a random game.
fn wander(words: &str, seed: u64, acts: usize, mut visit: impl FnMut(&AnyGame)) {
    let mut game = new_game(words);
    let mut random = Random::new(seed);
    visit(&game);
    for _ in 0..acts {
        let Some(act) = random_act(&game, &mut random) else {
            return;
        };
        perform(&mut game, &act).unwrap_or_else(|why| panic!("{act:?}: {why}"));
        visit(&game);
    }
}

// ------------------------------------------------------------ plain board

/// A board without cleverness: cells, and flood fill for the rest.
#[derive(Clone, Debug, PartialEq)]
struct Plain {
    grid: Grid,
    cells: BTreeMap<Point, Cell>,
}

type Region = BTreeSet<Point>;

impl Plain {
    fn of<L: Lattice>(board: &Board<L>) -> Plain {
        let grid = *board.grid();
        Plain {
            grid,
            cells: grid.points().map(|p| (p, board.cell(p))).collect(),
        }
    }

    /// The neighbours, found by layer, column and row.
    fn around(&self, point: Point) -> impl Iterator<Item = Point> + use<'_> {
        const STEPS: [(i8, i8, i8); 6] = [
            (0, 0, 1),
            (0, 0, -1),
            (0, 1, 0),
            (0, -1, 0),
            (1, 0, 0),
            (-1, 0, 0),
        ];
        let (layer, column, row) = self.grid.layer_coordinates(point);
        STEPS.into_iter().filter_map(move |(up, east, north)| {
            self.grid.point_on_layer(
                layer.wrapping_add_signed(up),
                column.wrapping_add_signed(east),
                row.wrapping_add_signed(north),
            )
        })
    }

    /// The connected points around `start` with the same cell.
    fn region(&self, start: Point) -> Region {
        let mut region = Region::from([start]);
        let mut open = vec![start];
        while let Some(point) = open.pop() {
            for n in self.around(point) {
                if self.cells[&n] == self.cells[&start] && region.insert(n) {
                    open.push(n);
                }
            }
        }
        region
    }

    /// The points next to a region.
    fn border(&self, region: &Region) -> Region {
        let near = region.iter().flat_map(|&point| self.around(point));
        near.filter(|point| !region.contains(point)).collect()
    }

    fn liberties(&self, stone: Point) -> Region {
        let border = self.border(&self.region(stone));
        border
            .into_iter()
            .filter(|point| self.cells[point].is_open())
            .collect()
    }

    /// The eight points around one as a side sees them, two bits each.
    fn pattern_3x3(&self, point: Point, color: Color) -> u16 {
        const CLOCKWISE: [(i8, i8); 8] = [
            (0, 1),
            (1, 1),
            (1, 0),
            (1, -1),
            (0, -1),
            (-1, -1),
            (-1, 0),
            (-1, 1),
        ];
        let (layer, column, row) = self.grid.layer_coordinates(point);
        CLOCKWISE.iter().rev().fold(0, |code, &(east, north)| {
            let (column, row) = (
                column.wrapping_add_signed(east),
                row.wrapping_add_signed(north),
            );
            let there = self.grid.point_on_layer(layer, column, row);
            let view = match there.map(|n| self.cells[&n]) {
                Some(cell) if cell.is_open() => 0,
                Some(cell) if cell == Cell::stone(color) => 1,
                Some(cell) if cell.is_stone() => 2,
                _ => 3,
            };
            code << 2 | view
        })
    }

    /// Places a stone on an open point and captures; the groups captured, or
    /// none if it is suicide.
    fn place(&mut self, point: Point, color: Color) -> Option<BTreeSet<Region>> {
        self.cells.insert(point, Cell::stone(color));
        let enemies = self
            .around(point)
            .filter(|n| self.cells[n] == Cell::stone(!color));
        let dead = enemies.filter(|&n| self.liberties(n).is_empty());
        let captured: BTreeSet<_> = dead.map(|n| self.region(n)).collect();
        for &stone in captured.iter().flatten() {
            self.cells.insert(stone, Cell::Empty);
        }
        (!self.liberties(point).is_empty()).then_some(captured)
    }

    fn with_cell(&self, cell: Cell) -> Region {
        self.cells
            .iter()
            .filter(|(_, c)| **c == cell)
            .map(|(p, _)| *p)
            .collect()
    }

    /// Who owns a point: the colour of its stone, or the only colour around
    /// its empty region.
    fn owner(&self, point: Point) -> Option<Color> {
        if self.cells[&point] != Cell::Empty {
            return self.cells[&point].color();
        }
        let border = self.border(&self.region(point));
        let touches = |color| border.iter().any(|n| self.cells[n] == Cell::stone(color));
        let only = |&color: &Color| touches(color) && !touches(!color);
        Color::BOTH.into_iter().find(only)
    }
}

/// Compares everything that a board answers with the plain board.
fn assert_board_agrees<L: Lattice>(board: &Board<L>) {
    let plain = Plain::of(board);
    assert_eq!(board.hash(), board.recomputed_hash(), "hash");
    let empties = board.empties();
    assert_eq!(
        empties.len(),
        plain.with_cell(Cell::Empty).len(),
        "number of empty points"
    );
    assert_eq!(
        Region::from_iter(empties.iter()),
        plain.with_cell(Cell::Empty)
    );
    for color in Color::BOTH {
        let stones = plain.with_cell(Cell::stone(color)).len();
        assert_eq!(
            usize::from(board.stones(color)),
            stones,
            "stones of {color:?}"
        );
    }
    for point in board.grid().points() {
        assert_point_agrees(board, &plain, point);
    }
    let owned = |color| {
        empties
            .iter()
            .filter(|&p| plain.owner(p) == Some(color))
            .count() as i32
    };
    let [black, white] = Color::BOTH.map(owned);
    assert_eq!(board.owners().territory, [black, white], "territory");
    assert_eq!(board.territory_margin(), black - white, "margin");
}

fn assert_point_agrees<L: Lattice>(board: &Board<L>, plain: &Plain, point: Point) {
    let near: Vec<_> = plain.around(point).map(|n| plain.cells[&n]).collect();
    let open = near.iter().any(|cell| cell.is_open());
    assert_eq!(board.has_open_neighbour(point), open, "open neighbour");
    assert_eq!(board.owners().of(point), plain.owner(point), "owner");
    for color in Color::BOTH {
        assert_eq!(
            board.pattern_3x3(point, color),
            plain.pattern_3x3(point, color)
        );
        let touches = near.contains(&Cell::stone(color));
        assert_eq!(board.touches(point, color), touches, "touches");
        if board.cell(point).is_open() {
            assert_stone_agrees(board, plain, point, color);
        }
    }
    match board.group(point) {
        Some(group) => {
            let stones = plain.region(point);
            let liberties = plain.liberties(point);
            assert_eq!(
                Region::from_iter(board.group_stones(point)),
                stones,
                "group"
            );
            assert_eq!(
                board.group_stones(point).count(),
                stones.len(),
                "each stone once"
            );
            assert_eq!(usize::from(group.size), stones.len(), "size");
            assert!(stones.iter().all(|&stone| board.same_group(stone, point)));
            assert_eq!(
                group.liberties.is_none(),
                liberties.is_empty(),
                "no liberties"
            );
            let single = liberties.first().copied().filter(|_| liberties.len() == 1);
            assert_eq!(group.liberties.single(), single, "single liberty");
            let few = match board.few_liberties(point) {
                FewLiberties::One(only) => Some(Region::from([only])),
                FewLiberties::Two(one, two) => Some(Region::from([one, two])),
                FewLiberties::Other => None,
            };
            let short = (1..=2).contains(&liberties.len());
            assert_eq!(few, short.then(|| liberties.clone()), "few liberties");
            for &liberty in &liberties {
                assert_eq!(board.is_last_liberty(point, liberty), single.is_some());
            }
        }
        None => assert_eq!(board.cell(point).color(), None),
    }
}

/// What the board foretells of a stone is what the plain board lives through.
fn assert_stone_agrees<L: Lattice>(board: &Board<L>, plain: &Plain, point: Point, color: Color) {
    let outcome = plain.clone().place(point, color);
    assert_eq!(board.is_suicide(point, color), outcome.is_none(), "suicide");
    let captured = outcome.unwrap_or_default();
    assert_eq!(
        board.would_capture(point, color),
        !captured.is_empty(),
        "capture"
    );
    let victims: Vec<_> = board
        .captures(point, color)
        .map(|n| plain.region(n))
        .collect();
    assert_eq!(victims.len(), captured.len(), "each captured group once");
    assert_eq!(BTreeSet::from_iter(victims), captured, "captured groups");
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_board_agrees_with_flood_fill(words in setups(), seed: u64) {
        wander(&words, seed, 60, |game| {
            with!(game, game => assert_board_agrees(&game.position().board));
        });
    }
}

/// The largest boards of every shape, in the middle of a game and late.
#[test]
fn large_boards_agree_with_flood_fill() {
    fn agrees<V: Variant>(game: &Game<V>, steps: usize) {
        let mut position = game.position().clone();
        let mut random = Random::new(steps as u64);
        for _ in 0..steps {
            let step = V::random_step(&mut position, &mut random, |_, _, _| true);
            position.make(position.to_move, step);
        }
        assert_board_agrees(&position.board);
    }
    for words in [
        "go 25",
        "go 25x2",
        "no 2x25",
        "tao 25 tao-supply=1000",
        "sygo 25x24",
        "2.5d 25 layers=1",
        "2.5d 12",
        "2.5d 7 layers=3",
        "2.5d 5 layers=4",
    ] {
        let game = new_game(words);
        for part in 1..=3 {
            with!(&game, game => agrees(game, part * game.position().board.empties().len() / 2));
        }
    }
}

// --------------------------------------------------------------- referee

/// The rules of Go, told plainly, with positions compared cell by cell.
struct Referee {
    ko: Ko,
    board: Plain,
    /// Positions so far, and who left them.
    past: Vec<(Option<Color>, Plain)>,
    /// The latest turn: who, where, and what it captured.
    latest: Option<(Color, Point, Region)>,
}

impl Referee {
    fn legality(&self, color: Color, point: Point) -> Result<(Plain, Region), Illegal> {
        if self.board.cells[&point] != Cell::Empty {
            return Err(Illegal::Occupied);
        }
        let mut after = self.board.clone();
        let captured = after.place(point, color).ok_or(Illegal::Suicide)?;
        let captured: Region = captured.into_iter().flatten().collect();
        let earlier = |(_, board): &&(_, Plain)| *board == after;
        match self.ko {
            Ko::Simple if self.retakes(color, point, &captured) => Err(Illegal::Ko),
            Ko::Positional if self.past.iter().any(|past| earlier(&past)) => {
                Err(Illegal::PositionalSuperko)
            }
            Ko::Situational
                if self
                    .past
                    .iter()
                    .filter(earlier)
                    .any(|(by, _)| *by == Some(color)) =>
            {
                Err(Illegal::SituationalSuperko)
            }
            _ => Ok((after, captured)),
        }
    }

    fn retakes(&self, color: Color, point: Point, captured: &Region) -> bool {
        self.latest.as_ref().is_some_and(|(by, placed, taken)| {
            *by == !color && *taken == Region::from([point]) && *captured == Region::from([*placed])
        })
    }

    fn play(&mut self, color: Color, turn: &Turn) {
        self.latest = None;
        if let Some(point) = turn.stone_point() {
            let (after, captured) = self.legality(color, point).expect("a legal turn");
            self.board = after;
            self.latest = Some((color, point, captured));
        }
        self.past.push((Some(color), self.board.clone()));
    }
}

/// Plays a game of a variant without turns of its own, refereed.
fn referee_game<V: Variant>(mut game: Game<V>, seed: u64) {
    let board = Plain::of(&game.position().board);
    let mut referee = Referee {
        ko: game.position().rules.ko,
        past: vec![(None, board.clone())],
        board,
        latest: None,
    };
    let mut random = Random::new(seed);
    for _ in 0..80 {
        for color in Color::BOTH {
            for point in game.position().board.grid().points() {
                let ours = game.check(color, &Turn::stone(point));
                assert_eq!(
                    ours,
                    referee.legality(color, point).map(|_| ()),
                    "{color:?} {point:?}"
                );
            }
        }
        let mover = game.position().to_move;
        let color = if one_in(6, &mut random) {
            !mover
        } else {
            mover
        };
        let turn = best_root_child(&game.legal(color), &mut random).expect("a pass at least");
        game.play(color, &turn).expect("a legal turn");
        referee.play(color, &turn);
        assert_eq!(
            Plain::of(&game.position().board),
            referee.board,
            "{color:?} {turn:?}"
        );
    }
}

proptest! {
    #![proptest_config(config(200))]

    /// On boards so small that stones are taken and retaken all the time.
    #[test]
    fn go_in_any_shape_is_refereed_alike(
        shape in select(vec!["go 2", "go 2x3", "go 4x2", "go 3", "2.5d 2", "2.5d 3 layers=1"]),
        ko in select(values(RuleKey::Ko)),
        seed: u64,
    ) {
        match new_game(&format!("{shape} ko={ko}")) {
            AnyGame::Go(game) => referee_game(*game, seed),
            AnyGame::Layers(game) => referee_game(*game, seed),
            other => panic!("{other:?}"),
        }
    }
}

// ------------------------------------------------------- turns and games

/// Every turn of at most one point, of more kinds than any variant has.
fn candidates(game: &AnyGame) -> Vec<Turn> {
    let at = |p| (0..3).map(move |kind| Turn::new(StepKind::new(kind), [p]));
    game.grid()
        .points()
        .flat_map(at)
        .chain([Turn::pass()])
        .collect()
}

fn written(game: &AnyGame, turns: &[Turn]) -> Vec<String> {
    let mut list: Vec<_> = turns.iter().map(|turn| game.write(turn)).collect();
    list.sort_unstable();
    list
}

proptest! {
    #![proptest_config(config(300))]

    #[test]
    fn the_legal_list_is_what_the_check_accepts(words in setups(), seed: u64) {
        wander(&words, seed, 25, |game| {
            if game.is_mid_turn() {
                return; // lists endings then, checks refuse whole turns
            }
            for color in Color::BOTH {
                let legal = |turn: &&Turn| game.check(color, turn).is_ok();
                let accepted: Vec<_> = candidates(game).iter().filter(legal).cloned().collect();
                assert_eq!(game.legal(color), written(game, &accepted));
            }
        });
    }

    #[test]
    fn a_turn_is_refused_without_a_trace_or_made_and_taken_back(words in setups(), seed: u64) {
        wander(&words, seed, 12, |game| {
            let before = game.state();
            let mut after = game.clone();
            let turns = candidates(game);
            for (turn, color) in turns.iter().flat_map(|turn| Color::BOTH.map(|c| (turn, c))) {
                let verdict = game.check(color, turn);
                assert_eq!(after.play(color, turn), verdict, "{color:?} {turn:?}");
                if verdict.is_ok() {
                    assert_eq!(after.turns().len(), game.turns().len() + 1);
                    after.undo(1).expect("something to undo");
                }
                assert_eq!(after.state(), before, "{color:?} {turn:?}");
            }
        });
    }

    #[test]
    fn what_is_written_is_read_back(words in setups(), seed: u64) {
        wander(&words, seed, 40, |game| {
            if let Some((_, turn)) = game.turns().last() {
                let text = game.write(turn).to_lowercase();
                let words: Vec<_> = text.split(' ').collect();
                assert_eq!(game.parse(&words), Ok(kawari::rules::Action::Turn(turn.clone())));
            }
        });
    }
}

/// All that can be seen of a game.
fn snapshot(game: &AnyGame) -> impl PartialEq + std::fmt::Debug + use<> {
    let (hash, history) = with!(game, game => (game.position().board.hash(), game.history().len()));
    (
        game.state(),
        Color::BOTH.map(|color| game.legal(color)),
        game.turns().to_vec(),
        game.points_so_far().to_vec(),
        (game.is_mid_turn(), game.is_fresh(), hash, history),
    )
}

proptest! {
    #![proptest_config(config(200))]

    /// Far enough to pass several saved positions.
    #[test]
    fn undo_and_replay_lead_to_the_same(words in setups(), seed: u64, acts in 1usize..110, back in 1usize..80) {
        let mut random = Random::new(seed);
        let mut game = new_game(&words);
        let mut made = Vec::new();
        let mut snapshots = vec![snapshot(&game)];
        while made.len() < acts {
            if one_in(10, &mut random) && game.resign(Color::Black).is_ok() {
                prop_assert!(game.is_final());
                game.undo(1).expect("a resignation");
            }
            let Some(act) = random_act(&game, &mut random) else {
                break;
            };
            perform(&mut game, &act).expect("a legal act");
            made.push(act);
            snapshots.push(snapshot(&game));
        }
        let from = made.len().saturating_sub(back);
        for left in (from..made.len()).rev() {
            game.undo(1).expect("something to undo");
            prop_assert!(snapshot(&game) == snapshots[left], "undo to {left}: {:?}", made[left]);
        }
        for at in from..made.len() {
            perform(&mut game, &made[at]).expect("what was legal before");
            prop_assert!(snapshot(&game) == snapshots[at + 1], "replay of {at}: {:?}", made[at]);
        }
        prop_assert!(game.undo(made.len() + 1).is_err());
        game.undo(0).expect("nothing to undo");
        prop_assert!(snapshot(&game) == snapshots[made.len()]);
        game.undo(made.len() - from).expect("something to undo");
        prop_assert!(snapshot(&game) == snapshots[from], "undo to {from} at once");
        game.undo(from).expect("something to undo");
        prop_assert!(snapshot(&game) == snapshots[0], "undo to the start");
        prop_assert!(game.undo(1).is_err());
    }

    #[test]
    fn a_count_of_turns_is_the_length_of_the_list(words in setups(), seed: u64) {
        wander(&words, seed, 25, |game| {
            let legal = legal_turns(game, game.to_move());
            let grows = legal.iter().any(|turn| is_several(&game, turn));
            if grows || game.is_mid_turn() {
                return; // growths of several stones count too
            }
            let expected = if game.is_over() { 0 } else { legal.len() as u64 };
            assert_eq!(game.perft(1), expected);
        });
    }
}

proptest! {
    #![proptest_config(config(200))]

    #[test]
    fn counts_of_two_turns_add_up(words in setups(), seed: u64) {
        let mut last = None;
        wander(&words, seed, 12, |game| last = Some(game.clone()));
        let game = last.expect("a game");
        let mover = game.to_move();
        let legal = legal_turns(&game, mover);
        let grows = legal.iter().any(|turn| is_several(&game, turn));
        if grows || game.is_mid_turn() || game.is_over() {
            return Ok(());
        }
        let after = legal.iter().map(|turn| {
            let mut after = game.clone();
            after.play(mover, turn).expect("a legal turn");
            after.perft(1)
        });
        prop_assert_eq!(game.perft(2), after.sum::<u64>());
    }
}

// ----------------------------------------------------------- random steps

/// Plays on with random steps, one in `others` drawn from all legal ones
/// instead; every random step must be legal. Tells whether the game ended.
fn play_out<V: Variant>(game: &Game<V>, random: &mut Random, others: u32, limit: u32) -> bool {
    let mut position = game.position().clone();
    for _ in 0..limit {
        if position.is_over() && !V::is_mid_turn(&position) {
            return true;
        }
        let color = position.to_move;
        let step = if others > 0 && one_in(others, random) {
            let mut steps = Vec::new();
            V::for_each_step(&position, color, &mut |step| steps.push(step));
            best_root_child(&steps, random).expect("a step")
        } else {
            V::random_step(&mut position, random, |_, _, _| true)
        };
        assert_eq!(position.check(color, step), Ok(()), "{color:?} {step:?}");
        position.make(color, step);
        assert_aside_for_good(&position);
    }
    false
}

/// What random steps no longer draw can be filled by the owner of an eye only.
fn assert_aside_for_good<V: Variant>(position: &Position<V>) {
    let empties = position.board.empties();
    let aside = empties.iter().skip(empties.active().len());
    for point in aside.filter(|_| !V::is_mid_turn(position)) {
        for color in Color::BOTH {
            let fills = |step| position.check(color, step).is_ok();
            let may = fills(Step::stone(point)) || fills(Step::new(GROW, point));
            assert!(!may || position.board.is_eye(point, color), "{color:?}");
        }
    }
}

proptest! {
    #![proptest_config(config(400))]

    #[test]
    fn random_steps_are_legal(words in setups(), seed: u64) {
        let game = new_game(&words);
        let mut random = Random::new(seed);
        with!(&game, game => play_out(game, &mut random, 0, 400));
        with!(&game, game => play_out(game, &mut random, 2, 400));
        with!(&game, game => play_out(game, &mut random, 12, 400));
    }

    #[test]
    fn a_board_survives_mixed_steps(words in setups(), seed: u64) {
        wander(&words, seed, 30, |game| {
            let mut random = Random::new(seed);
            with!(game, game => play_out(game, &mut random, 3, 30));
        });
    }

    /// Sygo's stones never leave the board.
    #[test]
    fn random_sygo_ends(words in setups(), seed: u64) {
        let words = words.replace(words.split(' ').next().expect("an id"), "sygo");
        let size: Vec<_> = words.split(' ').take(2).collect();
        let game = new_game(&size.join(" "));
        let mut random = Random::new(seed);
        let limit = 3 * game.empty_points() as u32 + 2;
        prop_assert!(with!(&game, game => play_out(game, &mut random, 0, limit)));
    }
}

/// Cycles longer than a simple ko are not seen by random steps, so that a game
/// may go on for ever; it hardly ever does.
#[test]
fn random_games_nearly_always_end() {
    for info in VARIANTS {
        let side = if info.stacked { 5 } else { 9 };
        let game = new_game(&format!("{} {side}", info.id));
        let limit = 20 * game.empty_points() as u32;
        let mut random = Random::new(20);
        let ends = |_: &i32| with!(&game, game => play_out(game, &mut random, 0, limit));
        let ended = (0..500).filter(ends).count();
        assert!(ended >= 475, "{}: {ended} of 500 games ended", info.id);
    }
}

/// Draws many random steps from one position. They must be those of the lists,
/// and within each list the sum of squared errors over the equal share must
/// stay within five standard deviations of its mean (chi-squared).
fn assert_uniform(game: &AnyGame, lists: &[&str]) {
    const DRAWS: usize = 40_000;
    let mut counts: BTreeMap<String, usize> = BTreeMap::new();
    let mut random = Random::new(7);
    with!(game, game => draw(game, DRAWS, &mut random, &mut counts));
    let mut expected: Vec<_> = lists.iter().flat_map(|list| list.split(", ")).collect();
    expected.sort_unstable();
    assert_eq!(counts.keys().collect::<Vec<_>>(), expected, "candidates");
    for list in lists {
        let counts: Vec<_> = list.split(", ").map(|step| counts[step] as f64).collect();
        let share = counts.iter().sum::<f64>() / counts.len() as f64;
        let error: f64 = counts.iter().map(|n| (n - share).powi(2) / share).sum();
        let freedom = counts.len() as f64 - 1.0;
        let most = freedom + 5.0 * (2.0 * freedom).sqrt();
        assert!(error < most, "{error:.1} for {freedom}, {list}: {counts:?}");
    }
}

/// Half the draws come from fresh copies, half from a position whose lists
/// earlier draws have shuffled.
fn draw<V: Variant>(
    game: &Game<V>,
    draws: usize,
    random: &mut Random,
    counts: &mut BTreeMap<String, usize>,
) {
    let mut worn = game.position().clone();
    for at in 0..draws {
        let step = match at % 2 {
            0 => V::random_step(&mut worn, random, |_, _, _| true),
            _ => V::random_step(&mut game.position().clone(), random, |_, _, _| true),
        };
        let grid = game.position().board.grid();
        let place = step
            .point()
            .map(|point| vertex(grid, point))
            .unwrap_or_default();
        let kind = match (step.kind(), V::INFO.kind(step.kind())) {
            (StepKind::STONE, _) => String::new(),
            (_, Some(info)) => format!("{} ", info.word),
            (StepKind::PASS, None) => "pass".to_owned(),
            (_, None) => "done".to_owned(),
        };
        *counts.entry(format!("{kind}{place}")).or_default() += 1;
    }
}

/// White is to move after a ko capture on C4, which B4 would take back. A6, A2
/// and B1 are suicide, E1, E3 and F4 White's own eyes; D5 looks like one, but
/// C5 is cut off there.
fn late_position(words: &str, right_of_c: &str) -> AnyGame {
    let left = [". X X", "X X O", "X O .", "X X O", ". X X", "X . X"];
    let right = right_of_c.trim().lines().map(str::trim);
    let rows: Vec<_> = left
        .iter()
        .zip(right)
        .map(|(l, r)| format!("{l} {r}"))
        .collect();
    let mut game = game_from_diagram(words, &rows.join("\n"));
    play(&mut game, "B C4");
    assert_eq!(game.state().captures.black, 1);
    game
}

const OPEN_RIGHT: &str = "
    O O O . .
    . O O . .
    O O . O .
    O . O O .
    O O O . X
    O . O . .";

const OPEN_STONES: &str = "D5, G1, G2, G5, G6, H1, H3, H4, H5, H6";

#[test]
fn random_stones_are_uniform() {
    for words in [
        "go",
        "go ko=situational",
        "go ko=simple",
        "stoical",
        "stoical stoical-rule=snapback",
    ] {
        assert_uniform(&late_position(words, OPEN_RIGHT), &[OPEN_STONES]);
    }
    let with_ko = format!("{OPEN_STONES}, B4");
    assert_uniform(&late_position("go ko=none", OPEN_RIGHT), &[&with_ko]);
}

#[test]
fn random_nukes_are_uniform_of_their_kind() {
    let game = late_position("no", OPEN_RIGHT);
    let own = game
        .grid()
        .points()
        .filter(|&point| game.cell(point) == Cell::White);
    let nukes: Vec<_> = own
        .map(|point| format!("nuke {}", vertex(game.grid(), point)))
        .collect();
    assert_uniform(&game, &[OPEN_STONES, &nukes.join(", ")]);
}

/// A stone on the tao stone on H3 would capture H2.
#[test]
fn random_tao_turns_are_uniform_of_their_kind() {
    let right = "
        O O O . .
        . O O . .
        O O . O .
        O . O O +
        O O O O X
        O . O . O";
    let stones = "D5, G1, G5, G6, H3, H4, H5, H6";
    assert_uniform(&late_position("tao", right), &[stones]);
    let taos =
        "tao A2, tao A6, tao B1, tao B4, tao D5, tao G1, tao G5, tao G6, tao H4, tao H5, tao H6";
    assert_uniform(&late_position("tao tao-supply=1", right), &[stones, taos]);
}

#[test]
fn random_sowing_and_growing_are_uniform() {
    let game = game_from_diagram(
        "sygo",
        ". X . O .
         X O . . O
         . O O O .
         . X . . .",
    );
    let mut white = game.clone();
    play(&mut white, "B pass");
    assert_uniform(
        &white,
        &["grow C4, grow D3, grow C3, grow A2, grow E2, grow C1, grow D1, A1, E1"],
    );
    let mut black = game;
    play(&mut black, "W pass");
    assert_uniform(
        &black,
        &["grow A4, grow C4, grow A2, grow A1, grow C1, C3, D3, E2, D1, E1"],
    );
}
