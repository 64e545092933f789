//! Commands of KataGo, Leela Zero, CGOS, KGS and Gomill that fail.

/// Such commands with their errors.
pub fn bad_commands() -> Vec<(String, &'static str)> {
    let mut bad: Vec<(String, &'static str)> = Vec::new();
    let mut refuse = |why: &'static str, name: &str, args: &[&str]| {
        bad.extend(args.iter().map(|args| (format!("{name} {args}"), why)));
    };
    let syntax = "syntax error";
    for name in ["lz-analyze", "kata-analyze", "lz-genmove_analyze"] {
        refuse(
            syntax,
            name,
            &[
                "x",
                "b w",
                "b 50 w",
                "-1",
                "interval",
                "b interval x",
                "maxmoves 0",
                "minmoves -1",
                "ownership 7",
                "avoid b A1",
                "avoid b A1 0",
                "avoid b I1 1",
                "avoid b Z25 1",
                "avoid A1 1",
                "allow w , 1",
                "pvVisits",
                "b 50 pv 3",
            ],
        );
    }
    refuse(syntax, "cgos-genmove_analyze", &["x", "b w", "b interval x"]);
    refuse(syntax, "kgs-genmove_cleanup", &["", "x", "b w", "b 50"]);
    refuse(syntax, "gomill-genmove_ex", &["x", "claim"]);
    refuse(syntax, "kata-search", &["x", "b w"]);
    for name in ["stop", "clear_cache", "cputime", "kata-get-rules", "kgs-game_over"] {
        refuse(syntax, name, &["x"]);
    }
    refuse(syntax, "kata-set-rules", &["", "{", "{]", "{\"ko\":\"SIMPLE\"} x"]);
    refuse("unknown rule", "kata-set-rules", &["x", "[]", "{\"x\":1}", "go go"]);
    refuse(
        "bad value",
        "kata-set-rules",
        &["{\"suicide\":2}", "{\"ko\":1}", "{\"scoring\":\"AREA\",\"tax\":\"x\"}"],
    );
    refuse(syntax, "kata-set-rule", &["", "ko", "ko SIMPLE now"]);
    refuse("unknown rule", "kata-set-rule", &["x 1", "KO SIMPLE", "komi 5"]);
    refuse("bad value", "kata-set-rule", &["ko x", "suicide 2", "tax x"]);
    refuse("unknown rule", "kgs-rules", &["x", "korean"]);
    refuse(syntax, "kata-set-param", &["", "ponder", "ponder true x"]);
    refuse("unknown parameter", "kata-set-param", &["x 1", "PONDER true"]);
    refuse("unknown parameter", "kata-get-param", &["x"]);
    for (why, arguments) in [
        ("bad value: ponder takes true or false", "ponder 2"),
        ("bad value: threads takes 1 to 256", "threads 0"),
        ("bad value: threads takes 1 to 256", "threads 1.5"),
        ("bad value: time takes 0 to 100000000", "time -1"),
        ("bad value: time_margin takes 0 to 60", "time_margin nan"),
        ("bad value: resign_threshold takes 0 to 1", "resign_threshold 1.1"),
        ("bad value: use_policy takes true or false", "use_policy 0"),
    ] {
        refuse(why, "kata-set-param", &[arguments]);
    }
    bad
}
