//! Games with a friend on a server that other machines reach: its mailboxes and its guests.

use super::support::{Page, ServerProcess, damaged};
use kawari::board::Random;
use serde_json::{Value, json};
use std::net::SocketAddr;

const KEY: &str = "00112233445566778899aabbccddeeff";

/// A server with a token; the path of a mailbox for its holder.
fn open() -> (ServerProcess, String) {
    let server = ServerProcess::start(&["--listen", "0.0.0.0"]);
    let (_, token) = server.url.split_once('?').expect("a token");
    let path = format!("/mailbox?{token}");
    (server, path)
}

/// A connection to the mailbox of the key, and its first message.
fn mailbox(address: SocketAddr, path: &str, key: &str) -> (Page, Value) {
    let mut page = Page::at(address, path);
    page.send_text(&json!({ "key": key, "side": "black" }).to_string());
    let first = page.read();
    (page, first)
}

fn is_closed(mut page: Page) -> bool {
    // The first message says that the connection ends.
    page.socket.read().is_err() || page.socket.read().is_err()
}

fn post(entries: &[&str], follows: Option<usize>) -> Value {
    let start = json!({ "variant": "sygo", "width": 5, "height": 5 });
    let game = json!({
        "id": "one", "start": start, "black": "Ann", "white": "", "from": "black", "entries": entries,
    });
    json!({ "post": { "game": game, "follows": follows } })
}

/// Sends a post; returns the next message that has a refusal or these entries.
fn answer(page: &mut Page, post: &Value) -> Value {
    page.send_text(&post.to_string());
    let entries = &post["post"]["game"]["entries"];
    loop {
        let message = page.read();
        if message["refused"].is_string() || &message["newest"]["entries"] == entries {
            return message;
        }
    }
}

#[test]
fn only_the_holder_of_the_token_opens_a_mailbox() {
    let (server, holder) = open();
    let address = server.address();
    let (stranger, first) = mailbox(address, "/mailbox", KEY);
    assert!(first["refused"].is_string(), "{first}");
    assert!(is_closed(stranger));
    let (mut ann, first) = mailbox(address, &holder, KEY);
    assert!(first["newest"].is_null() && first["refused"].is_null(), "{first}");
    let opened = answer(&mut ann, &post(&["A1"], None));
    assert_eq!(opened["here"], json!(["black"]), "{opened}");
    // A friend has only the key, and posts.
    let (mut bo, first) = mailbox(address, "/mailbox", KEY);
    assert_eq!(first["newest"]["entries"], json!(["A1"]));
    answer(&mut bo, &post(&["A1", "C3"], Some(1)));
    loop {
        let news = ann.read();
        if news["newest"]["entries"] == json!(["A1", "C3"]) {
            break;
        }
    }
    // A reader of an older state gets the newest one with the refusal.
    let old = answer(&mut bo, &post(&["A1", "E5"], Some(1)));
    assert_eq!(old["newest"]["entries"], json!(["A1", "C3"]), "{old}");
}

#[test]
fn posts_that_follow_nothing_or_break_the_rules_are_refused() {
    let (server, holder) = open();
    let (mut ann, _) = mailbox(server.address(), &holder, KEY);
    answer(&mut ann, &post(&["A1"], None));
    let (mut bo, _) = mailbox(server.address(), "/mailbox", KEY);
    let mut other = post(&["A1", "C3"], Some(1));
    other["post"]["game"]["id"] = json!("two");
    for (text, words) in [
        (post(&["B2"], Some(1)).to_string(), "continued"),
        (post(&["A1", "A1"], Some(1)).to_string(), "not allowed"),
        (post(&["A1", "white dead C3"], Some(1)).to_string(), "not allowed"),
        (post(&["A1", "C3"], None).to_string(), "continued"),
        (other.to_string(), "another game"),
        ("{".to_owned(), "not a message"),
        ("[]".to_owned(), "not a message"),
        (json!({ "post": { "surplus": 1 } }).to_string(), "not a message"),
    ] {
        bo.send_text(&text);
        let refused = loop {
            let message = bo.read();
            if let Some(words) = message["refused"].as_str() {
                break words.to_owned();
            }
        };
        assert!(refused.contains(words), "{text}: {refused}");
    }
}

#[test]
fn a_guest_has_one_game_and_eight_boards() {
    let (server, holder) = open();
    let address = server.address();
    let (mut ann, _) = mailbox(address, &holder, KEY);
    let opened = answer(&mut ann, &post(&["A1"], None));
    let guest = |key: &str| {
        let mut page = Page::at(address, "/friend/socket");
        page.send_text(&json!({ "key": key }).to_string());
        page
    };
    assert!(is_closed(guest(&KEY.replace('0', "1"))));
    let mut bo = guest(KEY);
    let game = &opened["newest"];
    bo.done(json!({ "receive": { "game": game, "own": "black" } }));
    bo.done(json!({ "play": { "turn": "C3" } }));
    let mut other = game.clone();
    other["id"] = json!("two");
    for refused in [
        json!({ "receive": { "game": other } }),
        json!("hint"),
        json!({ "open": { "sgf": "(;GM[1]SZ[5])" } }),
        json!({ "describe": { "bytes": "KDsp" } }),
        json!({ "new": { "variant": "go" } }),
        json!({ "review": { "visits": 1 } }),
        json!("save"),
        json!("solve"),
        json!("genmove"),
        json!("problems"),
        json!("agree"),
        json!({ "analysis": { "on": true } }),
        json!({ "dead_stones": { "estimate": true } }),
        json!({ "players": { "black": "human", "white": "human" } }),
        json!({ "lessons": { "variant": "go" } }),
        json!({ "comment": { "node": 1, "text": "x" } }),
    ] {
        assert!(bo.ask(refused.clone()).is_err(), "{refused}");
    }
    let mut boards = vec![bo];
    for _ in 1..8 {
        let mut board = guest(KEY);
        board.done(json!("hello"));
        boards.push(board);
    }
    assert!(is_closed(guest(KEY)));
}

/// A message of a guest, some with random changes.
fn mutated(random: &mut Random) -> String {
    let samples = [
        post(&["A1", "C3"], Some(1)),
        post(&["A1", "C3", "grow"], Some(1)),
        post(&["A1", "black asks", "white yes"], Some(1)),
        post(&["A1", "white dead"], Some(1)),
        post(&["A1", "A1"], Some(1)),
        post(&[], Some(1)),
        json!({ "side": "white" }),
        json!({ "key": KEY }),
    ];
    let text = samples[random.below(samples.len() as u32) as usize].to_string();
    if random.below(3) == 0 { text } else { damaged(&text, random) }
}

/// Every message is answered, and the mailbox never has a game that a page refuses.
#[test]
fn random_posts_leave_a_game_of_the_rules() {
    const MESSAGES: usize = 20;
    let (server, holder) = open();
    let address = server.address();
    let (mut ann, _) = mailbox(address, &holder, KEY);
    answer(&mut ann, &post(&["A1"], None));
    let threads: Vec<_> = (0..6)
        .map(|seed| {
            std::thread::spawn(move || {
                let mut random = Random::new(seed);
                let (mut guest, _) = mailbox(address, "/mailbox", KEY);
                // A refusal waits a moment.
                for _ in 0..MESSAGES {
                    guest.send_text(&mutated(&mut random));
                }
                guest.socket.close(None).expect("an open connection");
                let mut answers = 0;
                while let Ok(message) = guest.socket.read() {
                    answers += usize::from(message.is_text());
                }
                assert!(answers >= MESSAGES, "{answers} answers");
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().expect("no failure"));
    let (_, first) = mailbox(address, "/mailbox", KEY);
    let mut page = Page::at(address, "/friend/socket");
    page.send_text(&json!({ "key": KEY }).to_string());
    page.done(json!({ "receive": { "game": first["newest"], "own": "white" } }));
    let entries = first["newest"]["entries"].as_array().expect("entries");
    assert!(entries.len() > 1 && entries[0] == "A1", "{first}");
}
