//! Games through Sabaki's way of keeping an engine up to date, as
//! `client::sabaki` does it.

mod client;
mod common;

use client::Client;
use client::sabaki::{Node, Sabaki, vertex};
use common::setup;
use kawari::board::{Color, Random};
use kawari::gtp::encoding::Encoding;

/// Each variant, and the board that Sabaki shows.
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

fn engine(words: &str) -> Client {
    let mut client = Client::new(setup(words), 8);
    client.session.settings.encoding = Encoding::Sabaki;
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
        visited.push(Visited {
            nodes: nodes.clone(),
            state,
        });
        if random.below(4) == 0 {
            look_around(&mut sabaki, &visited, random);
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
    look_around(&mut fresh, &visited, random);
    check_referee(&mut fresh, words);
    (clicks, answers)
}

/// Goes to nodes that were visited before: the states are the same.
fn look_around(sabaki: &mut Sabaki, visited: &[Visited], random: &mut Random) {
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
        let (word, rest) = turn.split_once(' ').unwrap_or(("play", turn));
        referee.tell(&format!("{word} {color} {rest}"));
    }
    assert_eq!(
        referee.tell("kawari-state"),
        sabaki.engine.tell("kawari-state")
    );
}

#[test]
fn games_stay_in_step_whatever_is_looked_at() {
    let mut random = Random::new(17);
    for (words, size) in GAMES {
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
