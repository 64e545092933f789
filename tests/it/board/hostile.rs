//! Messages that no page sends.

use super::support::{Page, damaged, server};
use kawari::board::Random;
use serde_json::json;
use std::time::{Duration, Instant};
use tungstenite::{Message, Utf8Bytes};

/// How long random messages are sent; the variable `KAWARI_BOARD_SECONDS` asks for another
/// time.
fn duration() -> Duration {
    let seconds = std::env::var("KAWARI_BOARD_SECONDS").ok();
    Duration::from_secs(seconds.map_or(3, |seconds| seconds.parse().expect("a number")))
}

#[test]
fn other_messages_get_an_error_or_a_closed_connection() {
    let address = server();
    let mut page = Page::open(address);
    let deep = "[".repeat(100_000);
    for text in ["", "{", "null", "{\"do\":\"hello\"}", &deep, "\u{0}"] {
        page.send_text(text);
        let reply = page.read();
        assert!(reply["id"].is_null() && reply["error"].is_string(), "{text:.20}");
    }
    page.send_text("{\"id\":5000000000,\"do\":\"hello\"}");
    assert!(page.read()["error"].is_string());
    // A client that waits for a reply with a number gets it.
    page.send_text("{\"id\":1}");
    assert!(page.reply(1).is_err());
    page.socket.send(Message::binary(vec![0, 1, 2])).expect("sent");
    assert!(page.socket.read().is_err() || page.socket.read().is_err());
    let mut page = Page::open(address);
    let large =
        Message::Text(Utf8Bytes::from("x".repeat(kawari_tab::web::request::MAX_MESSAGE + 1)));
    // The server may close the connection before all of it has left.
    let _ = page.socket.send(large);
    let closed = (0..3).any(|_| page.socket.read().is_err());
    assert!(closed);
    Page::open(address).done(json!("hello"));
}

/// A request with random changes.
fn mutated(random: &mut Random) -> String {
    let samples = [
        json!({ "new": { "variant": "sygo", "width": 5, "height": 5 } }),
        json!({ "new": { "variant": "tao", "width": 4, "height": 7, "stones": 2 } }),
        json!({ "new": { "variant": "2.5d", "width": 3, "rules": { "layers": "3" } } }),
        json!({ "new": { "variant": "no", "width": 6, "players": {
            "black": { "level": 1 }, "white": { "visits": 5 } } } }),
        json!({ "play": { "at": { "kind": 1, "point": "C3" } } }),
        json!({ "play": { "at": { "kind": 0, "point": "B2" } } }),
        json!({ "play": { "turn": "grow B2 B3" } }),
        json!({ "look": { "at": { "kind": 0, "point": "B3" } } }),
        json!({ "play": "pass" }),
        json!({ "play": "resign" }),
        json!({ "play": "end" }),
        json!("undo"),
        json!("take_back"),
        json!("genmove"),
        json!("hint"),
        json!("solve"),
        json!("stop"),
        json!("save"),
        json!("undo_edit"),
        json!("redo_edit"),
        json!({ "describe": { "bytes": "KDtHTVsxXVNaWzVdO0JbYWFdKSg7R01bMl0pKDtTWls1XQ==" } }),
        json!("agree"),
        json!("hello"),
        json!({ "analysis": { "on": true } }),
        json!({ "analysis": { "on": false } }),
        json!({ "pause": { "on": true } }),
        json!({ "pause": { "on": false } }),
        json!("flag"),
        json!("play_on"),
        json!({ "pace": { "reply": 1, "engines": 1 } }),
        json!({ "players": { "black": "human", "white": { "engine": "rm -rf" } } }),
        json!({ "new": { "variant": "go", "width": 5, "clock": { "fischer": { "main": 0.01, "increment": 0 } } } }),
        json!({ "forecast": { "turns": 8 } }),
        json!({ "dead_stones": { "estimate": true } }),
        json!({ "toggle_dead": { "at": "B2" } }),
        json!({ "review": { "visits": 3 } }),
        json!({ "go": { "node": 3 } }),
        json!({ "remove": { "node": 2 } }),
        json!({ "promote": { "node": 4 } }),
        json!({ "comment": { "node": 1, "text": "x" } }),
        json!({ "open": { "sgf": "(;GM[1]SZ[5];B[aa](;W[bb])(;W[cc];B[dd]))", "path": [0, 1] } }),
        json!({ "open": { "sgf": "(;KAWARI[no]SZ[5];B[aa]KTURN[A5])" } }),
    ];
    let mut pick = |bound: usize| random.below(bound as u32) as usize;
    let command = &samples[pick(samples.len())];
    let text = json!({ "id": pick(100), "do": command }).to_string();
    if pick(3) == 0 { damaged(&text, random) } else { text }
}

#[test]
fn random_messages_leave_the_server_serving() {
    let address = server();
    let deadline = Instant::now() + duration();
    let threads: Vec<_> = (0..4)
        .map(|seed| {
            std::thread::spawn(move || {
                let mut random = Random::new(seed);
                while Instant::now() < deadline {
                    let mut page = Page::open(address);
                    for _ in 0..200 {
                        page.send_text(&mutated(&mut random));
                    }
                    // All of them are handled, whatever became of each.
                    page.send_text("{\"id\":4000000000,\"do\":\"stop\"}");
                    while page.read()["id"] != 4_000_000_000_u32 {}
                }
            })
        })
        .collect();
    for thread in threads {
        thread.join().expect("no failure");
    }
    Page::open(address).done(json!("hello"));
}
