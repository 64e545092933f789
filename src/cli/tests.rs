//! Options, and the defaults that their help names.

use super::*;

fn words(text: &str) -> Vec<OsString> {
    text.split(' ').map(OsString::from).collect()
}

fn cli(text: &str) -> Cli {
    let matches = command().try_get_matches_from(with_gtp_first(words(text)));
    Cli::from_arg_matches(&matches.unwrap_or_else(|error| panic!("{text}: {error}")))
        .expect("options")
}

#[test]
fn gtp_may_follow_its_options() {
    for (text, moved) in [
        ("kawari --variant no gtp", "kawari gtp --variant no"),
        ("kawari --variant no gtp --size 9", "kawari gtp --variant no --size 9"),
        ("kawari --log-file gtp", "kawari --log-file gtp"),
        ("kawari gtp --variant no", "kawari gtp --variant no"),
        ("kawari guide gtp", "kawari guide gtp"),
    ] {
        assert_eq!(with_gtp_first(words(text)), words(moved), "{text}");
    }
    let version = command().try_get_matches_from(words("kawari gtp --version"));
    let shown = version.expect_err("a version");
    assert_eq!(shown.kind(), clap::error::ErrorKind::DisplayVersion);
}

/// How a default shows.
enum Shown {
    /// These words name the default, so they change nothing.
    Same(String),
    /// The words after `|` change nothing beside those before it.
    Beside(&'static str),
    /// The settings have this text.
    As(&'static str),
    /// Another test has it.
    Elsewhere,
}
use Shown::{As, Beside, Elsewhere, Same};

/// The settings of a command line, as the program will use them.
fn settings(text: &str) -> String {
    match cli(text).command.unwrap_or_else(|| panic!("{text}: no command")) {
        Command::Gtp(options) => {
            let setup = options.game.setup().expect("a setup");
            format!("{:?} {setup:?}", options.settings(setup.info, 2).expect("settings"))
        }
        Command::Analysis(options) => format!("{:?}", options.settings().expect("settings")),
        Command::Match(options) => format!("{:?}", options.plan(7).expect("a match")),
        Command::Balance(options) => {
            format!("{:?} {}", options.study().expect("a study"), options.threads())
        }
        Command::Solve(options) => {
            let setup = options.game.setup().expect("a setup");
            format!("{setup:?} {:?} time: {:?}", options.settings(), options.time)
        }
        Command::Problems(options) => format!("{:?}", options.settings().expect("settings")),
        Command::Check(options) => {
            let (defaults, threads) = (options.defaults().expect("rules"), options.threads());
            format!("{defaults:?} {threads} format: {:?}", options.format)
        }
        Command::Watch(options) => {
            let (settings, setup) = (options.settings(), options.setup());
            format!("{:?} {:?} {:?}", settings.expect("settings"), setup, options.delay())
        }
        Command::Bench(options) => format!("{options:?}"),
        Command::Board(board::BoardCommand::Board(options)) => format!("{:?}", options.tabs()),
        Command::Train(command) => command.settings(),
        other => panic!("{other:?}: no settings"),
    }
}

/// The options of a command whose help names a default that the parser does not know.
fn stated(command: &clap::Command) -> Vec<(String, String)> {
    let args = command.get_arguments();
    let default = |arg: &clap::Arg| {
        let help = arg.get_help()?.to_string();
        let (_, rest) = help.split_once("[default: ")?;
        Some((arg.get_long()?.to_owned(), rest.split([']', ';']).next()?.to_owned()))
    };
    args.filter_map(default).collect()
}

/// The help is true.
#[test]
fn defaults_in_the_help_are_those_of_the_program() {
    let all_cores = format!("--threads={}", cores());
    let engines = "kawari match --engine a=x --engine b=y";
    let (gtp, analysis) = ("kawari gtp --seed 1", "kawari analysis --seed 1");
    let (solve, balance) = ("kawari solve", "kawari balance");
    let same = |words: &str| Same(words.to_owned());
    let number = crate::analysis::settings::DEFAULT_VISITS;
    let visits = format!("{number}, or no limit with --time");
    let mut rows = Vec::new();
    let (watch, bench) = ("kawari watch --seed 1", "kawari bench");
    let selfplay = "kawari train selfplay --out x --seed 1";
    let gate = "kawari train gate --net x --seed 1";
    let records = "kawari train records x --out x";
    let pack = "kawari train pack x --out x";
    let games =
        [gtp, engines, balance, solve, "kawari problems", "kawari check", watch, selfplay, gate];
    for base in games {
        let (side, size) =
            if base.ends_with("problems") { ("5", "--size=5") } else { ("19", "--size=19") };
        // An option that names rules means a choice to a referee.
        let rule = if base.ends_with("check") {
            As("ko: Positional")
        } else {
            same("--rule=ko=positional")
        };
        rows.extend([
            (base, "size", side, same(size)),
            (base, "komi", "the variant's", same("--komi=7.5")),
            (base, "rule", "the variant's", rule),
            (base, "block", "none", As("blocked_points: []")),
        ]);
    }
    for base in [gtp, analysis, watch, selfplay, gate] {
        rows.extend([
            (base, "threads", "1", same("--threads=1")),
            (base, "memory", "256", same("--memory=256")),
            (base, "seed", "a new one for each game", Elsewhere),
            (base, "param", "see `kawari commands`", Elsewhere),
        ]);
    }
    for (base, playouts) in [(selfplay, "300"), (gate, "200")] {
        let words = format!("--playouts={playouts}");
        rows.extend([
            (base, "playouts", playouts, Same(words)),
            (base, "sizes", "--size", same("--sizes=19:1")),
        ]);
    }
    for base in [gtp, analysis, watch] {
        let built_in = "the built-in net, if the variant has one";
        rows.push((base, "net", built_in, As("net: None")));
    }
    let half = "the number of cores divided by --threads";
    let positions = Same(format!("--analysis-threads={}", cores()));
    let delay = if io::stdout().is_terminal() { "--delay=0.5" } else { "--delay=0" };
    let of_board = format!("--threads={}", options::half(cores()).min(8));
    rows.extend([
        (gtp, "playouts", "0", same("--playouts=0")),
        (gtp, "time", "1 if no playouts are set and no clock runs", As("time: None")),
        (gtp, "level", "10", same("--level=10")),
        (gtp, "ponder", "false", same("--ponder=false")),
        (gtp, "resign", "false", same("--resign=false")),
        (gtp, "encoding", "native", same("--encoding=native")),
        (analysis, "playouts", visits.as_str(), As("playouts: None")),
        (analysis, "time", "no limit", As("time: None")),
        (analysis, "analysis-threads", half, positions),
        (engines, "time", "none", same("--time=none")),
        (engines, "playouts", "the engine's", As("playouts: None")),
        (
            engines,
            "move-format",
            "turns for engines that list kawari-genturn, else native",
            As("move_format: None"),
        ),
        (engines, "handicap", "none", same("--handicap=0")),
        (engines, "openings", "the empty board", As("openings: None")),
        (engines, "opening-playouts", "100", Beside("--opening-turns=4|--opening-playouts=100")),
        (engines, "shard", "the whole match", same("--seed=7 --shard=1/1")),
        (engines, "referee", "none", As("referee: None")),
        (
            engines,
            "max-turns",
            "1000, or 4 for each point if that is more",
            Beside("--size=9|--max-turns=1000"),
        ),
        (engines, "adjudicate-turns", "never", As("adjudicate_turns: None")),
        (engines, "seed", "that of the results file, or a random one", As("seed: Some(Within(7))")),
        (balance, "threads", "the number of cores", Same(all_cores.clone())),
        (balance, "from", "komi near the estimated fair komi", As("Adaptive")),
        (solve, "threads", "the number of cores", Same(all_cores.clone())),
        (solve, "time", "never", As("time: None")),
        ("kawari problems", "out", "print them", Elsewhere),
        ("kawari check", "format", "detected", As("format: None")),
        ("kawari check", "threads", "the number of cores", Same(all_cores.clone())),
        ("kawari check", "encoding", "native", same("--encoding=native")),
        (watch, "playouts", "0", same("--playouts=0")),
        (watch, "time", "1 if no playouts are set and no clock runs", As("time: None")),
        (watch, "delay", "0.5 on a terminal, else 0", same(delay)),
        (bench, "variant", "all", As("variant: None")),
        (selfplay, "net", "the search without a net", As("net: None")),
        (gate, "against", "the search without a net", As("against: None")),
        (records, "threads", "the number of cores", Same(all_cores.clone())),
        (pack, "size", "all", As("size: None")),
    ]);
    rows.push(("kawari board", "threads", "half of the cores, at most 8", Same(of_board)));
    let all = command();
    let others = [analysis, bench, "kawari board", records, pack];
    let more = ["kawari train positions", "kawari train export", "kawari train evaluate"];
    for base in games.into_iter().chain(others).chain(more) {
        let names = base.split(' ').skip(1);
        let named = names.fold(&all, |of, name| of.find_subcommand(name).unwrap_or(of));
        for (option, words) in stated(named) {
            let is_named = |row: &&(&str, &str, &str, Shown)| {
                (row.0, row.1, row.2) == (base, option.as_str(), words.as_str())
            };
            assert_eq!(rows.iter().filter(is_named).count(), 1, "{base} --{option}: {words}");
        }
    }
    for (base, option, _, shown) in &rows {
        match shown {
            Same(words) => {
                assert_eq!(settings(&format!("{base} {words}")), settings(base), "--{option}");
            }
            Beside(words) => {
                let (beside, words) = words.split_once('|').expect("words");
                let with = format!("{base} {beside}");
                assert_eq!(settings(&format!("{with} {words}")), settings(&with), "--{option}");
            }
            As(text) => {
                assert!(settings(base).contains(text), "--{option}: {}", settings(base))
            }
            Elsewhere => {}
        }
    }
}

/// The help lists the exceptions among the games.
#[test]
fn each_game_has_the_default_size_that_the_help_names() {
    for info in crate::rules::VARIANTS {
        let base = format!("kawari solve --variant {}", info.id);
        let named = format!("{base} --size={}", info.default_side);
        assert_eq!(settings(&named), settings(&base));
    }
}
