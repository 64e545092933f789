//! The games that `--strict` lets pass: result, rules and moves are those of the file.

use super::support::{
    as_record, as_transcript, check, directory, outcome, reports, turns as split_turns, verdict,
};
use serde_json::{Value, json};
use std::fs;

/// The exit status, the verdict and the codes of the remarks under `--strict`.
fn strict(input: &str) -> (i32, String, Vec<String>) {
    let (status, found) = reports(input, &["--strict"]);
    let (verdict, codes) = found_in(&found[0]);
    (status, verdict, codes)
}

fn found_in(report: &Value) -> (String, Vec<String>) {
    let remarks = report["remarks"].as_array().cloned().unwrap_or_default();
    let code = |remark: &Value| remark["code"].as_str().expect("a code").to_owned();
    let verdict = report["verdict"].as_str().expect("a verdict").to_owned();
    (verdict, remarks.iter().map(code).collect())
}

/// Two walls; Black made one stone more than White. The area is B+0.5, territory W+0.5.
const SPLIT: &str = "B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[ba];W[];B[]";

#[test]
fn with_named_rules_the_score_of_other_rules_is_wrong() {
    let game =
        |rules: &str, result: &str| format!("(;GM[1]FF[4]SZ[5]{rules}KM[4.5]RE[{result}];{SPLIT})");
    for (rules, result, expected) in [
        ("RU[Chinese]", "B+0.5", "good"),
        ("RU[Chinese]", "W+0.5", "wrong-result"),
        ("RU[Chinese]", "W+", "wrong-result"),
        ("RU[AGA]", "W+0.5", "wrong-result"),
        ("RU[Japanese]", "W+0.5", "good"),
        ("RU[Japanese]", "B+0.5", "wrong-result"),
        ("RU[Korean]", "B+0.5", "wrong-result"),
        ("RU[koSIMPLEscoreTERRITORYtaxNONEsui0]", "B+0.5", "wrong-result"),
        ("", "W+0.5", "other-count"),
        ("RU[house]", "W+0.5", "other-count"),
    ] {
        let input = game(rules, result);
        assert_eq!(verdict(&input), expected, "{input}");
        let (status, ..) = strict(&input);
        assert_eq!(status, i32::from(expected != "good"), "{input}");
    }
    let named = ["--strict", "--expect-rules", "chinese"];
    assert_eq!(reports(&game("RU[Chinese]", "W+0.5"), &named).0, 1);
    let (status, found) = reports(&game("", "W+0.5"), &["--rules", "Chinese"]);
    assert_eq!((status, &found[0]["verdict"]), (1, &json!("wrong-result")));
    let (_, verdict, _) = strict(&game("", "W+0.5"));
    assert_eq!(verdict, "irregular");
}

#[test]
fn a_result_that_nobody_can_check_is_a_fault() {
    for (root, status) in [
        ("RE[B+R]", 0),
        ("RE[W+T]", 0),
        ("RE[?]", 0),
        ("RE[Void]", 0),
        ("RE[B+]", 0),
        ("", 1),
        ("RE[]", 1),
        ("RE[unclear]", 1),
        ("RE[B+R][W+R]", 1),
        ("RE[B+R]RE[W+R]", 1),
        ("RE[B+R]RU[nz][Chinese]", 1),
        ("RE[B+R]KM[6.5]", 0),
        ("RE[B+R]KO[6.5]", 0),
        ("RE[B+R]KO[6.5]KM[7.5]", 1),
        ("RE[B+R];KM[6.5]", 1),
        (";RE[B+R]", 1),
        ("RE[B+R]HA[0]", 0),
        ("RE[B+R]HA[-2]", 1),
    ] {
        let input = format!("(;GM[1]SZ[5]RU[nz]{root};B[cc];W[dd])");
        let (found, verdict, codes) = strict(&input);
        assert_eq!(found, status, "{input}: {verdict} {codes:?}");
    }
    let (_, found) = reports("(;GM[1]SZ[5]RU[nz];B[cc];W[dd])", &["--strict"]);
    let why = "no result is stated, and the game has not ended (no-result)";
    assert_eq!(found[0]["why"], json!(why));
    let (_, found) = reports("(;GM[1]SZ[5]RU[nz]RE[W+7.5];B[];W[])", &[]);
    assert_eq!(found[0].get("remarks"), None);
    let (_, found) = reports("(;GM[1]SZ[5]RU[nz]KM[0]RE[B+25];B[cc])", &[]);
    assert_eq!(found_in(&found[0]), ("good".to_owned(), vec!["unfinished".to_owned()]));
}

/// The codes of remarks on the order of turns in a record in each format.
#[test]
fn sides_take_turns_in_every_format() {
    let first = "first-mover";
    let twice = "plays-twice";
    for (handicap, turns, expected) in [
        ("", "B C3, W D4, B pass, W pass", &[][..]),
        ("", "W C3, B D4", &[first]),
        ("", "B C3, W D4, W B2, B B4, B A1", &[twice, twice]),
        ("", "W C3, W D4", &[first, twice]),
        ("B2 D4", "W C3, B D3", &[]),
        ("B2 D4", "B C3, W D3", &[first]),
    ] {
        let codes = |input: &str| {
            let (_, found) = reports(input, &["--rules", "nz"]);
            let mut codes = found_in(&found[0]).1;
            codes.retain(|code| [first, twice].contains(&code.as_str()));
            codes
        };
        let mut record: Value = serde_json::from_str(&as_record("go 5", turns)).expect("JSON");
        record["handicap"] = handicap.split_ascii_whitespace().collect();
        assert_eq!(codes(&record.to_string()), expected, "record {handicap} {turns}");
        let set_up = if handicap.is_empty() { "" } else { "HA[2]AB[bd][db]" };
        let nodes: String =
            split_turns(turns).iter().map(|(side, at)| sgf_move(side, at)).collect();
        let plain = format!("(;GM[1]SZ[5]{set_up}{nodes})");
        assert_eq!(codes(&plain), expected, "{plain}");
        let transcript = as_transcript("go 5", turns);
        let (start, moves) = transcript.split_once("boardsize 5\n").expect("a start");
        let placed = match handicap {
            "" => String::new(),
            points => format!("set_free_handicap {points}\n"),
        };
        let transcript = format!("{start}boardsize 5\n{placed}{moves}");
        // The protocol lets either side begin.
        let expected: Vec<_> = expected.iter().filter(|code| **code != first).collect();
        assert_eq!(codes(&transcript).iter().collect::<Vec<_>>(), expected, "{transcript}");
    }
    // A client plays the stones of a handicap, and a record says how many there are.
    for (input, handicap) in [
        (as_transcript("go 5", "B B2, B D4, W C3"), "2"),
        ("(;GM[1]SZ[5]HA[2]RE[B+R]RU[nz];B[bd];B[db];W[cc])".to_owned(), "2"),
        (as_transcript("go 5", "B B2, W C3"), "0"),
    ] {
        let (status, found) = reports(&input, &["--strict", "--expect-handicap", handicap]);
        assert_eq!(status, 0, "{found:?}");
    }
    // A client that knows only Go lets Black begin.
    for (side, first, expected) in [("b", "W", 0), ("w", "W", 0), ("b", "B", 0)] {
        let other = if side == "b" { "w" } else { "b" };
        let log = format!("kawari-variant sygo\nboardsize 5\nplay {side} A1\nplay {other} C3\n");
        assert_eq!(strict(&log).0, expected, "{log}");
        let record = format!(
            "(;GM[1]KAWARI[sygo]SZ[5]KRULE[first:{}]RE[B+R];{}[aa];{}[cc])",
            if first == "W" { "white" } else { "black" },
            side.to_uppercase(),
            other.to_uppercase(),
        );
        let is_wrong = !first.eq_ignore_ascii_case(side);
        assert_eq!(strict(&record).0, i32::from(is_wrong), "{record}");
    }
    // `PL` decides.
    for (root, expected) in [("PL[W]", 0), ("PL[B]", 1), ("AB[aa]AW[bb]", 0)] {
        let record = format!("(;GM[1]SZ[5]RU[nz]RE[B+R]{root};W[cc];B[dd])");
        assert_eq!(strict(&record).0, expected, "{record}");
    }
    // In a session either side may begin, and `PL` is what the rules say.
    let record = "(;GM[1]KAWARI[go]SZ[5]KRULE[ko:simple]PL[B]RE[B+R];W[cc];B[dd])";
    assert_eq!(strict(record).0, 0);
}

fn sgf_move(side: &str, at: &str) -> String {
    let letter = |byte: u8| char::from(byte.to_ascii_lowercase());
    match at.as_bytes() {
        [column, row] => format!(";{side}[{}{}]", letter(*column), letter(b'a' + b'5' - row)),
        _ => format!(";{side}[]"),
    }
}

#[test]
fn the_referee_places_no_handicap_stones() {
    let input = "(;GM[1]SZ[9]RU[nz]KM[0]HA[2]RE[W+81];W[ee];B[];W[])";
    let (_, found) = reports(input, &[]);
    let (verdict, codes) = found_in(&found[0]);
    assert_eq!((verdict.as_str(), codes), ("good", vec!["handicap".to_owned()]));
    assert_eq!(strict(input).1, "irregular");
}

/// A viewer shows the stones of `B`, `W`, `AB`, `AW` and `AE`, whatever `KTURN` says.
#[test]
fn viewers_show_the_game_that_was_played() {
    let record =
        |nodes: &str| format!("(;GM[1]KAWARI[go]SZ[5]KRULE[ko:simple]RE[B+R]PL[B]{nodes})");
    for (nodes, is_same) in [
        (";B[cc]KTURN[C3];W[ee]KTURN[E1]", true),
        (";B[cc];W[ee]", true),
        (";AB[cc]PL[W]KTURN[C3];W[ee]", true),
        (";B[aa]KTURN[C3];W[ee]KTURN[C4]", false),
        (";AB[aa]PL[W]KTURN[C3]", false),
        (";AW[cc]PL[W]KTURN[B C3]", false),
        (";B[cc];AE[cc]PL[B]KTURN[W E1]", false),
        (";PL[W]KTURN[C3]", false),
        (";B[]KTURN[C3]", false),
        (";B[cc]AB[ee]KTURN[C3]", false),
        (";B[cc];W[]KTURN[pass];B[aa]KTURN[pass]", false),
    ] {
        let (status, verdict, codes) = strict(&record(nodes));
        let expected = if is_same { "good" } else { "irregular" };
        assert_eq!((status == 0, verdict.as_str()), (is_same, expected), "{nodes} {codes:?}");
    }
    let (_, found) = reports(&record(";B[aa]KTURN[C3]"), &["--strict"]);
    let why =
        "after turn 1, C3: other programs show no stone, the position has Black (other-stones)";
    assert_eq!(found[0]["why"], json!(why));
}

#[test]
fn a_score_of_a_referee_program_is_a_claim() {
    let folder = directory("judged");
    let turns = ["B C3", "W pass", "B pass"];
    let results = json!({"variant": "go", "width": 5, "height": 5, "komi": 0.5,
        "rules": {"ko": "simple", "scoring": "area"}, "blocks": [], "handicap": [],
        "turns": turns, "result": "B+20.5", "reason": "passes", "scores": {"program": "B+20.5"}});
    let sgf = |result: &str, program: &str| {
        let root = "(;GM[1]KAWARI[go]SZ[5]KM[0.5]KRULE[ko:simple][scoring:area]PL[B]";
        format!("{root}RE[{result}]KJUDGE[{program}];B[cc];W[];B[])")
    };
    let file = folder.join("game.sgf");
    let run = |options: &[&str]| {
        let (status, text) = outcome(check().arg("--json").args(options).arg(&folder));
        let line = text.lines().next().expect("a game");
        (status, found_in(&serde_json::from_str(line).expect("JSON")))
    };
    fs::write(&file, sgf("B+20.5", "B+20.5")).expect("written");
    let elsewhere = vec!["judged-elsewhere".to_owned()];
    assert_eq!(run(&[]), (0, ("other-count".to_owned(), elsewhere.clone())));
    assert_eq!(run(&["--strict"]).0, 1);
    fs::write(folder.join("match.jsonl"), results.to_string()).expect("written");
    assert_eq!(run(&["--strict"]), (0, ("other-count".to_owned(), Vec::new())));
    // Another score than that of the results file.
    fs::write(&file, sgf("B+10.5", "B+10.5")).expect("written");
    assert_eq!(run(&[]), (0, ("other-count".to_owned(), elsewhere.clone())));
    assert_eq!(run(&["--strict"]).0, 1);
    fs::write(&file, sgf("B+24.5", "B+3.5")).expect("written");
    assert_eq!(run(&[]), (0, ("good".to_owned(), elsewhere)));
    fs::write(&file, sgf("B+24.5", "B+24.5")).expect("written");
    assert_eq!(run(&["--strict"]), (0, ("good".to_owned(), Vec::new())));
}

/// Finished positions. The comment says where GNU Go, with `--japanese-rules --score aftermath`,
/// has another result than `RE`.
#[test]
fn sekis_are_scored_as_japanese_rules_score_them() {
    let games = fs::read_to_string("fixtures/sgf/seki.sgf").expect("a fixture");
    let (_, found) = reports(&games, &[]);
    let mut explained = 0;
    for (report, game) in found.iter().zip(games.split("\n(;")) {
        let (verdict, codes) = found_in(report);
        explained += usize::from(codes.iter().any(|code| code == "seki"));
        let has_dead_stones = game.contains("a dead stone");
        let expected = if has_dead_stones { "other-count" } else { "good" };
        assert_eq!(verdict, expected, "{report}");
        assert!(codes.iter().any(|code| code == "rules-inexact"), "{report}");
    }
    assert_eq!((found.len(), explained), (21, 8));
    let (status, strict) = reports(&games, &["--strict"]);
    let faulty = strict.iter().filter(|report| report["verdict"] != "good").count();
    assert_eq!((status, faulty), (1, 2), "only those with dead stones");
    // The same positions under rules that count such points.
    let exact = "koSIMPLEscoreTERRITORYtaxNONEsui0";
    let (_, found) = reports(&games.replace("Japanese", exact), &[]);
    let wrong = found.iter().filter(|report| report["verdict"] == "wrong-result").count();
    assert_eq!(wrong, explained);
    // Nothing but the command names the rules.
    let unnamed = games.replace("RU[Japanese]", "");
    for (rules, status) in [("korean", 0), (exact, 1)] {
        let mut command = check();
        command.args(["--quiet", "--rules", rules]).write_stdin(unnamed.clone());
        assert_eq!(outcome(&mut command).0, status, "{rules}");
    }
}

/// A claim is right without the points of whole groups only.
#[test]
fn no_other_points_are_left_out_than_those_of_groups_at_a_dame() {
    let games = fs::read_to_string("fixtures/sgf/seki.sgf").expect("a fixture");
    let game = games.lines().find(|line| line.contains("Three groups, two eyes.")).expect("it");
    for (result, expected) in [
        ("B+12.5", "good"),
        ("B+13.5", "good"),
        ("B+14.5", "good"),
        ("B+11.5", "wrong-result"),
        ("B+15.5", "wrong-result"),
        ("B+18.5", "wrong-result"),
        ("W+14.5", "wrong-result"),
        ("W+", "wrong-result"),
    ] {
        let claimed = game.replace("RE[B+14.5]", &format!("RE[{result}]"));
        assert_eq!(verdict(&claimed), expected, "{result}");
    }
}

/// A log and a record of one game have one verdict.
#[test]
fn dead_stones_are_treated_alike_in_logs() {
    let walls: &[(&str, &str)] = &[
        ("b", "C5"),
        ("w", "D5"),
        ("b", "C4"),
        ("w", "D4"),
        ("b", "C3"),
        ("w", "D3"),
        ("b", "C2"),
        ("w", "D2"),
        ("b", "C1"),
        ("w", "D1"),
        ("b", "pass"),
        ("w", "A3"),
        ("b", "pass"),
        ("w", "pass"),
    ];
    let log = |rules: &str, score: &str| {
        let moves: String =
            walls.iter().map(|(color, at)| format!("B>> play {color} {at}\nB<< =\n")).collect();
        let start = "B>> boardsize 5\nB<< =\nB>> komi 0.5\nB<< =\n";
        let rules = match rules {
            "" => String::new(),
            rules => format!("B>> {rules}\nB<< =\n"),
        };
        format!("{start}{rules}{moves}B>> final_score\nB<< = {score}\n")
    };
    for (rules, score, expected) in [
        ("", "W+6.5", "good"),
        ("", "B+4.5", "other-count"),
        ("", "B+5.5", "other-count"),
        ("", "B+3.5", "wrong-result"),
        ("kgs-rules chinese", "B+4.5", "other-count"),
        ("kgs-rules chinese", "B+5.5", "wrong-result"),
        ("kata-set-rules japanese", "B+5.5", "other-count"),
        ("kata-set-rule scoring TERRITORY", "B+4.5", "wrong-result"),
        ("kawari-set-rule scoring territory", "B+4.5", "wrong-result"),
    ] {
        assert_eq!(verdict(&log(rules, score)), expected, "{rules} {score}");
    }
}

/// A single stone's suicide brings the board back.
#[test]
fn a_lone_suicide_is_a_repetition_where_suicide_is_legal() {
    let game = ";B[ba];W[ee];B[ab];W[aa]";
    for (rules, why) in [
        ("Tromp-Taylor", "superko:"),
        ("Ing", "superko:"),
        ("koPOSITIONALscoreAREAtaxNONEsui1", "superko:"),
        ("Chinese", "suicide:"),
        ("nz", "suicide:"),
    ] {
        let (_, found) = reports(&format!("(;GM[1]SZ[5]RU[{rules}]{game})"), &[]);
        assert_eq!(found[0]["verdict"], "illegal", "{rules}");
        let text = found[0]["why"].as_str().expect("a reason");
        assert!(text.starts_with(why), "{rules}: {text}");
    }
}

/// Results, SGF and logs of a match, with games that a log does not show in full.
#[test]
fn the_folder_of_a_match_passes() {
    let folder = directory("own-match");
    let engine = format!("a={} --playouts 5 --seed 1", env!("CARGO_BIN_EXE_kawari"));
    let other = engine.replace("a=", "b=");
    for (number, options) in [
        &["--size", "5"][..],
        &["--size", "5", "--handicap", "B2,D4"],
        &["--size", "5", "--rule", "suicide=true"],
        &["--size", "6", "--block", "C3,D4"],
        &["--size", "5", "--rule", "board=torus"],
        &["--size", "5", "--rule", "scoring=territory"],
        &["--size", "5", "--time", "byoyomi 60 5 3"],
    ]
    .into_iter()
    .enumerate()
    {
        let here = folder.join(number.to_string());
        fs::create_dir(&here).expect("a new directory");
        let mut command = assert_cmd::Command::cargo_bin("kawari").expect("the program");
        command.current_dir(&here).args(["match", "--games", "2", "--out", "match.jsonl"]);
        command.args(["--sgf", "sgf", "--log-dir", "logs", "--engine", &engine]);
        command.args(["--engine", &other]).args(options);
        command.assert().success();
        fs::write(here.join("logs/notes.log"), "no game\n").expect("written");
        // Another match has not played a game yet, and a balance has no turns.
        let results = fs::read_to_string(here.join("match.jsonl")).expect("results");
        let header = results.lines().next().expect("a header");
        fs::write(here.join("next.jsonl"), header).expect("written");
        let balance = "{\"kawari-balance\":3}\n{\"game\":1,\"komi\":-0.5,\"turns\":18}\n";
        fs::write(here.join("balance.jsonl"), balance).expect("written");
        let (status, text) = outcome(check().args(["--json", "--strict"]).arg(&here));
        // Two results, two records, and the conversations of both engines.
        assert_eq!((status, text.lines().count()), (0, 8), "{options:?}: {text}");
        let timed = options.contains(&"--time");
        let mut command = check();
        command.args(["--quiet", "--expect-time", "60"]).args(["match.jsonl", "sgf"]);
        assert_eq!(outcome(command.current_dir(&here)).0, i32::from(!timed), "{options:?}");
    }
}

/// Both sides count what they like; the results file has the score.
#[test]
fn scores_in_a_log_of_a_match_are_opinions() {
    let log = "# match 0, game 1: \"a\" is black, \"b\" is white\n    0.001 black > boardsize 5\n    \
        0.001 black < =\n    0.002 black > genmove b\n    0.003 black < = C3\n    0.004 black > play \
        w pass\n    0.004 black < =\n    0.005 black > play b pass\n    0.005 black < =\n    0.006 \
        black > final_score\n    0.007 black < = W+99\n";
    let (status, found) = reports(log, &["--strict"]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(3)), "{found:?}");
    assert_eq!(verdict(&log.replace("play b pass", "play b C3")), "illegal");
}
