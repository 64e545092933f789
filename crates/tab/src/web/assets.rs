//! The files of the page, embedded in the program.

use crate::board::{FNV_OFFSET, fnv1a};
use crate::packed::{packed, unpacked};

#[derive(Debug)]
pub struct Asset {
    pub path: &'static str,
    /// Compressed files, of which it consists.
    parts: &'static [&'static [u8]],
}

impl Asset {
    const fn new(path: &'static str, parts: &'static [&'static [u8]]) -> Asset {
        Asset { path, parts }
    }

    pub fn bytes(&self) -> Vec<u8> {
        self.parts.iter().filter_map(|part| unpacked(part)).flatten().collect()
    }

    pub fn content_type(&self) -> &'static str {
        match self.path.rsplit_once('.') {
            Some((_, "js")) => "text/javascript; charset=utf-8",
            Some((_, "css")) => "text/css; charset=utf-8",
            Some((_, "svg")) => "image/svg+xml",
            Some((_, "json" | "webmanifest")) => "application/json",
            _ => "text/html; charset=utf-8",
        }
    }

    /// The entity tag, a hash of the content.
    pub fn tag(&self) -> String {
        let hash = self.parts.iter().fold(FNV_OFFSET, |hash, part| fnv1a(hash, part));
        format!("\"{hash:016x}\"")
    }
}

/// Lists the files of the directory `page`.
macro_rules! assets {
    ($($name:literal),+ $(,)?) => {
        static ASSETS: &[Asset] = &[$(Asset::new(
            concat!("/", $name),
            &[packed!($name)],
        )),+];
    };
}

static INDEX: Asset = Asset::new("/", &[packed!("index.html")]);

/// All style sheets in one file: a browser waits for the last of them.
static STYLE: Asset = Asset::new(
    "/style.css",
    &[
        packed!("theme.css"),
        packed!("page.css"),
        packed!("panels.css"),
        packed!("play.css"),
        packed!("board.css"),
        packed!("study.css"),
    ],
);

assets! {
    "analysis.js",
    "automatic.js",
    "board.js",
    "cells.js",
    "channel.js",
    "clocks.js",
    "connection.js",
    "controls.js",
    "dialog.js",
    "dom.js",
    "editor.js",
    "ending.js",
    "exercise.js",
    "fields.js",
    "friend.js",
    "geometry.js",
    "graph.js",
    "icon.svg",
    "keeper.js",
    "keys.js",
    "layout.js",
    "learn.js",
    "link.js",
    "live.js",
    "loss.js",
    "main.js",
    "marking.js",
    "marks.js",
    "model.js",
    "mistakes.js",
    "mygames.js",
    "newgame.js",
    "playback.js",
    "players.js",
    "records.js",
    "report.js",
    "review.js",
    "rules.js",
    "sounds.js",
    "store.js",
    "table.js",
    "tabs.js",
    "teaching.js",
    "theme.js",
    "tree.js",
    "turn.js",
}

pub fn asset(path: &str) -> Option<&'static Asset> {
    match path {
        "/" => Some(&INDEX),
        "/style.css" => Some(&STYLE),
        _ => ASSETS.iter().find(|asset| asset.path == path),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::collections::HashSet;

    #[test]
    fn every_file_of_the_page_is_served() {
        let directory = concat!(env!("CARGO_MANIFEST_DIR"), "/src/web/page");
        let mut bytes = INDEX.bytes().len();
        let style = STYLE.bytes();
        let mut tags = HashSet::from([INDEX.tag()]);
        for file in std::fs::read_dir(directory).expect("the directory") {
            let file = file.expect("a file");
            let name = file.file_name();
            let name = name.to_str().expect("a name in ASCII");
            if name == "index.html" {
                continue;
            }
            if name.ends_with(".css") {
                let text = std::fs::read(file.path()).expect("a text");
                assert!(style.windows(text.len()).any(|part| part == text), "{name} is missing");
                bytes += text.len();
                continue;
            }
            let asset = asset(&format!("/{name}")).unwrap_or_else(|| panic!("{name} is missing"));
            assert!(tags.insert(asset.tag()), "{name} equals another file");
            bytes += asset.bytes().len();
        }
        assert!(bytes < 380_000, "{bytes} bytes");
        assert!(asset("/../assets.rs").is_none() && asset("").is_none());
    }
}
