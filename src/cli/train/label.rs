//! `kawari train label`: positions of games with the values of a stronger engine.

use super::share;
use super::sources::{PlainGames, SourceGame};
use crate::arena::process::{EngineLine, Process, ReadLineError};
use crate::arena::process_guard::ProcessGuard;
use crate::cli::options::{komi, variant_parser};
use crate::cli::progress::{self, Progress};
use crate::cli::signals::Interruption;
use crate::cli::{CliResult, Error, cores, print};
use crate::line_file::LineFile;
use crate::rules::{Scoring, Size, VariantInfo};
use crate::train::game::{Phase, is_held_out};
use crate::train::label::{HEADER, Label};
use crate::train::teacher::{Question, QuestionSettings, TeacherAnswer};
use clap::Args;
use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Args)]
pub struct LabelOptions {
    /// SGF files and directories of them, files of self-play, and files of lines of moves such as
    /// "B D4 W Q16"; optionally compressed by gzip
    #[arg(required = true, value_name = "FILE")]
    games: Vec<PathBuf>,
    /// The engine, as a shell command: `katago analysis` with its options, or `kawari analysis`
    #[arg(long, value_name = "COMMAND")]
    engine: String,
    /// The variant of the games
    #[arg(long, value_name = "ID", default_value = "go", value_parser = variant_parser(), hide_possible_values = true)]
    variant: &'static VariantInfo,
    /// The board of lines of moves
    #[arg(long, value_name = "N|WxH", default_value = "19")]
    size: Size,
    /// Komi of games without komi
    #[arg(long, value_name = "POINTS", default_value = "7.5", value_parser = komi, allow_hyphen_values = true)]
    komi: f64,
    /// Standard deviation of komi around that of the game, in points
    #[arg(long, value_name = "POINTS", default_value = "0", value_parser = points)]
    komi_stdev: f32,
    /// Scoring: area, territory, or both, one of which is drawn for each position
    #[arg(long, value_name = "SCORING,…", value_delimiter = ',', default_value = "area", value_parser = scoring)]
    scoring: Vec<Scoring>,
    /// Take this share of the positions
    #[arg(long, value_name = "SHARE", default_value = "1", value_parser = share)]
    positions: f32,
    /// Take only positions of these phases: opening, middle, end
    #[arg(long, value_name = "PHASE,…", value_delimiter = ',', default_value = "opening,middle,end", value_parser = phase)]
    phase: Vec<Phase>,
    /// Take the games that no fit learns from (guide training), instead of the others
    #[arg(long)]
    held_out: bool,
    /// Visits of each position
    #[arg(long, value_name = "N", default_value = "1", value_parser = clap::value_parser!(u32).range(1..))]
    visits: u32,
    /// Positions that the engine has at the same time
    #[arg(long, value_name = "N", default_value = "64", value_parser = clap::value_parser!(u16).range(1..))]
    in_flight: u16,
    /// Random seed of positions, komi and scoring
    #[arg(long, value_name = "N", default_value = "1")]
    seed: u64,
    /// Append the labels to this file; after an interruption the same command continues
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Prefix of a line for a position without label.
const REFUSED: &str = "# refused: ";

/// Positions between lines of progress without a terminal.
const LINE_INTERVAL: u64 = 1000;

/// How often to check for a signal while the engine is silent.
const TICK: Duration = Duration::from_millis(200);

pub fn run(options: &LabelOptions) -> CliResult {
    let games = options.games()?;
    let settings = QuestionSettings {
        share: options.positions,
        phases: options.phase.clone(),
        komi_stdev: options.komi_stdev,
        scorings: options.scoring.clone(),
        seed: options.seed,
    };
    let usual_komi = (2.0 * options.komi).round() as i16;
    let questions = |source: &SourceGame| {
        let komi = source.komi.unwrap_or(usual_komi);
        settings.questions(&source.game, source.number as u32, komi)
    };
    let total: usize = games.iter().map(|game| questions(game).len()).sum();
    let mut questions = games.iter().flat_map(questions);
    let (file, labels) = open(options, &mut questions)?;
    let interruption = Interruption::begin()?;
    let progress = Progress::new(total as u64, labels.answered);
    let teacher = start(&options.engine)?;
    let mut job = LabelJob { options, teacher, file, labels, warned: false, progress };
    let outcome = job.run(&mut questions, &interruption);
    job.progress.close();
    interruption.outcome(&format!(
        "the same command continues from the labels of {}",
        options.out.display()
    ))?;
    outcome?;
    job.file.close().map_err(Error::Failure)?;
    let Labels { answered, refused } = job.labels;
    print(&format!("{} labels, {refused} positions refused", answered - refused))?;
    if answered == refused {
        return Err(Error::Failure("no position was labelled".to_owned()));
    }
    Ok(())
}

#[derive(Clone, Copy, Debug, Default)]
struct Labels {
    /// Lines after the header.
    answered: u64,
    refused: u64,
}

/// Opens the file and skips the questions that it answers.
fn open(
    options: &LabelOptions,
    questions: &mut dyn Iterator<Item = Question>,
) -> Result<(LineFile, Labels), Error> {
    let (mut labels, mut is_begun) = (Labels::default(), false);
    let visit = |line: &str| {
        if !is_begun {
            is_begun = line.trim_end() == HEADER;
            return if is_begun { Ok(()) } else { Err(format!("expected '{HEADER}'")) };
        }
        let other = "not a position of these games by these options";
        let question = questions.next().ok_or(other)?;
        labels.answered += 1;
        match Label::from_line(line)? {
            Some(label) if question.is_of(&label) => Ok(()),
            Some(_) => Err(other.to_owned()),
            None => {
                labels.refused += 1;
                Ok(())
            }
        }
    };
    let mut file = LineFile::open(&options.out, HEADER, visit).map_err(Error::Failure)?;
    if !is_begun {
        file.append(HEADER).map_err(Error::Failure)?;
    }
    Ok((file, labels))
}

impl LabelOptions {
    /// Prints how many games cannot be used.
    fn games(&self) -> Result<Vec<SourceGame>, Error> {
        let reader = PlainGames { variant: self.variant, size: self.size, threads: cores() };
        let (mut games, mut unusable) = (Vec::new(), Vec::new());
        for path in &self.games {
            for game in reader.read(path)? {
                match game {
                    Ok(game) => games.push(game),
                    Err(why) => unusable.push(format!("{}: {why}", path.display())),
                }
            }
        }
        if let Some(first) = unusable.first() {
            progress::line(&format!("{} games left out, such as {first}", unusable.len()));
        }
        games.retain(|game| is_held_out(game.number) == self.held_out);
        if games.is_empty() {
            return Err(Error::Failure("no game to label".to_owned()));
        }
        Ok(games)
    }
}

struct LabelJob<'a> {
    options: &'a LabelOptions,
    teacher: Process,
    file: LineFile,
    labels: Labels,
    warned: bool,
    progress: Progress,
}

/// A question that the engine works on, and its line once answered.
type Waiting = BTreeMap<usize, (Question, Option<String>)>;

impl LabelJob<'_> {
    /// Asks all questions, several at a time, and writes the answers in order.
    fn run(
        &mut self,
        questions: &mut dyn Iterator<Item = Question>,
        interruption: &Interruption,
    ) -> CliResult {
        let mut waiting = Waiting::new();
        let started = Instant::now();
        let first = self.labels.answered;
        let mut questions = (first as usize..).zip(questions);
        let mut next_line = first + LINE_INTERVAL;
        while !interruption.has_come() {
            while waiting.len() < usize::from(self.options.in_flight) {
                let Some((id, question)) = questions.next() else { break };
                // The end of the output reports an engine that has ended.
                let _ = self.teacher.send(&question.query(id, self.options.visits));
                waiting.insert(id, (question, None));
            }
            if waiting.is_empty() {
                return Ok(());
            }
            if let Some(line) = self.line()? {
                self.note(&line, &mut waiting)?;
                self.write(&mut waiting)?;
            }
            let done = self.labels.answered;
            let rate = (done - first) as f64 / started.elapsed().as_secs_f64();
            let summary = format!("{rate:.0} positions/s");
            if done >= next_line {
                next_line = done + LINE_INTERVAL;
                self.progress.step(
                    done,
                    &format!("{} refused", self.labels.refused),
                    false,
                    &summary,
                );
            } else {
                self.progress.show(done, &summary);
            }
        }
        Ok(())
    }

    /// `None` if no line comes soon.
    fn line(&mut self) -> Result<Option<String>, Error> {
        let why = match self.teacher.line(Instant::now() + TICK) {
            Ok(EngineLine::Whole(line, _)) => {
                let line = String::from_utf8_lossy(&line).into_owned();
                return Ok(Some(line).filter(|line| !line.trim().is_empty()));
            }
            Err(ReadLineError::TimedOut) => return Ok(None),
            Ok(EngineLine::TooLong) => "an answer is too long".to_owned(),
            Err(ReadLineError::Closed) => {
                format!("it ended before its answers ({})", self.teacher.exit_reason())
            }
        };
        Err(Error::Failure(format!("--engine: {why}")))
    }

    fn note(&mut self, line: &str, waiting: &mut Waiting) -> CliResult {
        let failure = Error::failure_at::<String>("--engine");
        let answer: TeacherAnswer = serde_json::from_str(line)
            .map_err(|error| failure(format!("no answer of the protocol: {error}: {line:.200}")))?;
        if let Some(warning) = &answer.warning {
            if !self.warned {
                self.warned = true;
                progress::line(&format!("the engine warns: {warning}"));
            }
            return Ok(());
        }
        let id = answer.id.as_deref().and_then(|id| id.parse().ok());
        let Some((question, text)) = id.and_then(|id: usize| waiting.get_mut(&id)) else {
            let why = answer.error.unwrap_or_else(|| "an answer to no question".to_owned());
            return Err(failure(why));
        };
        if !answer.is_during_search {
            let label = match &answer.error {
                Some(error) => Err(error.clone()),
                None => question.label(&answer),
            };
            *text = Some(match label {
                Ok(label) => label.to_string(),
                Err(why) => format!("{REFUSED}{}", why.replace(char::is_control, " ")),
            });
        }
        Ok(())
    }

    /// Writes finished lines up to the first unanswered question.
    fn write(&mut self, waiting: &mut Waiting) -> CliResult {
        while let Some(entry) = waiting.first_entry() {
            let Some(line) = &entry.get().1 else { break };
            self.file.append(line).map_err(Error::Failure)?;
            self.labels.answered += 1;
            self.labels.refused += u64::from(line.starts_with(REFUSED));
            entry.remove();
        }
        Ok(())
    }
}

fn start(command: &str) -> Result<Process, Error> {
    let words = shlex::split(command).unwrap_or_default();
    let program = words
        .first()
        .ok_or_else(|| Error::Usage("--engine: expected a shell command".to_owned()))?;
    let guard = Arc::new(ProcessGuard::default());
    Process::start(&words, &guard).map_err(Error::failure_at(format!("--engine: {program}")))
}

fn scoring(text: &str) -> Result<Scoring, String> {
    match text {
        "area" => Ok(Scoring::Area),
        "territory" => Ok(Scoring::Territory),
        _ => Err("expected area or territory".to_owned()),
    }
}

fn phase(text: &str) -> Result<Phase, String> {
    let phase = Phase::ALL.into_iter().find(|phase| phase.name() == text);
    phase.ok_or_else(|| format!("expected {}", Phase::ALL.map(Phase::name).join(", ")))
}

fn points(text: &str) -> Result<f32, String> {
    let points = text.parse().ok().filter(|points| (0.0..=100.0).contains(points));
    points.ok_or_else(|| "expected points from 0 to 100".to_owned())
}
