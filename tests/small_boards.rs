mod common;
use common::solver::{Limits, value};
use kawari::board::Color;

#[test]
#[ignore]
fn probe() {
    let setups = std::env::var("SETUPS").unwrap();
    let depth = std::env::var("DEPTH").unwrap_or("30".into()).parse().unwrap();
    let nodes = std::env::var("NODES").unwrap_or("2000000".into()).parse().unwrap();
    let strict = std::env::var("STRICT").is_ok();
    for s in setups.split(';') {
        let (s, turns) = s.split_once('/').unwrap_or((s, ""));
        let mut game = common::start(s);
        if !turns.is_empty() { common::play(&mut game, turns); }
        let t = std::time::Instant::now();
        let mover = game.to_move();
        let v = value(&game, mover, Limits { depth, nodes, strict });
        println!("{s}/{turns}: {mover:?} {v:?} {:?}", t.elapsed());
    }
    let _ = Color::Black;
}
