//! Random games through the socket agree with the same games through GTP.

use super::support::{Page, rows, server, variants};
use kawari::board::Random;
use kawari::gtp::{Session, Settings, answer, request::parse_line};
use kawari::rules::{Setup, Size, variant};
use serde_json::{Value, json};
use std::collections::BTreeSet;

/// Games of each variant; the variable `KAWARI_BOARD_GAMES` asks for another number.
fn games() -> u64 {
    let number = std::env::var("KAWARI_BOARD_GAMES").ok();
    number.map_or(4, |number| number.parse().expect("a number"))
}

/// Turns of a game at most.
const MAX_TURNS: usize = 90;

/// A game that is played by both.
struct Pair {
    page: Page,
    session: Session,
    random: Random,
    stacked: bool,
}

impl Pair {
    fn gtp(&mut self, line: &str) -> Result<String, String> {
        let request = parse_line(line.as_bytes()).expect("a command");
        answer(&mut self.session, &request).map_err(|failure| failure.to_string())
    }

    /// The steps that the page may make, as messages.
    fn moves(&self) -> Vec<Value> {
        let view = &self.page.state["view"];
        let legal = view["legal"].as_array().expect("rows");
        let mut moves = Vec::new();
        for (row, line) in legal.iter().rev().enumerate() {
            for (column, digit) in line.as_str().expect("a row").chars().enumerate() {
                let bits = digit.to_digit(32).expect("a digit");
                let letter = kawari::board::column_name(column as u8);
                let point = format!("{letter}{}", row + 1);
                let kinds = (0..5).filter(|kind| bits >> kind & 1 == 1);
                moves.extend(kinds.map(|kind| json!({ "at": { "kind": kind, "point": point } })));
            }
        }
        if view["can_end"] == true {
            // Ends as often as a few stones are grown.
            moves.extend(vec![json!("end"); 3]);
        }
        moves
    }

    fn draw(&mut self) -> Value {
        let moves = self.moves();
        let pass = self.page.state["view"]["can_pass"] == true;
        if moves.is_empty() || pass && self.random.below(25) == 0 {
            return json!("pass");
        }
        moves[self.random.below(moves.len() as u32) as usize].clone()
    }

    /// Makes a random move on both sides, and compares everything.
    fn step(&mut self) {
        let made = self.draw();
        let turns = self.page.state["state"]["turn"].as_u64();
        let look = self.page.done(json!({ "look": made }));
        assert_eq!(look["legal"], true, "{made}");
        self.page.done(json!({ "play": made }));
        let state = self.page.state.clone();
        assert_eq!(look["board"], state["state"]["board"], "{made}");
        assert_eq!(look["voids"], state["state"]["voids"], "{made}");
        assert_eq!(look["steps"], state["consequences"], "{made}");
        assert_eq!(told(&state), rows(&state["state"]["board"]), "{made} {state}");
        if state["state"]["turn"].as_u64() != turns {
            self.turn(&state);
        }
    }

    /// Makes the turn that has just ended in the GTP session.
    fn turn(&mut self, state: &Value) {
        let last = &state["view"]["last"];
        let color = last["color"].as_str().expect("a colour");
        let turn = last["turn"].as_str().expect("a turn");
        let (name, arguments) = kawari_core::encoding::turn_command(color, turn);
        let reply = self.gtp(&format!("{name} {arguments}"));
        assert_eq!(reply, Ok(String::new()), "{turn}");
        let gtp = self.gtp("kawari-state").expect("a state");
        let gtp: Value = serde_json::from_str(&gtp).expect("JSON");
        assert_eq!(state["state"], gtp, "{turn}");
        self.compare_legal();
    }

    /// Compares the legal turns.
    fn compare_legal(&mut self) {
        if self.page.state["state"]["over"] == true && self.session.game().is_final() {
            assert!(self.moves().is_empty());
            return;
        }
        let legal = self.gtp("kawari-legal").expect("a list");
        let theirs: BTreeSet<_> = legal.lines().map(str::to_owned).collect();
        let game = self.session.game();
        let written = |made: &Value| {
            let at = &made["at"];
            let number = at["kind"].as_u64().expect("a kind");
            let point = at["point"].as_str().expect("a point");
            let (_, kind) = game.info().step_kinds().nth(number as usize).expect("a kind");
            let text = match self.stacked {
                // The written form has the layer.
                true => point.to_owned(),
                false => format!("{} {point}", kind.word),
            };
            match game.parse(&text) {
                Ok(kawari::rules::Action::Turn(turn)) => game.write(&turn),
                other => panic!("{text}: {other:?}"),
            }
        };
        let mut ours: BTreeSet<_> = self.moves().iter().map(written).collect();
        if self.page.state["view"]["can_pass"] == true {
            ours.insert("pass".to_owned());
        }
        // Where each turn has several points, the page offers the first of all turns, and the list
        // has one turn for each position that they lead to.
        if *game.position().turn_length(game.to_move()).start() > 1 && !game.is_mid_turn() {
            let firsts = theirs.iter().filter_map(|turn| turn.split(' ').next());
            assert!(firsts.clone().all(|first| ours.contains(first)), "{ours:?} {theirs:?}");
            assert_eq!(ours.is_empty(), theirs.is_empty());
            return;
        }
        assert_eq!(ours, theirs);
    }
}

/// The board after the consequences of the last turn or step, applied in order to the board
/// before it.
fn told(state: &Value) -> String {
    let text = rows(&state["before"]);
    let mut rows: Vec<Vec<char>> = text.split(' ').map(|row| row.chars().collect()).collect();
    let height = rows.len();
    for told in state["consequences"].as_array().expect("a list") {
        assert!(told["text"].as_str().is_some_and(|text| text.ends_with('.')));
        let Some(cell) = told["symbol"].as_str() else {
            assert!(matches!(told["kind"].as_str(), Some("end" | "pass")), "{told}");
            continue;
        };
        let cell = cell.chars().next().expect("a character");
        for point in told["points"].as_array().expect("a list") {
            let point = point.as_str().expect("a point");
            let (column, row) = kawari::rules::parse_vertex(point).expect("a vertex");
            rows[height - 1 - usize::from(row)][usize::from(column)] = cell;
        }
    }
    let rows: Vec<String> = rows.into_iter().map(String::from_iter).collect();
    rows.join(" ")
}

fn play(page: Page, id: &str, seed: u64) -> Page {
    let mut random = Random::new(seed);
    let info = variant(id).expect("a variant");
    let mut setup = Setup::new(info);
    let side = 4 + random.below(if info.stacked { 2 } else { 6 }) as u8;
    setup.size = Size::square(side);
    for &key in info.keys {
        // Another value of each option in every second game.
        if let Some(values) = key.values().filter(|_| seed % 2 == 1) {
            let value = values[random.below(values.len() as u32) as usize];
            setup.rules.set(key, value).expect("a value");
        }
    }
    let rules: serde_json::Map<_, _> =
        info.keys.iter().map(|&key| (key.name().to_owned(), json!(setup.rules.get(key)))).collect();
    let session = Session::new(setup, Settings::default()).expect("a session");
    let mut pair = Pair { page, session, random, stacked: info.stacked };
    let settings = json!({ "variant": id, "width": side, "height": side, "rules": rules });
    pair.page.new_game(settings);
    pair.compare_legal();
    for _ in 0..MAX_TURNS {
        if pair.page.state["state"]["over"] == true {
            break;
        }
        pair.step();
    }
    compare_copies(&mut pair.page);
    pair.page
}

/// The saved game leads to the same position.
fn compare_copies(page: &mut Page) {
    let before = page.state.clone();
    let saved = page.done(json!("save"));
    page.done(json!({ "open": saved }));
    for key in ["state", "view"] {
        assert_eq!(page.state[key], before[key], "{saved}");
    }
    if !before["before"].is_null() {
        assert_eq!(told(&page.state), page.board());
    }
}

#[test]
fn random_games_agree_with_gtp() {
    let address = server();
    let played: Vec<_> = variants()
        .map(|id| {
            std::thread::spawn(move || {
                let mut page = Page::open(address);
                for seed in 0..games() {
                    page = play(page, id, seed);
                }
            })
        })
        .collect();
    for thread in played {
        thread.join().expect("no failure");
    }
}
