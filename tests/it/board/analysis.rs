//! KataGo's analysis protocol over the WebSocket.

use super::support::{ServerProcess, server};
use crate::common::TIMEOUT;
use serde_json::{Value, json};
use std::net::{SocketAddr, TcpStream};
use tungstenite::{Message, WebSocket};

fn connect(address: SocketAddr) -> Result<WebSocket<TcpStream>, String> {
    let stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    let opened = tungstenite::client(format!("ws://{address}/analysis"), stream);
    let (socket, _) = opened.map_err(|error| error.to_string())?;
    Ok(socket)
}

fn read(socket: &mut WebSocket<TcpStream>) -> Value {
    loop {
        if let Message::Text(text) = socket.read().expect("a message") {
            return serde_json::from_str(&text).expect("JSON");
        }
    }
}

#[test]
fn queries_are_answered_over_a_websocket() {
    let server = ServerProcess::start(&["--analysis"]);
    let mut socket = connect(server.address()).expect("a WebSocket");
    for id in ["no", "go"] {
        let query = json!({
            "id": id, "variant": id, "boardXSize": 5, "boardYSize": 5, "moves": [], "maxVisits": 5,
        });
        socket.send(Message::text(query.to_string())).expect("a message");
    }
    socket.send(Message::text("no query")).expect("a message");
    let answers: Vec<_> = (0..3).map(|_| read(&mut socket)).collect();
    let is_answer = |id: &str| answers.iter().any(|answer| answer["id"] == id);
    assert!(is_answer("no") && is_answer("go"), "{answers:?}");
    assert!(answers.iter().any(|answer| answer["error"].is_string()));
    // A client that goes away in the middle of a search is no trouble for the next.
    let endless = json!({
        "id": "endless", "variant": "go", "moves": [], "maxVisits": 1_u64 << 40,
        "reportDuringSearchEvery": 0.05,
    });
    socket.send(Message::text(endless.to_string())).expect("a message");
    assert_eq!(read(&mut socket)["isDuringSearch"], true);
    drop(socket);
    let mut socket = connect(server.address()).expect("a WebSocket");
    let version = r#"{"id":"v","action":"query_version"}"#;
    socket.send(Message::text(version)).expect("a message");
    assert_eq!(read(&mut socket)["engine"], "kawari");
}

#[test]
fn without_the_option_there_is_no_such_socket() {
    let error = connect(server()).expect_err("refused");
    assert!(error.contains("404"), "{error}");
}
