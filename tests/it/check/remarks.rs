//! Remarks, strictness, and the conditions of a tournament.

use super::support::{KO, check, directory, outcome, reports, turns, verdict};
use crate::client::Client;
use crate::common::setup;
use crate::common::small_size;
use kawari::board::Random;
use kawari::rules::{Game, Setup, VARIANTS};
use kawari::sgf::{GameRecord, RemarkCode};
use serde_json::json;

/// The codes of the remarks on a game, and its verdict under `--strict`.
fn remarks(input: &str) -> (Vec<String>, String) {
    let (_, found) = reports(input, &[]);
    let list = found[0]["remarks"].as_array().cloned().unwrap_or_default();
    let codes = list.iter().map(|remark| remark["code"].as_str().expect("a code").to_owned());
    let (_, strict) = reports(input, &["--strict"]);
    (codes.collect(), strict[0]["verdict"].as_str().expect("a verdict").to_owned())
}

#[test]
fn each_remark_has_a_code_and_some_are_faults_under_strict() {
    for (rest, code, is_fault) in [
        ("RU[Chinese];B[cc];W[dd]", None, false),
        (";B[cc];W[dd]", Some("rules-assumed"), false),
        ("RU[];B[cc];W[dd]", Some("rules-assumed"), false),
        ("RU[house];B[cc];W[dd]", Some("rules-unreadable"), true),
        ("RU[Chinese]KM[much];B[cc];W[dd]", Some("unreadable"), true),
        ("RU[Chinese]HA[two];B[cc];W[dd]", Some("unreadable"), true),
        ("RU[Japanese];B[cc];W[dd]", Some("rules-inexact"), false),
        ("RU[Korean];B[cc];W[dd]", Some("rules-inexact"), false),
        ("RU[koSIMPLEscoreTERRITORYtaxSEKIsui0];B[cc];W[dd]", Some("rules-inexact"), false),
        ("RU[koSIMPLEscoreAREAtaxALLsui0];B[cc];W[dd]", Some("rules-inexact"), false),
        ("RU[Ing];B[cc];W[dd]", Some("rules-inexact"), false),
        ("RU[AGA]HA[2]AB[ac][ca];W[dd]", Some("rules-inexact"), false),
        ("RU[AGA];B[cc];W[dd]", None, false),
        ("RU[Chinese];B[cc];B[dd]", Some("plays-twice"), true),
        ("RU[nz]HA[3];B[cc];B[dd];B[bb];W[aa];B[ee]", None, false),
        ("RU[nz]HA[2];B[cc];B[dd];B[bb];W[aa];B[ee]", Some("plays-twice"), true),
        // The handicap is what the file sets up, or what Black's first moves place.
        ("RU[nz]HA[2]AB[ac][ca];W[dd]", None, false),
        ("RU[nz]HA[1];B[cc];W[dd]", None, false),
        ("RU[nz]HA[0];B[cc];W[dd]", None, false),
        ("RU[nz]HA[3]AB[ac][ca];B[cc];W[dd]", None, false),
        ("RU[nz]HA[2]AB[ac][ca]AW[ee];W[dd]", None, false),
        ("RU[nz]HA[2]AB[ac][ca][cc]AW[ee];W[dd]", None, false),
        ("RU[nz]HA[2];W[dd]", Some("handicap"), true),
        ("RU[nz]HA[9]AB[bb][dd];W[cc]", Some("handicap"), true),
        ("RU[nz]HA[0]AB[bb][dd]PL[W];W[cc]", Some("handicap"), true),
        ("RU[nz]HA[1]AB[bb][dd]PL[W];W[cc]", Some("handicap"), true),
        ("RU[nz]HA[2]AB[bb][dd][cc];W[ca]", Some("handicap"), true),
        ("RU[nz]HA[2];B[cc];W[dd]", Some("handicap"), true),
        ("RU[nz]HA[3];B[cc];B[];W[dd]", Some("handicap"), true),
        // Nothing but the first turn says that the other side moves first.
        ("RU[nz];W[cc];B[dd]", Some("first-mover"), true),
        ("RU[nz];W[];B[dd]", Some("first-mover"), true),
        ("RU[nz]PL[W];W[cc];B[dd]", None, false),
        ("RU[nz];PL[W];W[cc];B[dd]", None, false),
        ("RU[nz]HA[2]AB[ac][ca];B[dd];W[cc]", Some("first-mover"), true),
        ("RU[nz]HA[2]AB[ac][ca]PL[B];B[dd];W[cc]", None, false),
        ("RU[nz]AB[ac][ca];W[dd]", None, false),
        ("RU[nz]AB[ac]AW[ca];W[dd]", None, false),
        ("RU[Chinese];B[cc];AB[dd]PL[B];B[ee]", Some("set-up"), false),
        ("RU[Chinese];B[];W[];B[cc]", Some("after-passes"), false),
        ("RU[Chinese];B[cc]W[dd]", Some("two-turns"), true),
        ("RU[Chinese];B[cc]C[a]C[b];W[dd]", Some("property-twice"), true),
        ("RU[Chinese];B[cc]KO[];W[dd]", Some("forced"), true),
        ("RU[Chinese]TM[60];B[cc]BL[50];W[dd]WL[-5]", Some("time"), true),
        ("RU[Chinese]TM[60];B[cc]BL[90];W[dd]", Some("time"), true),
        ("RU[Chinese]TM[60];B[cc]BL[50];W[dd];B[ee]BL[55]", Some("time"), true),
        ("RU[Chinese]TM[60]OT[5 Fischer];B[cc]BL[50];W[dd];B[ee]BL[55]", None, false),
        ("RU[Chinese]TM[-1];B[cc]", Some("time"), true),
        ("RU[Chinese];B[cc]OB[-2]", Some("time"), true),
        ("RU[Chinese]KM[5]KM[6];B[cc]", Some("stated-twice"), true),
        ("RU[Chinese]KM[5];B[cc]KM[5]", Some("stated-twice"), true),
        ("RU[Chinese]SZ[9];B[cc]", Some("stated-twice"), true),
        ("RU[Chinese][Japanese];B[cc]", Some("stated-twice"), true),
        ("RU[Chinese]RU[Chinese];B[cc]", Some("stated-twice"), true),
        ("RU[nz]HA[2][3]AB[ac][ca];W[cc]", Some("stated-twice"), true),
        ("RU[nz]RE[B+R];B[cc]", Some("stated-twice"), true),
        ("RU[nz]TM[60][90];B[cc]", Some("stated-twice"), true),
        ("RU[nz]PL[W][B];W[cc]", Some("property-twice"), true),
    ] {
        let input = format!("(;GM[1]SZ[5]RE[?]{rest})");
        let (codes, strict) = remarks(&input);
        assert_eq!(codes, Vec::from_iter(code), "{input}");
        assert_eq!(strict, if is_fault { "irregular" } else { "good" }, "{input}");
        assert_eq!(verdict(&input), "good", "{input}");
    }
}

/// The ko is taken back at once, which a record without rules may have meant.
#[test]
fn superko_forbids_no_turn_where_no_rules_are_named() {
    let nodes: String = turns(KO)
        .iter()
        .map(|(color, vertex)| match vertex.as_bytes() {
            [column, row] => {
                let line = (b'a' + (b'5' - row)) as char;
                format!(";{color}[{}{line}]", column.to_ascii_lowercase() as char)
            }
            _ => format!(";{color}[]"),
        })
        .collect();
    let ko = format!("{nodes};B[ee]");
    let input = format!("(;GM[1]SZ[5]{ko})");
    let (status, found) = reports(&input, &[]);
    assert_eq!((status, &found[0]["verdict"]), (0, &json!("good")), "{found:?}");
    let text = found[0]["remarks"][1]["text"].as_str().expect("a text");
    assert_eq!(found[0]["remarks"][1]["code"], "superko");
    assert_eq!(text, "turn 10, W C3: superko: it repeats the position after turn 8");
    for options in [&["--rules", "Tromp-Taylor"][..], &["--rule", "ko=situational"]] {
        let (_, found) = reports(&input, options);
        assert_eq!(found[0]["verdict"], "illegal", "{options:?}");
    }
    assert_eq!(verdict(&format!("(;GM[1]SZ[5]RU[Tromp-Taylor]{ko})")), "illegal");
    assert_eq!(verdict(&format!("(;GM[1]SZ[5]RU[house]{ko})")), "good");
    // Play that goes on from it has the rules of the session.
    let file = directory("no-rules").join("ko.sgf");
    std::fs::write(&file, &input).expect("written");
    let mut client = Client::new(setup("go 5"), 2);
    client.tell(&format!("loadsgf {}", file.display()));
    client.tell("undo");
    let refused = client.ask("play b D3").expect_err("the ko again");
    assert!(refused.contains("superko"), "{refused}");
    client.tell("kata-set-rules tromp-taylor");
    client.tell("undo");
    client.tell("play w A1");
}

#[test]
fn passes_after_the_end_of_a_game_are_harmless() {
    let won = ";B[aa];W[ba];B[ee];W[ab]";
    for more in ["", ";B[]", ";B[];W[]"] {
        let input = format!("(;GM[1]SZ[5]RU[Chinese]RE[W+]{won}{more})");
        let (status, found) = reports(&input, &["--variant", "capture"]);
        assert_eq!((status, &found[0]["verdict"]), (0, &json!("good")), "{input}");
        let code = if more.is_empty() { json!(null) } else { json!("after-end") };
        assert_eq!(found[0]["remarks"][0]["code"], code, "{input}");
    }
    let (_, found) = reports(&format!("(;GM[1]SZ[5]RE[W+]{won};B[dd])"), &["--variant", "capture"]);
    assert_eq!((&found[0]["verdict"], &found[0]["claimed"]), (&json!("illegal"), &json!("W+")));
}

#[test]
fn suicide_is_judged_by_the_rules_that_the_file_names() {
    let game = ";B[ba];W[ae];B[bb];W[aa];B[ac];W[ab];B[ee]RE[W+R]";
    for (rules, expected) in [
        ("NZ", "good"),
        ("Tromp-Taylor", "good"),
        ("Ing", "good"),
        ("koPOSITIONALscoreAREAtaxNONEsui1", "good"),
        ("koPOSITIONALscoreAREAtaxNONEsui0", "illegal"),
        ("Chinese", "illegal"),
    ] {
        assert_eq!(verdict(&format!("(;GM[1]SZ[5]RU[{rules}]{game})")), expected, "{rules}");
    }
    let ours = |rules: &str| format!("(;GM[1]FF[4]KAWARI[go]SZ[5]KRULE{rules}{game})");
    assert_eq!(verdict(&ours("[ko:positional][suicide:true]")), "good");
    assert_eq!(verdict(&ours("[ko:positional]")), "illegal");
    let (_, found) = reports(&ours("[ko:positional]"), &["--rule", "suicide=true"]);
    assert_eq!(found[0]["verdict"], "illegal", "the record says otherwise");
}

#[test]
fn conditions_of_a_tournament_are_judged() {
    let input = "(;GM[1]SZ[5]KM[6.5]RU[nz]TM[3600]HA[2]AB[bb][cc]RE[B+R];W[ca];B[dd])";
    for (options, code) in [
        (&["--expect-komi", "6.5", "--expect-size", "5", "--expect-rules", "NZ"][..], None),
        (&["--expect-handicap", "2", "--expect-time", "3600"], None),
        (&["--expect-handicap", "3"], Some("expected-handicap")),
        (&["--expect-handicap", "0"], Some("expected-handicap")),
        (&["--expect-time", "1800"], Some("expected-time")),
        (&["--expect-komi", "7.5"], Some("expected-komi")),
        (&["--expect-size", "9"], Some("expected-size")),
        (&["--expect-rules", "Chinese"], Some("expected-rules")),
    ] {
        let (status, found) = reports(input, options);
        let verdict = if code.is_some() { "irregular" } else { "good" };
        assert_eq!((status, &found[0]["verdict"]), (i32::from(code.is_some()), &json!(verdict)));
        assert_eq!(found[0]["claimed"], "B+R");
        if let Some(code) = code {
            assert!(found[0]["why"].as_str().expect("words").contains(code), "{found:?}");
        }
    }
    let even = "(;GM[1]SZ[5]HA[1];B[cc])";
    assert_eq!(reports(even, &["--expect-handicap", "0"]).0, 0, "one stone is none");
    assert_eq!(reports(even, &["--expect-time", "0"]).0, 1, "it states no time");
    let placed = "(;GM[1]SZ[5]HA[2];B[cc];B[dd];W[ca])";
    assert_eq!(reports(placed, &["--expect-handicap", "2"]).0, 0, "Black's first moves");
    let record = |time: &str| {
        let turns = r#""turns":["B C3"],"handicap":["B2","D4"],"result":"?""#;
        let player = format!(r#"{{"time":"{time}"}}"#);
        format!(r#"{{"width":5,{turns},"black":{player},"white":{player}}}"#)
    };
    let options = ["--expect-time", "60", "--expect-handicap", "2"];
    for (time, status) in [("byoyomi 60 5 3", 0), ("absolute 90", 1), ("5", 1), ("none", 1)] {
        assert_eq!(reports(&record(time), &options).0, status, "{time}");
    }
    let (status, found) = reports("(;GM[1]SZ[5];B[cc])", &["--expect-rules", "Chinese"]);
    assert_eq!((status, &found[0]["verdict"]), (1, &json!("irregular")), "it names no rules");
    let (status, _) = reports("(;GM[1]SZ[5];B[cc])", &["--rules", "AGA", "--expect-rules", "AGA"]);
    assert_eq!(status, 0);
}

#[test]
fn a_claim_is_never_dropped() {
    for (input, expected) in [
        ("(;GM[1]SZ[5]RE[W+3];B[cc];W[cc])", "illegal"),
        ("(;GM[1]SZ[99]RE[W+3];B[cc])", "unreadable"),
        ("{\"turns\":[\"B C3\",\"W C3\"],\"result\":\"W+3\"}", "illegal"),
    ] {
        let (_, found) = reports(input, &[]);
        assert_eq!(found[0]["verdict"], expected, "{input}");
        assert_eq!(found[0]["claimed"], "W+3", "{input}");
    }
}

#[test]
fn a_check_of_nothing_fails() {
    let (status, text) = outcome(check().arg(directory("nothing")));
    assert_eq!(status, 2, "{text}");
}

#[test]
fn the_guide_has_every_code() {
    let guide = kawari_tab::guide::guide("check").expect("a guide").markdown;
    for code in RemarkCode::ALL {
        let strict = if code.is_fault() { "yes" } else { "no" };
        let (name, about) = (code.name(), code.about());
        let row = format!("| `{name}` | {} | {strict} |", about.trim_end_matches('.'));
        assert!(guide.contains(&row), "{row}");
    }
}

/// A game of random turns in turn, which a resignation ends.
fn random_game(setup: &Setup, random: &mut Random) -> Game {
    let mut game = Game::new(setup).expect("a start");
    for _ in 0..20 + random.below(20) {
        if game.is_over() {
            break;
        }
        let color = game.to_move();
        let legal = game.legal_turns(color);
        let turn = &legal[random.below(legal.len() as u32) as usize];
        game.play(color, turn).expect("a legal turn");
    }
    if !game.is_over() {
        game.resign(game.to_move()).expect("possible");
    }
    game
}

/// Starts with walls, a handicap, stones of both sides, the other side first, and joined sides, as
/// far as the game has them.
fn unusual_setups(setup: &Setup) -> Vec<Setup> {
    let changes: [&dyn Fn(&mut Setup); 6] = [
        &|setup| setup.blocked_points = vec![(1, 1), (0, 2)],
        &|setup| setup.handicap = vec![(1, 1), (2, 2)],
        &|setup| setup.stones = [vec![(0, 0), (1, 1)], vec![(2, 2)]],
        &|setup| setup.stones = [vec![(0, 0), (1, 1)], Vec::new()],
        &|setup| setup.to_move = Some(!Game::new(setup).expect("a start").to_move()),
        &|setup| {
            let _ = setup.rule_key("board").map(|key| setup.rules.set(key, "torus"));
        },
    ];
    let changed = changes.map(|change| {
        let mut setup = setup.clone();
        change(&mut setup);
        setup
    });
    changed.into_iter().filter(|setup| Game::new(setup).is_ok()).collect()
}

/// GTP, matches and the page write records in this one way.
#[test]
fn records_of_kawari_pass_the_strict_referee() {
    let mut games = String::new();
    let mut random = Random::new(1);
    let mut count = 0;
    for info in VARIANTS {
        let mut setups = vec![setup(&format!("{} {}", info.id, small_size(info)))];
        for &key in info.keys.iter().filter(|key| !key.shapes_board()) {
            for value in key.words().trials {
                let mut setup = setups[0].clone();
                setup.rules.set(key, value).expect("a value");
                setups.push(setup);
            }
        }
        setups.extend(unusual_setups(&setups[0]));
        for setup in setups {
            let game = random_game(&setup, &mut random);
            let record = GameRecord::from_game(&setup, &game).expect("a record");
            games.push_str(&record.write_text());
            games.push('\n');
            count += 1;
        }
    }
    let (status, found) = reports(&games, &["--strict"]);
    let faulty: Vec<_> = found.iter().filter(|game| game["verdict"] != "good").collect();
    assert_eq!((status, found.len()), (0, count), "{faulty:?}");
}

/// The verdict under `--strict`; that a game without a result has none is no other fault.
fn strict_verdict(record: &str) -> String {
    let (_, found) = reports(record, &["--strict"]);
    let why = found[0]["why"].as_str().unwrap_or_default();
    let is_open = why.ends_with("no result is stated, and the game has not ended (no-result)");
    let verdict = if is_open { "good" } else { found[0]["verdict"].as_str().expect("a verdict") };
    verdict.to_owned()
}

#[test]
fn a_session_with_a_handicap_passes_the_strict_referee() {
    let mut client = Client::new(setup("go 9"), 2);
    for command in ["fixed_handicap 2", "komi 0.5", "kata-set-rules tromp-taylor"] {
        client.tell(command);
    }
    for command in
        ["play w E5", "play b A1", "play w B1", "play b B2", "play w pass", "play b pass"]
    {
        client.tell(command);
    }
    let record = client.tell("printsgf");
    assert!(record.contains("RU[Tromp-Taylor]"), "{record}");
    assert_eq!(remarks(&record), (Vec::new(), "good".to_owned()), "{record}");
}

/// Plays random turns by the commands of a client, with clocks, and passes after the end.
fn session_of(setup: Setup, random: &mut Random) -> Client {
    let mut client = Client::new(setup.clone(), 2);
    client.tell("time_settings 60 30 5");
    let mut color = setup.rules.first;
    for _ in 0..30 {
        let legal = client.tell(&format!("kawari-legal {}", color.name()));
        let legal: Vec<&str> = legal.lines().collect();
        if legal.is_empty() {
            break;
        }
        let turn = legal[random.below(legal.len() as u32) as usize];
        client.tell(&match turn.split_once(' ') {
            Some((word, rest)) => format!("{word} {} {rest}", color.name()),
            None => format!("play {} {turn}", color.name()),
        });
        client.tell(&format!("time_left {} 3 0", color.name()));
        color = !color;
    }
    for _ in 0..3 {
        // A client passes until the engine counts.
        if client.ask(&format!("play {} pass", color.name())).is_ok() {
            color = !color;
        }
    }
    client
}

#[test]
fn sessions_of_every_game_pass_the_strict_referee() {
    let mut random = Random::new(2);
    for info in VARIANTS.iter().filter(|info| info.alternates) {
        let mut client =
            session_of(setup(&format!("{} {}", info.id, small_size(info))), &mut random);
        let path = directory("sessions").join(format!("{}.sgf", info.id));
        client.tell(&format!("gomill-savesgf {} PB=kawari PW=client", path.display()));
        for _ in 0..2 {
            let record = client.tell("printsgf");
            assert_eq!(strict_verdict(&record), "good", "{record}");
            client.tell("undo");
        }
        let saved = std::fs::read_to_string(&path).expect("a file");
        assert_eq!(strict_verdict(&saved), "good", "{saved}");
    }
}

/// Each step of a turn is a move of the client, with a pass of the other side between.
#[test]
fn turns_of_several_steps_pass_the_strict_referee() {
    let mut client = Client::new(setup("sygo 5"), 2);
    for command in ["play w C3", "play b A1", "play w C4", "play b pass", "play w B3"] {
        client.tell(command);
        let record = client.tell("printsgf");
        assert_eq!(remarks(&record).0, ["no-result"], "{record}");
        assert_eq!(strict_verdict(&record), "good", "{record}");
    }
}

/// A rule that no option of the game expresses is named, though the rules are chosen by a name.
#[test]
fn an_option_that_names_inexact_rules_says_so() {
    let errors = |options: &[&str]| {
        let mut command = check();
        let assert = command.args(options).write_stdin("(;GM[1]SZ[5];B[cc])").assert();
        String::from_utf8_lossy(&assert.get_output().stderr).into_owned()
    };
    assert!(errors(&["--rules", "Ing"]).contains("without Ing's ko rule"));
    assert!(errors(&["--expect-rules", "AGA-Button"]).contains("--expect-rules AGA-Button"));
    let seki =
        "warning: --rules Japanese: the nearest rules apply, without a tax on groups in seki";
    assert!(errors(&["--rules", "Japanese"]).contains(seki));
    for silent in [&["--rules", "AGA"][..], &["--rules", "Ing", "--quiet"]] {
        assert_eq!(errors(silent), "");
    }
}
