use super::report_words::{line, line_of_choice};
use super::*;
use crate::board::Point;
use crate::gtp::request::parse_line;
use crate::gtp::{Inbox, Settings, answer};
use crate::rules::{Game, Setup, Size, Step, variant};
use crate::rules::{sygo::GROW, tao::TAO};
use crate::search::{BestMoveStability, PointOwnership, SearchReport, StepReport};

/// A search with a fixed report.
struct Fake {
    report: SearchReport,
    owned: Vec<PointOwnership>,
}

impl SearchProgress for Fake {
    fn playouts(&self) -> u64 {
        self.report.visits
    }
    fn stability(&self) -> BestMoveStability {
        BestMoveStability::default()
    }
    fn report(&self) -> SearchReport {
        self.report.clone()
    }
    fn ownership(&self) -> Vec<PointOwnership> {
        self.owned.clone()
    }
    fn ownership_after(&self, step: Step) -> Vec<PointOwnership> {
        let first = |report: &&StepReport| report.step == step && report.visits > 30;
        let found = self.report.steps.iter().find(first);
        found.map(|_| self.owned.clone()).unwrap_or_default()
    }
}

fn session(id: &str, size: u8) -> Session {
    let setup = Setup { size: Size::square(size), ..Setup::new(variant(id).expect("a variant")) };
    let settings = Settings { playouts: Some(8), memory: 16, ..Settings::default() };
    Session::new(setup, settings).expect("a valid setup")
}

fn tell(session: &mut Session, line: &str) -> String {
    let request = parse_line(line.as_bytes()).expect("a command");
    answer(session, &request).unwrap_or_else(|failure| panic!("{line}: {failure}"))
}

fn point(game: &Game, text: &str) -> Point {
    crate::rules::parse_point(game.grid(), text).expect("a point")
}

/// A step report with numbers made of `visits`.
fn step(line: &[Step], visits: u32) -> StepReport {
    let share = visits as f32 / 100.0;
    StepReport {
        image_of: None,
        step: line[0],
        visits,
        win_rate: share,
        margin: -share,
        stdev: 2.5,
        prior: share / 2.0,
        lcb: share / 4.0,
        pv: line.to_vec(),
        pv_visits: vec![visits, 3],
    }
}

fn fake(game: &Game) -> Fake {
    let stone = |text| Step::stone(point(game, text));
    let owned = |text, mean, stdev| PointOwnership { point: point(game, text), mean, stdev };
    Fake {
        report: SearchReport {
            visits: 99,
            win_rate: 0.5,
            margin: 1.25,
            stdev: 3.0,
            win_stdev: 0.25,
            steps: vec![step(&[stone("A1"), Step::PASS], 60), step(&[Step::PASS, stone("B2")], 30)],
            unvisited: vec![step(&[stone("B1")], 0)],
        },
        owned: vec![owned("A1", 1.0, 0.1), owned("B2", -0.5, 0.9), owned("A2", f32::NAN, 0.0)],
    }
}

fn written(session: &Session, format: Format, words: &str) -> String {
    let options = AnalysisOptions::parse(session, format, Some(words)).expect("a good request");
    line(&options, session.game(), &fake(session.game()))
}

#[test]
fn leela_format_uses_integers_out_of_ten_thousand() {
    let session = session("go", 2);
    assert_eq!(
        written(&session, Format::Leela, ""),
        "info move A1 visits 60 winrate 6000 prior 3000 lcb 1500 order 0 pv A1 pass \
         info move pass visits 30 winrate 3000 prior 1500 lcb 750 order 1 pv pass B2"
    );
    assert_eq!(
        written(&session, Format::Leela, "maxmoves 1 ownership true rootinfo true"),
        "info move A1 visits 60 winrate 6000 prior 3000 lcb 1500 order 0 pv A1 pass"
    );
}

#[test]
fn kata_format_uses_fractions() {
    let session = session("go", 2);
    assert_eq!(
        written(&session, Format::Kata, "maxmoves 1"),
        "info move A1 visits 60 utility 0.200000 winrate 0.600000 scoreMean -0.6000 \
         scoreStdev 2.5000 scoreLead -0.6000 prior 0.300000 lcb 0.150000 order 0 pv A1 pass"
    );
}

#[test]
fn kata_keys_add_fields() {
    let session = session("go", 2);
    let text = written(
        &session,
        Format::Kata,
        "maxmoves 1 pvVisits true pvEdgeVisits true rootInfo true ownership true ownershipStdev true",
    );
    let (_, added) = text.split_once(" pv ").expect("a line of moves");
    assert_eq!(
        added,
        "A1 pass pvVisits 60 3 pvEdgeVisits 60 3 rootInfo visits 99 utility 0.000000 winrate 0.500000 \
         scoreMean 1.2500 scoreStdev 3.0000 scoreLead 1.2500 \
         rawStWrError 0.250000 rawStScoreError 3.0000 ownership 0.0000 -0.5000 1.0000 0.0000 ownershipStdev 0.0000 0.9000 0.1000 0.0000"
    );
}

#[test]
fn minmoves_adds_unvisited_moves() {
    let session = session("go", 2);
    let count = |words| written(&session, Format::Leela, words).matches("info").count();
    assert_eq!(count(""), 2);
    assert_eq!(count("minmoves 3"), 3);
    assert_eq!(count("minmoves 3 maxmoves 2"), 2);
    assert_eq!(count("minmoves 9"), 3);
}

#[test]
fn minmoves_reports_every_legal_move() {
    let mut session = session("go", 9);
    session.settings.analysis_moves = 32;
    tell(&mut session, "play b E5");
    let infos = |text: String| text.matches("info move").count();
    let all = tell(&mut session, "lz-genmove_analyze minmoves 500");
    assert_eq!(infos(all), 81);
    assert_eq!(infos(tell(&mut session, "lz-genmove_analyze minmoves 40")), 40);
    let few = tell(&mut session, "kata-genmove_analyze minmoves 40 maxmoves 33");
    assert_eq!(infos(few), 33);
}

#[test]
fn explanation_counts_the_same_visits() {
    let mut session = session("go", 5);
    for _ in 0..6 {
        tell(&mut session, "reg_genmove b");
    }
    let played = tell(&mut session, "genmove b");
    let text = tell(&mut session, "gomill-explain_last_move");
    let words: Vec<_> = text.split(' ').collect();
    let &[part, "of", all, "visits"] = &words[words.len() - 4..] else { panic!("{text}") };
    let [part, all] = [part, all].map(|word| word.parse::<u32>().expect("a number"));
    assert!(text.starts_with(&played) && part <= all && all >= 50, "{text}");
}

#[test]
fn empty_report_is_an_empty_line() {
    let session = session("go", 2);
    let nothing = Fake { report: SearchReport::default(), owned: Vec::new() };
    let color = session.game().to_move();
    for format in [Format::Leela, Format::Kata, Format::Cgos] {
        let mut options = AnalysisOptions::new(&session, format, color);
        options.report.ownership = true;
        assert_eq!(line(&options, session.game(), &nothing), "");
    }
}

#[test]
fn ownership_covers_the_flat_form() {
    let session = session("2.5d", 2);
    let options = AnalysisOptions::parse(&session, Format::Kata, Some("ownership true"))
        .expect("a good request");
    let mut fake = fake(session.game());
    for (text, mean) in [("D1", 0.25), ("E2", 0.75)] {
        fake.owned.push(PointOwnership { point: point(session.game(), text), mean, stdev: 0.0 });
    }
    let text = line(&options, session.game(), &fake);
    let (_, field) = text.split_once(" ownership ").expect("ownership");
    assert_eq!(field, "0.0000 -0.5000 0.0000 0.0000 0.7500 1.0000 0.0000 0.0000 0.2500 0.0000");
}

#[test]
fn moves_ownership_follows_the_pv() {
    let session = session("go", 2);
    let written = |keys: &str| {
        let options = AnalysisOptions::parse(&session, Format::Kata, Some(keys));
        line(&options.expect("a good request"), session.game(), &fake(session.game()))
    };
    let text = written("pvVisits true movesOwnership true movesOwnershipStdev true rootInfo true");
    let infos: Vec<_> = text.split("info move ").collect();
    let (_, owners) = infos[1].split_once(" pvVisits ").expect("visits");
    let (_, owners) = owners.split_once(" movesOwnership ").expect("owners");
    let (means, deviations) = owners.split_once(" movesOwnershipStdev ").expect("both");
    let numbers = |text: &str| text.split_whitespace().count();
    assert_eq!((numbers(means), numbers(deviations)), (4, 4), "{text}");
    // Ownership after this move is unknown.
    assert!(!infos[2].contains("movesOwnership"), "{text}");
    assert!(infos[2].contains(" rootInfo "), "{text}");
    assert!(!written("ownership true").contains("movesOwnership"));
    let options = AnalysisOptions::parse(&session, Format::Leela, Some("movesOwnership 1"));
    assert!(!options.expect("a good request").wants_move_ownership());
}

#[test]
fn cgos_format_is_json() {
    let session = session("go", 2);
    let options = AnalysisOptions::new(&session, Format::Cgos, session.game().to_move());
    assert_eq!(
        line(&options, session.game(), &fake(session.game())),
        r#"{"winrate":0.5,"score":1.25,"visits":99,"moves":[{"move":"A1","visits":60,"winrate":0.6,"score":-0.6,"prior":0.3,"pv":"pass"},{"move":"pass","visits":30,"winrate":0.3,"score":-0.3,"prior":0.15,"pv":"B2"}],"ownership":"fQ+f"}"#
    );
}

#[test]
fn pv_encodes_steps_of_a_growth() {
    let mut session = session("sygo", 3);
    for words in ["play w A1", "play b C3", "play w C1", "play b pass"] {
        tell(&mut session, words);
    }
    let game = session.game();
    let grow = |text| Step::new(GROW, point(game, text));
    let pv = |steps: &[Step]| {
        let line = session.codec().encode_variation(game, game.to_move(), steps);
        let words: Vec<_> = line.iter().map(|word| word.to_string()).collect();
        words.join(" ")
    };
    // The last stone again ends the turn; if nothing is left to grow, the turn ends
    // by itself.
    let (one, other) = (grow("A2"), grow("C2"));
    assert_eq!(pv(&[one, Step::END, Step::PASS, other]), "A2 A2 pass C2");
    assert_eq!(pv(&[one, other, Step::END, Step::PASS]), "A2 C2 pass");
}

#[test]
fn pv_ends_at_an_inexpressible_step() {
    let session = session("tao", 3);
    let game = session.game();
    let (stone, tao) = (Step::stone(point(game, "A1")), Step::new(TAO, point(game, "B2")));
    let report = SearchReport {
        steps: vec![step(&[tao, stone], 70), step(&[stone, tao, stone], 20)],
        ..SearchReport::default()
    };
    let fake = Fake { report, owned: Vec::new() };
    let options = AnalysisOptions::new(&session, Format::Leela, game.to_move());
    assert_eq!(
        line(&options, game, &fake),
        "info move A1 visits 20 winrate 2000 prior 1000 lcb 500 order 0 pv A1"
    );
}

#[test]
fn choice_without_search_is_reported() {
    let session = session("go", 2);
    let choice = Choice {
        step: Step::PASS,
        win_rate: 1.0,
        margin: 3.5,
        visits: 0,
        playouts: 0,
        root_visits: 0,
        pv: vec![Step::PASS],
    };
    let options = AnalysisOptions::new(&session, Format::Leela, session.game().to_move());
    assert_eq!(
        line_of_choice(&options, session.game(), &choice),
        "info move pass visits 0 winrate 10000 prior 10000 lcb 10000 order 0 pv pass"
    );
}

#[test]
fn write_error_ends_the_stream() {
    let mut session = session("go", 3);
    session.inbox = Inbox::reading(Never);
    let options = AnalysisOptions {
        interval: Some(Duration::from_millis(10)),
        ..AnalysisOptions::new(&session, Format::Leela, session.game().to_move())
    };
    let purpose = Purpose::Play;
    let gone = || Err(io::ErrorKind::BrokenPipe.into());
    let ended = Stream { options, purpose }.run(&mut session, &mut |_| gone());
    assert!(ended.is_err());
}

/// An input on which nothing ever arrives.
struct Never;

impl io::Read for Never {
    fn read(&mut self, _: &mut [u8]) -> io::Result<usize> {
        loop {
            std::thread::park();
        }
    }
}

#[test]
fn stream_ends_with_the_move_played() {
    for id in ["go", "no", "sygo", "tao"] {
        let mut session = session(id, 3);
        for word in ["lz", "kata"] {
            let text = tell(&mut session, &format!("{word}-genmove_analyze"));
            let (info, played) = text.rsplit_once('\n').expect("lines");
            assert!(info.starts_with("info move "), "{text}");
            assert!(played.starts_with("play "), "{text}");
        }
        assert_eq!(session.game().turns().len(), 2, "{id}");
        let before = session.game().state();
        tell(&mut session, "kata-search_analyze");
        assert_eq!(session.game().state(), before);
    }
}

/// A whole turn with the lead of its side is the turn without it.
#[test]
fn a_whole_turn_comes_with_the_lead_of_its_search() {
    for id in ["no", "tao", "sygo", "2.5d"] {
        let [mut plain, mut reporting] = [(), ()].map(|()| {
            let mut session = session(id, 4);
            session.settings.seed = crate::gtp::Seed::Fixed(7);
            session
        });
        for number in 0..6 {
            let color = plain.game().to_move().letter();
            let turn = tell(&mut plain, &format!("kawari-genturn {color}"));
            let text = tell(&mut reporting, &format!("kawari-genturn_analyze {color}"));
            let (_, choice) = reporting.last_search.as_ref().expect("a search");
            let lead = format!("info move {turn} visits {}", choice.visits);
            let (info, played) = text.trim_start().rsplit_once('\n').expect("lines");
            assert!(info.starts_with(&lead), "{id} {number}: {text}");
            assert!(info.ends_with(&format!(" scoreLead {:.4}", choice.margin + 0.0)), "{text}");
            assert_eq!(played, format!("play {turn}"), "{id}");
        }
        for _ in 0..2 {
            tell(&mut reporting, "play b pass");
        }
        assert_eq!(tell(&mut reporting, "kawari-genturn_analyze w"), "\nplay pass", "{id}");
    }
}

/// A list that allows nothing legal is an error before anything is searched.
#[test]
fn restrictions_must_leave_a_legal_move() {
    for id in ["go", "no", "sygo", "tao"] {
        let mut session = session(id, 3);
        tell(&mut session, "play b A1");
        let commands = ["lz-genmove_analyze", "kata-analyze", "cgos-genmove_analyze"];
        for list in [
            "allow w A1 1",
            "allow w A1 1 allow w A1 5",
            "allow w C3 1 avoid w C3 1",
            "avoid w A1,A2,A3,B1,B2,B3,C1,C2,C3,pass 1",
        ] {
            for command in commands {
                let request = parse_line(format!("{command} w {list}").as_bytes());
                let answered = answer(&mut session, &request.expect("a command"));
                assert_eq!(
                    answered,
                    Err("avoid and allow leave no legal move".into()),
                    "{id}: {command} {list}"
                );
            }
        }
        for list in ["allow w A1,pass 1", "allow w A1 1 allow w C3 1", "allow b A1 1"] {
            let text = tell(&mut session, &format!("lz-genmove_analyze w {list}"));
            assert!(text.starts_with("info move "), "{id}: {list}: {text}");
            tell(&mut session, "undo");
        }
        // With no legal move anyway, the list is not to blame.
        tell(&mut session, "play w resign");
        assert_eq!(tell(&mut session, "lz-genmove_analyze w allow w A1 1"), "play pass");
    }
}

#[test]
fn cgos_lines_come_at_the_interval_too() {
    let mut session = session("go", 5);
    session.settings.playouts = None;
    session.settings.time = Some(Duration::from_millis(300));
    let text = tell(&mut session, "cgos-genmove_analyze b 5");
    let lines: Vec<&str> = text.lines().collect();
    let (played, reports) = lines.split_last().expect("lines");
    assert!(played.starts_with("play "), "{text}");
    assert!(reports.len() > 1, "{text}");
    for report in reports {
        let report: serde_json::Value = serde_json::from_str(report).expect("JSON");
        assert!(report["moves"].is_array() && report["ownership"].is_string(), "{report}");
    }
    let request = parse_line(b"cgos-genmove_analyze b soon").expect("a command");
    assert!(answer(&mut session, &request).is_err());
}

#[test]
fn finished_game_gets_a_pass() {
    let mut session = session("go", 3);
    for words in ["play b pass", "play w resign"] {
        tell(&mut session, words);
    }
    assert_eq!(tell(&mut session, "lz-genmove_analyze b"), "play pass");
    assert_eq!(tell(&mut session, "cgos-genmove_analyze b"), "{}\nplay pass");
    assert_eq!(tell(&mut session, "kata-analyze b 1"), "");
}

/// The last output of an analysis of 8 playouts.
fn shown(session: &mut Session) -> String {
    session.look_before_resignation(|session| {
        let options = AnalysisOptions::new(session, Format::Kata, session.game().to_move());
        let task = search_runner::untimed_plan(session, options.color).task;
        let (searcher, game, _) = session.search_parts();
        let mut search = searcher.ponder(&game, &task);
        search.finish(&mut |_| false);
        search.see(|progress| line(&options, &game, progress)).unwrap_or_default()
    })
}

/// The tree of the engine's second pass ends there.
#[test]
fn an_ended_game_is_analysed_with_and_without_a_kept_tree() {
    for id in ["go", "no", "tao", "sygo", "stoical"] {
        let mut session = session(id, 3);
        let (first, second) = if id == "sygo" { ("w", "b") } else { ("b", "w") };
        tell(&mut session, &format!("kata-genmove_analyze {first}"));
        tell(&mut session, "undo");
        shown(&mut session);
        tell(&mut session, &format!("play {first} pass"));
        shown(&mut session);
        tell(&mut session, &format!("play {second} pass"));
        assert!(session.game().is_over());
        let kept = shown(&mut session);
        assert!(kept.starts_with("info move "), "{id}: {kept}");
        tell(&mut session, "clear_cache");
        assert!(shown(&mut session).starts_with("info move "), "{id}");
    }
}

#[test]
fn the_position_before_a_resignation_is_analysed() {
    let mut session = session("go", 3);
    tell(&mut session, "play b B2");
    tell(&mut session, "play w resign");
    for _ in 0..2 {
        let line = shown(&mut session);
        assert!(line.starts_with("info move "), "{line}");
        assert_eq!(tell(&mut session, "final_score"), "B+R");
    }
}

#[test]
fn the_last_report_before_the_move_counts() {
    let kata = "info move D4 visits 3 winrate 0.5 scoreLead 1.5 order 0 pv D4\n\
        info move D4 visits 9 scoreMean -2 scoreLead -2.5 info move C3 scoreLead 9\nplay D4";
    assert_eq!(Format::Kata.read(kata), Some(("D4", Some(-2.0))));
    let cgos = "{\"winrate\":0.4,\"score\":-3.5,\"moves\":[]}\nplay pass";
    assert_eq!(Format::Cgos.read(cgos), Some(("pass", Some(-3.5))));
    assert_eq!(Format::Cgos.read("{}\nplay resign"), Some(("resign", None)));
    let leela = "info move D4 visits 3 winrate 5000 order 0 pv D4\nplay D4";
    assert_eq!(Format::Leela.read(leela), Some(("D4", None)));
    for text in ["", "D4", "info move D4 scoreLead 3", "scoreLead x"] {
        assert_eq!(Format::Kata.read(text), None, "{text}");
    }
    assert_eq!(Format::Kata.read("scoreLead nan\nplay D4"), Some(("D4", None)));
}

#[test]
fn an_engine_reports_by_the_first_command_that_it_knows() {
    let known = |list: &'static [&str]| Format::of(|name| list.contains(&name));
    assert_eq!(known(&["genmove"]), None);
    assert_eq!(known(&["lz-genmove_analyze", "cgos-genmove_analyze"]), Some(Format::Cgos));
    assert_eq!(known(&["kata-genmove_analyze"]), Some(Format::Kata));
}
