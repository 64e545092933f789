//! Games with a client that synchronises its engine as Sabaki does, as
//! `client::sabaki` does it.

use crate::client::Client;
use crate::client::sabaki::{Node, Sabaki, vertex};
use crate::common::{setup, with_every_variant};
use kawari::board::{Color, Random};
use kawari::rules::{VariantInfo, variant};
use kawari_core::encoding::{Encoding, turn_command};

/// Starts, and the board that Sabaki shows, which may have more columns than the engine's.
const GAMES: [(&str, (u8, u8)); 12] = [
    ("go 4", (4, 4)),
    ("no 5", (11, 5)),
    ("no 4x3 nuke-acts=now", (9, 3)),
    ("go-san 5", (11, 5)),
    ("tao 4x5", (9, 5)),
    ("tao 3 tao-cost=points:1", (7, 3)),
    ("sygo 5", (7, 5)),
    ("sygo 4", (9, 4)),
    ("sygo 4", (4, 4)),
    ("stoical 4", (4, 4)),
    ("2.5d 3", (7, 3)),
    ("no 5 blocks=C3,A1", (11, 5)),
];

/// Those, and one of each variant that is not among them.
fn games() -> Vec<(String, (u8, u8))> {
    let starts = with_every_variant(GAMES.iter().map(|(words, _)| *words));
    let shown = |words: &str| {
        let codec = engine(words).session.codec();
        (codec.display().width(), codec.display().height())
    };
    let mut sizes = GAMES.iter().map(|(_, size)| *size);
    let with_size = |words: String| {
        let size = sizes.next().unwrap_or_else(|| shown(&words));
        (words, size)
    };
    starts.into_iter().map(with_size).collect()
}

fn info(words: &str) -> &'static VariantInfo {
    variant(words.split(' ').next().expect("an id")).expect("a variant")
}

fn engine(words: &str) -> Client {
    let mut client = Client::new(setup(words), 8);
    client.session.set_encoding(Encoding::Sabaki);
    client
}

/// A node of the tree with what led to it, and the state that the engine had.
struct Visited {
    nodes: Vec<Node>,
    state: String,
}

/// A game by clicks and by the engine, with navigation; how many clicks and
/// how many answers of the engine it had.
fn play_game(words: &str, size: (u8, u8), random: &mut Random) -> (usize, usize) {
    let mut sabaki = Sabaki::attach(engine(words), size);
    let mut visited: Vec<Visited> = Vec::new();
    let mut nodes: Vec<Node> = Vec::new();
    let mut mover = Color::Black;
    let (mut clicks, mut answers) = (0, 0);
    sabaki.sync(&nodes).expect("an empty board");
    for _ in 0..60 {
        let before = sabaki.board(&nodes);
        if random.below(3) == 0 {
            let Some(node) = sabaki.genmove(mover) else {
                break;
            };
            if let Node::Move(_, Some(place)) = node {
                assert!(before.has(place), "{words}: {}", vertex(place));
                let taken = before.stones.get(&place);
                assert_eq!(taken, None, "{words}: {} in {nodes:?}", vertex(place));
            }
            answers += 1;
            nodes.push(node);
        } else {
            let free: Vec<_> = (0..size.0)
                .flat_map(|column| (0..size.1).map(move |row| (column, row)))
                .filter(|place| !before.stones.contains_key(place))
                .collect();
            let pass = free.is_empty() || random.below(8) == 0;
            let place = (!pass).then(|| free[random.below(free.len() as u32) as usize]);
            nodes.push(Node::Move(mover, place));
            if sabaki.sync(&nodes).is_err() {
                // The dialog; one goes back and plays elsewhere.
                nodes.pop();
                sabaki.sync(&nodes).expect("the node before");
                continue;
            }
            clicks += 1;
        }
        mover = !mover;
        let state = sabaki.engine.tell("kawari-state");
        visited.push(Visited { nodes: nodes.clone(), state });
        if random.below(4) == 0 {
            revisit(&mut sabaki, &visited, random);
            sabaki.sync(&nodes).expect("back again");
            if random.below(4) == 0 {
                // Or another way from there.
                nodes = visited[random.below(visited.len() as u32) as usize].nodes.clone();
                sabaki.sync(&nodes).expect("another variation");
                mover = match nodes.last() {
                    Some(Node::Move(color, _)) => !*color,
                    _ => Color::Black,
                };
            }
        }
    }
    let mut fresh = sabaki.restart(engine(words));
    revisit(&mut fresh, &visited, random);
    check_referee(&mut fresh, words);
    (clicks, answers)
}

/// Goes to nodes that were visited before, and compares the states.
fn revisit(sabaki: &mut Sabaki, visited: &[Visited], random: &mut Random) {
    for _ in 0..3 {
        let at = &visited[random.below(visited.len() as u32) as usize];
        sabaki.sync(&at.nodes).expect("a node that was visited");
        assert_eq!(sabaki.engine.tell("kawari-state"), at.state);
    }
}

/// The turns as they are written lead to the same state on the variant's own
/// board.
fn check_referee(sabaki: &mut Sabaki, words: &str) {
    if sabaki.engine.session.game().is_mid_turn() {
        return;
    }
    let mut referee = Client::new(setup(words), 1);
    for line in sabaki.engine.tell("kawari-history").lines() {
        let (color, turn) = line.split_once(' ').expect("a colour and a turn");
        let (name, arguments) = turn_command(color, turn);
        referee.tell(&format!("{name} {arguments}"));
    }
    assert_eq!(referee.tell("kawari-state"), sabaki.engine.tell("kawari-state"));
}

#[test]
fn games_stay_synchronised_through_navigation() {
    let mut random = Random::new(17);
    for (words, size) in &games() {
        let (words, size) = (words.as_str(), *size);
        let (mut clicks, mut answers) = (0, 0);
        for _ in 0..games_each() {
            let (more_clicks, more_answers) = play_game(words, size, &mut random);
            clicks += more_clicks;
            answers += more_answers;
        }
        println!("{words}: {clicks} clicks, {answers} answers");
        assert!(clicks > 20 && answers > 10, "{words}: {clicks} {answers}");
    }
}

/// Games of each variant; more with `KAWARI_GAMES=1000` in the environment.
fn games_each() -> usize {
    let asked = std::env::var("KAWARI_GAMES").ok();
    asked.and_then(|text| text.parse().ok()).unwrap_or(6)
}

/// A random typed turn of the side to move: any that can be written.
fn type_turn(sabaki: &mut Sabaki, random: &mut Random) -> bool {
    let legal = sabaki.engine.tell("kawari-legal");
    let turns: Vec<_> = legal.lines().filter(|turn| turn.contains(' ')).collect();
    if turns.is_empty() || sabaki.engine.session.game().is_mid_turn() {
        return false;
    }
    let turn = turns[random.below(turns.len() as u32) as usize];
    sabaki.engine.ask(turn).is_ok()
}

#[test]
fn typed_turns_are_replayed_after_their_moves() {
    let mut random = Random::new(23);
    for (words, size) in &games() {
        let (words, size) = (words.as_str(), *size);
        let mut typed = 0;
        for _ in 0..games_each() {
            let mut sabaki = Sabaki::attach(engine(words), size);
            let mut nodes: Vec<Node> = Vec::new();
            let mut states = Vec::new();
            for number in 0..20 {
                let color = [Color::Black, Color::White][number % 2];
                let board = sabaki.board(&nodes);
                let place = (random.below(size.0.into()) as u8, random.below(size.1.into()) as u8);
                let free = !board.stones.contains_key(&place);
                nodes.push(Node::Move(color, Some(place).filter(|_| free)));
                if sabaki.sync(&nodes).is_err() {
                    nodes.pop();
                    sabaki.sync(&nodes).expect("the node before");
                    continue;
                }
                if random.below(3) == 0 && type_turn(&mut sabaki, &mut random) {
                    typed += 1;
                }
                states.push((nodes.clone(), sabaki.engine.tell("kawari-state")));
            }
            for _ in 0..10 {
                let (nodes, state) = &states[random.below(states.len() as u32) as usize];
                sabaki.sync(nodes).expect("a node that was visited");
                assert_eq!(&sabaki.engine.tell("kawari-state"), state, "{words}");
            }
            check_referee(&mut sabaki, words);
        }
        let has_words = info(words).kinds.iter().any(|kind| !kind.word.is_empty());
        assert_eq!(typed > 0, has_words, "{words}: {typed}");
    }
}

#[test]
fn handicap_and_setup_are_sent_as_stones() {
    for (words, size) in [("go 9", (9, 9)), ("no 5", (11, 5)), ("tao 5", (11, 5))] {
        let mut sabaki = Sabaki::attach(engine(words), size);
        let handicap = Node::Setup(vec![(1, 1), (3, 3)], vec![]);
        let white = Node::Move(Color::White, Some((2, 3)));
        let with_white = Node::Setup(vec![(1, 1)], vec![(3, 2)]);
        for nodes in [vec![handicap.clone()], vec![handicap, white], vec![with_white]] {
            sabaki.sync(&nodes).expect("a board that can be made");
            let board = sabaki.board(&nodes);
            let game = sabaki.engine.session.game();
            for point in game.grid().points() {
                let place = game.grid().coordinates(point);
                let stone = board.stones.get(&place).copied();
                assert_eq!(game.cell(point).color(), stone, "{words}: {nodes:?}");
            }
        }
    }
}
