//! Input lines on a terminal, with editing, history and completion.

use crate::gtp::arguments::ArgType;
use crate::gtp::request::{Request, parse_line};
use crate::gtp::table;
use crate::playing::params;
use crate::rules::VARIANTS;
use rustyline::completion::Completer;
use rustyline::config::{BellStyle, Configurer};
use rustyline::error::ReadlineError;
use rustyline::highlight::Highlighter;
use rustyline::hint::Hinter;
use rustyline::history::MemHistory;
use rustyline::validate::Validator;
use rustyline::{Context, Editor, Helper};
use std::io::{self, Read};

/// As if the signal had ended the program.
const INTERRUPTED: i32 = 130;

/// Each line is read with its line end. `quit` and Ctrl-D end the input, Ctrl-C the program.
pub struct LineEditor {
    editor: Editor<GtpHelper, MemHistory>,
    rest: Vec<u8>,
    ended: bool,
}

impl LineEditor {
    pub fn new() -> Result<LineEditor, ReadlineError> {
        let mut editor = Editor::with_history(rustyline::Config::default(), MemHistory::new())?;
        editor.set_bell_style(BellStyle::None);
        editor.set_auto_add_history(true);
        editor.set_helper(Some(GtpHelper));
        Ok(LineEditor { editor, rest: Vec::new(), ended: false })
    }

    fn next(&mut self) {
        match self.editor.readline("") {
            Ok(line) => {
                // Leaves the terminal clean when the program ends.
                self.ended = is_quit(&line);
                self.rest = line.into_bytes();
                self.rest.push(b'\n');
            }
            // While a line is edited, the terminal sends no signal.
            Err(ReadlineError::Interrupted) => std::process::exit(INTERRUPTED),
            Err(_) => self.ended = true,
        }
    }
}

fn is_quit(line: &str) -> bool {
    matches!(parse_line(line.as_bytes()), Some(Request::Command(command)) if command.name == "quit")
}

impl Read for LineEditor {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        if self.rest.is_empty() && !self.ended {
            self.next();
        }
        let count = self.rest.len().min(buffer.len());
        let bytes = self.rest.drain(..count);
        for (place, byte) in buffer.iter_mut().zip(bytes) {
            *place = byte;
        }
        Ok(count)
    }
}

struct GtpHelper;

impl Helper for GtpHelper {}
impl Highlighter for GtpHelper {}
impl Validator for GtpHelper {}

impl Hinter for GtpHelper {
    type Hint = String;
}

impl Completer for GtpHelper {
    type Candidate = String;

    fn complete(
        &self,
        line: &str,
        at: usize,
        _: &Context<'_>,
    ) -> rustyline::Result<(usize, Vec<String>)> {
        Ok(completions(line.get(..at).unwrap_or(line)))
    }
}

/// The start of the last word, and its completions.
fn completions(text: &str) -> (usize, Vec<String>) {
    let begin = text.rfind(' ').map_or(0, |blank| blank + 1);
    let (before, word) = text.split_at(begin);
    let mut names = candidates(&before.split_whitespace().collect::<Vec<_>>());
    names.retain(|name| name.starts_with(word));
    names.sort_unstable();
    names.dedup();
    (begin, names)
}

fn candidates(before: &[&str]) -> Vec<String> {
    let commands = || table::all().map(|spec| spec.name.to_owned());
    let Some((&name, given)) = before.split_first() else {
        return commands().chain(["help".to_owned()]).collect();
    };
    if ["help", "kawari-help", "known_command"].contains(&name) {
        return commands().collect();
    }
    if name == "kawari-variant" {
        return VARIANTS.iter().map(|info| info.id.to_owned()).collect();
    }
    let args = table::find(name).map_or(&[][..], |spec| spec.args);
    let Some(arg) = args.get(given.len()) else {
        return Vec::new();
    };
    match arg.kind {
        ArgType::Color => vec!["black".to_owned(), "white".to_owned()],
        ArgType::OneOf(words) => words.iter().map(|&word| word.to_owned()).collect(),
        _ if name.ends_with("-param") => params::names().map(str::to_owned).collect(),
        _ => Vec::new(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_and_arguments_are_completed() {
        for (text, begin, some) in [
            ("genm", 0, "genmove"),
            ("", 0, "help"),
            ("genmove w", 8, "white"),
            ("play ", 5, "black"),
            ("help und", 5, "undo"),
            ("kawari-variant go", 15, "go-san"),
            ("final_status_list s", 18, "seki"),
            ("kata-set-param play", 15, "playouts"),
        ] {
            let (at, found) = completions(text);
            assert_eq!(at, begin, "{text}");
            assert!(found.iter().any(|name| name == some), "{text}: {found:?}");
        }
        assert_eq!(completions("play b D").1, Vec::<String>::new());
        assert_eq!(completions("nothing x").1, Vec::<String>::new());
    }

    #[test]
    fn only_quit_ends_the_session() {
        assert!(is_quit("quit") && is_quit(" 7 quit now"));
        assert!(!is_quit("# quit") && !is_quit("help quit") && !is_quit(""));
    }
}
