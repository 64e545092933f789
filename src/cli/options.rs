//! Options shared by several subcommands.

use super::progress::{self, LogOption};
use crate::arena::words;
use crate::board::Color;
use crate::encoding::Encoding;
use crate::files;
use crate::line_file::in_file;
use crate::net::Net;
use crate::playing::params::{self, ParamError};
use crate::playing::{Seed, Settings};
use crate::rules::{
    Game, Setup, Size, VARIANTS, VariantInfo, parse_color, parse_komi, parse_point, variant,
};
use crate::search::neural::fits;
use crate::search::{LEVELS, SearchParams};
use clap::builder::{PossibleValue, PossibleValuesParser, TypedValueParser};
use clap::{ArgAction, Args, ValueEnum};
use serde::{Deserialize, Deserializer};
use std::collections::HashMap;
use std::collections::hash_map::RandomState;
use std::hash::{BuildHasher, Hasher};
use std::ops::RangeInclusive;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

/// Also keys of the match file.
#[derive(Clone, Debug, Args, Deserialize)]
pub struct GameOptions {
    #[arg(help = help_of_variant(), long, value_name = "ID", default_value = "go", value_parser = variant_parser(), hide_possible_values = true)]
    #[serde(deserialize_with = "variant_of_file")]
    pub variant: &'static VariantInfo,
    #[arg(help = help_of_size(), long, value_name = "N|WxH", allow_negative_numbers = true)]
    #[serde(default, deserialize_with = "words::some")]
    pub size: Option<Size>,
    /// Points added to White's score [default: the variant's]
    #[arg(long, value_name = "K", allow_negative_numbers = true, value_parser = komi)]
    #[serde(default, deserialize_with = "komi_of_file")]
    komi: Option<f64>,
    /// A rule option; may be repeated [default: the variant's]
    #[arg(long = "rule", value_name = "KEY=VALUE")]
    #[serde(default, rename = "rule", deserialize_with = "words::list")]
    pub rules: Vec<String>,
    /// Blocked points [default: none]
    #[arg(long, value_name = "V,V,…")]
    #[serde(default, deserialize_with = "words::list")]
    pub block: Vec<String>,
}

fn variant_of_file<'d, D: Deserializer<'d>>(from: D) -> Result<&'static VariantInfo, D::Error> {
    words::read(from, |id| variant(id).ok_or("unknown variant"))
}

fn komi_of_file<'d, D: Deserializer<'d>>(from: D) -> Result<Option<f64>, D::Error> {
    words::read(from, komi).map(Some)
}

/// For commands that need no more than the variant of a game.
#[derive(Clone, Copy, Debug, Args)]
pub struct VariantOption {
    /// The variant
    #[arg(long, value_name = "ID", default_value = "go", value_parser = variant_parser(), hide_possible_values = true)]
    pub variant: &'static VariantInfo,
}

/// How GTP vertices express turns other than stones.
#[derive(Clone, Copy, Debug, ValueEnum)]
pub enum EncodingOption {
    /// The variant's own board: a stone of the mover is a nuke; tao placements are not expressible
    Native,
    /// A second copy of the board on the right, for nukes and tao placements
    Panel,
    /// As panel, for Sabaki, which keeps a board of plain Go: moves only on its empty points, and
    /// columns on the right that end a turn of several steps
    Sabaki,
}

impl From<EncodingOption> for Encoding {
    fn from(option: EncodingOption) -> Encoding {
        match option {
            EncodingOption::Native => Encoding::Native,
            EncodingOption::Panel => Encoding::Panel,
            EncodingOption::Sabaki => Encoding::Sabaki,
        }
    }
}

#[derive(Clone, Debug, Args)]
pub struct GtpOptions {
    #[command(flatten)]
    pub game: GameOptions,
    #[command(flatten)]
    pub search: SearchLimits,
    /// Level of the engine's own moves, from 1 (a beginner) to 10 (full strength) [default: 10]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = level())]
    level: Option<u8>,
    /// Ponder: search on the opponent's time [default: false]
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_missing_value = "true")]
    ponder: Option<bool>,
    /// Resign lost games [default: false]
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_missing_value = "true")]
    resign: Option<bool>,
    /// The vertex encoding [default: native]
    #[arg(long, value_enum)]
    encoding: Option<EncodingOption>,
    /// Append the whole session to this file: commands and replies, for `kawari check`
    #[arg(long, value_name = "FILE")]
    pub log_file: Option<PathBuf>,
    /// Refuse all commands that read or write files
    #[arg(long)]
    no_files: bool,
    /// In a terminal, the side that the engine plays
    #[arg(long, value_name = "COLOR", value_parser = color)]
    pub play: Option<Color>,
    /// In a terminal, show the board after each turn
    #[arg(long, value_name = "BOOL", action = ArgAction::Set, num_args = 0..=1, require_equals = true,
        default_missing_value = "true", default_value = "true")]
    show_board: bool,
    #[command(flatten)]
    pub log: LogOption,
}

#[derive(Clone, Debug, Args)]
pub struct SearchLimits {
    #[command(flatten)]
    search: SearchOptions,
    /// Maximum seconds per move [default: 1 if no playouts are set and no clock runs]
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, value_parser = seconds)]
    time: Option<Duration>,
    /// A net, as `kawari train` writes it [default: the built-in net, if the variant has one]
    #[arg(long, value_name = "FILE")]
    net: Option<PathBuf>,
}

/// Search parameters without time and net.
#[derive(Clone, Debug, Args)]
pub struct SearchOptions {
    /// Number of search threads [default: 1; half of the cores for GTP without --playouts and
    /// --seed]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = threads())]
    threads: Option<u16>,
    /// Playouts per move; 0 for no limit [default: 0]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number_from(0))]
    playouts: Option<u64>,
    /// Megabytes for the search tree [default: 256]
    #[arg(long, value_name = "MB", allow_negative_numbers = true, value_parser = megabytes())]
    memory: Option<u32>,
    /// Random seed: with one thread and --playouts, the same seed gives the same moves on any
    /// machine [default: a new one for each game]
    #[arg(long, value_name = "N", allow_negative_numbers = true, value_parser = whole_number_from(0))]
    seed: Option<u64>,
    /// A search parameter, as with kata-set-param; may be repeated [default: see `kawari commands`]
    #[arg(long = "param", value_name = "NAME=VALUE")]
    params: Vec<String>,
    /// The player: `net` searches with a net where there is one; `baseline` is plain UCT with
    /// uniformly random playouts
    #[arg(long, default_value = "net", value_parser = player())]
    player: PlayerKind,
}

impl GtpOptions {
    /// The settings on a machine with this number of cores.
    pub fn settings(
        &self,
        variant: &'static VariantInfo,
        cores: usize,
    ) -> Result<Settings, String> {
        let mut settings = self.search.settings(variant)?;
        let search = &self.search.search;
        if settings.playouts.is_none() && self.search.may_share(&settings) {
            settings.threads = half(cores);
        }
        search.refuse_twice(&[
            ("level", self.level.is_some()),
            ("ponder", self.ponder.is_some()),
            ("allow_resign", self.resign.is_some()),
            ("encoding", self.encoding.is_some()),
        ])?;
        settings.no_files = self.no_files;
        settings.show_board = self.show_board;
        if let Some(encoding) = self.encoding {
            settings.encoding = encoding.into();
        }
        settings.level = self.level.unwrap_or(settings.level);
        if usize::from(settings.level) < LEVELS && settings.playouts.is_some() {
            let level = settings.level;
            progress::line(&format!(
                "note: --playouts: level {level} plays with its own; they limit only analyses"
            ));
        }
        settings.ponder = self.ponder.unwrap_or(settings.ponder);
        settings.resign.allowed = self.resign.unwrap_or(settings.resign.allowed);
        Ok(settings)
    }
}

impl SearchLimits {
    /// See [`SearchOptions::refuse_unused`].
    pub fn refuse_unused(&self, used: &[&str]) -> Result<(), String> {
        self.search.refuse_unused(used)
    }

    /// Whether the program chooses the number of threads. With a seed, one thread gives the same
    /// results again.
    pub fn may_share(&self, settings: &Settings) -> bool {
        let is_given = self.search.threads.is_some() || self.search.sets("threads");
        !is_given && matches!(settings.seed, Seed::Drawn(_))
    }

    pub fn settings(&self, variant: &'static VariantInfo) -> Result<Settings, String> {
        if self.net.is_some() && !matches!(self.search.player, PlayerKind::Net) {
            return Err("--net: only used by --player net".to_owned());
        }
        if self.net.is_some() && self.search.sets_to("use_net", "false") {
            return Err("--net: not used with --param use_net=false".to_owned());
        }
        let search = &self.search;
        search.refuse_twice(&[("time", self.time.is_some())])?;
        let net = self.net.as_deref().map(|path| read_net(path, variant));
        let net = net.map(|net| net.map_err(|error| format!("--net: {error}")));
        let settings = search.settings()?;
        if let (Seed::Fixed(_), threads @ 2..) = (settings.seed, settings.threads) {
            progress::line(&format!(
                "note: --seed: with {threads} threads the same seed does not give the same moves"
            ));
        }
        Ok(Settings {
            net: net.transpose()?.map(|net| (variant, Arc::new(net))),
            time: self.time.or(settings.time),
            ..settings
        })
    }
}

impl SearchOptions {
    pub fn settings(&self) -> Result<Settings, String> {
        self.refuse_twice(&[
            ("playouts", self.playouts.is_some()),
            ("threads", self.threads.is_some()),
            ("memory", self.memory.is_some()),
            ("use_net", !matches!(self.player, PlayerKind::Net)),
        ])?;
        refuse_two_values("--param", &self.params)?;
        let usual = Settings::default();
        let mut settings = Settings {
            playouts: self.playouts.filter(|&n| n > 0),
            memory: self.memory.map_or(usual.memory, |n| n as usize),
            threads: self.threads.map_or(usual.threads, usize::from),
            seed: self.seed.map_or_else(draw_seed, Seed::Fixed),
            search_params: self.player.params(),
            ..usual
        };
        for param in &self.params {
            set_param(&mut settings, param)?;
        }
        Ok(settings)
    }

    fn given(&self) -> impl Iterator<Item = (&str, &str)> {
        self.params.iter().filter_map(|text| text.split_once('='))
    }

    fn sets(&self, param: &str) -> bool {
        self.given().any(|(name, _)| name == param)
    }

    fn sets_to(&self, param: &str, value: &str) -> bool {
        self.given().any(|(name, given)| name == param && given.eq_ignore_ascii_case(value))
    }

    /// Refuses parameters of a session that a command without one does not use.
    pub fn refuse_unused(&self, used: &[&str]) -> Result<(), String> {
        let is_unused = |name: &str| params::is_of_session(name) && !used.contains(&name);
        match self.given().find(|&(name, _)| is_unused(name)) {
            None => Ok(()),
            Some((name, _)) => Err(format!("--param: {name} has no effect in this command")),
        }
    }

    /// Each parameter has an option of its own, which may be given.
    fn refuse_twice(&self, params: &[(&str, bool)]) -> Result<(), String> {
        match params.iter().find(|&&(param, is_given)| is_given && self.sets(param)) {
            None => Ok(()),
            Some((param, _)) => {
                let option = match *param {
                    "allow_resign" => "resign",
                    "use_net" => "player",
                    param => param,
                };
                Err(format!("--{option}: --param {param} sets the same"))
            }
        }
    }
}

fn refuse_two_values(option: &str, texts: &[String]) -> Result<(), String> {
    let mut values = HashMap::new();
    for (key, value) in texts.iter().filter_map(|text| text.split_once('=')) {
        let earlier = *values.entry(key).or_insert(value);
        if earlier != value {
            return Err(format!("{option}: {key} is both '{earlier}' and '{value}'"));
        }
    }
    Ok(())
}

#[derive(Clone, Copy, Debug)]
pub enum PlayerKind {
    Net,
    Baseline,
}

/// A player; one that went is refused with the name of another.
pub fn player() -> impl TypedValueParser<Value = PlayerKind> {
    let words = ["net", "baseline"].map(PossibleValue::new).into_iter();
    let all = words.chain([PossibleValue::new("playouts").hide(true)]);
    PossibleValuesParser::new(all).try_map(|word| match &*word {
        "net" => Ok(PlayerKind::Net),
        "baseline" => Ok(PlayerKind::Baseline),
        _ => Err("this player is gone; `baseline` is the player without a net"),
    })
}

impl PlayerKind {
    pub fn params(self) -> SearchParams {
        match self {
            PlayerKind::Net => SearchParams::default(),
            PlayerKind::Baseline => SearchParams::baseline(),
        }
    }
}

pub fn read_net(path: &Path, variant: &'static VariantInfo) -> Result<Net, String> {
    let bytes = files::read(path).map_err(in_file(path))?;
    let net = Net::from_bytes(&bytes, variant.id).map_err(in_file(path))?;
    if fits(net.shape(), variant) { Ok(net) } else { Err(in_file(path)("a net with other inputs")) }
}

fn set_param(settings: &mut Settings, param: &str) -> Result<(), String> {
    let (name, value) = param
        .split_once('=')
        .ok_or_else(|| format!("--param: expected NAME=VALUE, found '{param}'"))?;
    params::set(settings, name, value).map_err(|error| match error {
        ParamError::BadValue(_) => format!("--param: {error}"),
        ParamError::Unknown => {
            format!("--param: {}; `kawari commands` lists them", params::unknown(name))
        }
    })
}

impl GameOptions {
    pub fn setup(&self) -> Result<Setup, String> {
        let info = self.variant;
        let mut setup = Setup::new(info);
        refuse_two_values("--rule", &self.rules)?;
        for rule in &self.rules {
            self.set_rule(&mut setup, rule)?;
        }
        match self.size {
            Some(size) => setup.size = size,
            None => setup.limit_size(),
        }
        if let Some(komi) = self.komi {
            setup.rules.komi = komi;
        }
        let grid = setup.grid().map_err(|error| format!("--size: {error}"))?;
        for text in self.block.iter().flat_map(|text| text.split(',')) {
            let point = parse_point(&grid, text.trim());
            let point =
                point.map_err(|_| format!("--block: '{text}' is not a point of this board"))?;
            setup.blocked_points.push(grid.coordinates(point));
        }
        Game::new(&setup).map_err(|error| format!("--block: {error}"))?;
        Ok(setup)
    }

    /// Whether options choose rules.
    pub fn names_rules(&self) -> bool {
        !self.rules.is_empty()
    }

    fn set_rule(&self, setup: &mut Setup, rule: &str) -> Result<(), String> {
        let (name, value) = rule
            .split_once('=')
            .ok_or_else(|| format!("--rule: expected KEY=VALUE, found '{rule}'"))?;
        let key = setup.rule_key(name).map_err(|error| format!("--rule: {error}"))?;
        setup.rules.set(key, value).map_err(|error| format!("--rule: {error}"))
    }
}

/// Also lists the variants for completions.
pub fn variant_parser() -> impl TypedValueParser<Value = &'static VariantInfo> {
    let ids = PossibleValuesParser::new(VARIANTS.iter().map(|info| info.id));
    ids.try_map(|id| variant(&id).ok_or("unknown variant"))
}

fn help_of_variant() -> String {
    let ids: Vec<_> = VARIANTS.iter().map(|info| info.id).collect();
    match ids.as_slice() {
        [first @ .., last] => format!("The variant: {} or {last}", first.join(", ")),
        [] => "The variant".to_owned(),
    }
}

/// The default of the first variant, then the exceptions.
fn help_of_size() -> String {
    let usual = VARIANTS.first().map_or(0, |info| info.default_side);
    let mut defaults: Vec<(u8, Vec<&str>)> = Vec::new();
    for info in VARIANTS.iter().filter(|info| info.default_side != usual) {
        match defaults.iter_mut().find(|(side, _)| *side == info.default_side) {
            Some((_, ids)) => ids.push(info.id),
            None => defaults.push((info.default_side, vec![info.id])),
        }
    }
    let others = defaults.iter().map(|(side, ids)| format!("; {}: {side}", ids.join(", ")));
    let others: String = others.collect();
    format!("Board size, 2 to 25 points per side, fewer with layers [default: {usual}{others}]")
}

pub fn whole_number_from(
    low: u64,
) -> impl Fn(&str) -> Result<u64, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|&number| number >= low);
        number.ok_or_else(|| format!("expected a whole number, {low} or more"))
    }
}

fn color(text: &str) -> Result<Color, String> {
    parse_color(text).ok_or_else(|| "expected black or white".to_owned())
}

/// A number within bounds that the error names.
fn number_in<N: TryFrom<u64> + Clone + Send + Sync + 'static>(
    bounds: RangeInclusive<u64>,
) -> impl Fn(&str) -> Result<N, String> + Clone + Send + Sync + 'static {
    move |text| {
        let number = text.parse().ok().filter(|number| bounds.contains(number));
        let number = number.and_then(|number| N::try_from(number).ok());
        number.ok_or_else(|| format!("expected {} to {}", bounds.start(), bounds.end()))
    }
}

/// Threads while a person waits: half of the cores.
pub fn half(cores: usize) -> usize {
    (cores / 2).max(1)
}

fn level() -> impl TypedValueParser<Value = u8> {
    number_in(1..=LEVELS as u64)
}

pub fn threads() -> impl TypedValueParser<Value = u16> {
    number_in(1..=256)
}

pub fn megabytes() -> impl TypedValueParser<Value = u32> {
    number_in(1..=1_000_000)
}

pub fn komi(text: &str) -> Result<f64, String> {
    parse_komi(text).map_err(|error| error.to_string())
}

/// Accepts numbers above 0.
pub fn seconds(text: &str) -> Result<Duration, String> {
    let number = text.parse().ok().filter(|&seconds: &f64| seconds > 0.0 && seconds <= 1e8);
    let duration = number.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok());
    duration.ok_or_else(|| "expected seconds above 0, at most 100000000".to_owned())
}

fn draw_seed() -> Seed {
    let seed = RandomState::new().build_hasher().finish();
    log::info!("seed {seed}");
    Seed::Drawn(seed)
}

#[cfg(test)]
mod tests {
    use super::GtpOptions;
    use crate::rules::variant;
    use clap::Parser;

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        gtp: GtpOptions,
    }

    #[test]
    fn half_of_the_cores_search_where_nothing_promises_the_same_moves() {
        let threads = |options: &str, cores| {
            let line = Line::parse_from(["kawari"].into_iter().chain(options.split_whitespace()));
            let go = variant("go").expect("a variant");
            line.gtp.settings(go, cores).expect("settings").threads
        };
        assert_eq!([1, 2, 3, 4, 16].map(|cores| threads("", cores)), [1, 1, 1, 2, 8]);
        assert_eq!(threads("--time 5", 8), 4);
        assert_eq!(threads("--playouts 0", 8), 4);
        for reproducible in
            ["--playouts 100", "--seed 7", "--time 5 --seed 7", "--param playouts=9"]
        {
            assert_eq!(threads(reproducible, 8), 1, "{reproducible}");
        }
        assert_eq!(threads("--threads 3 --seed 7", 8), 3);
        assert_eq!(threads("--threads 1", 8), 1);
        assert_eq!(threads("--param threads=2", 8), 2);
    }
}
