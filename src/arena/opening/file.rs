//! Reads openings from files: SGF, GTP transcripts, and lists of turns.

use super::Opening;
use crate::board::Color;
use crate::rules::{Action, AnyGame, Setup, parse_color, parse_vertex};
use crate::sgf::{self, GameRecord, NodeId};
use std::collections::BTreeSet;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};

/// Why openings cannot be read.
#[derive(Debug, thiserror::Error)]
pub enum OpeningError {
    /// It cannot be read.
    #[error("{}: {error}", path.display())]
    Unreadable {
        /// The file.
        path: PathBuf,
        /// Why.
        error: io::Error,
    },
    /// A line holds no opening of this game.
    #[error("{}:{line}: {why}", path.display())]
    Line {
        /// The file.
        path: PathBuf,
        /// The line, from 1.
        line: usize,
        /// What is wrong.
        why: String,
    },
    /// The file or directory has no openings.
    #[error("{}: no openings", path.display())]
    Empty {
        /// The file or directory.
        path: PathBuf,
    },
}

/// A line, from 1, and what is wrong with it.
pub(super) type LineError = (usize, String);

/// Reads the openings of a file, or of all files of a directory, in the order of their
/// names. `*.sgf` files hold games, `*.gtp` files one transcript. Other files hold an
/// opening a line: turns separated by commas (`B D4, W nuke E5`; colours are optional) or,
/// if all are vertices or passes, by spaces; `#` begins a comment. Openings are cut after
/// `turns` turns.
///
/// # Errors
/// [`OpeningError`].
pub fn read(
    path: &Path,
    setup: &Setup,
    turns: Option<usize>,
) -> Result<Vec<Opening>, OpeningError> {
    let unreadable = |path: &Path| {
        let path = path.to_owned();
        move |error| OpeningError::Unreadable { path, error }
    };
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(unreadable(path))?;
        files = entries
            .filter_map(|entry| Some(entry.ok()?.path()))
            .collect();
        files.retain(|file| file.is_file());
        files.sort();
    }
    let mut list = Vec::new();
    for file in &files {
        let bytes = fs::read(file).map_err(unreadable(file))?;
        let text = String::from_utf8_lossy(&bytes);
        let parsed = match file.extension().and_then(|extension| extension.to_str()) {
            Some("sgf") => parse_sgf(&bytes, setup, turns),
            Some("gtp") => parse_transcript(&text, setup, turns).map(|opening| vec![opening]),
            _ => parse_lines(&text, setup),
        };
        list.extend(parsed.map_err(|(line, why)| OpeningError::Line {
            path: file.clone(),
            line,
            why,
        })?);
    }
    for opening in &mut list {
        opening.truncate(turns.unwrap_or(usize::MAX));
    }
    match list.is_empty() {
        true => Err(OpeningError::Empty {
            path: path.to_owned(),
        }),
        false => Ok(list),
    }
}

/// The beginnings of the games of a collection. A game without a variant is of the
/// variant of the match.
fn parse_sgf(bytes: &[u8], setup: &Setup, turns: Option<usize>) -> Result<Vec<Opening>, LineError> {
    let mut list = Vec::new();
    for tree in sgf::games(bytes) {
        let tree = tree.map_err(|error| (error.position.line, error.to_string()))?;
        let line = tree.text_position(NodeId::ROOT).line;
        let to_error = |why: String| (line, why);
        let record = GameRecord::read(&tree, setup).map_err(|error| to_error(error.to_string()))?;
        let theirs = &record.setup;
        if theirs.info.id != setup.info.id || theirs.size != setup.size {
            return Err(to_error("a game of another variant or size".to_owned()));
        }
        let given = |setup: &Setup| BTreeSet::from_iter(setup.handicap.iter().copied());
        if given(theirs) != given(setup) {
            return Err(to_error("a game of another handicap".to_owned()));
        }
        if theirs.stones.iter().any(|list| !list.is_empty()) {
            return Err(to_error("the game has set-up stones".to_owned()));
        }
        let mut game = new_game(setup).map_err(to_error)?;
        for (color, turn) in record.turns.iter().take(turns.unwrap_or(usize::MAX)) {
            let played = game.play(*color, turn);
            played.map_err(|error| to_error(format!("{}: {error}", game.write(turn))))?;
        }
        list.push(ended_opening(&game).map_err(to_error)?);
    }
    Ok(list)
}

/// An opening a line.
pub(super) fn parse_lines(text: &str, setup: &Setup) -> Result<Vec<Opening>, LineError> {
    let mut list = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let mut game = new_game(setup).map_err(|why| (number, why))?;
        for turn in turns_of(line) {
            play(&mut game, None, &turn).map_err(|why| (number, why))?;
        }
        list.push(ended_opening(&game).map_err(|why| (number, why))?);
    }
    Ok(list)
}

/// Splits a line into the words of each turn.
fn turns_of(line: &str) -> Vec<Vec<&str>> {
    let is_vertex = |word: &&str| parse_vertex(word).is_some() || word.eq_ignore_ascii_case("pass");
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.iter().all(is_vertex) {
        return words.into_iter().map(|word| vec![word]).collect();
    }
    let parts = line.split([',', ';']).map(str::trim);
    let parts = parts.filter(|part| !part.is_empty());
    parts
        .map(|part| part.split_whitespace().collect())
        .collect()
}

/// Replays the commands of a transcript; commands that are no turns restart the game or
/// are ignored.
fn parse_transcript(text: &str, setup: &Setup, turns: Option<usize>) -> Result<Opening, LineError> {
    let mut game = new_game(setup).map_err(|why| (1, why))?;
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default();
        let mut words: Vec<&str> = line.split_whitespace().collect();
        if words.first().is_some_and(|id| id.parse::<u32>().is_ok()) {
            words.remove(0);
        }
        match words.as_slice() {
            ["play", color, rest @ ..] => play(&mut game, Some(color), rest),
            [word @ ("nuke" | "tao" | "grow" | "layer"), color, rest @ ..] => {
                play(&mut game, Some(color), &[&[*word], rest].concat())
            }
            [
                "clear_board" | "boardsize" | "rectangular_boardsize" | "kawari-variant",
                ..,
            ] => new_game(setup).map(|start| game = start),
            _ => Ok(()),
        }
        .map_err(|why| (number, why))?;
        if turns.is_some_and(|turns| game.turns().len() >= turns) {
            break;
        }
    }
    ended_opening(&game).map_err(|why| (1, why))
}

fn new_game(setup: &Setup) -> Result<AnyGame, String> {
    AnyGame::new(setup).map_err(|error| error.to_string())
}

/// The turns of a game, which must not be over.
fn ended_opening(game: &AnyGame) -> Result<Opening, String> {
    match game.is_over() {
        true => Err("the game is over at the end of the opening".to_owned()),
        false => Ok(game.turns().to_vec()),
    }
}

/// Plays a turn of `color`; if there is none, of the colour in the first word, or of the
/// side to move.
fn play<S: AsRef<str>>(game: &mut AnyGame, color: Option<&str>, words: &[S]) -> Result<(), String> {
    let mut words: Vec<&str> = words.iter().map(AsRef::as_ref).collect();
    let first = words.first().and_then(|word| parse_color(word));
    let color: Color = match (color, first) {
        (Some(text), _) => parse_color(text).ok_or_else(|| format!("'{text}' is not a colour"))?,
        (None, Some(color)) => {
            words.remove(0);
            color
        }
        (None, None) => game.to_move(),
    };
    let written = words.join(" ");
    let action = game.parse(&words);
    match action.map_err(|error| format!("{written}: {error}"))? {
        Action::Resign => Err("an opening cannot contain a resignation".to_owned()),
        action => game
            .act(color, &action)
            .map_err(|error| format!("{written}: {error}")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rules::variant;

    fn setup(id: &str) -> Setup {
        Setup::new(variant(id).expect("a variant"))
    }

    fn written(setup: &Setup, list: &[Opening]) -> Vec<String> {
        let game = AnyGame::new(setup).expect("a start");
        let turn = |(color, turn): &(Color, _)| format!("{} {}", color.letter(), game.write(turn));
        let opening = |opening: &Opening| opening.iter().map(turn).collect::<Vec<_>>().join(", ");
        list.iter().map(opening).collect()
    }

    #[test]
    fn lines_hold_openings() {
        let setup = setup("no");
        let text = "# three openings\nD4 e5 PASS\n\nD4, E5; nuke D4 # boom\nW c3, B D4,w nuke C3";
        let list = parse_lines(text, &setup).expect("openings");
        assert_eq!(
            written(&setup, &list),
            [
                "B D4, W E5, B pass",
                "B D4, W E5, B nuke D4",
                "W C3, B D4, W nuke C3"
            ]
        );
    }

    #[test]
    fn a_transcript_is_an_opening() {
        let setup = setup("sygo");
        let text = "kawari-variant sygo\nboardsize 19\n1 play w D4\nclear_board\nplay w K10\n\
            play b Q4\n# no\n2 grow w K11\ngenmove b\nplay b D4\n";
        let opening = parse_transcript(text, &setup, None).expect("an opening");
        let expected = ["W K10, B Q4, W grow K11, B D4"];
        assert_eq!(written(&setup, &[opening]), expected);
        let opening = parse_transcript(text, &setup, Some(2)).expect("an opening");
        assert_eq!(written(&setup, &[opening]), ["W K10, B Q4"]);
    }

    #[test]
    fn errors_name_the_line() {
        let setup = setup("go");
        for (text, line, why) in [
            ("D4\nD4 D4", 2, "D4: occupied"),
            ("pass pass", 1, "the game is over"),
            ("D4, nuke D4", 1, "nuke D4: no such turn"),
            ("\n\nZ99", 3, "Z99: off the board"),
            ("resign, D4", 1, "an opening cannot contain"),
        ] {
            let (at, message) = parse_lines(text, &setup).expect_err(text);
            assert_eq!(at, line, "{text}");
            assert!(message.starts_with(why), "{text}: {message}");
        }
        let (line, _) = parse_transcript("play b D4\nplay x D5", &setup, None).expect_err("x");
        assert_eq!(line, 2);
    }
}
