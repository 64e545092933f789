//! `kawari check`: all formats, all rules, results, and malformed input.

use assert_cmd::Command;
use serde_json::{Value, json};
use std::fs;
use std::path::{Path, PathBuf};

/// A game whose last turn is illegal: setup (id, side, rules), turns, and the start of
/// the reason.
type IllegalGame = (&'static str, &'static str, &'static str);

const KO: &str = "B B3, W D4, B C4, W D2, B C2, W E3, B pass, W C3, B D3, W C3";

const ILLEGAL_GAMES: &[IllegalGame] = &[
    ("go 5", "B C3, W C3", "occupied:"),
    ("go 5", "B C3, W F1", "off the board:"),
    ("go 5", "B A2, W pass, B B1, W A1", "suicide:"),
    ("go 5", "B C3, W nuke C3", "syntax:"),
    ("go 5 ko=simple", KO, "ko:"),
    ("go 5", KO, "superko: an earlier position"),
    (
        "go 5 ko=situational",
        KO,
        "superko: a position that this colour",
    ),
    ("stoical 5", KO, "stoical:"),
    ("tao 5", "B C3", "tao stone:"),
    ("tao 5", "B tao A1", "tao:"),
    ("no 5", "B C3, W nuke C3", "nuke:"),
    ("go-san 5", "B C3, W D3, B nuke C3, W nuke E5", "nuke:"),
    ("sygo 5", "W C3, B A1, W C4", "placement:"),
    ("sygo 5", "W C3, B A1, W grow E5", "growth: not next to"),
    ("sygo 5", "W C3, B A1, W grow C4 C2", "growth: that group"),
    ("sygo 5", "W C3, B A1, W grow C4 E1", "balance:"),
    ("2.5d 5", "B layer 1 C3, W layer 1 C3", "occupied:"),
    ("2.5d 5", "B layer 2 C3", "off the board:"),
];

fn turns(list: &str) -> Vec<(&str, &str)> {
    list.split(", ")
        .map(|turn| turn.split_once(' ').expect("colour and turn"))
        .collect()
}

/// Splits a setup into id, side and rules.
fn setup(words: &str) -> (&str, u8, Vec<(&str, &str)>) {
    let mut words = words.split(' ');
    let (id, side) = (words.next().expect("an id"), words.next().expect("a side"));
    let rules = words.map(|rule| rule.split_once('=').expect("key=value"));
    (id, side.parse().expect("a side"), rules.collect())
}

fn as_record(words: &str, list: &str) -> String {
    let (id, side, rules) = setup(words);
    let rules: serde_json::Map<_, _> = rules
        .into_iter()
        .map(|(key, value)| (key.to_owned(), json!(value)))
        .collect();
    let turns: Vec<_> = list.split(", ").collect();
    let record = json!({"variant": id, "width": side, "height": side, "rules": rules,
        "turns": turns, "result": "?"});
    format!("{record}\n")
}

/// The last turn is in the last line.
fn as_transcript(words: &str, list: &str) -> String {
    let (id, side, rules) = setup(words);
    let mut lines = vec![format!("kawari-variant {id}")];
    lines.extend(
        rules
            .iter()
            .map(|(key, value)| format!("kawari-set-rule {key} {value}")),
    );
    lines.push(format!("boardsize {side}"));
    lines.extend(
        turns(list)
            .iter()
            .map(|(color, turn)| match turn.split_once(' ') {
                Some((word, rest)) => format!("{word} {color} {rest}"),
                None => format!("play {color} {turn}"),
            }),
    );
    lines.join("\n")
}

/// The last turn is in the last line but one.
fn as_tree(words: &str, list: &str) -> String {
    let (id, side, rules) = setup(words);
    let (width, height) = if id == "2.5d" {
        (2 * side + 1, side)
    } else {
        (side, side)
    };
    let rules: String = rules
        .iter()
        .map(|(key, value)| format!("[{key}:{value}]"))
        .collect();
    let rules = if rules.is_empty() {
        rules
    } else {
        format!("KRULE{rules}")
    };
    let nodes: String = turns(list)
        .iter()
        .map(|(_, turn)| format!("\n;KTURN[{turn}]"))
        .collect();
    format!("(;GM[1]FF[4]KAWARI[{id}]SZ[{width}:{height}]{rules}{nodes}\n)")
}

/// An empty directory for one test.
fn directory(name: &str) -> PathBuf {
    let path = Path::new(env!("CARGO_TARGET_TMPDIR"))
        .join("check")
        .join(name);
    let _ = fs::remove_dir_all(&path);
    fs::create_dir_all(&path).expect("a directory");
    path
}

fn check() -> Command {
    let mut command = Command::cargo_bin("kawari").expect("the program");
    command.arg("check");
    command
}

/// Exit status and standard output.
fn outcome(command: &mut Command) -> (i32, String) {
    let output = command.output().expect("it runs");
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    (output.status.code().expect("a status"), text)
}

/// Exit status and reports for an input.
fn reports(input: &str, options: &[&str]) -> (i32, Vec<Value>) {
    let mut command = check();
    let (status, text) = outcome(command.arg("--json").args(options).write_stdin(input));
    let line = |line| serde_json::from_str(line).expect("a JSON object");
    (status, text.lines().map(line).collect())
}

/// The verdict on the only game of an input.
fn verdict(input: &str) -> String {
    let (status, reports) = reports(input, &[]);
    let [report] = reports.as_slice() else {
        panic!("{} games in {input}", reports.len());
    };
    let verdict = report["verdict"].as_str().expect("a verdict");
    let expected = match verdict {
        "good" | "other-count" => 0,
        "unreadable" => 2,
        _ => 1,
    };
    assert_eq!(status, expected, "{verdict}");
    verdict.to_owned()
}

#[test]
fn illegal_turns_are_found_in_every_format() {
    let directory = directory("rules");
    for (number, (words, list, _)) in ILLEGAL_GAMES.iter().enumerate() {
        let write = |ending: &str, text: String| {
            let path = directory.join(format!("{number:02}.{ending}"));
            fs::write(path, text).expect("written");
        };
        write("gtp", as_transcript(words, list));
        write("jsonl", as_record(words, list));
        write("sgf", as_tree(words, list));
    }
    let (status, text) = outcome(check().arg("--json").arg(&directory));
    assert_eq!(status, 1);
    let reports: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    assert_eq!(reports.len(), 3 * ILLEGAL_GAMES.len());
    for ((words, list, rule), reports) in ILLEGAL_GAMES.iter().zip(reports.chunks(3)) {
        let (id, side, rules) = setup(words);
        let turns = turns(list);
        let (color, turn) = turns.last().expect("a turn");
        let lines = [rules.len() + 2 + turns.len(), 1, 1 + turns.len()];
        for (form, (report, line)) in reports.iter().zip(lines).enumerate() {
            if (form, *rule) == (0, "placement:") {
                continue; // a single vertex next to an own stone is read as a growth
            }
            let what = format!("{words}: {list}: {report}");
            assert_eq!(report["verdict"], "illegal", "{what}");
            assert_eq!(report["line"], line, "{what}");
            assert_eq!(
                (&report["variant"], &report["width"]),
                (&json!(id), &json!(side)),
                "{what}"
            );
            assert_eq!(report["number"], turns.len(), "{what}");
            assert_eq!(report["turns"], turns.len() - 1, "{what}");
            let turn_text = report["turn"].as_str().expect("a turn");
            assert!(
                turn_text == format!("{color} {turn}") || turn_text == *turn,
                "{what}"
            );
            let why = report["why"].as_str().expect("a rule");
            assert!(why.starts_with(rule), "{what}");
        }
    }
}

/// The same games without their last turns.
#[test]
fn the_turns_before_an_illegal_one_are_legal() {
    for (words, list, _) in ILLEGAL_GAMES {
        let Some((list, _)) = list.rsplit_once(", ") else {
            continue;
        };
        for input in [
            as_record(words, list),
            as_transcript(words, list),
            as_tree(words, list),
        ] {
            assert_eq!(verdict(&input), "good", "{input}");
        }
    }
}

#[test]
fn turns_after_the_end_are_illegal() {
    let resigned = r#"{"variant":"go","width":5,"turns":["B C3","W resign","B D3"]}"#;
    let (_, found) = reports(resigned, &[]);
    assert!(
        found[0]["why"]
            .as_str()
            .expect("a rule")
            .starts_with("game over:")
    );
    let growth = "kawari-variant sygo\nboardsize 5\nplay w c3\nplay b a1\nplay w a5\nplay b e1\n\
        play w c4\nplay b e5";
    let (_, found) = reports(growth, &[]);
    assert_eq!(found[0]["line"], 8);
    assert!(
        found[0]["why"]
            .as_str()
            .expect("a rule")
            .starts_with("growth: it must be")
    );
}

#[test]
fn reports_state_line_and_reason() {
    let input = "(;GM[1]SZ[9];B[ee])\n(;GM[1]SZ[9]\n;B[ee]\n;W[ee])\n(;SZ[9]RE[B+3];B[];W[])\n";
    let (status, text) = outcome(check().write_stdin(input));
    assert_eq!(status, 1);
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(
        lines,
        [
            "-:4: game 2: turn 2, W E5: occupied: the point is not empty",
            "-:5: game 3: result: B+3 is claimed, the board counts W+7.5",
            "3 games: 1 good, 1 with an illegal turn, 1 with a wrong result, 0 unreadable",
        ]
    );
    let (status, text) = outcome(check().arg("--quiet").write_stdin(input));
    assert_eq!((status, text.as_str()), (1, ""));
}

#[test]
fn claimed_results_are_compared_with_the_board() {
    let passed = |result: &str| format!("(;GM[1]SZ[5]KM[0.5]RE[{result}];B[cc];W[];B[])");
    for (result, expected) in [
        ("B+24.5", "good"),
        ("b+24.50", "good"),
        ("B+", "good"),
        ("?", "good"),
        ("Void", "good"),
        ("W+R", "good"),
        ("W+Time", "good"),
        ("B+25.5", "wrong-result"),
        ("W+24.5", "wrong-result"),
        ("W+", "wrong-result"),
        ("0", "wrong-result"),
        ("unclear", "wrong-result"),
    ] {
        assert_eq!(verdict(&passed(result)), expected, "{result}");
    }
    for (result, expected) in [
        ("W+R", "good"),
        ("?", "good"),
        ("B+24.5", "good"),
        ("B+3.5", "wrong-result"),
    ] {
        let unfinished = format!("(;GM[1]SZ[5]KM[0.5]RE[{result}];B[cc])");
        assert_eq!(verdict(&unfinished), expected, "unfinished, {result}");
    }
}

/// A black wall with a dead white stone behind it, and White's territory.
const WALLS: &str =
    ";B[ca];W[da];B[cb];W[db];B[cc];W[dc];B[cd];W[dd];B[ce];W[de];B[];W[ac];B[];W[]";

#[test]
fn removed_dead_stones_are_an_other_count() {
    let game = |root: &str, end: &str| format!("(;GM[1]SZ[5]KM[0.5]{root}{WALLS}{end})");
    let dead = "TB[aa:be]TW[ea:ee]";
    for (root, end, expected) in [
        ("RE[W+6.5]", "", "good"),
        ("RE[B+4.5]", "", "other-count"),
        ("RE[B+4.5]", dead, "other-count"),
        ("RE[B+]", "", "other-count"),
        ("RE[B+3.5]", "", "wrong-result"),
        ("RE[B+3.5]", dead, "wrong-result"),
        // With territory scoring, prisoners count too.
        ("RU[Japanese]RE[B+5.5]", "", "other-count"),
        // Area scoring in spite of the named rules.
        ("RU[Japanese]RE[B+4.5]", "", "other-count"),
        ("RU[Japanese]RE[W+6.5]", "", "other-count"),
        ("RU[Japanese]RE[B+6.5]", "", "wrong-result"),
        // Players may agree that other stones are dead.
        ("RE[B+24.5]", "", "wrong-result"),
        ("RE[B+24.5]", "TB[aa:be][da:ee]", "other-count"),
        // Games of this engine are counted without an agreement.
        ("KAWARI[go]RE[B+4.5]", dead, "wrong-result"),
        ("AP[kawari:0.1.0]RE[B+4.5]", "", "wrong-result"),
        ("AP[kawari:0.1.0]KJUDGE[B+4.5]RE[B+4.5]", "", "other-count"),
        ("AP[kawari:0.1.0]KJUDGE[B+1.5]RE[B+4.5]", "", "wrong-result"),
        ("AP[GoGui:1.6]RE[B+4.5]", "", "other-count"),
    ] {
        assert_eq!(verdict(&game(root, end)), expected, "{root} {end}");
    }
    let input = game("RE[B+4.5]", "") + &game("RE[B+3.5]", "");
    let (status, text) = outcome(check().write_stdin(input.clone()));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(status, 1);
    assert_eq!(
        lines,
        [
            "-:1: game 1: result: B+4.5 without the stones estimated as dead, the board counts W+6.5 \
             as it stands",
            "-:1: game 2: result: B+3.5 is claimed, the board counts W+6.5 as it stands, B+4.5 \
             without the stones estimated as dead",
            "2 games: 0 good, 0 with an illegal turn, 1 with a wrong result, 0 unreadable, 1 with \
             the score of a judge or an agreement",
        ]
    );
    let (_, found) = reports(&game("RU[Japanese]RE[B+4.5]", dead), &[]);
    let why = found[0]["why"].as_str().expect("words");
    assert!(
        why.starts_with("result: B+4.5 by area scoring without the stones marked"),
        "{why}"
    );
    let (status, found) = reports(&game("RE[B+4.5]", dead), &[]);
    assert_eq!((status, &found[0]["counted"]), (0, &json!("W+6.5")));
    let why =
        "result: B+4.5 without the stones marked as dead, the board counts W+6.5 as it stands";
    assert_eq!(found[0]["why"], json!(why));
}

#[test]
fn the_score_of_a_judging_program_is_an_other_count() {
    let record = |result: &str, program: &str| {
        json!({"variant": "go", "width": 5, "komi": 0.5, "turns": ["B C3", "W pass", "B pass"],
            "result": result, "reason": "passes", "scores": {"black": null, "white": null,
            "referee": "B+24.5", "program": program}})
        .to_string()
    };
    for (result, program, expected) in [
        ("B+24.5", "B+24.5", "good"),
        ("B+20.5", "B+20.5", "other-count"),
        ("B+20.5", "b+20.50", "other-count"),
        ("W+1.5", "B+20.5", "wrong-result"),
        ("B+20.5", "nonsense", "wrong-result"),
    ] {
        let input = record(result, program);
        assert_eq!(verdict(&input), expected, "{input}");
    }
    let (status, found) = reports(&record("B+20.5", "B+20.5"), &[]);
    assert_eq!(status, 0);
    let why = found[0]["why"].as_str().expect("words");
    assert!(why.contains("as the judging program counts"), "{why}");
}

#[test]
fn end_reasons_are_compared_with_the_board() {
    let record = |turns: &[&str], result: &str, reason: &str| {
        json!({"variant": "go", "width": 5, "komi": 0.5, "turns": turns, "result": result,
            "reason": reason})
        .to_string()
    };
    let open = ["B C3"];
    let passed = ["B C3", "W pass", "B pass"];
    for (input, expected) in [
        (record(&passed, "B+24.5", "passes"), "good"),
        (record(&open, "B+24.5", "passes"), "wrong-result"),
        (record(&open, "B+24.5", "turn-limit"), "good"),
        (record(&open, "B+3.5", "turn-limit"), "wrong-result"),
        (record(&open, "W+R", "resign"), "good"),
        (record(&open, "W+F", "crash"), "good"),
        (record(&open, "?", "not-expressible"), "good"),
    ] {
        assert_eq!(verdict(&input), expected, "{input}");
    }
}

#[test]
fn generated_moves_are_read_from_responses() {
    let log = "boardsize 5\n= \n\nkomi 0.5\n= \n\n1 genmove b\n=1 C3\n\nplay w C3\n? illegal move\n\n\
        kata-genmove_analyze w\n=\ninfo move B2 visits 1\nplay B2\n\nlist_commands\n= play\nundo\n\
        clear_board\n\nshowboard\n=\nplay b a1\n\nundo\n=\n\nplay w D3\n= \n\n";
    let over = "play b pass\n=\n\nplay w pass\n=\n\nfinal_score\n= B+3.5\n\n";
    let (status, found) = reports(log, &[]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(2)));
    let whole = log.to_owned() + over;
    let (status, found) = reports(&whole, &[]);
    assert_eq!((status, &found[0]["verdict"]), (1, &json!("wrong-result")));
    let line = whole.lines().position(|line| line == "final_score");
    let line = line.expect("a line") + 1;
    assert_eq!(
        (&found[0]["line"], &found[0]["counted"]),
        (&json!(line), &json!("W+0.5"))
    );
}

/// After the end, genmove returns a pass that is not a turn.
#[test]
fn a_move_generated_after_the_end_is_not_a_turn() {
    for command in ["genmove", "kawari-genturn"] {
        let log = format!(
            "boardsize 3\n=\n\nplay b b2\n=\n\nplay w resign\n=\n\n{command} w\n= pass\n\n\
            final_score\n= B+R\n\n"
        );
        let (status, found) = reports(&log, &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
        // undo does not take it back either.
        let more = "undo\n=\n\nplay w a1\n=\n\n";
        let (status, found) = reports(&(log + more), &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(2)), "{found:?}");
    }
    let other = "boardsize 3\n=\n\nplay w resign\n=\n\ngenmove b\n= A1\n\n";
    let (_, found) = reports(other, &[]);
    assert_eq!(found[0]["verdict"], "illegal");
}

/// GoGui passes after the end of a game; other clients may not.
#[test]
fn passes_of_gogui_after_the_end_are_ignored() {
    let game = "boardsize 3\n=\n\nplay b b2\n=\n\nplay w resign\n=\n\nplay w pass\n=\n\n\
        play b pass\n=\n\n";
    let gogui = format!("gogui-interrupt\n=\n\n{game}");
    for whole in [&gogui, &gogui.replace("=\n\n", "")] {
        let (status, found) = reports(whole, &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
    }
    // Each pass, and the resignation, is undone separately.
    let more = "gg-undo 4\n=\n\nplay b a1\n=\n\n";
    let (status, found) = reports(&(gogui.clone() + more), &[]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
    assert_eq!(verdict(game), "illegal");
    let other = gogui.replace(
        "gogui-interrupt\n=\n\n",
        "gogui-interrupt\n=\n\nquit\n=\n\n",
    );
    assert_eq!(verdict(&other), "illegal");
}

/// A whole turn that the engine generated is not in the move list of the client.
#[test]
fn undo_takes_back_a_generated_turn_with_the_move_before_it() {
    let log = "boardsize 5\n=\n\nplay b a4\n=\n\nkawari-genturn w\n= D3\n\nundo\n=\n\n\
        play w a4\n=\n\n";
    let list = ["--encoding", "sabaki", "--variant", "tao"];
    let (status, found) = reports(log, &list);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
    let again = "undo\n=\n\nplay b a4\n=\n\n";
    let (status, found) = reports(&(log.to_owned() + again), &list);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(2)), "{found:?}");
    let wrong = log.replace("D3", "A4");
    assert_eq!(reports(&wrong, &list).1[0]["verdict"], "illegal");
}

/// Logs of gogui-twogtp (two programs), of GoGui and of KataGo (one program).
#[test]
fn logs_of_other_programs_are_read() {
    let both = "B>> boardsize 5\nB<< =\nW>> boardsize 5\nW<< =\nB>> genmove b\nB<< = C3\nB<< \n\
        W>> play b C3\nW<< = \nW>> genmove w\nW<< = C3\n";
    let (status, found) = reports(both, &[]);
    assert_eq!(status, 1);
    let verdicts: Vec<_> = found.iter().map(|report| &report["verdict"]).collect();
    assert_eq!(verdicts, ["good", "illegal"]);
    assert_eq!(found[1]["line"], 10);
    let one = ">> boardsize 5\n<< =\n>> play b C3\n<< =\n>> play w C3\n<< =\n";
    assert_eq!(verdict(one), "illegal");
    let time = "2026-01-02 03:04:05+0000: Controller: ";
    let stamped = format!("{time}boardsize 5\n= \n\n{time}play B C3\n= \n\n{time}play W C3\n= \n");
    assert_eq!(verdict(&stamped), "illegal");
}

#[test]
fn transcripts_hold_many_games_under_changing_rules() {
    let input = "boardsize 5\nkomi 0.5\nfixed_handicap 2\nboardsize 7\nfixed_handicap 2\nplay w d4\n\
        clear_board\nplay b d4\nkawari-variant no\nkawari-block a1\nplay b a1\nplay w a2\nquit\n\
        play b t19\n";
    let (status, found) = reports(input, &["--size", "19"]);
    assert_eq!(status, 1);
    let verdicts: Vec<_> = found
        .iter()
        .map(|report| (&report["variant"], &report["width"], &report["verdict"]))
        .collect();
    let expected = [
        (&json!("go"), &json!(7), &json!("good")),
        (&json!("go"), &json!(7), &json!("good")),
        (&json!("no"), &json!(9), &json!("illegal")),
        (&json!("go"), &json!(19), &json!("good")),
    ];
    assert_eq!(verdicts, expected);
}

#[test]
fn input_that_cannot_be_replayed_is_unreadable() {
    for input in [
        "",
        "no such command\n",
        "genmove b\n",
        "boardsize 99\nplay b a1\n",
        "loadsgf a.sgf\nplay b a1\n",
        "(;GM[1]SZ[9];B[ee]",
        "(;GM[2])",
        "(;KAWARI[chess])",
        "{",
        "{\"turns\":[\"B D4\"],\"variant\":\"chess\"}",
        "{\"turns\":[\"D4\"]}",
        "{\"turns\":[\"B D4\"],\"width\":99}",
        "{\"turns\":[\"B D4\"],\"rules\":{\"ko\":7}}",
    ] {
        assert_eq!(verdict(input), "unreadable", "{input}");
    }
    let (status, text) = outcome(check().arg("/no/such/file"));
    assert_eq!(status, 2);
    assert!(
        text.starts_with("/no/such/file:1: game 1: unreadable: "),
        "{text}"
    );
}

#[test]
fn options_are_defaults_for_missing_settings() {
    let options = ["--variant", "no", "--size", "5", "--rule", "nuke-acts=now"];
    for input in [
        "play b c3\nplay w d4\nnuke b d4",
        "{\"turns\":[\"B C3\",\"W D4\",\"B nuke D4\"]}",
    ] {
        let (status, found) = reports(input, &options);
        assert_eq!(
            (status, &found[0]["variant"], &found[0]["width"]),
            (1, &json!("no"), &json!(5))
        );
    }
    let (status, found) = reports("(;SZ[5]KM[1.5];B[cc];W[];B[])", &options);
    assert_eq!(
        (status, &found[0]["variant"], &found[0]["result"]),
        (0, &json!("no"), &json!("B+22.5"))
    );
}

#[test]
fn directories_are_searched_in_order() {
    let directory = directory("tree");
    fs::create_dir_all(directory.join("b/c")).expect("a directory");
    for (path, text) in [
        ("z.sgf", "(;SZ[5];B[cc])"),
        ("b/c/x.gtp", "play b c3"),
        ("b/y.SGF", "(;SZ[5];B[cc])"),
        (
            "a.jsonl",
            "{\"kawari-match\":1,\"id\":\"x\"}\n{\"turns\":[]}\n\n{\"turns\":[]}",
        ),
        ("README.txt", "no game"),
    ] {
        fs::write(directory.join(path), text).expect("written");
    }
    let (status, text) = outcome(check().arg("--json").arg(&directory));
    assert_eq!(status, 0, "{text}");
    let reports: Vec<Value> = text
        .lines()
        .map(|line| serde_json::from_str(line).expect("JSON"))
        .collect();
    let files: Vec<_> = reports
        .iter()
        .map(|r| r["file"].as_str().expect("a file"))
        .collect();
    let ends = ["a.jsonl", "a.jsonl", "b/c/x.gtp", "b/y.SGF", "z.sgf"];
    assert_eq!(files.len(), ends.len());
    assert!(
        files
            .iter()
            .zip(ends)
            .all(|(file, end)| file.ends_with(end)),
        "{files:?}"
    );
    assert_eq!(
        (&reports[0]["line"], &reports[1]["line"]),
        (&json!(2), &json!(4))
    );
}

/// A collection larger than the window, with malformed games.
#[test]
fn long_collections_are_read_to_their_end() {
    let game = |comment: &str| format!("(;GM[1]FF[4]SZ[9]C[{comment}]\n;B[ee](;W[dd])(;W[cc]))\n");
    let long = "(;in a comment) ".repeat(200_000);
    let mut text: String = (0..20_000)
        .map(|n| game(&format!("game {n} \\] )(")))
        .collect();
    text += "(;GM[1]FF[4]SZ[9];B\n";
    text += &game("behind a broken one");
    text += &game(&long);
    text += &game("last");
    text += "(;GM[1]FF[4]SZ[9];B[ee];W[ee])";
    let (status, found) = reports(&text, &[]);
    assert_eq!(status, 2);
    let odd: Vec<_> = found
        .iter()
        .filter(|report| report["verdict"] != "good")
        .collect();
    assert_eq!(odd.len(), 2, "{odd:?}");
    assert_eq!(odd[0]["verdict"], "unreadable");
    assert_eq!(
        (&odd[1]["verdict"], &odd[1]["line"]),
        (&json!("illegal"), &json!(text.lines().count()))
    );
    assert!(found.len() >= 20_000 + 3, "{}", found.len());
    let lines: Vec<_> = found
        .iter()
        .filter_map(|report| report["line"].as_u64())
        .collect();
    assert!(lines.is_sorted());
    assert_eq!(lines[19_999], 39_999);
}

/// Randomly truncated or changed input yields an exit status of 0 to 2 and a report.
#[test]
fn malformed_input_never_crashes() {
    let directory = directory("garbage");
    let mut state = 1u64;
    let mut random = |below: usize| {
        state = state
            .wrapping_mul(6_364_136_223_846_793_005)
            .wrapping_add(1_442_695_040_888_963_407);
        (state >> 33) as usize % below
    };
    let mut files = 0;
    for (words, list, _) in ILLEGAL_GAMES {
        for text in [
            as_record(words, list),
            as_transcript(words, list),
            as_tree(words, list),
        ] {
            for _ in 0..8 {
                let mut bytes = text.clone().into_bytes();
                for _ in 0..=random(4) {
                    let at = random(bytes.len());
                    match random(3) {
                        0 => bytes[at] = random(256) as u8,
                        1 => bytes.truncate(at.max(1)),
                        _ => bytes.insert(at, b"()[];\\\n={}\"0"[random(12)]),
                    }
                }
                files += 1;
                fs::write(directory.join(format!("{files}.log")), bytes).expect("written");
            }
        }
    }
    let (status, text) = outcome(check().arg("--json").arg(&directory));
    assert!((0..=2).contains(&status));
    assert!(text.lines().count() >= files);
}
