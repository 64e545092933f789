//! Files of the page, headers, and who may connect.

use super::support::{ServerProcess, server};
use crate::common::TIMEOUT;
use std::io::{Read, Write};
use std::net::{SocketAddr, TcpStream};

/// The answer to the head of a request.
fn send(address: SocketAddr, head: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    stream.write_all(head.as_bytes()).expect("a request");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("an answer");
    String::from_utf8_lossy(&answer).into_owned()
}

fn get(address: SocketAddr, path: &str, headers: &str) -> String {
    send(address, &format!("GET {path} HTTP/1.1\r\nConnection: close\r\n{headers}\r\n"))
}

fn status(answer: &str) -> &str {
    answer.get(9..12).expect("a status")
}

/// The headers of a WebSocket.
const UPGRADE: &str = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n\
    Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n";

/// The status of the answer to an upgrade.
fn upgrade(address: SocketAddr, path: &str, headers: &str) -> String {
    let mut stream = TcpStream::connect(address).expect("a connection");
    stream.set_read_timeout(Some(TIMEOUT)).expect("a socket");
    let head = format!("GET {path} HTTP/1.1\r\n{UPGRADE}{headers}\r\n");
    stream.write_all(head.as_bytes()).expect("a request");
    let mut answer = [0; 12];
    stream.read_exact(&mut answer).expect("an answer");
    status(&String::from_utf8_lossy(&answer)).to_owned()
}

#[test]
fn files_have_types_tags_and_a_policy() {
    let address = server();
    let host = format!("Host: {address}\r\n");
    let page = get(address, "/", &host);
    assert_eq!(status(&page), "200");
    let head = page.to_ascii_lowercase();
    for header in [
        "content-type: text/html; charset=utf-8",
        "content-security-policy: default-src 'self';",
        "x-content-type-options: nosniff",
        "referrer-policy: no-referrer",
        "cross-origin-opener-policy: same-origin",
    ] {
        assert!(head.contains(header), "{header}: {head}");
    }
    assert!(!page.contains("<script>") && !page.contains(" onclick="));
    let tag = head.split("etag: ").nth(1).and_then(|rest| rest.split("\r\n").next());
    let known = format!("{host}If-None-Match: {}\r\n", tag.expect("a tag"));
    assert_eq!(status(&get(address, "/", &known)), "304");
    let script = get(address, "/main.js", &host).to_ascii_lowercase();
    assert!(script.contains("content-type: text/javascript"));
    for path in ["/nothing", "/../Cargo.toml", "/%2e%2e/Cargo.toml", "/page/index.html", "//"] {
        assert_eq!(status(&get(address, path, &host)), "404", "{path}");
    }
    let posted = send(
        address,
        &format!("POST / HTTP/1.1\r\n{host}Connection: close\r\nContent-Length: 0\r\n\r\n"),
    );
    assert_eq!(status(&posted), "405");
    assert_eq!(status(&get(address, "/socket", &host)), "400");
}

#[test]
fn other_names_and_sites_are_refused() {
    let address = server();
    let port = address.port();
    let own = format!("Host: localhost:{port}\r\n");
    let rebound = format!("Host: evil.example:{port}\r\n");
    for path in ["/", "/main.js", "/socket"] {
        assert_eq!(status(&get(address, path, &rebound)), "403", "{path}");
        assert_ne!(status(&get(address, path, &own)), "403", "{path}");
    }
    assert_eq!(status(&get(address, "/", "")), "403");
    let from = |origin: &str| format!("{own}Origin: {origin}\r\n");
    assert_eq!(upgrade(address, "/socket", &own), "101");
    let same = from(&format!("http://localhost:{port}"));
    assert_eq!(upgrade(address, "/socket", &same), "101");
    for origin in ["http://evil.example", "null", "http://localhost:1", "http://127.0.0.1"] {
        assert_eq!(upgrade(address, "/socket", &from(origin)), "403", "{origin}");
    }
    assert_eq!(upgrade(address, "/socket", &rebound), "403");
}

#[test]
fn beyond_loopback_a_token_is_needed() {
    let server = ServerProcess::start(&["--listen", "0.0.0.0"]);
    let (address, url) = (server.address(), server.url.clone());
    let query = url.split_once("/?").expect("a token").1;
    let host = format!("Host: board.example:{}\r\n", address.port());
    assert_eq!(status(&get(address, &format!("/?{query}"), &host)), "200");
    assert_eq!(upgrade(address, &format!("/socket?{query}"), &host), "101");
    for query in ["", "token=", "token=00000000000000000000000000000000"] {
        assert_eq!(status(&get(address, &format!("/?{query}"), &host)), "403");
        assert_eq!(upgrade(address, &format!("/socket?{query}"), &host), "403");
    }
    let evil = format!("{host}Origin: http://evil.example\r\n");
    assert_eq!(upgrade(address, &format!("/socket?{query}"), &evil), "403");
}

#[test]
fn a_port_in_use_is_told_with_the_next_step() {
    let address = server();
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_kawari"))
        .args(["board", "--no-open", "--port", &address.port().to_string()])
        .output()
        .expect("a process");
    let error = String::from_utf8_lossy(&output.stderr);
    assert_eq!(output.status.code(), Some(1));
    assert!(error.contains("is in use") && error.contains("--port"), "{error}");
}
