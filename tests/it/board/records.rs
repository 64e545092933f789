//! Records of the page for the referee.

use super::support::{Page, page_sgf, server};
use crate::check::support::reports;
use serde_json::{Value, json};

#[test]
fn an_agreed_result_is_right_for_the_referee() {
    let mut page = Page::open(server());
    let stones = "AB[ba][bb][bc][bd][be]AW[ca][cb][cc][cd][ce]";
    let sgf = format!("(;GM[1]SZ[5]KM[0.5]{stones};B[da];W[];B[])");
    page.done(json!({ "open": { "sgf": sgf } }));
    page.done(json!({ "toggle_dead": { "at": "D5" } }));
    page.done(json!("agree"));
    let text = page_sgf(&mut page);
    let text = text.as_str().expect("a text");
    for part in ["KDEAD[da]", "TB[", "TW[", "RE[W+"] {
        assert!(text.contains(part), "{part}: {text}");
    }
    let (status, found) = reports(text, &["--strict"]);
    let code = |remark: &Value| remark["code"] == "agreed-dead";
    assert!(found[0]["remarks"].as_array().is_some_and(|codes| codes.iter().any(code)));
    assert_eq!((status, &found[0]["verdict"]), (0, &json!("good")));
    // The result is neither that of the board nor that without these stones.
    let (status, found) = reports(&text.replace("KDEAD[da]", "KDEAD[ba]"), &[]);
    assert_eq!((status, &found[0]["verdict"]), (1, &json!("wrong-result")));
}

/// Clocks that grow, handicap, turns of several steps, and ends of every kind.
#[test]
fn records_of_the_page_pass_the_strict_referee() {
    let fischer = json!({ "fischer": { "main": 60, "increment": 30 } });
    let byo_yomi = json!({ "byo_yomi": { "main": 0, "period": 600, "periods": 3 } });
    let absolute = json!({ "fischer": { "main": 600, "increment": 0 } });
    let mut page = Page::open(server());
    for (start, turns) in [
        (json!({ "variant": "go", "clock": fischer }), &["C3", "B2", "pass", "pass"][..]),
        (json!({ "variant": "go", "clock": byo_yomi, "stones": 2 }), &["C1", "B5", "pass"]),
        (json!({ "variant": "go", "clock": absolute }), &["C3", "B2", "D4"]),
        (json!({ "variant": "go", "rules": { "suicide": true } }), &["B1", "E5", "A2", "pass"]),
        (json!({ "variant": "go", "blocks": ["C3", "A1"] }), &["B2", "pass", "pass"]),
        (json!({ "variant": "go", "rules": { "board": "torus" } }), &["C3", "pass", "pass"]),
        (json!({ "variant": "sygo", "clock": fischer }), &["C3", "A1", "grow C4", "pass"]),
        (json!({ "variant": "no" }), &["C3", "B2", "nuke C3", "D4"]),
        (json!({ "variant": "tao", "rules": { "tao-supply": 2 } }), &["C2", "tao E5", "B2"]),
        (json!({ "variant": "capture", "clock": fischer }), &["A1", "B1", "E5", "A2"]),
    ] {
        let mut new = json!({ "width": 5, "height": 5 });
        let fields = new.as_object_mut().expect("an object");
        fields.extend(start.as_object().expect("an object").clone());
        page.new_game(new);
        page.play(turns);
        let open = page_sgf(&mut page);
        let open = open.as_str().expect("a text");
        if !open.contains("RE[") {
            let (_, found) = reports(open, &["--strict"]);
            let why = "no result is stated, and the game has not ended (no-result)";
            assert_eq!((&found[0]["why"], &found[0]["remarks"]), (&json!(why), &Value::Null));
            page.done(json!({ "play": "resign" }));
        }
        let sgf = page_sgf(&mut page);
        let sgf = sgf.as_str().expect("a text");
        let (status, found) = reports(sgf, &["--strict"]);
        assert_eq!((status, found.len()), (0, 1), "{sgf}: {found:?}");
        assert_eq!((&found[0]["verdict"], &found[0]["remarks"]), (&json!("good"), &Value::Null));
    }
}
