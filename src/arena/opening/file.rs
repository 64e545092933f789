use super::Opening;
use crate::board::Color;
use crate::encoding::Encoding;
use crate::files::{self, FileError, without_mark};
use crate::line_file::in_file;
use crate::rules::{Action, Game, Setup, Turn, parse_vertex, split_color};
use crate::sgf::{self, GameRecord, NamedRules, NodeId};
use crate::transcript::{self, Defaults, Split, TranscriptError, replay_session};
use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

/// Line number from 1, and the error.
pub type LineError = (usize, String);

/// Reads the openings of a file, or of all files of a directory, sorted by name. `*.sgf` and
/// `*.gtp` files hold games. Other files hold an opening per line: turns separated by commas, or
/// vertices and passes by spaces; `#` begins a comment. `turns` cuts the openings.
pub fn read(path: &Path, setup: &Setup, turns: Option<usize>) -> Result<Vec<Opening>, String> {
    let mut files = vec![path.to_owned()];
    if path.is_dir() {
        let entries = fs::read_dir(path).map_err(FileError::from).map_err(in_file(path))?;
        files = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
        files.retain(|file| file.is_file());
        files.sort();
    }
    let mut list = Vec::new();
    for file in &files {
        let bytes = files::read(file).map_err(in_file(file))?;
        let extension = file.extension().and_then(|extension| extension.to_str());
        let parsed = parse(&bytes, extension.unwrap_or_default(), setup, turns);
        let in_line = |(line, why): LineError| format!("{}:{line}: {why}", file.display());
        list.extend(parsed.map_err(in_line)?);
    }
    for opening in &mut list {
        opening.truncate(turns.unwrap_or(usize::MAX));
    }
    if list.is_empty() { Err(in_file(path)("no openings")) } else { Ok(list) }
}

pub fn parse(
    bytes: &[u8],
    extension: &str,
    setup: &Setup,
    turns: Option<usize>,
) -> Result<Vec<Opening>, LineError> {
    let bytes = without_mark(bytes);
    match extension {
        "sgf" => parse_sgf(bytes, setup, turns),
        "gtp" => parse_transcript(bytes, setup, turns),
        _ => parse_lines(&String::from_utf8_lossy(bytes), setup),
    }
}

fn parse_sgf(bytes: &[u8], setup: &Setup, turns: Option<usize>) -> Result<Vec<Opening>, LineError> {
    let start = new_game(setup).map_err(|why| (1, why))?;
    let mut list = Vec::new();
    for tree in sgf::games(bytes) {
        let tree = tree.map_err(|error| (error.position.line, error.to_string()))?;
        // Lazy, because finding the line reads the file again.
        let to_error = |why: String| (tree.text_position(NodeId::ROOT).line, why);
        let record = GameRecord::read(&tree, setup).map_err(|error| to_error(error.to_string()))?;
        let refusal = record.refusal();
        if let Some(refusal) = refusal.filter(|refusal| turns.is_none_or(|n| refusal.number <= n)) {
            let line = record.tree().text_position(refusal.node).line;
            return Err((line, record.error(refusal).to_string()));
        }
        if record.sets_up() {
            return Err(to_error("the game has set-up stones".to_owned()));
        }
        let game =
            replay(&record.setup, &record.turns(), &start, setup, turns).map_err(to_error)?;
        list.push(ended_opening(&game).map_err(to_error)?);
    }
    Ok(list)
}

fn replay(
    recorded: &Setup,
    list: &[(Color, Turn)],
    start: &Game,
    setup: &Setup,
    turns: Option<usize>,
) -> Result<Game, String> {
    let handicap = |setup: &Setup| BTreeSet::from_iter(setup.handicap.iter().copied());
    if recorded.info.id != setup.info.id || recorded.size != setup.size {
        return Err("a game of another variant or size than the match".to_owned());
    }
    if recorded.handicap.len() != setup.handicap.len() || handicap(recorded) != handicap(setup) {
        return Err("a game of another handicap than the match".to_owned());
    }
    if recorded.stones.iter().any(|list| !list.is_empty()) {
        return Err("the game has set-up stones".to_owned());
    }
    let mut game = start.clone();
    for (color, turn) in list.iter().take(turns.unwrap_or(usize::MAX)) {
        let played = game.play(*color, turn);
        played.map_err(|error| format!("{}: {error}", game.write(turn)))?;
    }
    Ok(game)
}

fn parse_transcript(
    text: &[u8],
    setup: &Setup,
    turns: Option<usize>,
) -> Result<Vec<Opening>, LineError> {
    let defaults = Defaults {
        setup: setup.clone(),
        encoding: Encoding::Native,
        chosen_rules: Some(NamedRules::new(&setup.rules)),
    };
    let start = new_game(setup).map_err(|why| (1, why))?;
    let mut session = replay_session(&defaults).map_err(|error| (1, error.to_string()))?;
    let mut list = Vec::new();
    for split in transcript::games(text, &defaults) {
        let to_error = |TranscriptError { line, why }| {
            let line = usize::try_from(line).unwrap_or(usize::MAX);
            (line, why.to_string())
        };
        let game = match split {
            Split::Game(game) => game,
            Split::Unreadable(error) => return Err(to_error(error)),
        };
        let line = usize::try_from(game.line()).unwrap_or(usize::MAX);
        let played = game.replay(&mut session, turns.unwrap_or(usize::MAX));
        played.map_err(to_error)?;
        let played = session.game().turns();
        let game =
            replay(session.setup(), played, &start, setup, turns).map_err(|why| (line, why))?;
        list.push(ended_opening(&game).map_err(|why| (line, why))?);
    }
    Ok(list)
}

pub(super) fn parse_lines(text: &str, setup: &Setup) -> Result<Vec<Opening>, LineError> {
    let start = new_game(setup).map_err(|why| (1, why))?;
    let mut list = Vec::new();
    for (number, line) in (1..).zip(text.lines()) {
        let line = line.split('#').next().unwrap_or_default().trim();
        if line.is_empty() {
            continue;
        }
        let mut game = start.clone();
        for turn in turns_of(line) {
            play(&mut game, &turn).map_err(|why| (number, why))?;
        }
        list.push(ended_opening(&game).map_err(|why| (number, why))?);
    }
    Ok(list)
}

fn turns_of(line: &str) -> Vec<Vec<&str>> {
    let is_vertex = |word: &&str| parse_vertex(word).is_some() || word.eq_ignore_ascii_case("pass");
    let words: Vec<&str> = line.split_whitespace().collect();
    if words.iter().all(is_vertex) {
        return words.into_iter().map(|word| vec![word]).collect();
    }
    let parts = line.split([',', ';']).map(str::trim).filter(|part| !part.is_empty());
    parts.map(|part| part.split_whitespace().collect()).collect()
}

fn new_game(setup: &Setup) -> Result<Game, String> {
    Game::new(setup).map_err(|error| error.to_string())
}

fn ended_opening(game: &Game) -> Result<Opening, String> {
    if game.is_over() {
        Err("the game is over at the end of the opening".to_owned())
    } else {
        Ok(game.turns().to_vec())
    }
}

/// Without a colour as first word, the side to move plays.
fn play(game: &mut Game, words: &[&str]) -> Result<(), String> {
    let (color, words) = split_color(words);
    let written = words.join(" ");
    let action = game.parse_words(words);
    match action.map_err(|error| format!("{written}: {error}"))? {
        Action::Resign => Err("an opening cannot contain a resignation".to_owned()),
        action => game
            .apply(color.unwrap_or(game.to_move()), &action)
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
        let game = Game::new(setup).expect("a start");
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
            ["B D4, W E5, B pass", "B D4, W E5, B nuke D4", "W C3, B D4, W nuke C3"]
        );
    }

    #[test]
    fn a_byte_order_mark_is_no_part_of_an_opening() {
        let setup = setup("go");
        let list = parse(b"\xef\xbb\xbfC3 D4\n", "txt", &setup, None).expect("openings");
        assert_eq!(written(&setup, &list), ["B C3, W D4"]);
    }

    #[test]
    fn a_refused_turn_of_a_record_is_an_error() {
        let setup = setup("go");
        let file = b"(;GM[1]SZ[19];B[dd];W[pp]\n;B[dd];W[dp])";
        let (line, why) = parse(file, "sgf", &setup, None).expect_err("a refused turn");
        assert_eq!((line, why.as_str()), (2, "turn 3, B D16: occupied: the point is not empty"));
        let list = parse(file, "sgf", &setup, Some(2)).expect("an opening");
        assert_eq!(written(&setup, &list), ["B D16, W Q4"]);
    }

    #[test]
    fn transcripts_hold_openings() {
        let setup = setup("sygo");
        let read = |text: &str, turns| {
            let list = parse_transcript(text.as_bytes(), &setup, turns)?;
            Ok::<_, LineError>(written(&setup, &list))
        };
        let text = "kawari-variant sygo\nboardsize 19\n1 play w D4\nclear_board\nplay w K10\n\
            play b Q4\n# no\n2 grow w K11\nplay b D4\n";
        let expected = ["W D4", "W K10, B Q4, W grow K11, B D4"];
        assert_eq!(read(text, None).expect("openings"), expected);
        let expected = ["W D4", "W K10, B Q4"];
        assert_eq!(read(text, Some(2)).expect("openings"), expected);
        // Responses state the generated, undone and refused moves.
        let log = ">> genmove w\n<< = K10\n>> play b K10\n<< ? illegal move\n>> play b D4\n\
            << =\n>> undo\n<< =\n>> play b Q4\n<< =\n";
        assert_eq!(read(log, None).expect("an opening"), ["W K10, B Q4"]);
        for (text, line, why) in [
            ("genmove w\n", 1, "genmove: the transcript lacks the generated move"),
            ("play w D4\nplay x D5", 2, "turn 2"),
            ("boardsize 13\nplay w D4", 2, "a game of another variant or size"),
        ] {
            let (at, message) = read(text, None).expect_err(text);
            assert_eq!(at, line, "{text}");
            assert!(message.starts_with(why), "{text}: {message}");
        }
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
    }
}
