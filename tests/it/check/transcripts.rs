//! Games of GTP transcripts.

use super::support::{reports, verdict};
use serde_json::json;

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
    assert_eq!((&found[0]["line"], &found[0]["counted"]), (&json!(line), &json!("W+0.5")));
}

/// After the end, genmove returns a pass that is not a turn, and `undo` takes it back first.
#[test]
fn a_move_generated_after_the_end_is_not_a_turn() {
    for (command, response) in [
        ("genmove", "= pass"),
        ("kawari-genturn", "= pass"),
        ("kawari-genturn_analyze", "=\nplay pass"),
    ] {
        let log = format!(
            "boardsize 3\n=\n\nplay b b2\n=\n\nplay w resign\n=\n\n{command} w\n{response}\n\n\
            final_score\n= B+R\n\n"
        );
        let (status, found) = reports(&log, &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
        let more = "gg-undo 2\n=\n\nplay w a1\n=\n\n";
        let (status, found) = reports(&(log + more), &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(2)), "{found:?}");
    }
    let other = "boardsize 3\n=\n\nplay w resign\n=\n\ngenmove b\n= A1\n\n";
    let (_, found) = reports(other, &[]);
    assert_eq!(found[0]["verdict"], "illegal");
}

/// Clients pass after the end of a game, whatever they sent before.
#[test]
fn passes_after_the_end_are_ignored() {
    let game = "boardsize 3\n=\n\nplay b b2\n=\n\nplay w resign\n=\n\nplay w pass\n=\n\n\
        play b pass\n=\n\n";
    for whole in [game, &game.replace("=\n\n", ""), &format!("gogui-interrupt\n=\n\n{game}")] {
        let (status, found) = reports(whole, &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
    }
    // Each pass, and the resignation, is undone separately.
    let more = "gg-undo 4\n=\n\nplay b a1\n=\n\n";
    let (status, found) = reports(&(game.to_owned() + more), &[]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
    for refused in ["play w resign\n=\n\n", "play w c3\n=\n\n", "gg-undo 2\n=\n\nplay b a1\n=\n\n"]
    {
        assert_eq!(verdict(&(game.to_owned() + refused)), "illegal", "{refused}");
    }
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
    // The referee program hears the moves of both.
    let refereed =
        both.replace("W>> genmove", "R>> play b C3\nR<< =\nR>> play b C3\nR<< =\nW>> genmove");
    let (_, found) = reports(&refereed, &[]);
    assert_eq!((found.len(), &found[1]["verdict"]), (2, &json!("illegal")));
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

/// A client that keeps a list of moves sends it again after `clear_board`; the engine then
/// makes the turns again that were typed after it. The next engine knows nothing of them.
#[test]
fn typed_turns_belong_to_their_conversation() {
    let list = "play b B2\nplay w C3\n";
    let input = format!("{list}nuke b B2\nclear_board\n{list}play w D4\nquit\n{list}play b D4\n");
    let options = ["--variant", "no", "--size", "5", "--encoding", "sabaki"];
    let (status, found) = reports(&input, &options);
    assert_eq!(status, 0, "{found:?}");
    let turns: Vec<_> = found.iter().map(|report| &report["turns"]).collect();
    assert_eq!(turns, [4, 3]);
}

/// KataGo's log has the time before commands and responses, and search output between them.
#[test]
fn logs_of_katago_are_read() {
    let time = "2019-07-15 14:50:02+0800: ";
    let log = |responses: [&str; 8]| {
        let [a, b, c, d, e, f, g, h] = responses;
        format!(
            "{time}GTP Engine starting...\n{time}nnRandSeed0 = 15\n\
            {time}Controller: boardsize 9\n{a}\n{time}Controller: clear_board\n{b}\n\
            {time}Controller: komi 7\n{c}\n{time}Controller: genmove b\n\
            {time}MoveNum: 0 HASH: 9B94\n   A B C D E F G H J\n 9 . . . . . . . . .\n\n\
            koPOSITIONALscoreAREAsui1komi7\nTime taken: 1.9\nPV: E5 D4\nTree:\n\
            : T -11.51c W -11.07c N    1600  --  E5 D4\n\n{d}\n\
            {time}Controller: play w C3\n{e}\n{time}Controller: genmove b\n{f}\n\
            {time}Controller: play w G3\n{g}\n{time}Controller: play w G7\n{h}\n"
        )
    };
    let stamped = |text: &str| format!("{time}{text}");
    let texts = ["= ", "= ", "= ", "= E5", "= ", "= G3", "? Illegal move", "= "];
    let of_log = texts.map(stamped);
    let as_logged = log(of_log.each_ref().map(String::as_str));
    let (status, found) = reports(&as_logged, &[]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(4)), "{found:?}");
    assert_eq!(found.len(), 1);
    // Without times, and without a time zone.
    for other in ["", "2019-07-15 14:50:02: "] {
        let (status, found) = reports(&as_logged.replace(time, other), &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(4)), "{other:?}: {found:?}");
    }
    // With the responses of standard output, and with both.
    assert_eq!(reports(&log(texts), &[]).1[0]["turns"], 4);
    let both = of_log.iter().zip(texts).map(|(log, text)| format!("{text}\n\n{log}"));
    let both: Vec<String> = both.collect();
    let both = log(std::array::from_fn(|n| both[n].as_str()));
    let (status, found) = reports(&both, &[]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(4)), "{found:?}");
    // Accepted turns count.
    let wrong = as_logged.replace("? Illegal move", "= ");
    assert_eq!(verdict(&wrong), "illegal");
}

/// A console shows what is typed, the log on standard error, and standard output.
#[test]
fn consoles_of_katago_are_read() {
    let time = "2022-07-23 19:21:18+0800: ";
    let console = format!(
        "= \n\ntime_left w 580 3\n{time}= \n{time}Controller: time_left w 580 3\n= \n\n\
        genmove w\n{time}= \n{time}Controller: genmove w\n= C3\n\n\
        play b C3\n{time}= C3\n{time}Controller: play b C3\n? illegal move\n\n\
        play b D3\n{time}? illegal move\n{time}Controller: play b D3\n= \n\n"
    );
    for cut in [0, console.find("time_left").expect("a command")] {
        let (status, found) = reports(&console[cut..], &[]);
        assert_eq!((status, &found[0]["turns"]), (0, &json!(2)), "{found:?}");
    }
}

/// A long start of a log comes before its first command.
#[test]
fn a_log_may_begin_with_much_else() {
    let time = "2019-07-15 14:50:02+0800: ";
    let start = format!("{time}Loading model, threads, tuning: name play b a1\n").repeat(3000);
    let log = format!(
        "{start}{time}Controller: boardsize 5\n{time}= \n{time}Controller: kata-get-models\n\
        {time}? unknown command\n{time}Controller: genmove b\n{time}= C3\n"
    );
    let (status, found) = reports(&log, &[]);
    assert_eq!((status, &found[0]["turns"]), (0, &json!(1)), "{found:?}");
}

/// A resignation that the engine generated is not a move of the client: `undo` takes back the
/// move before it, and the client may play on.
#[test]
fn a_generated_resignation_is_no_move_of_the_client() {
    let log = "boardsize 5\n=\n\nplay b C3\n=\n\nplay w D3\n=\n\ngenmove b\n= resign\n\n";
    let scored = format!("{log}final_score\n= W+R\n\n");
    let (status, found) = reports(&scored, &[]);
    assert_eq!((status, &found[0]["turns"], &found[0]["result"]), (0, &json!(2), &json!("W+R")));
    for command in ["genmove", "kawari-genturn", "kgs-genmove_cleanup"] {
        let log = scored.replace("genmove", command);
        for more in ["undo\n=\n\nplay w D3\n=\n\n", "play b E5\n=\n\nundo\n=\n\n"] {
            let (status, found) = reports(&format!("{log}{more}"), &[]);
            assert_eq!((status, &found[0]["turns"]), (0, &json!(2)), "{command}: {found:?}");
        }
        let on = format!("{log}{command} b\n= E5\n\n");
        assert_eq!(reports(&on, &[]).1[0]["turns"], 3, "{command}");
    }
    let of_client = log.replace("genmove b\n= resign", "play b resign\n=");
    assert_eq!(verdict(&(of_client + "play b E5\n=\n\n")), "illegal");
}

/// A transcript names files of another machine.
#[test]
fn a_replay_writes_no_files() {
    let directory = crate::common::TempFile::new("replay");
    std::fs::create_dir(directory.path()).expect("a new directory");
    let commands = kawari::gtp::table::all().filter(|spec| spec.takes_file());
    let names: Vec<String> =
        commands.map(|spec| format!("{} {}/", spec.name, directory.path())).collect();
    assert!(names.len() > 2, "{names:?}");
    let lines = (0..).zip(&names).map(|(n, name)| format!("{name}{n}.sgf\n"));
    let input = format!("boardsize 5\nplay b c3\n{}play w d3\n", lines.collect::<String>());
    reports(&input, &["--encoding", "sabaki"]);
    let left = std::fs::read_dir(directory.path()).expect("a directory").count();
    std::fs::remove_dir_all(directory.path()).expect("a directory of ours");
    assert_eq!(left, 0);
}
