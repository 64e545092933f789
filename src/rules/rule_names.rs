//! Rules of Go by the names that other programs and people give them, and in KataGo's
//! terms.

#[cfg(test)]
mod tests;

use super::amount::narrow;
use super::options::{Ko, Scoring};
use std::fmt;

/// Rules of Go: those that kawari has as options, and the others.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRules {
    /// The ko rule, or the nearest one.
    pub ko: Ko,
    /// The scoring.
    pub scoring: Scoring,
    /// The points that White has for handicap stones, which are not counted here.
    pub compensation: HandicapBonus,
    /// The rules of this set that kawari does not support.
    pub lacking: Vec<UnsupportedRule>,
}

/// Points that White has for the handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapBonus {
    /// None.
    None,
    /// One for each stone.
    Stones,
    /// One for each stone but the first.
    StonesButOne,
}

impl HandicapBonus {
    /// White's points for this number of handicap stones.
    pub fn points(self, stones: usize) -> usize {
        match self {
            _ if stones < 2 => 0,
            HandicapBonus::None => 0,
            HandicapBonus::Stones => stones,
            HandicapBonus::StonesButOne => stones - 1,
        }
    }
}

/// A rule of Go that kawari does not support.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum UnsupportedRule {
    /// Groups in seki pay for their eyes.
    TaxOnSeki,
    /// All groups pay for two eyes.
    TaxOnAll,
    /// A turn may take the mover's own stones.
    Suicide,
    /// The first pass is worth half a point.
    Button,
    /// Spight's ko rule.
    SpightKo,
    /// A pass that agrees to end the game before dead stones are taken.
    FriendlyPass,
}

impl fmt::Display for UnsupportedRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            UnsupportedRule::TaxOnSeki => "a tax on groups in seki",
            UnsupportedRule::TaxOnAll => "a tax on all groups",
            UnsupportedRule::Suicide => "suicide",
            UnsupportedRule::Button => "a button",
            UnsupportedRule::SpightKo => "Spight's ko rule",
            UnsupportedRule::FriendlyPass => "a friendly pass",
        })
    }
}

/// Why a field of KataGo's rules cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleFieldError {
    /// There is no such field.
    Unknown,
    /// The field does not take this value.
    BadValue,
}

impl NamedRules {
    /// These options, and nothing else.
    pub fn new(ko: Ko, scoring: Scoring) -> NamedRules {
        NamedRules { ko, scoring, compensation: HandicapBonus::None, lacking: Vec::new() }
    }

    /// Sets a field of KataGo's rules, or what comes nearest to it. Letter case is free in
    /// values.
    ///
    /// # Errors
    /// There is no such field, or it does not take this value; nothing is changed.
    pub fn set(&mut self, field: &str, value: &str) -> Result<(), RuleFieldError> {
        let value = value.to_ascii_uppercase();
        let flag = || match &*value {
            "TRUE" | "1" => Ok(true),
            "FALSE" | "0" => Ok(false),
            _ => Err(RuleFieldError::BadValue),
        };
        let lacking = match field {
            "ko" => {
                self.ko = match &*value {
                    "SIMPLE" => Ko::Simple,
                    "POSITIONAL" => Ko::Positional,
                    "SITUATIONAL" | "SPIGHT" => Ko::Situational,
                    "NONE" => Ko::None,
                    _ => return Err(RuleFieldError::BadValue),
                };
                (value == "SPIGHT").then_some(UnsupportedRule::SpightKo)
            }
            "scoring" | "score" => {
                self.scoring = match &*value {
                    "AREA" => Scoring::Area,
                    "TERRITORY" => Scoring::Territory,
                    _ => return Err(RuleFieldError::BadValue),
                };
                None
            }
            "whiteHandicapBonus" => {
                self.compensation = match &*value {
                    "0" => HandicapBonus::None,
                    "N" => HandicapBonus::Stones,
                    "N-1" => HandicapBonus::StonesButOne,
                    _ => return Err(RuleFieldError::BadValue),
                };
                None
            }
            "tax" => match &*value {
                "NONE" => None,
                "SEKI" => Some(UnsupportedRule::TaxOnSeki),
                "ALL" => Some(UnsupportedRule::TaxOnAll),
                _ => return Err(RuleFieldError::BadValue),
            },
            "suicide" | "multiStoneSuicideLegal" => flag()?.then_some(UnsupportedRule::Suicide),
            "hasButton" => flag()?.then_some(UnsupportedRule::Button),
            "friendlyPassOk" => flag()?.then_some(UnsupportedRule::FriendlyPass),
            _ => return Err(RuleFieldError::Unknown),
        };
        self.lacking.extend(lacking);
        Ok(())
    }

    /// The rules that kawari lacks, in words; empty if it has all.
    pub fn warning(&self) -> Option<String> {
        let compensation = match self.compensation {
            HandicapBonus::None => None,
            HandicapBonus::Stones | HandicapBonus::StonesButOne => {
                Some("points for handicap stones".to_owned())
            }
        };
        let words: Vec<_> =
            self.lacking.iter().map(UnsupportedRule::to_string).chain(compensation).collect();
        (!words.is_empty())
            .then(|| format!("the nearest rules apply, without {}", words.join(", ")))
    }
}

use HandicapBonus::{Stones, StonesButOne};

/// Sets of rules, with hyphens for blanks. The first name of a pair of options is the one to
/// write where it fits.
const NAMED: &[(&str, Ko, Scoring, HandicapBonus, &[UnsupportedRule])] = &[
    ("Chinese", Ko::Simple, Scoring::Area, Stones, &[]),
    ("Japanese", Ko::Simple, Scoring::Territory, HandicapBonus::None, &[]),
    ("AGA", Ko::Situational, Scoring::Area, StonesButOne, &[]),
    ("Korean", Ko::Simple, Scoring::Territory, HandicapBonus::None, &[]),
    (
        "Tromp-Taylor",
        Ko::Positional,
        Scoring::Area,
        HandicapBonus::None,
        &[UnsupportedRule::Suicide],
    ),
    ("Chinese-OGS", Ko::Positional, Scoring::Area, Stones, &[]),
    ("Chinese-KGS", Ko::Positional, Scoring::Area, Stones, &[]),
    ("BGA", Ko::Situational, Scoring::Area, StonesButOne, &[]),
    ("French", Ko::Situational, Scoring::Area, StonesButOne, &[]),
    (
        "New-Zealand",
        Ko::Situational,
        Scoring::Area,
        HandicapBonus::None,
        &[UnsupportedRule::Suicide],
    ),
    ("NZ", Ko::Situational, Scoring::Area, HandicapBonus::None, &[UnsupportedRule::Suicide]),
    ("Ing", Ko::Situational, Scoring::Area, Stones, &[UnsupportedRule::Suicide]),
    ("GOE", Ko::Situational, Scoring::Area, Stones, &[UnsupportedRule::Suicide]),
    ("AGA-Button", Ko::Situational, Scoring::Area, StonesButOne, &[UnsupportedRule::Button]),
    ("Stone-Scoring", Ko::Simple, Scoring::Area, HandicapBonus::None, &[UnsupportedRule::TaxOnAll]),
    ("Ancient-Area", Ko::Simple, Scoring::Area, HandicapBonus::None, &[UnsupportedRule::TaxOnAll]),
    (
        "Ancient-Territory",
        Ko::Simple,
        Scoring::Territory,
        HandicapBonus::None,
        &[UnsupportedRule::TaxOnAll],
    ),
];

/// Other names, in small letters without blanks, and the names above that they stand for.
const SYNONYMS: &[(&str, &str)] = &[
    ("japan", "Japanese"),
    ("jap", "Japanese"),
    ("jp", "Japanese"),
    ("nihonkiin", "Japanese"),
    ("日本", "Japanese"),
    ("일본", "Japanese"),
    ("china", "Chinese"),
    ("chn", "Chinese"),
    ("cn", "Chinese"),
    ("中国", "Chinese"),
    ("中國", "Chinese"),
    ("중국", "Chinese"),
    ("korea", "Korean"),
    ("kr", "Korean"),
    ("韩国", "Korean"),
    ("韓国", "Korean"),
    ("韓國", "Korean"),
    ("한국", "Korean"),
    ("tt", "Tromp-Taylor"),
    ("american", "AGA"),
    ("usgo", "AGA"),
    ("british", "BGA"),
    ("ffg", "French"),
    ("应氏", "Ing"),
    ("應氏", "Ing"),
    ("応氏", "Ing"),
    ("应式", "Ing"),
    ("sst", "Ing"),
    ("計点制", "Ing"),
    ("计点制", "Ing"),
];

/// Words after a name that add nothing.
const SUFFIXES: &[&str] = &[
    "ruleset",
    "rules",
    "rule",
    "scoring",
    "counting",
    "style",
    "regeln",
    "règles",
    "规则",
    "規則",
    "ルール",
    "规",
    "式",
    "룰",
    "규칙",
    "棋规",
    "棋規",
];

/// The rules of this name: one of a set, in any case, with or without `rules`, blanks,
/// hyphens, a year or what is in parentheses; or KataGo's fields in one word, such as
/// `koSIMPLEscoreTERRITORYtaxSEKIsui0`.
pub fn rules_named(name: &str) -> Option<NamedRules> {
    let set = |name: &str| NAMED.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    // What most files say takes no text to be made.
    let found = set(name.trim()).or_else(|| {
        let name = essential(name);
        let is_same = |known: &str| essential(known) == name;
        let synonym = SYNONYMS.iter().find(|(synonym, _)| *synonym == name);
        let by_name = NAMED.iter().find(|(known, ..)| is_same(known));
        by_name.or_else(|| set(synonym?.1)).or_else(|| {
            let long = NAMED.iter().filter(|(known, ..)| known.len() > 5);
            long.clone().find(|(known, ..)| name.starts_with(&essential(known)))
        })
    });
    match found {
        Some(&(_, ko, scoring, compensation, lacking)) => Some(NamedRules {
            compensation,
            lacking: lacking.to_vec(),
            ..NamedRules::new(ko, scoring)
        }),
        None => in_fields(name.trim()),
    }
}

/// The letters and digits of a name, without words that add nothing.
fn essential(name: &str) -> String {
    let narrowed = narrow(name);
    let name = narrowed.split(['(', ',', ':', '（']).next().unwrap_or_default();
    let letters: String = name.chars().filter(|c| c.is_alphanumeric()).collect();
    let mut rest = letters.trim_end_matches(|c: char| c.is_ascii_digit());
    while let Some(shorter) = SUFFIXES.iter().find_map(|suffix| rest.strip_suffix(suffix)) {
        if shorter.is_empty() {
            break;
        }
        rest = shorter;
    }
    rest.trim_end_matches(|c: char| c.is_ascii_digit()).to_owned()
}

/// The fields in KataGo's words for all rules: a key in small letters and a value in
/// capitals or digits, one after the other.
fn in_fields(text: &str) -> Option<NamedRules> {
    const KEYS: &[(&str, &str)] = &[
        ("ko", "ko"),
        ("score", "scoring"),
        ("tax", "tax"),
        ("sui", "suicide"),
        ("button", "hasButton"),
        ("whiteBonus", "whiteHandicapBonus"),
        ("whb", "whiteHandicapBonus"),
        ("fpok", "friendlyPassOk"),
        ("komi", "komi"),
    ];
    let mut rules = NamedRules::new(Ko::Positional, Scoring::Area);
    let (mut rest, mut stated) = (text, [false; 2]);
    while !rest.is_empty() {
        let mut keys = KEYS.iter().rev();
        let (key, field) = keys.find(|(key, _)| rest.starts_with(key))?;
        let behind = rest.strip_prefix(key)?;
        let value =
            |c: char| c.is_ascii_uppercase() || c.is_ascii_digit() || matches!(c, '-' | '.');
        let length = behind.find(|c| !value(c)).unwrap_or(behind.len());
        let (value, behind) = behind.split_at_checked(length)?;
        match *field {
            // The komi has its own property.
            "komi" => {
                value.parse::<f64>().ok()?;
            }
            field => rules.set(field, value).ok()?,
        }
        stated[0] |= *field == "ko";
        stated[1] |= *field == "scoring";
        rest = behind;
    }
    (stated == [true; 2]).then_some(rules)
}

/// The name of these options in a game with this number of handicap stones: that of a set of rules
/// which has them and no more, or KataGo's fields; `None` without a ko rule, which no rules
/// of Go are.
pub fn rules_name(ko: Ko, scoring: Scoring, handicap: usize) -> Option<String> {
    let fits = |&&(_, other, counted, compensation, lacking): &&(
        _,
        _,
        _,
        HandicapBonus,
        &[UnsupportedRule],
    )| {
        (other, counted) == (ko, scoring)
            && compensation.points(handicap) == 0
            && lacking.is_empty()
    };
    // Points for the handicap are what differs in a game of positional superko, too.
    let named = NAMED.iter().filter(|_| ko != Ko::Positional).find(fits);
    let ko = match ko {
        Ko::None => return None,
        Ko::Simple => "SIMPLE",
        Ko::Positional => "POSITIONAL",
        Ko::Situational => "SITUATIONAL",
    };
    let scoring = match scoring {
        Scoring::Area => "AREA",
        Scoring::Territory => "TERRITORY",
    };
    let fields = || format!("ko{ko}score{scoring}taxNONEsui0");
    Some(named.map_or_else(fields, |(name, ..)| (*name).to_owned()))
}
