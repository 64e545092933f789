//! Behaviour during a search: analysis, which any line ends, pondering, clocks, and
//! clients that disconnect.

use crate::client::EngineProcess;
use crate::common::processor;
use std::io::{Read, Write};
use std::time::{Duration, Instant};

/// Processor time that an analysis may use after a line has arrived; a fiftieth of a second is
/// usual.
const AT_ONCE: Duration = Duration::from_millis(500);

/// Seconds for a move that nobody waits for: a search that a test expects to end takes longer by
/// itself than `TIMEOUT`.
const LONG: u32 = 86_400;

fn pause(milliseconds: u64) {
    std::thread::sleep(Duration::from_millis(milliseconds));
}

#[test]
fn any_line_ends_an_analysis_at_once() {
    let mut engine = EngineProcess::start("--size 25");
    for line in ["", "# a comment", "  ", "\0"] {
        engine.send("1 lz-analyze 5");
        assert_eq!(engine.line(), "=1");
        pause(60);
        let time = engine.processor_time(|engine| {
            engine.send(line);
            engine.rest();
        });
        assert!(time < AT_ONCE, "{line:?}: {time:?}");
    }
    assert_eq!(engine.ask("name"), "= kawari", "nothing but the analysis was answered");
}

#[test]
fn the_line_that_ends_an_analysis_is_executed() {
    let mut engine = EngineProcess::start("--variant no --size 9");
    for command in ["lz-analyze", "kata-analyze b 10", "lz-analyze W interval 10"] {
        engine.send(command);
        assert_eq!(engine.line(), "=");
        pause(30);
        engine.send("7 protocol_version");
        engine.rest();
        assert_eq!(engine.rest(), ["=7 2"], "{command}");
    }
    engine.send("kata-analyze 5");
    assert_eq!(engine.line(), "=");
    engine.send("quit");
    engine.rest();
    assert_eq!(engine.rest(), ["="]);
    assert!(engine.ends());
}

#[test]
fn waiting_lines_are_answered_in_order() {
    let mut engine = EngineProcess::start("--size 9 --playouts 50");
    engine.send(
        "1 name\n2 lz-analyze 1\n3 genmove b\n4 kata-analyze\n\n5 kata-genmove_analyze w 1\n6 name",
    );
    let mut ids = Vec::new();
    while ids.last().map(String::as_str) != Some("=6 kawari") {
        let line = engine.line();
        if line.starts_with(['=', '?']) {
            ids.push(line);
        }
    }
    assert_eq!(ids.len(), 6, "{ids:?}");
    let moved = &ids[2];
    assert!(moved.starts_with("=3 "), "{ids:?}");
    assert_eq!((ids[1].as_str(), ids[3].as_str(), ids[4].as_str()), ("=2", "=4", "=5"));
}

#[test]
fn an_analysis_of_any_position_ends() {
    let mut engine = EngineProcess::start("--size 5");
    let positions: &[&[&str]] = &[
        &["play b pass", "play w pass"],
        &["clear_board", "play b resign"],
        &["kawari-variant sygo", "boardsize 5", "play w A1", "play b E5", "play w D1", "play w A2"],
        &["kawari-variant tao", "boardsize 25"],
        &["kawari-variant 2.5d", "boardsize 12"],
    ];
    for position in positions {
        for line in *position {
            engine.ask(line);
        }
        for color in ["b", "w"] {
            engine.send(&format!("kata-analyze {color} 1 ownership true"));
            assert_eq!(engine.line(), "=");
            pause(20);
            engine.send("");
            let lines = engine.rest();
            let good =
                |line: &String| line.starts_with("info move ") || line.starts_with("ownership");
            assert!(lines.iter().all(good), "{position:?}: {lines:?}");
        }
    }
}

/// The moves of a line of analysis, and the numbers after the word `field`.
fn parse_analysis(line: &str, field: &str) -> (Vec<String>, Vec<f32>) {
    let words: Vec<&str> = line.split(' ').collect();
    let moves = words.windows(2).filter(|pair| pair[0] == "move");
    let moves = moves.map(|pair| pair[1].to_owned()).collect();
    let after = words.iter().skip_while(|word| **word != field).skip(1);
    let numbers = after.map_while(|word| word.parse().ok()).collect();
    (moves, numbers)
}

#[test]
fn analysed_moves_can_be_played() {
    for (args, places) in [
        ("--variant go --size 5x4", 20),
        ("--variant no --size 5", 25),
        ("--variant go-san --size 5", 25),
        ("--variant tao --size 5", 25),
        ("--variant sygo --size 5", 25),
        ("--variant stoical --size 5", 25),
        ("--variant 2.5d --size 4", 36),
    ] {
        let mut engine = EngineProcess::start(&format!("{args} --playouts 30 --seed 1"));
        for color in ["w", "b", "w", "b", "w", "b", "w"] {
            engine.ask(&format!("genmove {color}"));
            engine.send(&format!("kata-analyze {color} 1 ownership true rootInfo true"));
            assert_eq!(engine.line(), "=");
            pause(40);
            engine.send("");
            let Some(line) = engine.rest().pop() else {
                continue; // The other side's turn, or a machine that is busy.
            };
            let (moves, owners) = parse_analysis(&line, "ownership");
            assert!(!moves.is_empty(), "{args}: {line}");
            assert_eq!(owners.len(), places, "{args}: {line}");
            assert!(owners.iter().all(|owner| owner.abs() <= 1.0), "{args}: {line}");
            let (_, wins) = parse_analysis(&line, "winrate");
            assert!((0.0..=1.0).contains(&wins[0]), "{args}: {line}");
            for vertex in moves {
                let played = engine.ask(&format!("play {color} {vertex}"));
                assert_eq!(played, "=", "{args}: {color} {vertex}");
                assert_eq!(engine.ask("undo"), "=");
            }
        }
    }
}

#[test]
fn end_of_input_ends_an_analysis() {
    let mut engine = EngineProcess::start("");
    engine.send("lz-analyze 1");
    assert_eq!(engine.line(), "=");
    engine.input = None;
    assert!(engine.ends());
}

#[test]
fn no_engine_outlives_its_client() {
    for command in [
        "genmove b",
        "kata-genmove_analyze b 1",
        "kawari-genturn b",
        "kata-search",
        "kata-search_cancellable",
    ] {
        let mut engine = EngineProcess::start(&format!("--time {LONG} --param early_stop=false"));
        engine.send(command);
        pause(50);
        engine.input = None;
        engine.output = None;
        assert!(engine.ends(), "{command}");
    }
}

#[test]
fn the_end_of_input_does_not_cancel_a_search() {
    let mut engine = EngineProcess::start("--size 9 --time 0.4 --param early_stop=false");
    let started = Instant::now();
    engine.send("genmove b\nname");
    engine.input = None;
    let mut text = String::new();
    let output = engine.output.as_mut().expect("an open pipe");
    output.read_to_string(&mut text).expect("text");
    assert!(text.ends_with("\n\n= kawari\n\n"), "{text}");
    assert!(started.elapsed() >= Duration::from_millis(390), "{:?}", started.elapsed());
}

#[test]
fn interrupt_ends_a_search_but_other_lines_wait() {
    let mut engine =
        EngineProcess::start(&format!("--size 9 --time {LONG} --param early_stop=false"));
    assert_eq!(engine.ask("gogui-interrupt"), "=");
    engine.send("1 genmove b");
    pause(30);
    engine.send("# interrupt");
    assert!(engine.rest()[0].starts_with("=1 "));
    assert_eq!(engine.ask("kata-set-param time 0.3"), "=");
    let started = Instant::now();
    engine.send("2 genmove w\n3 name");
    assert!(engine.rest()[0].starts_with("=2 "));
    assert!(started.elapsed() >= Duration::from_millis(290));
    assert_eq!(engine.rest(), ["=3 kawari"]);
}

#[test]
fn any_line_cancels_a_cancellable_search() {
    let mut engine =
        EngineProcess::start(&format!("--size 9 --time {LONG} --param early_stop=false"));
    for line in ["", "name", "# a remark"] {
        engine.send("1 kata-search_cancellable b");
        pause(30);
        engine.send(line);
        assert_eq!(engine.rest(), ["=1 cancelled"], "{line}");
        if line == "name" {
            assert_eq!(engine.rest(), ["= kawari"]);
        }
        engine.send("2 kata-search_analyze_cancellable w 1");
        pause(50);
        engine.send(line);
        let lines = engine.rest();
        assert_eq!(lines.first().map(String::as_str), Some("=2"));
        assert!(lines[1].starts_with("info move "), "{lines:?}");
        assert_eq!(lines.last().map(String::as_str), Some("play cancelled"));
        if line == "name" {
            assert_eq!(engine.rest(), ["= kawari"]);
        }
    }
    assert_eq!(engine.ask("kawari-history"), "=");
    assert_eq!(engine.ask("kata-set-param playouts 20"), "=");
    let chosen = engine.ask("kata-search_cancellable");
    assert!(chosen.len() >= 4 && chosen != "= cancelled", "{chosen}");
    // The end of input is not a line, so it cancels nothing.
    engine.send("kata-search_cancellable w");
    engine.input = None;
    let lines = engine.rest();
    assert!(lines[0] != "= cancelled", "{lines:?}");
}

#[test]
fn pondering_is_off_by_default() {
    let used = |args: &str| {
        let mut engine = EngineProcess::start(&format!("--size 9 --playouts 10 {args}"));
        engine.ask("genmove b");
        engine.processor_time(|_| pause(400))
    };
    const SOME: Duration = Duration::from_millis(50);
    assert!(used("") < SOME);
    if processor::of_thread().is_some() {
        // The machine may be busy.
        assert!((0..20).any(|_| used("--ponder") > SOME));
    }
}

#[test]
fn any_line_ends_pondering_at_once() {
    let mut engine = EngineProcess::start("--size 25 --playouts 10 --ponder");
    assert!(engine.ask("genmove b").starts_with("= "));
    pause(50);
    let time = engine.processor_time(|engine| assert_eq!(engine.ask("undo"), "="));
    assert!(time < AT_ONCE, "{time:?}");
    engine.ask("kawari-genturn w");
    pause(50);
    assert_eq!(engine.ask("quit"), "=");
    assert!(engine.ends());
    let mut engine = EngineProcess::start("--size 9 --playouts 10 --ponder");
    engine.ask("genmove b");
    engine.input = None;
    assert!(engine.ends());
}

/// The processor time of a few playouts: a search looks at the clock between them.
fn between_looks(options: &str) -> Duration {
    let mut engine = EngineProcess::start(&format!("{options} --playouts 16"));
    engine.processor_time(|engine| _ = engine.ask("genmove b"))
}

#[test]
fn short_clocks_are_not_overrun() {
    // The limits of processor time for ten moves together and for one, in milliseconds.
    for (variant, settings, all, one) in [
        ("go", "time_settings 1 0 0", 1000, 500),
        ("sygo", "time_settings 1 0 0", 1000, 500),
        ("go", "kgs-time_settings byoyomi 0 0.15 3", 1500, 300),
        ("no", "kata-time_settings fischer 0.4 0.05", 900, 400),
        ("go", "time_settings 0 0.5 5", 1000, 500),
    ] {
        let options = format!("--variant {variant} --size 9");
        let (slack, mut engine) = (between_looks(&options), EngineProcess::start(&options));
        assert_eq!(engine.ask(settings), "=");
        let (mut longest, mut total) = (Duration::ZERO, Duration::ZERO);
        for _ in 0..10 {
            let time = engine.processor_time(|engine| _ = engine.ask("genmove b"));
            longest = longest.max(time);
            total += time;
            engine.ask("play w pass");
        }
        let (all, one) = (Duration::from_millis(all), Duration::from_millis(one));
        assert!(total < all + 10 * slack, "{variant} {settings}: {total:?}");
        assert!(longest < one + slack, "{variant} {settings}: {longest:?}");
    }
    let (slack, mut engine) = (between_looks("--size 19"), EngineProcess::start("--size 19"));
    engine.ask("time_settings 600 0 0");
    engine.ask("time_left b 0.05 0");
    let time = engine.processor_time(|engine| _ = engine.ask("genmove b"));
    assert!(time < Duration::from_millis(50) + 2 * slack, "{time:?}");
}

#[test]
fn lost_games_are_resigned_only_when_allowed() {
    let position = [
        "set_free_handicap B1 B2 B3 B4 B5 D1 D2 D3 D4 D5",
        "play w C1",
        "play b pass",
        "play w C2",
        "play b pass",
        "play w C3",
        "play b pass",
        "play w C4",
    ];
    let moves = |args: &str| {
        let mut engine = EngineProcess::start(&format!("--size 5 --playouts 30 --komi 0 {args}"));
        for line in position {
            assert_eq!(engine.ask(line).chars().next(), Some('='), "{line}");
        }
        // Black is ahead by area now, however low the win rate.
        let black = engine.ask("genmove b");
        let white = engine.ask("genmove w");
        let state = engine.ask("final_score");
        (black, white, state)
    };
    let (black, white, _) = moves("");
    assert!(black != "= resign" && white != "= resign");
    let eager = "--param resign_threshold=1 --param resign_turns=1";
    let (_, white, _) = moves(eager);
    assert_ne!(white, "= resign");
    let (black, white, score) = moves(&format!("--resign {eager}"));
    assert_ne!(black, "= resign");
    assert_eq!((white.as_str(), score.as_str()), ("= resign", "= B+R"));
    let patient = "--resign --param resign_threshold=1 --param resign_turns=2";
    assert_ne!(moves(patient).1, "= resign");
}

#[test]
fn many_pending_lines_are_all_answered() {
    let mut engine = EngineProcess::start("--size 9 --playouts 200");
    let mut pipe = engine.input.take().expect("an open pipe");
    let writer = std::thread::spawn(move || {
        pipe.write_all(b"genmove b\n")?;
        pipe.write_all(&b"name\n".repeat(400_000))
    });
    pause(50);
    let mut text = String::new();
    let output = engine.output.as_mut().expect("an open pipe");
    output.read_to_string(&mut text).expect("text");
    writer.join().expect("a writer").expect("an open pipe");
    assert_eq!(text.matches("= kawari\n\n").count(), 400_000);
    assert!(engine.ends());
}
