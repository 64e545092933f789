//! Examples of every command, and the guides to read on, for its help and its manual page.

use clap::Command;

/// What the help of a command shows besides its options.
pub struct Examples {
    /// The words between `kawari` and its options; empty for the program itself.
    pub command: &'static str,
    pub lines: [&'static str; 2],
    /// Topics of `kawari guide`.
    pub guides: &'static [&'static str],
}

const fn of(
    command: &'static str,
    lines: [&'static str; 2],
    guides: &'static [&'static str],
) -> Examples {
    Examples { command, lines, guides }
}

pub const EXAMPLES: &[Examples] = &[
    of(
        "",
        ["kawari board", "kawari --variant no --size 9 --level 3"],
        &["first-game", "gogui", "sabaki"],
    ),
    of(
        "gtp",
        ["kawari gtp --variant tao --playouts 500", "kawari gtp --play black --size 9"],
        &["gogui", "sabaki", "clients"],
    ),
    of(
        "analysis",
        ["kawari analysis --playouts 200", "kawari analysis --variant no --analysis-threads 2"],
        &["analysis"],
    ),
    of(
        "board",
        ["kawari board", "kawari board --port 0 --no-open"],
        &["first-game", "board", "friend"],
    ),
    of(
        "watch",
        [
            "kawari watch --variant sygo --size 7",
            "kawari watch --variant no --playouts 100 --record game.gtp",
        ],
        &["clients"],
    ),
    of(
        "perft",
        ["kawari perft 3 --variant tao --size 4", "kawari perft 4 --size 3"],
        &["new-variant"],
    ),
    of("variants", ["kawari variants", "kawari variants no"], &["lessons", "play"]),
    of("commands", ["kawari commands", "kawari commands | grep kata-"], &["clients", "scripts"]),
    of(
        "train",
        [
            "kawari train selfplay --variant tao --size 7 --out games.jsonl",
            "kawari train records games --out games.jsonl",
        ],
        &["training", "nets"],
    ),
    of(
        "train selfplay",
        [
            "kawari train selfplay --variant tao --size 7 --games 100 --out games.jsonl",
            "kawari train selfplay --size 9 --net best.net --generation 1 --out games.jsonl",
        ],
        &["training"],
    ),
    of(
        "train records",
        [
            "kawari train records games --out games.jsonl",
            "kawari train records --min-turns 40 --rule scoring=area games.sgf --out games.jsonl",
        ],
        &["training"],
    ),
    of(
        "train positions",
        [
            "kawari train positions games.jsonl > questions.jsonl",
            "kawari train positions --phase end --positions 0.1 games.sgf > questions.jsonl",
        ],
        &["training"],
    ),
    of(
        "train pack",
        [
            "kawari train pack games.jsonl --out records.bin",
            "kawari train pack --size 9 --positions 0.5 games --out records.bin",
        ],
        &["training"],
    ),
    of(
        "train export",
        [
            "kawari train export weights --out new.net",
            "kawari train export --variant tao weights --out tao.net",
        ],
        &["training"],
    ),
    of(
        "train evaluate",
        [
            "kawari train evaluate new.net built-in --games games.jsonl",
            "kawari train evaluate --variant tao --json tao.net --games labels.jsonl",
        ],
        &["training"],
    ),
    of(
        "train gate",
        [
            "kawari train gate --variant tao --size 9 --net new.net",
            "kawari train gate --net new.net --against old.net --pairs 100",
        ],
        &["training"],
    ),
    of(
        "match",
        [
            "kawari match --variant tao --size 7 --games 4 --engine \"a=kawari --playouts 100\" --engine \"b=kawari --playouts 2\"",
            "kawari match --config match.toml --report match.html",
        ],
        &["match", "strength"],
    ),
    of(
        "match merge",
        [
            "kawari match merge part1.jsonl part2.jsonl --out all.jsonl",
            "kawari match merge parts/a.jsonl parts/b.jsonl --out match.jsonl --force",
        ],
        &["match"],
    ),
    of(
        "match report",
        ["kawari match report match.jsonl", "kawari match report a.jsonl b.jsonl --out both.html"],
        &["match"],
    ),
    of(
        "balance",
        [
            "kawari balance --variant no --size 5 --games 100",
            "kawari balance --size 7 --from 5 --to 11 --plot komi.svg",
        ],
        &["komi"],
    ),
    of(
        "solve",
        ["kawari solve --variant capture --size 4", "kawari solve --size 3 --turns B2 --json"],
        &["solve"],
    ),
    of(
        "problems",
        [
            "kawari problems --variant tao --count 5",
            "kawari problems --size 4 --seed 2 --out problems.sgf",
        ],
        &["solve"],
    ),
    of(
        "check",
        ["kawari check games/", "kawari check --variant no --json game.sgf"],
        &["check", "scripts"],
    ),
    of(
        "comply",
        ["kawari comply \"gnugo --mode gtp\"", "kawari comply --json \"kawari --playouts 1\""],
        &["scripts", "match"],
    ),
    of(
        "bench",
        ["kawari bench --variant go", "kawari bench --seconds 5 --kernels"],
        &["strength", "contributing"],
    ),
    of("guide", ["kawari guide", "kawari guide match"], &["glossary"]),
    of(
        "completions",
        ["kawari completions bash > kawari.bash", "kawari completions fish > kawari.fish"],
        &["clients"],
    ),
    of("man", ["kawari man > kawari.1", "kawari man man1"], &["clients"]),
];

/// The examples of a command, which clap has built or whose words are known.
pub fn examples(command: &str) -> Option<&'static Examples> {
    EXAMPLES.iter().find(|examples| examples.command == command)
}

/// The end of a help screen.
fn help(examples: &Examples) -> String {
    let lines: String = examples.lines.iter().map(|line| format!("  {line}\n")).collect();
    let guides: Vec<String> =
        examples.guides.iter().map(|topic| format!("kawari guide {topic}")).collect();
    format!("Examples:\n{lines}\nRead on: {}", guides.join(", "))
}

/// The command with examples in the help of all its subcommands; `path` are the words before.
pub fn with_examples(command: Command, path: &str) -> Command {
    let names: Vec<String> = command.get_subcommands().map(|of| of.get_name().to_owned()).collect();
    let command = names.into_iter().fold(command, |command, name| {
        let path = format!("{path} {name}").trim_start().to_owned();
        command.mut_subcommand(name, |of| with_examples(of, &path))
    });
    match examples(path) {
        Some(examples) => command.after_help(help(examples)),
        None => command,
    }
}

/// The last sections of a manual page, in roff.
pub fn sections(examples: &Examples) -> String {
    let escaped = |text: &str| text.replace('\\', "\\e").replace('-', "\\-");
    let mut page = ".SH EXAMPLES\n.nf\n".to_owned();
    for line in examples.lines {
        page += &format!("{}\n", escaped(line));
    }
    page += ".fi\n.SH \"SEE ALSO\"\n";
    let program = (!examples.command.is_empty()).then(|| "\\fBkawari\\fR(1)".to_owned());
    let guides = examples.guides.iter().map(|topic| escaped(&format!("kawari guide {topic}")));
    page += &program.into_iter().chain(guides).collect::<Vec<_>>().join(",\n");
    page + "\n"
}

#[cfg(test)]
mod tests {
    use super::{EXAMPLES, examples, sections, with_examples};
    use crate::cli::command;
    use crate::guide::guide;

    fn paths(command: &clap::Command, path: &str, found: &mut Vec<String>) {
        found.push(path.to_owned());
        for of in command.get_subcommands().filter(|of| !of.is_hide_set()) {
            paths(of, format!("{path} {}", of.get_name()).trim_start(), found);
        }
    }

    #[test]
    fn every_command_has_two_examples_that_parse() {
        let mut all = Vec::new();
        paths(&command(), "", &mut all);
        let mut known: Vec<&str> = EXAMPLES.iter().map(|examples| examples.command).collect();
        known.sort_unstable();
        all.sort_unstable();
        assert_eq!(all, known);
        for of in EXAMPLES {
            assert_ne!(of.lines[0], of.lines[1]);
            for line in of.lines {
                let words = shlex::split(line).expect("a command line");
                let words =
                    words.into_iter().take_while(|word| !["|", ">"].contains(&word.as_str()));
                let words: Vec<String> = words.collect();
                // The first example of the program is the command that most people want.
                let path = if line == "kawari board" { "board" } else { of.command };
                let start: Vec<&str> = path.split_whitespace().collect();
                assert_eq!(
                    words[1..].iter().take(start.len()).collect::<Vec<_>>(),
                    start,
                    "{line}"
                );
                let parsed = command().try_get_matches_from(&words);
                parsed.unwrap_or_else(|error| panic!("{line}: {error}"));
            }
            assert!(!of.guides.is_empty());
            assert!(of.guides.iter().all(|topic| guide(topic).is_some()), "{:?}", of.guides);
        }
    }

    #[test]
    fn help_ends_with_examples_and_guides() {
        let mut command = with_examples(command(), "");
        let gate =
            command.find_subcommand_mut("train").and_then(|of| of.find_subcommand_mut("gate"));
        let help = gate.expect("a command").render_help().to_string();
        assert!(help.contains("Examples:\n  kawari train gate "), "{help}");
        assert!(help.trim_end().ends_with("Read on: kawari guide training"), "{help}");
        let page = sections(examples("match").expect("examples"));
        assert!(page.contains(".SH EXAMPLES\n") && page.contains("kawari guide match"), "{page}");
    }
}
