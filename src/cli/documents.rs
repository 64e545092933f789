//! The program's own documents: guides, completions and manual pages.

use super::examples::{examples, sections};
use super::{CliResult, Error, markdown, print, served};
use crate::guide::{self, GROUPS, guides};
use clap::Command;
use clap::builder::{PossibleValue, PossibleValuesParser};
use clap_complete::Shell;
use clap_mangen::Man;
use std::fs;
use std::io::{self, Write};
use std::path::Path;

pub fn print_guide(topic: Option<&str>) -> CliResult {
    match topic.and_then(guide::guide) {
        Some(guide) => markdown::show(&guide.text()),
        None => print(&list()),
    }
}

pub fn topics() -> PossibleValuesParser {
    guides().map(|guide| PossibleValue::new(guide.topic).help(guide.summary)).into()
}

fn list() -> String {
    let line = |guide: &guide::Guide| format!("  {:<14}{}\n", guide.topic, guide.summary);
    let lines = |group: &guide::Group| group.guides.iter().map(line).collect::<String>();
    let groups = GROUPS.iter().map(|group| format!("{}\n{}", group.title, lines(group)));
    groups.collect::<Vec<_>>().join("\n")
}

pub fn completions(mut command: Command, shell: Shell) -> CliResult {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut command, "kawari", &mut script);
    print_bytes(&script)
}

/// Markdown as plain text: headings, emphasis and code without their signs, and a line for each row
/// of a table, whose bold values are defaults.
pub fn plain_text(markdown: &str) -> String {
    let is_rule = |line: &str| line.starts_with("| ---");
    let lines: Vec<&str> = markdown.lines().collect();
    let mut plain = String::new();
    for (number, line) in lines.iter().enumerate() {
        let is_head = lines.get(number + 1).is_some_and(|next| is_rule(next));
        if is_rule(line) || is_head && line.starts_with('|') {
            continue;
        }
        plain.push_str(&match line.strip_prefix('|') {
            Some(row) => table_row(row),
            None => line.trim_start_matches('#').trim_start().replace(['`', '*'], ""),
        });
        plain.push('\n');
    }
    plain
}

fn table_row(row: &str) -> String {
    let cells = row.trim_end_matches('|').split('|').map(|cell| {
        let mut bold = cell.trim().split("**");
        let mut text = bold.next().unwrap_or_default().to_owned();
        while let (Some(inner), Some(rest)) = (bold.next(), bold.next()) {
            text.push_str(&format!("{inner} (default){rest}"));
        }
        text.replace('`', "")
    });
    let cells: Vec<String> = cells.filter(|cell| !cell.is_empty()).collect();
    format!("  {}", cells.join(": "))
}

/// Without a directory, only the page of the program itself.
pub fn man(mut command: Command, directory: Option<&Path>) -> CliResult {
    command = command.disable_help_subcommand(true);
    command.build();
    match directory {
        None => print_bytes(&manual_page(&command)?),
        Some(directory) => {
            let created = fs::create_dir_all(directory);
            let written = created.and_then(|()| write_pages(&command, directory));
            written.map_err(Error::in_file(directory))
        }
    }
}

/// Writes the manual pages of a command and its subcommands.
fn write_pages(command: &Command, directory: &Path) -> io::Result<()> {
    for of in command.get_subcommands().filter(|of| !of.is_hide_set()) {
        write_pages(of, directory)?;
    }
    let name = command.get_display_name().unwrap_or_else(|| command.get_name());
    fs::write(directory.join(format!("{name}.1")), manual_page(command)?)
}

fn manual_page(command: &Command) -> io::Result<Vec<u8>> {
    let mut page = Vec::new();
    Man::new(command.clone()).render(&mut page)?;
    let path = command.get_bin_name().unwrap_or_default();
    let path = path.strip_prefix("kawari").unwrap_or(path).trim_start();
    let sections = examples(path).map(sections);
    page.extend(sections.unwrap_or_default().into_bytes());
    Ok(page)
}

fn print_bytes(bytes: &[u8]) -> CliResult {
    let mut out = io::stdout().lock();
    served(out.write_all(bytes).and_then(|()| out.flush()))
}

#[cfg(test)]
mod tests {
    use super::super::{Cli, Command};
    use super::guides;
    use clap::Parser;
    use clap::error::ErrorKind::{
        self, DisplayHelpOnMissingArgumentOrSubcommand, MissingRequiredArgument,
    };
    use std::fs;

    #[test]
    fn rules_are_printed_without_the_signs_of_markdown() {
        let text = "# `no`: Nuclear Go\n\nGo with a *nuke*.\n\n| option | values | |\n| --- | --- | --- |\n\
            | `ko` | **simple**, none | what is forbidden |\n";
        let plain = "no: Nuclear Go\n\nGo with a nuke.\n\n  ko: simple (default), none: what is forbidden\n";
        assert_eq!(super::plain_text(text), plain);
        for info in crate::rules::VARIANTS {
            let plain = super::plain_text(&info.text());
            assert!(!plain.contains(['`', '|', '#']) && !plain.contains("**"), "{plain}");
        }
    }

    /// The lines of blocks of shell commands, and the code in tables; continued lines are joined.
    fn shell_lines(markdown: &str) -> Vec<String> {
        let mut lines = Vec::new();
        let mut in_block = false;
        for line in markdown.replace("\\\n", " ").lines() {
            let line = line.trim();
            match line.strip_prefix("```") {
                Some(language) => in_block = language == "sh",
                None if in_block => lines.push(line.to_owned()),
                None => lines.extend(line.split('`').skip(1).step_by(2).filter_map(inline_command)),
            }
        }
        lines
    }

    /// A command in running text; the table for Sabaki has only arguments.
    fn inline_command(code: &str) -> Option<String> {
        let is_command = code.starts_with("kawari ") || code.starts_with("/path/to/kawari ");
        // '…' stands for options that are left out.
        // A line of `Cargo.toml` has " = ".
        let is_whole = !["…", "::", " = "].iter().any(|part| code.contains(part));
        if code.starts_with("--variant ") {
            Some(format!("kawari {code}"))
        } else {
            (is_command && is_whole).then(|| code.to_owned())
        }
    }

    /// The commands of kawari in a line: itself, and those that it hands to other programs.
    fn commands(line: &str) -> Vec<Vec<String>> {
        let line = line.strip_prefix("$ ").unwrap_or(line);
        let words = shlex::split(line).unwrap_or_else(|| panic!("no shell command: {line}"));
        let nested = words.iter().filter_map(|word| {
            let (_, command) = word.split_once('=').unwrap_or(("", word));
            let command = if command.contains(' ') { command } else { word };
            (command.starts_with("kawari ") && command != line).then_some(command)
        });
        let mut found: Vec<_> = nested.flat_map(commands).collect();
        let start = match words.iter().map(String::as_str).collect::<Vec<_>>().as_slice() {
            ["cargo", "run", "--release", "--", ..] => 3,
            [program, ..] if program.ends_with("kawari") && !program.contains('=') => 0,
            _ => return found,
        };
        found.push(words.get(start..).unwrap_or_default().to_vec());
        found
    }

    fn is_incomplete(kind: ErrorKind) -> bool {
        matches!(kind, MissingRequiredArgument | DisplayHelpOnMissingArgumentOrSubcommand)
    }

    fn parse(words: &[String]) {
        let line = words.join(" ");
        let words = words.iter().map(|word| match word.as_str() {
            "TOPIC" => "match",
            "ID" => "go",
            "{seed}" => "1",
            word => word,
        });
        let cli = match Cli::try_parse_from(words) {
            Ok(cli) => cli,
            Err(error) if error.exit_code() == 0 => return, // help is asked for
            // The name of a subcommand in running text.
            Err(error) if is_incomplete(error.kind()) && !line.contains(" -") => return,
            Err(error) => panic!("{line}: {error}"),
        };
        // Sessions are also set up, because parameters and rules are checked later.
        let options = match cli.command {
            None => cli.gtp,
            Some(Command::Gtp(options)) => options,
            Some(_) => return,
        };
        let setup = options.game.setup().unwrap_or_else(|error| panic!("{line}: {error}"));
        if !line.contains("--net") {
            let settings = options.settings(setup.info, 1);
            settings.unwrap_or_else(|error| panic!("{line}: {error}"));
        }
    }

    #[test]
    fn the_documents_contain_valid_command_lines() {
        let mut files = vec!["README.md".to_owned(), "fixtures/screenshots/README.md".to_owned()];
        files.extend(guides().map(|guide| format!("crates/tab/src/guide/{}.md", guide.topic)));
        let mut count = 0;
        for file in files {
            let text = fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
            for command in shell_lines(&text).iter().flat_map(|line| commands(line)) {
                parse(&command);
                count += 1;
            }
        }
        assert!(count > 50, "only {count} commands were found");
    }

    #[test]
    fn the_measurements_contain_valid_command_lines() {
        for name in ["matches", "speed", "komi"] {
            let path = format!("fixtures/measurements/{name}.jsonl");
            let text = fs::read_to_string(&path).unwrap_or_else(|error| panic!("{path}: {error}"));
            for line in text.lines() {
                let value: serde_json::Value = serde_json::from_str(line).expect("JSON");
                let command = value["command"].as_str().expect("a command");
                let found = commands(command);
                assert!(!found.is_empty(), "{command}");
                found.iter().for_each(|command| parse(command));
            }
        }
    }

    #[test]
    fn an_unknown_topic_is_refused_with_the_topics() {
        let error = Cli::try_parse_from(["kawari", "guide", "joseki"]).expect_err("no topic");
        let text = error.to_string();
        for guide in guides() {
            assert!(text.contains(guide.topic), "{text}");
        }
    }
}
