//! Work whose results and times are compared between this machine and a browser: random
//! playouts, searches, evaluations by nets. Each gives a number that depends on every bit.

use kawari_core::board::Random;
use kawari_engine::net::{Evaluation, Frame, Instructions, Net, Scratch};
use kawari_core::rules::{Game, Setup, Size, VARIANTS, go};
use kawari_engine::search::{Search, SearchParams, Searcher, Task};
use kawari_engine::search::playout;
use std::hash::{DefaultHasher, Hash, Hasher};

/// Nets of all sizes: their variant, the side of their board and their file.
const NETS: &[(&str, u8, &[u8])] = &[
    (
        "go",
        9,
        include_bytes!("../../../../crates/engine/src/search/neural/nets/go.net"),
    ),
    (
        "go",
        19,
        include_bytes!("../../../../crates/engine/src/search/neural/nets/go-19.net"),
    ),
    (
        "tao",
        13,
        include_bytes!("../../../../crates/engine/src/search/neural/nets/tao.net"),
    ),
];

/// The evaluation of random inputs by a net.
fn evaluated(
    net: &Net,
    side: u8,
    set: Instructions,
    random: &mut Random,
    count: u32,
) -> Evaluation {
    let frame = Frame::new(side, side, 0, |_, _| true);
    let mut scratch = Scratch::new(net.shape(), &frame);
    let mut evaluation = Evaluation::default();
    for _ in 0..count {
        for position in frame.playable() {
            scratch.planes(position).fill_with(|| {
                let is_set = random.below(3) == 0;
                if is_set { random.below(128) as u8 } else { 0 }
            });
        }
        scratch.globals().fill_with(|| random.below(255) as i8);
        net.evaluate(set, &frame, &mut scratch, &mut evaluation);
    }
    evaluation
}

fn net((variant, _, file): (&str, u8, &[u8])) -> Net {
    Net::from_bytes(file, variant).expect("a net")
}

fn number(bits: impl Hash) -> u32 {
    let mut hasher = DefaultHasher::new();
    bits.hash(&mut hasher);
    hasher.finish() as u32
}

/// The number of sets of instructions beside the plain one, if all of them say of random
/// positions what that says; else zero.
#[unsafe(no_mangle)]
pub extern "C" fn sets_with_the_same_bits() -> u32 {
    let same = NETS.iter().all(|&of| {
        let net = net(of);
        let says = |set| evaluated(&net, of.1, set, &mut Random::new(5), 3);
        let plain = says(Instructions::PLAIN);
        Instructions::all().all(|set| says(set) == plain)
    });
    if same {
        Instructions::all().count() as u32 - 1
    } else {
        0
    }
}

/// Evaluations by the small net of Go on 9x9, with AVX2 or the SIMD of WebAssembly: the slowest
/// set beside the plain one.
#[unsafe(no_mangle)]
pub extern "C" fn evaluations(count: u32) -> u32 {
    let set = Instructions::all().nth(1);
    let set = set.unwrap_or(Instructions::PLAIN);
    let said = evaluated(&net(NETS[0]), 9, set, &mut Random::new(1), count);
    number(format!("{said:?}"))
}

/// Random playouts of Go on 9x9.
#[unsafe(no_mangle)]
pub extern "C" fn playouts(count: u32) -> u32 {
    let game = Game::new(&of_go(9)).expect("a game");
    let mut random = Random::new(1);
    let mut boards = Vec::new();
    for _ in 0..count {
        let mut position = game.position().boxed();
        playout(&mut position, &mut random);
        boards.push(position.board.hash());
    }
    number(format!("{boards:?}"))
}

/// Megabytes of a tree: few, for memory of WebAssembly is written to when it is taken.
const TREE_MEMORY: usize = 8;

/// Searches without a net, one for each variant.
#[unsafe(no_mangle)]
pub extern "C" fn searches(playouts: u32) -> u32 {
    signature(playouts, false)
}

/// The same with the nets there are.
#[unsafe(no_mangle)]
pub extern "C" fn searches_with_nets(playouts: u32) -> u32 {
    signature(playouts, true)
}

fn signature(playouts: u32, use_net: bool) -> u32 {
    let mut chosen = Vec::new();
    for info in VARIANTS {
        let mut setup = Setup::new(info);
        setup.size = Size::square(9);
        let game = Game::new(&setup).expect("a game");
        let params = SearchParams {
            use_net,
            ..SearchParams::default()
        };
        let task = Task {
            playouts: Some(playouts.into()),
            seed: 1,
            ..Task::new(game.to_move())
        };
        chosen.push(Searcher::new(params, TREE_MEMORY, 1).turn(&game, &task).finish(&mut |_| false));
    }
    number(format!("{chosen:?}"))
}

fn of_go(side: u8) -> Setup {
    let mut setup = Setup::new(&go::INFO);
    setup.size = Size::square(side);
    setup
}
