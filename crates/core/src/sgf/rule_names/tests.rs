use super::*;
use crate::rules::go;

#[test]
fn rules_are_known_by_all_their_names() {
    let table: &[(&[&str], Ko, Scoring)] = &[
        (
            &[
                "Japanese",
                "japanese rules",
                "Japanese Rules",
                "JAPANESE",
                "Japan",
                "Japanese (1989)",
                "Japanese 1989",
                "日本",
                "日本ルール",
                "日本规则",
                "일본룰",
                "jp",
                "Japanese-rules",
                "Ancient Territory",
                "Korean",
                "korean rules",
                "韩国",
                "한국",
                "韓国ルール",
                "koSIMPLEscoreTERRITORYtaxSEKIsui0",
            ],
            Ko::Simple,
            Scoring::Territory,
        ),
        (
            &[
                "Chinese",
                "Chinese Rules",
                "chinese_rules",
                "China",
                "中国",
                "中國",
                "中国规则",
                "中國規則",
                "CN",
                "Chinese 2002",
                "stone_scoring",
                "koSIMPLEscoreAREAtaxNONEsui0whiteBonusN",
            ],
            Ko::Simple,
            Scoring::Area,
        ),
        (
            &[
                "Tromp-Taylor",
                "TrompTaylor",
                "tromp taylor rules",
                "Tromp_Taylor",
                "Chinese-OGS",
                "chinese kgs",
                "koPOSITIONALscoreAREAtaxNONEsui1",
                "GOE",
                "Goe",
                "Ing",
                "Ing rules",
                "应氏规则",
            ],
            Ko::Positional,
            Scoring::Area,
        ),
        (
            &[
                "AGA",
                "AGA rules",
                "BGA",
                "French",
                "NZ",
                "New Zealand Rules",
                "NewZealand",
                "aga-button",
                "koSITUATIONALscoreAREAtaxNONEsui0button0whiteBonusN-1fpok1komi7.5",
            ],
            Ko::Situational,
            Scoring::Area,
        ),
    ];
    for (names, ko, scoring) in table {
        for name in *names {
            let rules = rules_named(name);
            let found = rules.map(|rules| (rules.ko, rules.scoring));
            assert_eq!(found, Some((*ko, *scoring)), "{name}");
        }
    }
    for name in [
        "",
        "mine",
        "rules",
        "Go",
        "King",
        "koSIMPLE",
        "koSIMPLEscoreHANDStaxNONEsui0",
        "koSIMPLEscoreAREA and more",
    ] {
        assert_eq!(rules_named(name), None, "{name}");
    }
}

#[test]
fn missing_rules_are_named() {
    let warning = |name| rules_named(name).expect(name).warning(&go::INFO);
    let seki = "the nearest rules apply, without a tax on groups in seki";
    for name in ["Japanese", "Korean", "日本", "koSIMPLEscoreTERRITORYtaxSEKIsui0"] {
        assert_eq!(warning(name).as_deref(), Some(seki), "{name}");
    }
    assert_eq!(warning("Tromp-Taylor"), None);
    let in_stoical = rules_named("Tromp-Taylor").expect("rules").warning(&go::BASE);
    assert!(in_stoical.is_some_and(|words| words.ends_with("without suicide")));
    assert!(warning("Ing").is_some_and(|words| words.contains("Ing's ko rule")));
    assert!(warning("koSIMPLEscoreAREAtaxALLsui0whiteBonusN").is_some_and(|words| {
        words.ends_with("a tax on all groups, points for handicap stones")
    }));
}

#[test]
fn suicide_is_part_of_the_rules() {
    for (name, suicide) in [
        ("Tromp-Taylor", true),
        ("nz", true),
        ("Goe", true),
        ("koPOSITIONALscoreAREAtaxNONEsui1", true),
        ("koPOSITIONALscoreAREAtaxNONEsui0", false),
        ("Chinese-OGS", false),
        ("AGA", false),
    ] {
        assert_eq!(rules_named(name).map(|rules| rules.suicide), Some(suicide), "{name}");
    }
    let mut rules = Rules::GO;
    rules_named("nz").expect("rules").apply_to(&mut rules, &go::BASE);
    assert_eq!((rules.ko, rules.suicide), (Ko::Situational, false), "an option that is absent");
}

#[test]
fn written_names_are_those_of_the_rules_played() {
    for (ko, scoring, suicide, handicap, name) in [
        (Ko::Simple, Scoring::Territory, false, 3, Some("Japanese")),
        (Ko::Simple, Scoring::Territory, true, 0, Some("koSIMPLEscoreTERRITORYtaxNONEsui1")),
        (Ko::Simple, Scoring::Area, false, 0, Some("Chinese")),
        (Ko::Simple, Scoring::Area, false, 2, Some("koSIMPLEscoreAREAtaxNONEsui0")),
        (Ko::Situational, Scoring::Area, false, 0, Some("AGA")),
        (Ko::Situational, Scoring::Area, true, 2, Some("New-Zealand")),
        (Ko::Positional, Scoring::Area, false, 0, Some("koPOSITIONALscoreAREAtaxNONEsui0")),
        (Ko::Positional, Scoring::Area, true, 2, Some("Tromp-Taylor")),
        (Ko::None, Scoring::Area, false, 0, None),
    ] {
        let rules = Rules { ko, scoring, suicide, ..Rules::GO };
        let written = rules_name(&rules, handicap);
        assert_eq!(written.as_deref(), name);
        if let Some(read) = written.and_then(|name| rules_named(&name)) {
            assert_eq!((read.ko, read.scoring, read.suicide), (ko, scoring, suicide));
            assert_eq!(read.compensation.points(handicap), 0);
            // Seki's tax belongs to the name, and kawari has none.
            assert_eq!(read.unsupported.is_empty(), name != Some("Japanese"));
        }
    }
}
