//! Claimed results.

use super::support::{check, outcome, reports, verdict};
use serde_json::json;

/// The lines that are not remarks.
fn without_notes(text: &str) -> Vec<&str> {
    text.lines().filter(|line| !line.contains(": note: ")).collect()
}

#[test]
fn reports_state_line_and_reason() {
    let input = "(;GM[1]SZ[9];B[ee])\n(;GM[1]SZ[9]\n;B[ee]\n;W[ee])\n(;SZ[9]RE[B+3];B[];W[])\n";
    let (status, text) = outcome(check().write_stdin(input));
    assert_eq!(status, 1);
    let lines = without_notes(&text);
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
        ("B+24,5", "good"),
        ("B+12.25", "good"),
        ("B+12又1/4子", "good"),
        ("黑胜24.5目", "good"),
        ("Unfinished", "good"),
        ("B+13.25", "wrong-result"),
        ("unclear", "unread-result"),
    ] {
        assert_eq!(verdict(&passed(result)), expected, "{result}");
    }
    let (_, text) = outcome(check().write_stdin(passed("unclear")));
    assert!(text.starts_with("-:1: game 1: result: 'unclear' is not understood\n"), "{text}");
    assert!(text.ends_with("0 unreadable, 1 with an unrecognized result\n"), "{text}");
    for (result, expected) in
        [("W+R", "good"), ("?", "good"), ("B+24.5", "good"), ("B+3.5", "wrong-result")]
    {
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
        // Another scoring is plausible only where nothing names the rules.
        ("RE[B+5.5]", "", "other-count"),
        ("RU[Chinese]RE[B+5.5]", "", "wrong-result"),
        ("KRULE[scoring:area]RE[B+5.5]", "", "wrong-result"),
        ("RU[house]RE[B+5.5]", "", "other-count"),
        ("RU[Japanese]RE[B+4.5]", "", "wrong-result"),
        ("RU[Japanese]RE[W+6.5]", "", "wrong-result"),
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
    let lines = without_notes(&text);
    assert_eq!(status, 1);
    assert_eq!(
        lines,
        [
            "-:1: game 1: result: B+4.5 without the stones estimated as dead, the board counts W+6.5 \
             as it stands",
            "-:1: game 2: result: B+3.5 is claimed, the board counts W+6.5 as it stands, B+4.5 \
             without the stones estimated as dead",
            "2 games: 0 good, 0 with an illegal turn, 1 with a wrong result, 0 unreadable, 1 with \
             the score of a referee program or an agreement",
        ]
    );
    let (_, found) = reports(&game("RE[B+5.5]", dead), &[]);
    let why = found[0]["why"].as_str().expect("words");
    let words = "result: B+5.5 by territory scoring without the stones marked";
    assert!(why.starts_with(words), "{why}");
    for options in [["--rules", "Chinese"], ["--rule", "scoring=area"]] {
        let (_, found) = reports(&game("RE[B+5.5]", dead), &options);
        assert_eq!(found[0]["verdict"], "wrong-result", "{options:?} name the rules");
    }
    let (status, found) = reports(&game("RE[B+4.5]", dead), &[]);
    assert_eq!((status, &found[0]["counted"]), (0, &json!("W+6.5")));
    let why =
        "result: B+4.5 without the stones marked as dead, the board counts W+6.5 as it stands";
    assert_eq!(found[0]["why"], json!(why));
}

#[test]
fn the_score_of_a_referee_program_is_an_other_count() {
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
    assert!(why.contains("as the referee program counts"), "{why}");
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

/// Points that White has for handicap stones are told apart by the rules that give them.
#[test]
fn points_for_handicap_stones_are_an_other_count() {
    let game = |rules: &str, result: &str| {
        let start = "(;GM[1]SZ[9]HA[3]KM[0.5]AB[cc][gg][cg]";
        let end = ";W[aa];B[ab];W[];B[ba];W[];B[])";
        format!("{start}{rules}RE[{result}]{end}")
    };
    for (rules, result, expected) in [
        ("RU[Chinese]", "B+80.5", "good"),
        ("RU[Chinese]", "B+77.5", "other-count"),
        ("RU[Chinese Rules]", "B+77.5", "other-count"),
        ("RU[GOE]", "B+77.5", "other-count"),
        ("RU[koSIMPLEscoreAREAtaxNONEsui0whiteBonusN]", "B+77.5", "other-count"),
        ("RU[AGA]", "B+78.5", "other-count"),
        ("RU[AGA]", "B+77.5", "wrong-result"),
        ("RU[Chinese]", "B+78.5", "wrong-result"),
        ("RU[Tromp-Taylor]", "B+77.5", "wrong-result"),
        ("", "B+77.5", "wrong-result"),
    ] {
        assert_eq!(verdict(&game(rules, result)), expected, "{rules} {result}");
    }
    let (_, found) = reports(&game("RU[Chinese]", "B+77.5"), &[]);
    let why =
        "result: B+77.5 with 3 points for handicap stones, the board counts B+80.5 as it stands";
    assert_eq!(found[0]["why"], json!(why));
}

#[test]
fn unknown_parts_are_named() {
    let input = "(;GM[1]SZ[9]RU[mine]KM[much]HA[two]RE[?];B[ee])";
    let (status, text) = outcome(check().write_stdin(input));
    let lines: Vec<_> = text.lines().collect();
    assert_eq!(status, 0);
    assert_eq!(
        lines[..3],
        [
            "-:1: game 1: note: RU[mine]: unknown rules, so the property is ignored (rules-unreadable)",
            "-:1: game 1: note: KM[much]: not a number of points, so the property is ignored and komi is 7.5 (unreadable)",
            "-:1: game 1: note: HA[two]: not a number of stones, so the property is ignored (unreadable)",
        ]
    );
    let (_, found) = reports(input, &[]);
    assert_eq!(found[0]["remarks"].as_array().map(Vec::len), Some(3));
    let (_, found) = reports("(;GM[1]SZ[9]RU[Chinese Rules]KM[7.5目]RE[?];B[ee])", &[]);
    assert_eq!(found[0].get("remarks"), None);
    // A record of a match says everything, or the check says what it lacks.
    let (_, found) = reports("{\"turns\":[\"B C3\"],\"blocks\":[\"A1\"],\"result\":\"?\"}", &[]);
    let lacking = "not stated, so the options decide: variant, width, height, komi, rules";
    assert_eq!(found[0]["remarks"], json!([{"code": "incomplete", "text": lacking}]));
}

/// Matches write blocked points under this name.
#[test]
fn blocked_points_of_match_records_are_set_up() {
    let record = |turn: &str| {
        json!({"variant": "go", "width": 5, "height": 5, "komi": 0.5, "rules": {}, "blocks": ["C3"],
            "turns": [format!("B {turn}"), "W pass", "B pass"], "result": "B+23.5"})
        .to_string()
    };
    assert_eq!(verdict(&record("A1")), "good");
    assert_eq!(verdict(&record("C3")), "illegal");
}
