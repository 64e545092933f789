//! Games that an earlier page kept, saved and sent by link still open: `fixtures/kept/page`.

use super::support::{Page, page_sgf, server};
use serde_json::{Value, json};

fn kept(name: &str) -> String {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures/kept/page");
    std::fs::read_to_string(folder.join(name)).expect("a file")
}

#[test]
fn a_kept_game_and_a_saved_record_are_opened() {
    let game: Value = serde_json::from_str(&kept("game.json")).expect("JSON");
    let sgf = kept("game.sgf");
    for opened in [game, json!({ "sgf": &sgf })] {
        let mut page = Page::open(server());
        page.done(json!({ "open": &opened }));
        assert_eq!(page.state["state"]["variant"], "tao");
        assert_eq!(page.state["state"]["turn"], 2);
        let is_main_line = opened["path"].is_null();
        let rows = if is_main_line { "...O. ..+.. .X..." } else { "..... ..+.. .X.O." };
        assert_eq!(page.board(), format!("..... {rows} ....."));
        assert_eq!(page_sgf(&mut page), json!(sgf));
    }
}

#[test]
fn a_game_by_link_is_received() {
    let game: Value = serde_json::from_str(&kept("link.json")).expect("JSON");
    let mut page = Page::open(server());
    page.done(json!({ "receive": { "game": game, "own": "white" } }));
    assert_eq!(page.state["state"]["variant"], "no");
    assert_eq!(page.state["state"]["turn"], 1);
    assert_eq!(page.board(), "..... ...X. ..... ..... .....");
}
