//! Queries and their answers, without a process.

use super::request::Request;
use super::settings::Perspective;
use super::{AnalysisSettings, request, serve};
use crate::board::Color;
use crate::inbox::Inbox;
use crate::playing::Settings;
use crate::rules::{Game, RuleKey, Setup, VARIANTS, variant};
use crate::search::SearchParams;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

mod actions;

fn settings() -> AnalysisSettings {
    let search = Settings {
        playouts: Some(8),
        memory: 2,
        search_params: SearchParams::baseline(),
        ..Settings::default()
    };
    AnalysisSettings::new(search, variant("go").expect("a variant"))
}

/// The answers to these lines.
fn replies(settings: &AnalysisSettings, input: impl Into<Vec<u8>>) -> Vec<Value> {
    let mut output = Vec::new();
    serve(Inbox::holding(input), &mut output, settings).expect("a vector takes everything");
    let output = String::from_utf8(output).expect("text");
    let parse = |line| serde_json::from_str(line).expect("a line of JSON");
    output.lines().map(parse).collect()
}

/// A query on 5x5 with these fields besides.
fn query(more: Value) -> Value {
    let mut query = json!({
        "id": "q", "boardXSize": 5, "boardYSize": 5, "rules": "chinese", "moves": [],
    });
    let fields = query.as_object_mut().expect("an object");
    for (name, value) in more.as_object().expect("an object") {
        fields.insert(name.clone(), value.clone());
    }
    query
}

/// The one answer to a query on 5x5 with these fields besides.
fn reply(more: Value) -> Value {
    let mut replies = replies(&settings(), query(more).to_string());
    assert_eq!(replies.len(), 1, "{replies:?}");
    replies.remove(0)
}

fn numbers(value: &Value) -> Vec<f64> {
    let numbers = value.as_array().expect("a list").iter();
    numbers.map(|value| value.as_f64().expect("a number")).collect()
}

#[test]
fn each_position_of_a_query_is_answered() {
    let line = r#"{"id":"foo","initialStones":[["B","Q4"],["B","C4"]],"moves":[["W","P5"],["B","P6"]],
        "rules":"tromp-taylor","komi":7.5,"boardXSize":19,"boardYSize":19,"analyzeTurns":[0,1,2]}"#;
    let replies = replies(&settings(), line.replace('\n', ""));
    assert_eq!(replies.len(), 3);
    for (reply, turn) in replies.iter().zip(0..) {
        assert_eq!((&reply["id"], &reply["turnNumber"]), (&json!("foo"), &json!(turn)));
        assert_eq!(reply["isDuringSearch"], false);
        assert_eq!(reply["rootInfo"]["visits"], 8);
        let mover = if turn == 1 { "B" } else { "W" };
        assert_eq!(reply["rootInfo"]["currentPlayer"], mover);
        let first = &reply["moveInfos"][0];
        assert_eq!((&first["order"], &first["move"]), (&json!(0), &first["pv"][0]));
        for name in ["visits", "winrate", "scoreLead", "scoreStdev", "prior", "utility", "lcb"] {
            assert!(first[name].is_number(), "{name}: {first}");
        }
        assert!(reply.get("ownership").is_none() && reply.get("policy").is_none());
    }
}

#[test]
fn the_last_position_is_the_usual_one() {
    let moves = json!([["B", "C3"], ["W", "(1,1)"], ["b", "pass"]]);
    let answer = reply(json!({ "moves": moves, "includeState": true }));
    assert_eq!(answer["turnNumber"], 3);
    assert_eq!(answer["state"]["board"], json!([".....", ".O...", "..X..", ".....", "....."]));
    assert_eq!(answer["state"]["to_move"], "white");
    // A turn that is asked for twice is answered once, in the order of the game.
    let asked = query(json!({ "moves": moves, "analyzeTurns": [2, 0, 2] }));
    let turns: Vec<_> = replies(&settings(), asked.to_string())
        .iter()
        .map(|reply| reply["turnNumber"].clone())
        .collect();
    assert_eq!(turns, [0, 2]);
}

#[test]
fn lines_that_are_no_queries_are_errors_with_their_field() {
    let wrong = [
        (json!({"id": 7}), "id"),
        (json!({"boardXSize": 1}), "boardXSize"),
        (json!({"boardXSize": 5.5}), "boardXSize"),
        (json!({"boardYSize": "5"}), "boardYSize"),
        (json!({"boardXSize": 200, "boardYSize": 200}), "boardXSize"),
        (json!({"variant": "chess"}), "variant"),
        (json!({"variant": 5}), "variant"),
        (json!({"rules": "martian"}), "rules"),
        (json!({"rules": 7}), "rules"),
        (json!({"rules": {"ko": "sometimes"}}), "rules"),
        (json!({"rules": {"nuke-acts": "now"}}), "rules"),
        (json!({"komi": 7.25}), "komi"),
        (json!({"komi": 151}), "komi"),
        (json!({"komi": "7.5"}), "komi"),
        (json!({"blocks": ["A9"]}), "blocks"),
        (json!({"blocks": ["A1", "A1"]}), "blocks"),
        (json!({"initialStones": [["B", "A9"]]}), "initialStones"),
        (json!({"initialStones": [["B", "pass"]]}), "initialStones"),
        (json!({"initialStones": [["B", "A1"], ["W", "A1"]]}), "initialStones"),
        (json!({"initialPlayer": "green"}), "initialPlayer"),
        (json!({"moves": "C3"}), "moves"),
        (json!({"moves": [["B"]]}), "moves"),
        (json!({"moves": [["B", "C9"]]}), "moves"),
        (json!({"moves": [["B", "(5,0)"]]}), "moves"),
        (json!({"moves": [["B", "nuke C3"]]}), "moves"),
        (json!({"moves": [["B", "C3"], ["W", "C3"]]}), "moves"),
        (json!({"analyzeTurns": [1]}), "analyzeTurns"),
        (json!({"analyzeTurns": [-1]}), "analyzeTurns"),
        (json!({"analyzeTurns": []}), "analyzeTurns"),
        (json!({"analyzeTurns": [0], "priorities": [1, 2]}), "priorities"),
        (json!({"priorities": [1]}), "priorities"),
        (json!({"priority": 1.5}), "priority"),
        (json!({"priority": 1, "priorities": [1], "analyzeTurns": [0]}), "priority"),
        (json!({"maxVisits": 0}), "maxVisits"),
        (json!({"maxVisits": null}), "maxVisits"),
        (json!({"analysisPVLen": 0}), "analysisPVLen"),
        (json!({"includeOwnership": "yes"}), "includeOwnership"),
        (json!({"includePolicy": 1}), "includePolicy"),
        (json!({"reportDuringSearchEvery": 0}), "reportDuringSearchEvery"),
        (json!({"rootPolicyTemperature": 0}), "rootPolicyTemperature"),
        (json!({"avoidMoves": {}}), "avoidMoves"),
        (json!({"avoidMoves": [{"player": "B", "moves": ["C3"]}]}), "avoidMoves"),
        (json!({"allowMoves": [{"player": "B", "moves": ["C9"], "untilDepth": 1}]}), "allowMoves"),
        (json!({"overrideSettings": []}), "overrideSettings"),
        (json!({"overrideSettings": {"maxTime": "soon"}}), "overrideSettings"),
        (json!({"overrideSettings": {"reportAnalysisWinratesAs": "GREEN"}}), "overrideSettings"),
        (json!({"overrideSettings": {"lcb_visits_share": -1}}), "overrideSettings"),
        (json!({"action": "dance"}), "action"),
        (json!({"action": "terminate"}), "terminateId"),
        (json!({"action": "terminate_all", "turnNumbers": "all"}), "turnNumbers"),
    ];
    for (more, field) in wrong {
        let answer = reply(more.clone());
        assert_eq!(answer["field"], field, "{more}: {answer}");
        assert!(answer["error"].is_string(), "{answer}");
        assert_eq!(answer.get("id").is_some(), field != "id", "{answer}");
    }
    for missing in ["boardXSize", "boardYSize", "rules", "moves", "id"] {
        let mut query = query(json!({}));
        query.as_object_mut().expect("an object").remove(missing);
        let answers = replies(&settings(), query.to_string());
        assert_eq!((answers.len(), &answers[0]["field"]), (1, &json!(missing)));
    }
    for line in [&b"{"[..], b"[]", b"7", b"\xff\xfe", b"{\"id\":\"a\"} x", &[b'['; 1000]] {
        let answers = replies(&settings(), line);
        assert_eq!(answers.len(), 1, "{line:?}");
        assert!(answers[0]["error"].is_string() && answers[0].get("id").is_none());
    }
    assert!(replies(&settings(), "\n  \r\n").is_empty());
}

#[test]
fn an_illegal_move_is_told_with_its_number() {
    // KaTrain looks for these words.
    let answer = reply(json!({"moves": [["B", "C3"], ["W", "C3"]]}));
    let error = answer["error"].as_str().expect("a text");
    assert!(error.starts_with("Illegal move 1: C3 ("), "{error}");
}

#[test]
fn unknown_fields_are_warned_of_and_answered() {
    let line = query(json!({
        "maxVists": 5,
        "rules": {"ko": "SIMPLE", "scoring": "TERRITORY", "hasButton": true, "tax": "NONE"},
        "whiteHandicapBonus": "N",
        "overrideSettings": {"humanSLProfile": "rank_9d", "antiMirror": true, "maxVisits": 3},
    }));
    let replies = replies(&settings(), line.to_string());
    let warned: BTreeMap<_, _> = replies
        .iter()
        .filter_map(|reply| Some((reply["field"].as_str()?, reply["warning"].as_str()?)))
        .collect();
    let fields: Vec<_> = warned.keys().copied().collect();
    assert_eq!(fields, ["maxVists", "overrideSettings", "rules", "whiteHandicapBonus"]);
    assert!(warned["overrideSettings"].contains("antiMirror,humanSLProfile"));
    assert!(warned["rules"].contains("a button") && !warned["rules"].contains("tax"));
    assert!(replies.iter().all(|reply| reply["id"] == "q"));
    assert_eq!(replies.len(), 5);
    assert_eq!(replies[4]["rootInfo"]["visits"], 3);
}

#[test]
fn rules_have_names_and_options() {
    let rules_of = |more: Value| {
        let line = query(more).to_string();
        match request::parse(line.as_bytes(), &settings()) {
            Ok(Some(Request::Query(query))) => query.game.setup.rules,
            other => panic!("{line}: {other:?}"),
        }
    };
    let written = |more: Value| {
        let rules = rules_of(more);
        let [ko, scoring] = [RuleKey::Ko, RuleKey::Scoring].map(|key| rules.get(key));
        format!("{ko} {scoring} {}", rules.komi)
    };
    // The names that KaTrain sends.
    for (name, expected) in [
        ("japanese", "simple territory 6.5"),
        ("chinese", "simple area 7.5"),
        ("korean", "simple territory 6.5"),
        ("aga", "situational area 7.5"),
        ("tromp-taylor", "positional area 7.5"),
        ("new zealand", "situational area 7.5"),
        ("stone_scoring", "simple area 7.5"),
        (r#"{"koRule":"SITUATIONAL"}"#, "situational area 7.5"),
    ] {
        assert_eq!(written(json!({ "rules": name })), expected, "{name}");
    }
    let object = json!({"ko": "NONE", "scoring": "TERRITORY"});
    assert_eq!(written(json!({"rules": object, "komi": 0})), "none territory 0");
    let nuclear = json!({"variant": "no", "rules": {"nuke-acts": "now", "ko": "none"}});
    assert_eq!(rules_of(nuclear).get(RuleKey::NukeActs), "now");
}

#[test]
fn every_variant_is_analyzed_in_writing() {
    for info in VARIANTS {
        let settings = settings();
        let line = json!({
            "id": info.id, "variant": info.id, "boardXSize": 5, "boardYSize": 5, "moves": [],
            "includeOwnership": true, "includeOwnershipStdev": true, "includePolicy": true,
            "includeState": true, "includePVVisits": true, "maxVisits": 60,
            "includeMovesOwnership": true, "includeMovesOwnershipStdev": true,
        });
        let answers = replies(&settings, line.to_string());
        assert_eq!(answers.len(), 1, "{answers:?}");
        let answer = &answers[0];
        let state = &answer["state"];
        assert_eq!(state["variant"], info.id);
        let side = |key: &str| state[key].as_u64().expect("a side") as usize;
        let points = side("width") * side("height");
        assert_eq!(numbers(&answer["ownership"]).len(), points);
        assert_eq!(numbers(&answer["ownershipStdev"]).len(), points);
        let policy = numbers(&answer["policy"]);
        assert_eq!(policy.len(), points + 1);
        assert!(policy.iter().all(|&share| share == -1.0 || (0.0..=1.0).contains(&share)));
        let others = answer
            .get("policyTurns")
            .and_then(Value::as_object)
            .into_iter()
            .flatten()
            .filter_map(|(_, share)| share.as_f64());
        let all: f64 =
            policy.iter().filter(|&&share| share > 0.0).sum::<f64>() + others.sum::<f64>();
        assert!((all - 1.0).abs() < 0.02, "{}: {all}", info.id);
        let infos = answer["moveInfos"].as_array().expect("moves");
        assert!(infos.iter().any(|info| info.get("ownership").is_some()));
        let mut setup = Setup::new(info);
        (setup.size.width, setup.size.height) = (5, 5);
        let start = Game::new(&setup).expect("a game");
        for info in infos {
            let turns = |list: &Value| list.as_array().expect("a list").len();
            assert_eq!(turns(&info["pv"]), turns(&info["pvVisits"]), "{info}");
            let mut game = start.clone();
            let line = info["pv"].as_array().expect("a variation");
            // The last turn may be unfinished.
            for turn in line.iter().take(line.len().max(2) - 1) {
                let action =
                    game.parse(turn.as_str().expect("a turn")).expect("a turn of this variant");
                game.apply(game.to_move(), &action).expect("a legal turn");
            }
        }
    }
}

#[test]
fn turns_of_variants_are_read_in_writing() {
    let moves = json!([["B", "C3"], ["W", "B2"], ["B", "nuke C3"]]);
    let answer = reply(json!({"variant": "no", "moves": moves, "includeState": true}));
    assert_eq!(answer["state"]["board"][2], "..*..", "{answer}");
    let moves = json!([["B", "layer 1 C3"], ["W", "I1"]]);
    let line = json!({"id": "x", "variant": "2.5d", "boardXSize": 3, "boardYSize": 3,
        "moves": moves, "includeState": true});
    // There is no column I.
    assert_eq!(replies(&settings(), line.to_string())[0]["field"], "moves");
    let moves = json!([["B", "layer 1 C3"], ["W", "G1"]]);
    for width in [3, 7] {
        let line = json!({"id": "x", "variant": "2.5d", "boardXSize": width, "boardYSize": 3,
            "moves": moves, "includeState": true});
        let answers = replies(&settings(), line.to_string());
        assert_eq!(answers[0]["state"]["width"], 7, "{answers:?}");
        assert_eq!(answers[0]["state"]["board"][2], "...#..O", "{answers:?}");
    }
    let resigned = reply(json!({"moves": [["B", "C3"], ["W", "resign"]]}));
    assert_eq!(resigned["moveInfos"], json!([]));
    assert_eq!(resigned["rootInfo"]["winrate"], 0.0, "White, who is to move, has lost");
}

#[test]
fn values_are_those_of_the_side_asked_for() {
    let by = |side: &str| {
        let answer = reply(json!({
            "moves": [["B", "C3"]],
            "overrideSettings": {"reportAnalysisWinratesAs": side},
            "includeOwnership": true,
        }));
        let root = &answer["rootInfo"];
        let first = &answer["moveInfos"][0];
        let number = |value: &Value| value.as_f64().expect("a number");
        (
            number(&root["winrate"]),
            number(&root["scoreLead"]),
            number(&first["lcb"]),
            numbers(&answer["ownership"])[0],
        )
    };
    let (white, black) = (by("WHITE"), by("BLACK"));
    assert_eq!(by("SIDETOMOVE"), white);
    let near = |a: f64, b: f64| (a - b).abs() < 1e-5;
    assert!(near(black.0, 1.0 - white.0) && near(black.1, -white.1), "{black:?} {white:?}");
    assert!(near(black.2, 1.0 - white.2) && near(black.3, -white.3), "{black:?} {white:?}");
    assert_eq!(Perspective::parse("black"), Some(Perspective::Color(Color::Black)));
}

#[test]
fn moves_are_avoided_and_allowed() {
    let moves_of = |more: Value| {
        let answer = reply(more);
        let infos = answer["moveInfos"].as_array().expect("moves").clone();
        let moves = infos.iter().map(|info| info["move"].as_str().expect("a move").to_owned());
        moves.collect::<Vec<_>>()
    };
    let list = |field: &str, moves: Value, player: &str| {
        let list = json!([{"moves": moves, "player": player, "untilDepth": 1}]);
        moves_of(json!({field: list, "maxVisits": 40}))
    };
    let mut allowed = list("allowMoves", json!(["A1", "E5"]), "B");
    allowed.sort();
    assert_eq!(allowed, ["A1", "E5"]);
    let avoided = list("avoidMoves", json!(["C3", "pass"]), "B");
    assert!(avoided.len() > 2 && !avoided.contains(&"C3".to_owned()), "{avoided:?}");
    assert!(list("avoidMoves", json!(["C3"]), "W").contains(&"C3".to_owned()));
    // A kind of turn, and not the stone on the same point.
    let tao = moves_of(json!({
        "variant": "tao", "rules": {"tao-supply": 3}, "maxVisits": 80,
        "moves": [["B", "D4"], ["W", "B2"]],
        "allowMoves": [{"moves": ["tao E5"], "player": "B", "untilDepth": 1}],
    }));
    assert!(!tao.is_empty() && tao.iter().all(|turn| turn == "tao E5"), "{tao:?}");
}

#[test]
fn a_temperature_at_the_root_widens_the_search() {
    let mut with_net = settings();
    with_net.search.search_params = SearchParams::default();
    let visited = |settings: Value| {
        let asked = query(json!({
            "overrideSettings": settings, "maxVisits": 200, "boardXSize": 9, "boardYSize": 9,
        }));
        let replies = replies(&with_net, asked.to_string());
        replies[0]["moveInfos"].as_array().expect("moves").len()
    };
    let usual = visited(json!({}));
    assert_eq!(visited(json!({"rootPolicyTemperature": 1, "wideRootNoise": 0})), usual);
    let wide = visited(json!({"rootPolicyTemperature": 5}));
    assert!(wide > usual, "{wide} {usual}");
}

#[test]
fn equal_queries_have_equal_answers() {
    for info in VARIANTS {
        let asked = |moves: Value, more: &str| {
            query(json!({
                "variant": info.id, "rules": {}, "moves": moves, "maxVisits": 50,
                "includeOwnership": true, more: true,
            }))
        };
        let first = asked(json!([]), "includePVVisits");
        // Other queries between them have no effect.
        let other = asked(json!([["B", "B2"]]), "includeMovesOwnership");
        let restricted = query(json!({
            "variant": info.id, "maxVisits": 50,
            "avoidMoves": [{"player": "B", "moves": ["C3"], "untilDepth": 9}],
        }));
        let lines = [&first, &first, &other, &restricted, &first].map(Value::to_string);
        let answers = replies(&settings(), lines.join("\n"));
        assert_eq!(answers.len(), 5, "{answers:?}");
        assert_eq!(answers[0], answers[1], "{}", info.id);
        assert_eq!(answers[0], answers[4], "{}", info.id);
    }
}

/// Like the analysis of GTP, a query says that its lists leave nothing.
#[test]
fn lists_that_leave_no_move_are_refused() {
    let all: Vec<String> =
        "ABCDE".chars().flat_map(|c| (1..=5).map(move |n| format!("{c}{n}"))).collect();
    let with_pass: Vec<_> = all.iter().cloned().chain(["pass".to_owned()]).collect();
    let list = |player: &str, moves: &[String]| json!([{"player": player, "moves": moves, "untilDepth": 1}]);
    let taken = ["A1".to_owned()];
    for (field, moves, turn) in
        [("avoidMoves", list("W", &with_pass), 1), ("allowMoves", list("W", &taken), 1)]
    {
        let reply = reply(json!({"moves": [["B", "A1"]], field: moves}));
        assert_eq!(reply["field"], field, "{reply}");
        let error = reply["error"].as_str().unwrap_or_default();
        assert_eq!(error, format!("leaves white no legal move at turn {turn}"));
    }
    for (field, moves) in [
        ("avoidMoves", list("W", &all)),
        ("avoidMoves", list("B", &with_pass)),
        ("allowMoves", list("W", &all)),
    ] {
        let reply = reply(json!({"moves": [["B", "A1"]], field: moves}));
        assert!(reply["moveInfos"].is_array(), "{field}: {reply}");
    }
}

/// The guide says when `moveInfos` is empty.
#[test]
fn ended_games_have_moves_unless_nothing_can_follow() {
    let moves = |more: Value| reply(json!({"moves": more}))["moveInfos"].as_array().map(Vec::len);
    assert!(moves(json!([["B", "pass"], ["W", "pass"]])) > Some(0));
    assert!(moves(json!([["B", "pass"], ["W", "pass"], ["B", "pass"]])) > Some(0));
    assert_eq!(moves(json!([["B", "A1"], ["W", "resign"]])), Some(0));
    // As in records, passes after an end by the rules are harmless.
    let won = [["B", "A1"], ["W", "B1"], ["B", "E5"], ["W", "A2"]];
    for passes in 0..3 {
        let turns = won.into_iter().chain([["B", "pass"], ["W", "pass"]].into_iter().take(passes));
        let turns: Vec<_> = turns.collect();
        let line = query(json!({"variant": "capture", "rules": {}, "moves": turns}));
        let answers = replies(&settings(), line.to_string());
        let answer = answers.last().expect("an answer");
        assert_eq!((&answer["moveInfos"], &answer["turnNumber"]), (&json!([]), &json!(4 + passes)));
        let warning = answers[0]["warning"].as_str().unwrap_or_default();
        assert_eq!(warning.contains("passes after the end"), passes > 0, "{answers:?}");
    }
    let stone = reply(json!({"moves": [["B", "A1"], ["W", "resign"], ["B", "B2"]]}));
    assert!(stone["error"].as_str().is_some_and(|text| text.starts_with("Illegal move 2: B2")));
}
