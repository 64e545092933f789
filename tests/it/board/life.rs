//! Tabs that close, vanish or do not answer; many tabs at the same time.

use super::support::{Page, ServerProcess, server, server_with};
use crate::common::{TIMEOUT, processor};
use serde_json::json;
use std::fs;
use std::time::{Duration, Instant};

/// The threads of tabs and searches of a process, where the system tells.
fn tab_threads(process: u32) -> Option<usize> {
    let tasks = fs::read_dir(format!("/proc/{process}/task")).ok()?;
    let name = |task: fs::DirEntry| fs::read_to_string(task.path().join("comm")).ok();
    let names = tasks.filter_map(|task| name(task.ok()?));
    Some(names.filter(|name| ["tab", "search"].contains(&name.trim())).count())
}

/// Resident memory of a process, in megabytes.
fn memory(process: u32) -> Option<u64> {
    let status = fs::read_to_string(format!("/proc/{process}/status")).ok()?;
    let line = status.lines().find(|line| line.starts_with("VmRSS"))?;
    let kilobytes: u64 = line.split_whitespace().nth(1)?.parse().ok()?;
    Some(kilobytes / 1024)
}

fn analysing(server: &ServerProcess) -> Page {
    let mut page = Page::open(server.address());
    page.new_game(json!({ "variant": "go" }));
    page.done(json!({ "analysis": { "on": true } }));
    page.event("analysis");
    page
}

/// A person's turn against a player that ponders meanwhile.
fn pondering(server: &ServerProcess) -> Page {
    let mut page = Page::open(server.address());
    let players = json!({ "black": "human", "white": { "seconds": 1.0 } });
    page.new_game(json!({ "variant": "go", "players": players }));
    page.done(json!({ "ponder": { "on": true } }));
    page.event("thinking");
    page
}

/// The processor time that a server uses within a while; `None` where the system does not say.
fn used_in(server: &ServerProcess, time: Duration) -> Option<Duration> {
    let before = processor::of_process(server.id())?;
    std::thread::sleep(time);
    Some(processor::of_process(server.id())? - before)
}

/// Waits until a server has `wanted` threads of tabs and searches. (A new thread gets its name when
/// it first runs, which can be after its page heard of the search.)
fn await_threads(server: &ServerProcess, wanted: usize) {
    let deadline = Instant::now() + TIMEOUT;
    while let Some(threads) = tab_threads(server.id())
        && threads != wanted
    {
        assert!(Instant::now() < deadline, "{threads} threads, not {wanted}");
        std::thread::sleep(Duration::from_millis(10));
    }
}

#[test]
fn a_closed_tab_ends_its_search() {
    let server = ServerProcess::start(&[]);
    for searching in [analysing, pondering] {
        let page = searching(&server);
        await_threads(&server, 2);
        drop(page);
        // A search that did not notice would have minutes of work.
        await_threads(&server, 0);
    }
}

#[test]
fn a_page_that_does_not_answer_has_its_search_suspended() {
    let server = ServerProcess::start(&[]);
    let mut page = analysing(&server);
    // The page reads nothing, so it answers no ping.
    let suspended = || used_in(&server, Duration::from_secs(1)) < Some(Duration::from_millis(200));
    assert!((0..60).any(|_| suspended()));
    // It answers again, and the search goes on.
    page.done(json!("hello"));
    page.events.clear();
    page.event("analysis");
}

#[test]
fn nothing_is_done_while_nothing_happens() {
    let server = ServerProcess::start(&[]);
    let mut pages: Vec<_> = (0..5).map(|_| Page::open(server.address())).collect();
    for page in &mut pages {
        page.new_game(json!({ "variant": "no" }));
    }
    let nothing = || used_in(&server, Duration::from_millis(500)).unwrap_or_default().is_zero();
    assert!((0..10).any(|_| nothing()));
}

#[test]
fn a_connection_that_does_not_answer_is_closed_and_another_stays() {
    let address = server_with(Duration::from_millis(1500));
    let (mut silent, mut answering) = (Page::open(address), Page::open(address));
    silent.done(json!("hello"));
    answering.done(json!("hello"));
    for _ in 0..16 {
        std::thread::sleep(Duration::from_millis(250));
        answering.done(json!("hello"));
    }
    // Messages sent before the close can be read still.
    let closed = (0..100).any(|_| silent.socket.read().is_err());
    assert!(closed);
    answering.done(json!("hello"));
}

#[test]
fn engine_against_engine_pauses_and_stops() {
    let mut page = Page::open(server());
    let long = json!({ "seconds": 600 });
    page.done(json!({ "new": {
        "variant": "no", "width": 7, "height": 7, "players": { "black": long, "white": long },
    } }));
    assert_eq!(page.event("thinking")["on"], true);
    let started = Instant::now();
    page.done(json!("stop"));
    while page.state["state"]["turn"] != 1 {
        page.event("state");
    }
    page.done(json!({ "pause": { "on": true } }));
    while page.event("thinking")["on"] == true {}
    // Two searches that nobody ends take 20 minutes.
    assert!(started.elapsed() < Duration::from_secs(1000));
    page.events.clear();
    page.done(json!("hello"));
    assert!(page.events.is_empty());
    page.done(json!({ "pause": { "on": false } }));
    assert_eq!(page.event("thinking")["color"], "white");
}

/// Plays turns of the engine at 0.1 s in `tabs` tabs at the same time; returns the longest
/// wait for a turn.
fn play_tabs(server: &ServerProcess, tabs: usize, turns: u64) -> Duration {
    let address = server.address();
    let play = move |number: usize| {
        let mut page = Page::open(address);
        let ids: Vec<_> = crate::common::ids().collect();
        let id = ids[number % ids.len()];
        page.new_game(json!({ "variant": id }));
        let fast = json!({ "seconds": 0.1 });
        page.done(json!({ "players": { "black": fast, "white": fast } }));
        let mut longest = Duration::ZERO;
        for turn in 1..=turns {
            let asked = Instant::now();
            while page.state["state"]["turn"].as_u64() < Some(turn) {
                page.event("state");
            }
            longest = longest.max(asked.elapsed());
        }
        (page, longest)
    };
    let threads: Vec<_> =
        (0..tabs).map(|number| std::thread::spawn(move || play(number))).collect();
    let played: Vec<_> =
        threads.into_iter().map(|thread| thread.join().expect("no failure")).collect();
    eprintln!("{tabs} tabs: {:?} MB", memory(server.id()));
    played.iter().map(|(_, longest)| *longest).max().unwrap_or_default()
}

#[test]
fn several_tabs_play_at_the_same_time() {
    let server = ServerProcess::start(&[]);
    play_tabs(&server, 7, 3);
}

/// By hand: `cargo test --release --test it fifty_tabs -- --ignored --nocapture`.
#[test]
#[ignore = "takes a minute and all cores"]
fn fifty_tabs_at_the_same_time() {
    let server = ServerProcess::start(&[]);
    for round in 0..3 {
        let longest = play_tabs(&server, 50, 12);
        std::thread::sleep(Duration::from_secs(2));
        eprintln!("round {round}: longest {longest:?}, then {:?} MB", memory(server.id()));
        assert!(longest < Duration::from_secs(3), "{longest:?}");
    }
}
