//! `kawari bench`: speed of playouts and searches, and signatures of their results.

mod kernels;
mod net;

use super::options::read_net;
use super::{CliResult, Error, print};
use crate::board::Random;
use crate::rules::{Game, Position, Setup, Size, VARIANTS, VariantInfo};
use crate::search::{Search, SearchParams, Searcher, Task, TurnChoice, playout};
use clap::Args;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::{Duration, Instant};

#[derive(Clone, Debug, Args)]
pub struct BenchOptions {
    /// Only this variant [default: all]
    #[arg(long, value_name = "ID", value_parser = super::options::variant_parser(), hide_possible_values = true)]
    variant: Option<&'static VariantInfo>,
    /// Seconds for each line of the table
    #[arg(long, value_name = "SECONDS", allow_negative_numbers = true, default_value = "1")]
    seconds: f64,
    /// Also measure this net, of the variant of --variant
    #[arg(long, value_name = "FILE", requires = "variant")]
    net: Option<PathBuf>,
    /// Measure only the built-in nets, with each set of instructions that the processor has
    #[arg(long, conflicts_with = "net")]
    kernels: bool,
}

/// Playouts in a signature, and the seed of random ones.
const SIGNED: u64 = 200;
const SEED: u64 = 20_090_801;

struct Line {
    playouts: u64,
    /// Nukes and tao stones included.
    stones: u64,
    elapsed: Duration,
    signature: u64,
}

/// Prints by variant and size: random playouts/s, ns per stone, searched playouts/s, and
/// signature of the random playouts; then the signatures of searches with nets, of searches by
/// playouts and of all playouts.
pub fn bench(options: &BenchOptions) -> CliResult {
    let id = options.variant.map(|info| info.id);
    if !(0.0..=3600.0).contains(&options.seconds) {
        return Err(Error::Usage("--seconds: expected 0 to 3600".to_owned()));
    }
    let time = Duration::from_secs_f64(options.seconds);
    if options.kernels {
        return kernels::print_rates(id, time);
    }
    print("variant   size points playouts/s stones/playout ns/stone searched/s signature")?;
    let mut total = 0;
    for setup in setups(id) {
        let line = measure(&setup, time)?;
        total = combined(total, line.signature);
        print(&written(&setup, &line, search_rate(&setup, time)?))?;
    }
    print("variant   size net signature")?;
    let mut net_total = 0;
    for signed in net_signatures(id) {
        let (setup, signature) = signed?;
        net_total = combined(net_total, signature);
        print(&format!("{:<8} {:>5} {signature:016x}", setup.info.id, size_in_words(&setup)))?;
    }
    print(&format!("net signature {net_total:016x}"))?;
    print(&format!("search signature {:016x}", search_signature(id)?))?;
    print(&format!("signature {total:016x}"))?;
    if let (Some(variant), Some(path)) = (options.variant, &options.net) {
        net::print_rates(variant, &Arc::new(read_net(path, variant)?), time)?;
    }
    Ok(())
}

fn setups(id: Option<&str>) -> impl Iterator<Item = Setup> {
    let reference = VARIANTS.first().map(|info| info.id);
    let infos = VARIANTS.iter().copied().filter(move |info| is_measured(info, id));
    infos.flat_map(move |info| {
        let sizes = sizes(info.stacked, Some(info.id) == reference);
        sizes.iter().map(move |&size| Setup { size, ..Setup::new(info) })
    })
}

/// By default all but experimental games: these must not change the signature of all.
fn is_measured(info: &VariantInfo, id: Option<&str>) -> bool {
    id.map_or(!info.experimental, |id| id == info.id)
}

fn combined(total: u64, signature: u64) -> u64 {
    total.rotate_left(5) ^ signature
}

/// A signature of short searches by playouts in short games.
fn search_signature(id: Option<&str>) -> Result<u64, Error> {
    let mut signature = 0;
    for info in VARIANTS.iter().filter(|info| is_measured(info, id)) {
        let side = if info.stacked { 4 } else { 7 };
        let setup = Setup { size: Size::square(side), ..Setup::new(info) };
        signature = sign_searches(signature, &setup, SearchParams::baseline(), (6, SIGNED))?;
    }
    Ok(signature)
}

/// Signatures of searches with the built-in nets in short games. All kernels compute the same
/// bits, so these do not depend on the processor.
fn net_signatures(id: Option<&str>) -> impl Iterator<Item = Result<(Setup, u64), Error>> {
    const PLAYOUTS: u64 = 24;
    let infos = VARIANTS.iter().copied().filter(move |info| is_measured(info, id));
    let setups = infos.flat_map(|info| {
        let small = if info.stacked { 5 } else { 9 };
        let sides = [small, info.default_side].into_iter();
        let sides = sides.take(if small == info.default_side { 1 } else { 2 });
        sides.map(|side| Setup { size: Size::square(side), ..Setup::new(info) })
    });
    setups.map(|setup| {
        // About as much work on each board: 49 turns on 9x9, 11 on 19x19.
        let turns = 4000 / points(&setup);
        let game = (turns.into(), PLAYOUTS);
        let signature = sign_searches(0, &setup, SearchParams::default(), game)?;
        Ok((setup, signature))
    })
}

/// Adds turns, visits, win rates and margins of a game of searches with fixed numbers of turns and
/// of playouts to a signature.
fn sign_searches(
    mut signature: u64,
    setup: &Setup,
    params: SearchParams,
    (turns, playouts): (u64, u64),
) -> Result<u64, Error> {
    let mut game = Game::new(setup)?;
    let mut searcher = Searcher::new(params, 16, 1);
    for seed in 0..turns {
        let task = Task { playouts: Some(playouts), seed, ..Task::new(game.to_move()) };
        let TurnChoice { turn, choice } = searcher.turn(&game, &task).finish(&mut |_| false);
        let words = game.write(&turn);
        let numbers = [choice.visits, choice.win_rate.to_bits(), choice.margin.to_bits()];
        let bytes = words.into_bytes().into_iter().map(u64::from);
        for word in bytes.chain(numbers.map(u64::from)) {
            signature = hashed(signature, word);
        }
        if game.play(task.color, &turn).is_err() || game.is_over() {
            break;
        }
    }
    Ok(signature)
}

/// The number of points of all layers.
fn points(setup: &Setup) -> u32 {
    let Size { width, height } = setup.size;
    u32::from(width) * u32::from(height) * u32::from(setup.rules.layers)
}

/// Like FNV-1a, over words of 64 bits.
fn hashed(hash: u64, word: u64) -> u64 {
    (hash ^ word).wrapping_mul(0x0000_0100_0000_01B3)
}

/// The first variant, as reference, is also measured at the numbers of points of two layers.
fn sizes(stacked: bool, reference: bool) -> &'static [Size] {
    const fn size(width: u8, height: u8) -> Size {
        Size { width, height }
    }
    const FLAT: &[Size] = &[size(9, 9), size(19, 19)];
    const STACKED: &[Size] = &[size(9, 9), size(12, 12)];
    const REFERENCE: &[Size] = &[size(9, 9), size(18, 9), size(18, 16), size(19, 19)];
    match (stacked, reference) {
        (true, _) => STACKED,
        (_, true) => REFERENCE,
        _ => FLAT,
    }
}

fn size_in_words(setup: &Setup) -> String {
    format!("{}x{}", setup.size.width, setup.size.height)
}

fn written(setup: &Setup, line: &Line, searched: f64) -> String {
    let seconds = line.elapsed.as_secs_f64();
    let (playouts, stones) = (line.playouts as f64, line.stones as f64);
    format!(
        "{:<8} {:>5} {:>6} {:>10.0} {:>14.1} {:>8.1} {:>10.0} {:016x}",
        setup.info.id,
        size_in_words(setup),
        points(setup),
        playouts / seconds,
        stones / playouts,
        seconds * 1e9 / stones,
        searched,
        line.signature,
    )
}

/// Without a net, from the empty board.
fn search_rate(setup: &Setup, time: Duration) -> Result<f64, Error> {
    let game = Game::new(setup)?;
    let mut searcher = Searcher::new(SearchParams::baseline(), 256, 1);
    Ok(net::visit_rate(&mut searcher, &game, time))
}

fn measure(setup: &Setup, time: Duration) -> Result<Line, Error> {
    let game = Game::new(setup)?;
    Ok(run(game.position(), time))
}

fn run(start: &Position, time: Duration) -> Line {
    let mut random = Random::new(SEED);
    let mut position = start.boxed();
    let mut signature = 0;
    let mut play = |stones: &mut u64| {
        position.copy_from(start);
        *stones += u64::from(playout(&mut position, &mut random).stones);
        let margin = position.margin();
        (position.board.hash() ^ margin.to_bits()).wrapping_add(u64::from(position.situation.turns))
    };
    let mut warm_up = 0;
    for _ in 0..SIGNED {
        signature = hashed(signature, play(&mut warm_up));
    }
    let (mut playouts, mut stones) = (0, 0);
    let started = Instant::now();
    while started.elapsed() < time || playouts == 0 {
        for _ in 0..32 {
            play(&mut stones);
        }
        playouts += 32;
    }
    Line { playouts, stones, elapsed: started.elapsed(), signature }
}

#[cfg(test)]
mod tests {
    use super::*;
    #[cfg(feature = "nets")]
    use crate::net::Instructions;

    /// Changes with the rules, the random numbers or the order of candidates; change it only on
    /// purpose.
    const SIGNATURE: u64 = 0xadd5_1e5a_7bf3_9d7d;

    /// Also changes with the search, its parameters and its playouts.
    const SEARCH_SIGNATURE: u64 = 0x8091_7033_ac79_c371;

    /// Also changes with the nets, their inputs and the search.
    #[cfg(feature = "nets")]
    const NET_SIGNATURE: u64 = 0x9a3b_b0c4_8407_edef;

    #[test]
    #[cfg(feature = "nets")]
    fn signatures_of_searches_with_nets_are_those_that_were_pinned() {
        let signed = net_signatures(None).map(|signed| signed.expect("valid setups"));
        let total = signed.fold(0, |total, (_, signature)| combined(total, signature));
        assert_eq!(format!("{total:016x}"), format!("{NET_SIGNATURE:016x}"));
    }

    #[test]
    #[cfg(feature = "nets")]
    fn all_kernels_search_the_same() {
        let capture = VARIANTS.iter().find(|info| info.id == "capture").expect("a variant");
        let setup = Setup { size: Size::square(7), ..Setup::new(capture) };
        let signature = |kernels| {
            let params = SearchParams { kernels, ..SearchParams::default() };
            sign_searches(0, &setup, params, (3, 8)).expect("a valid setup")
        };
        for set in Instructions::all() {
            assert_eq!(signature(Some(set)), signature(None), "{}", set.name());
        }
    }

    #[test]
    fn signatures_are_those_that_were_pinned() {
        let lines = setups(None).map(|setup| measure(&setup, Duration::ZERO));
        let lines: Vec<Line> = lines.collect::<Result<_, _>>().expect("valid setups");
        let total = lines.iter().fold(0, |total, line| combined(total, line.signature));
        let search = search_signature(None).expect("valid setups");
        assert_eq!(
            (format!("{total:016x}"), format!("{search:016x}")),
            (format!("{SIGNATURE:016x}"), format!("{SEARCH_SIGNATURE:016x}"))
        );
    }
}
