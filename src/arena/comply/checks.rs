//! The demands of version 2 of the protocol, in the order of its specification.

use super::dialogue::{Dialogue, Reply};
use crate::arena::controller::quoted;
use crate::board::Grid;
use crate::rules::{Size, fixed_handicap, vertices};
use std::collections::BTreeSet;

/// Why a check does not pass.
#[derive(Clone, Debug, PartialEq)]
pub enum Fault {
    Absent(&'static str),
    Wrong(String),
}

type Checked = Result<(), Fault>;

pub struct Check {
    pub name: &'static str,
    pub section: &'static str,
    /// A command that the specification does not require, or nothing.
    needs: &'static str,
    run: Run,
}

enum Run {
    /// Commands from an empty board, which succeed, or fail after `!`, with the text after a colon.
    /// `{last}` is the last column, `{next}` the one after it, `{side}` and `{more}` are rows.
    Steps(&'static str),
    Ask(fn(&mut Dialogue) -> Checked),
}
use Run::{Ask, Steps};

const COMMAND: &str = "2.5 Command Structure";
const RESPONSE: &str = "2.6 Response Structure";
const COORDINATES: &str = "2.11 Board Coordinates";
const PREPROCESSING: &str = "3.1 Preprocessing";
const FIXED: &str = "4.1.1 Fixed Handicap Placement";
const FREE: &str = "4.1.2 Free Handicap Placement";
const TIME: &str = "4.2 Time Handling";
const SCORING: &str = "4.3 Scoring";
const REQUIRED: &str = "6.1 Required Commands";
const ADMINISTRATIVE: &str = "6.3.1 Administrative Commands";
const SETUP: &str = "6.3.2 Setup Commands";
const CORE: &str = "6.3.3 Core Play Commands";

const fn check(section: &'static str, name: &'static str, needs: &'static str, run: Run) -> Check {
    Check { name, section, needs, run }
}

/// The output between replies comes last but one: all others have heard it.
pub const CHECKS: &[Check] = &[
    check(COMMAND, "replies have the ids of their commands", "", Ask(ids)),
    check(COMMAND, "commands are answered in their order", "", Ask(order)),
    check(
        COMMAND,
        "names of commands have their case, other words have none",
        "",
        Steps(
            "!NAME: unknown command, play b c3, play W d4, play BLACK E5, play White f6, play b PASS",
        ),
    ),
    check(RESPONSE, "a command without an id is answered without one", "", Ask(without_id)),
    check(
        RESPONSE,
        "an unknown command fails",
        "",
        Steps("!no_such_command: unknown command, !no_such_command 1 2: unknown command"),
    ),
    check(
        COORDINATES,
        "rows begin at 1, and no column is I",
        "",
        // J is beside H: black takes the stone, and its place.
        Steps("!play b I3, !play b A0, play w H1, play b G1, play b H2, play b J1, play b H1"),
    ),
    check(PREPROCESSING, "comments are ignored", "", Ask(comments)),
    check(PREPROCESSING, "empty lines are not answered", "", Ask(empty_lines)),
    check(
        PREPROCESSING,
        "CR and other control characters are ignored",
        "",
        Ask(control_characters),
    ),
    check(PREPROCESSING, "a tab is a space, and several are one", "", Ask(spaces)),
    check(REQUIRED, "all required commands are listed", "", Ask(required)),
    check(ADMINISTRATIVE, "the version of the protocol is 2", "", Ask(protocol_version)),
    check(ADMINISTRATIVE, "name and version are lines", "", Ask(names)),
    check(ADMINISTRATIVE, "known_command agrees with list_commands", "", Ask(known_command)),
    check(
        SETUP,
        "boardsize sets the size",
        "",
        Steps("play b {last}{side}, play w A1, !play b {next}1, !play b A{more}"),
    ),
    check(
        SETUP,
        "boardsize refuses a size and changes nothing",
        "",
        Steps(
            "play b D4, !boardsize 1000: unacceptable size, !boardsize, !boardsize x, \
             !play w D4: illegal move, !play w A{more}, play w E5",
        ),
    ),
    check(SETUP, "clear_board empties the board", "", Steps("play b D4, clear_board, play w D4")),
    check(
        SETUP,
        "komi takes any number",
        "",
        Steps("komi 0, komi 5.5, komi -3.5, komi 7, komi 6.5, !komi, !komi x"),
    ),
    check(
        CORE,
        "play takes stones of any colour, and passes",
        "",
        Steps(
            "play b D4, play b E4, play w pass, play w C3, play b pass, play w F6, !play, !play b, \
             !play x D4, !play b D, !play b 44",
        ),
    ),
    check(
        CORE,
        "play refuses illegal moves and changes nothing",
        "",
        Steps(
            "play b D4, play w E5, !play b D4: illegal move, !play w D4: illegal move, \
             !play b E5: illegal move, !play w D4: illegal move, play w F6",
        ),
    ),
    check(
        CORE,
        "play captures",
        "",
        Steps("play w A1, play b A2, !play b A1: illegal move, play b B1, play b A1"),
    ),
    check(CORE, "genmove plays a legal move", "", Ask(genmove)),
    check(CORE, "genmove plays after passes", "", Ask(genmove_after_passes)),
    check(
        CORE,
        "undo takes back one move with its captures",
        "undo",
        Steps(
            "play w A1, play b A2, play b B1, undo, !play b A1: illegal move, play w B1, \
             play b pass, undo, undo, play b B1",
        ),
    ),
    check(
        CORE,
        "undo knows nothing of illegal moves",
        "undo",
        Steps("play b D4, play w E5, !play w D4: illegal move, undo, play b E5, !play w D4"),
    ),
    check(
        CORE,
        "undo fails on an empty board",
        "undo",
        Steps("!undo: cannot undo, play b D4, undo, !undo: cannot undo"),
    ),
    check(FIXED, "fixed_handicap places the stones of the table", "fixed_handicap", Ask(fixed)),
    check(
        FIXED,
        "fixed_handicap refuses other numbers and used boards",
        "fixed_handicap",
        Steps(
            "!fixed_handicap 1, !fixed_handicap 10, \
             !fixed_handicap, play b A1, !fixed_handicap 2: board not empty",
        ),
    ),
    check(FREE, "place_free_handicap places stones", "place_free_handicap", Ask(place_free)),
    check(
        FREE,
        "set_free_handicap places the given stones",
        "set_free_handicap",
        Steps(
            "set_free_handicap C3 D5, !play w C3: illegal move, !play w D5: illegal move, play w F6",
        ),
    ),
    check(
        FREE,
        "set_free_handicap refuses bad lists and used boards",
        "set_free_handicap",
        Steps(
            "!set_free_handicap C3: bad vertex list, !set_free_handicap C3 C3: bad vertex list, \
             !set_free_handicap C3 pass: bad vertex list, play w C3, \
             !set_free_handicap D4 E5: board not empty",
        ),
    ),
    check(
        TIME,
        "time_settings takes all kinds of time",
        "time_settings",
        Steps(
            "time_settings 60 0 0, time_settings 0 10 1, time_settings 300 60 15, \
             time_settings 0 1 0, !time_settings, !time_settings x 0 0",
        ),
    ),
    check(
        TIME,
        "time_left is taken",
        "time_left",
        Steps(
            "time_settings 30 10 5, time_left b 30 0, time_left white 10 5, genmove b, \
             time_left B 10 4, !time_left, time_settings 0 1 0",
        ),
    ),
    check(SCORING, "final_score is a result", "final_score", Ask(final_score)),
    check(SCORING, "final_status_list has each stone once", "final_status_list", Ask(final_status)),
    check(RESPONSE, "no output stands between replies", "", Ask(strays)),
    check(ADMINISTRATIVE, "quit is answered before the engine ends", "", Ask(quit)),
];

impl Check {
    pub fn run(&self, engine: &mut Dialogue) -> Checked {
        if !self.needs.is_empty() && !engine.lists(self.needs) {
            return Err(Fault::Absent(self.needs));
        }
        let steps = match self.run {
            Ask(run) => return run(engine),
            Steps(steps) => steps,
        };
        engine.fresh()?;
        let column = |at| COLUMNS.chars().nth(at).unwrap_or_default().to_string();
        let side = usize::from(engine.side);
        let steps = steps.replace("{last}", &column(side - 1)).replace("{next}", &column(side));
        let steps = steps.replace("{side}", &side.to_string());
        for step in steps.replace("{more}", &(side + 1).to_string()).split(", ") {
            match step.strip_prefix('!') {
                None => drop(engine.expect_success(step)?),
                Some(refused) => {
                    let (command, text) = refused.split_once(": ").unwrap_or((refused, ""));
                    engine.expect_refusal(command, text)?;
                }
            }
        }
        Ok(())
    }
}

const COLUMNS: &str = "ABCDEFGHJKLMNOPQRSTUVWXYZ";

fn ensure(holds: bool, why: impl FnOnce() -> String) -> Checked {
    if holds { Ok(()) } else { Err(Fault::Wrong(why())) }
}

impl Dialogue {
    /// A new game on an empty board.
    fn fresh(&mut self) -> Checked {
        let size = format!("boardsize {}", self.side);
        self.all_taken(&[&size, "clear_board", "komi 6.5"])
    }

    fn expect_success(&mut self, command: &str) -> Result<Reply, Fault> {
        let reply = self.ask(command)?;
        ensure(reply.is_success, || format!("{command}: {}", reply.quoted()))?;
        Ok(reply)
    }

    fn all_taken(&mut self, commands: &[&str]) -> Checked {
        commands.iter().try_for_each(|command| self.expect_success(command).map(drop))
    }

    /// The command must fail, with this text first.
    fn expect_refusal(&mut self, command: &str, text: &str) -> Checked {
        let reply = self.ask(command)?;
        ensure(!reply.is_success, || format!("{command}: {}, not a failure", reply.quoted()))?;
        ensure(reply.text().starts_with(text), || {
            format!("{command}: {}, not '? {text}'", reply.quoted())
        })
    }

    /// The vertices in a reply, each on the board and once, in upper case.
    fn vertices(&mut self, command: &str) -> Result<Vec<String>, Fault> {
        let text = self.expect_success(command)?.text().to_ascii_uppercase();
        let all: Vec<String> = text.split_whitespace().map(str::to_owned).collect();
        let unique: BTreeSet<&String> = all.iter().collect();
        let are_vertices = all.iter().all(|vertex| is_on_board(vertex, self.side));
        ensure(are_vertices && unique.len() == all.len(), || {
            format!("{command}: {} is not a list of points", quoted(&text))
        })?;
        Ok(all)
    }
}

fn is_on_board(vertex: &str, side: u8) -> bool {
    let (letter, row) = vertex.split_at_checked(1).unwrap_or_default();
    let column = COLUMNS.find(letter).filter(|_| !letter.is_empty());
    let row = row.parse().ok().filter(|_| !row.starts_with(['0', '+']));
    column.is_some_and(|column| column < usize::from(side))
        && row.is_some_and(|row: u8| (1..=side).contains(&row))
}

fn ids(engine: &mut Dialogue) -> Checked {
    for (line, id) in [("7 name", "7"), ("2147483647 version", "2147483647"), ("8 zzz", "8")] {
        let reply = engine.exchange(line, None)?;
        ensure(reply.id == id, || format!("'{line}' is answered with id {}", quoted(&reply.id)))?;
    }
    Ok(())
}

fn order(engine: &mut Dialogue) -> Checked {
    let first = ["name", "version", "protocol_version"].map(|command| engine.ask(command));
    engine.send("name\nversion\nprotocol_version")?;
    for expected in first {
        let (expected, reply) = (expected?.text(), engine.reply(None)?);
        ensure(reply.text() == expected, || {
            format!("{} comes where '= {expected}' should", reply.quoted())
        })?;
    }
    Ok(())
}

fn without_id(engine: &mut Dialogue) -> Checked {
    for (line, sign) in [("name", '='), ("zzz", '?')] {
        let reply = engine.exchange(line, None)?;
        let first = reply.lines.first().map_or("", String::as_str);
        let is_apart = first.is_empty() || first.starts_with(' ');
        ensure(reply.id.is_empty() && reply.is_success == (sign == '='), || {
            format!("'{line}' is answered with {}{}", reply.quoted(), reply.id)
        })?;
        ensure(is_apart, || format!("no space between '{sign}' and {}", quoted(first)))?;
    }
    Ok(())
}

fn comments(engine: &mut Dialogue) -> Checked {
    let (name, version) = (engine.ask("name")?, engine.ask("version")?);
    let strays = engine.strays.len();
    let reply = engine.ask_with(|id| format!("# a comment\n{id}name # another"))?;
    let again = engine.ask("version")?;
    ensure(reply.text() == name.text(), || {
        format!("a comment changes a reply: {}", reply.quoted())
    })?;
    ensure(again.text() == version.text() && engine.strays.len() == strays, || {
        "a comment is answered".to_owned()
    })
}

fn empty_lines(engine: &mut Dialogue) -> Checked {
    let (name, version) = (engine.ask("name")?.text(), engine.ask("version")?.text());
    let strays = engine.strays.len();
    let reply = engine.ask_with(|id| format!("\n  \n\t\n{id}name"))?.text();
    let again = engine.ask("version")?.text();
    ensure((reply, again) == (name, version) && engine.strays.len() == strays, || {
        "an empty line is answered".to_owned()
    })
}

fn control_characters(engine: &mut Dialogue) -> Checked {
    let name = engine.ask("name")?.text();
    for line in ["name\r", "na\u{1}me\u{7f}"] {
        let reply = engine.ask_with(|id| format!("{id}{line}"))?;
        ensure(reply.text() == name, || format!("{line:?}: {}", reply.quoted()))?;
    }
    Ok(())
}

fn spaces(engine: &mut Dialogue) -> Checked {
    for line in ["known_command\tname", "known_command  \t name  ", " \tknown_command name"] {
        let reply = engine.ask_with(|id| format!("{id}{line}"))?;
        ensure(reply.text() == "true", || format!("{line:?}: {}", reply.quoted()))?;
    }
    Ok(())
}

fn required(engine: &mut Dialogue) -> Checked {
    let required = "protocol_version name version known_command list_commands quit boardsize \
                    clear_board komi play genmove";
    let missing: Vec<_> = required.split(' ').filter(|name| !engine.lists(name)).collect();
    ensure(missing.is_empty(), || format!("not listed: {}", missing.join(", ")))
}

fn protocol_version(engine: &mut Dialogue) -> Checked {
    let reply = engine.expect_success("protocol_version")?;
    ensure(reply.text() == "2", || format!("protocol_version: {}", reply.quoted()))
}

fn names(engine: &mut Dialogue) -> Checked {
    for (command, may_be_empty) in [("name", false), ("version", true)] {
        let reply = engine.expect_success(command)?;
        ensure(reply.lines.len() == 1 && (may_be_empty || !reply.text().is_empty()), || {
            format!("{command}: {} is not a line", reply.quoted())
        })?;
    }
    Ok(())
}

fn known_command(engine: &mut Dialogue) -> Checked {
    let listed: BTreeSet<String> = engine.commands.iter().cloned().collect();
    let odd = engine.commands.iter().find(|name| name.contains(char::is_whitespace)).cloned();
    ensure(odd.is_none() && listed.len() == engine.commands.len(), || {
        format!("list_commands is not a list of different names: {}", odd.unwrap_or_default())
    })?;
    let all = listed.iter().map(|name| (name.as_str(), "true"));
    for (name, expected) in all.chain([("kawari_no_such_command", "false")]) {
        let reply = engine.expect_success(&format!("known_command {name}"))?;
        ensure(reply.text() == expected, || {
            format!("known_command {name}: {}, not {expected}", reply.quoted())
        })?;
    }
    Ok(())
}

/// A move of the engine, which must be on the board now.
fn moved(engine: &mut Dialogue, color: &str) -> Checked {
    let command = format!("genmove {color}");
    let reply = engine.expect_success(&command)?;
    let vertex = reply.text().to_ascii_uppercase();
    if ["PASS", "RESIGN"].contains(&vertex.as_str()) {
        return Ok(());
    }
    ensure(is_on_board(&vertex, engine.side), || {
        format!("{command}: {} is not a move", reply.quoted())
    })?;
    let again = engine.ask(&format!("play {color} {vertex}"))?;
    ensure(!again.is_success, || format!("{command}: {} is not on the board", reply.quoted()))
}

fn genmove(engine: &mut Dialogue) -> Checked {
    engine.fresh()?;
    for color in ["b", "white", "w", "B"] {
        moved(engine, color)?;
    }
    engine.expect_refusal("genmove", "")?;
    engine.expect_refusal("genmove x", "")
}

fn genmove_after_passes(engine: &mut Dialogue) -> Checked {
    engine.fresh()?;
    engine.all_taken(&["play b D4", "play w pass", "play b pass"])?;
    moved(engine, "w")
}

fn fixed(engine: &mut Dialogue) -> Checked {
    let size = Size::square(engine.side);
    let grid = Grid::rectangle(size.width, size.height);
    let grid = grid.map_err(|error| Fault::Wrong(error.to_string()))?;
    for stones in 2..=9 {
        let Some(table) = fixed_handicap(size, stones) else {
            continue;
        };
        engine.fresh()?;
        let command = format!("fixed_handicap {stones}");
        let placed: BTreeSet<String> = engine.vertices(&command)?.into_iter().collect();
        let table: BTreeSet<String> = vertices(&grid, &table).into_iter().collect();
        ensure(placed == table, || format!("{command}: {placed:?}, not {table:?}"))?;
        for vertex in table {
            engine.expect_refusal(&format!("play w {vertex}"), "illegal move")?;
        }
    }
    Ok(())
}

fn place_free(engine: &mut Dialogue) -> Checked {
    engine.fresh()?;
    let placed = engine.vertices("place_free_handicap 3")?;
    ensure((2..=3).contains(&placed.len()), || {
        format!("place_free_handicap 3: {} stones", placed.len())
    })?;
    for vertex in placed {
        engine.expect_refusal(&format!("play w {vertex}"), "illegal move")?;
    }
    engine.expect_refusal("place_free_handicap 2", "board not empty")
}

fn final_score(engine: &mut Dialogue) -> Checked {
    finished(engine)?;
    let reply = engine.expect_success("final_score")?;
    let text = reply.text();
    let margin = text.strip_prefix(['B', 'W']).and_then(|rest| rest.strip_prefix('+'));
    let is_number = |text: &str| {
        let is_decimal = |c: char| c.is_ascii_digit() || c == '.';
        text.chars().all(is_decimal) && text.parse::<f64>().is_ok_and(|points| points > 0.0)
    };
    ensure(text == "0" || margin.is_some_and(is_number), || {
        format!("final_score: {}, not B+3.5, W+2 or 0", reply.quoted())
    })
}

const WALLS: [(&str, char); 2] = [("b", 'C'), ("w", 'F')];

/// Two walls, and passes.
fn finished(engine: &mut Dialogue) -> Checked {
    engine.fresh()?;
    for row in 1..=engine.side {
        for (color, column) in WALLS {
            engine.expect_success(&format!("play {color} {column}{row}"))?;
        }
    }
    engine.all_taken(&["play b pass", "play w pass"])
}

fn final_status(engine: &mut Dialogue) -> Checked {
    finished(engine)?;
    let mut listed = Vec::new();
    for status in ["alive", "seki", "dead"] {
        listed.extend(engine.vertices(&format!("final_status_list {status}"))?);
    }
    listed.sort();
    let rows = 1..=engine.side;
    let walls = rows.flat_map(|row| WALLS.map(|(_, column)| format!("{column}{row}")));
    let mut stones: Vec<String> = walls.collect();
    stones.sort();
    ensure(listed == stones, || {
        format!("alive, seki and dead have {} stones of {}", listed.len(), stones.len())
    })?;
    engine.expect_refusal("final_status_list kawari", "")
}

fn strays(engine: &mut Dialogue) -> Checked {
    let strays = &engine.strays;
    ensure(strays.is_empty(), || {
        let first = strays.first().map(|line| quoted(line));
        format!("{} lines, the first is {}", strays.len(), first.unwrap_or_default())
    })
}

fn quit(engine: &mut Dialogue) -> Checked {
    let (reply, ends) = engine.quit()?;
    ensure(reply.is_success && reply.text().is_empty(), || format!("quit: {}", reply.quoted()))?;
    ensure(ends, || "the engine goes on after quit".to_owned())
}
