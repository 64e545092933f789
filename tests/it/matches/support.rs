//! Helpers of the tests of matches.

use crate::common::TIMEOUT;
use assert_cmd::Command;
use kawari::arena::results::MatchGame;
use kawari::arena::results::MatchHeader;
use kawari::arena::results::ResultsLine;
use kawari::rules::{Game, Setup, VARIANTS, split_color};
use std::fs;
use std::path::PathBuf;

pub const KAWARI: &str = env!("CARGO_BIN_EXE_kawari");

/// The directory of a test, deleted at its end.
pub struct TestDirectory(pub PathBuf);

impl TestDirectory {
    pub fn new(name: &str) -> TestDirectory {
        let path = std::env::temp_dir().join(format!("kawari-{name}-{}", std::process::id()));
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory");
        TestDirectory(path)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.0.join(name)
    }

    /// The command `kawari match`, its results in the file `out`.
    pub fn command(&self, out: &str, args: &[&str]) -> Command {
        let mut command = Command::new(KAWARI);
        command.current_dir(&self.0).arg("match").args(args);
        command.args(["--out", out]).timeout(TIMEOUT);
        command
    }

    /// Plays a match, whose games the referee must find good; returns its output.
    pub fn play(&self, out: &str, args: &[&str]) -> String {
        let assert = self.command(out, args).assert().success();
        self.referee(&[out]);
        if let Some(at) = args.iter().position(|arg| *arg == "--sgf") {
            // The results file confirms the scores of a referee program.
            self.referee(&[out, args[at + 1]]);
        }
        String::from_utf8(assert.get_output().stdout.clone()).expect("text")
    }

    /// Checks all games of a file or directory as a strict referee does: none is illegal, wrong,
    /// unreadable, odd, or lacks what determines it. Adjudicated games have not ended.
    fn referee(&self, games: &[&str]) {
        let mut check = Command::new(KAWARI);
        check.current_dir(&self.0).args(["check", "--strict"]).args(games);
        let assert = check.assert().success();
        let report = String::from_utf8_lossy(&assert.get_output().stdout).into_owned();
        let mut notes = report.lines().filter(|line| line.contains("note:"));
        assert!(notes.all(|line| line.ends_with("(unfinished)")), "{report}");
    }

    pub fn records(&self, out: &str) -> (MatchHeader, Vec<MatchGame>) {
        let text = fs::read_to_string(self.path(out)).expect("results");
        let (mut header, mut games) = (None, Vec::new());
        for line in text.lines() {
            match ResultsLine::parse(line).expect("a record") {
                ResultsLine::Header(found) => header = Some(*found),
                ResultsLine::Game(game) => games.push(*game),
            }
        }
        (header.expect("a header"), games)
    }

    pub fn numbers(&self, out: &str) -> Vec<u64> {
        let mut numbers: Vec<_> = self.records(out).1.iter().map(|game| game.game).collect();
        numbers.sort_unstable();
        numbers
    }

    /// A fake engine that runs a script for each genmove.
    pub fn fake(&self, name: &str, mischief: &str) -> String {
        let script = format!(
            r"n=0
            while read -r command rest; do
                case $command in
                list_commands) printf '= name\nplay\nboardsize\nrectangular_boardsize\nclear_board\nkomi\ngenmove\ntime_settings\nquit\n\n';;
                name) printf '= fake\n\n';;
                version) printf '? unknown command\n\n';;
                quit) printf '=\n\n'; exit;;
                genmove) {mischief};;
                *) printf '= \n\n';;
                esac
            done"
        );
        let path = self.path(&format!("{name}.sh"));
        fs::write(&path, script).expect("a script");
        format!("/bin/sh {}", path.display())
    }
}

impl Drop for TestDirectory {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

/// The command line of an instant engine.
pub fn instant(args: &str) -> String {
    format!("{KAWARI} --playouts 1 {args}")
}

/// Replays the game of a record: all turns are legal.
pub fn replay(game: &MatchGame) -> Game {
    assert_eq!(game.setup.missing(), Vec::<&str>::new());
    let setup = game.setup.setup(&Setup::new(VARIANTS[0])).expect("a setup");
    let mut replayed = Game::new(&setup).expect("a start");
    for turn in &game.turns {
        let words: Vec<_> = turn.split(' ').collect();
        let (color, words) = split_color(&words);
        let action = replayed.parse_words(words).expect("a turn");
        let color = color.expect("a colour");
        assert_eq!(replayed.apply(color, &action), Ok(()), "{turn}");
    }
    replayed
}

/// The error message of a wrong command line.
pub fn error_message(mut command: Command) -> String {
    let assert = command.assert().code(2);
    String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
}
