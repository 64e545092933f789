//! Rules of Go: names that programs and people use, and KataGo's fields.

#[cfg(test)]
mod tests;

use super::amount::narrow;
use crate::rules::{Ko, RuleKey, Rules, Scoring, VariantInfo};

/// Rules of Go: the nearest options of kawari, and what they cannot express.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NamedRules {
    /// The ko rule, or the nearest one.
    pub ko: Ko,
    /// The scoring.
    pub scoring: Scoring,
    /// Whether suicide of two or more stones is legal.
    pub suicide: bool,
    /// White's points for handicap stones, which kawari does not count.
    pub compensation: HandicapBonus,
    /// The rules of this set that kawari does not support, in words.
    pub unsupported: Vec<&'static str>,
}

/// White's points for the handicap.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum HandicapBonus {
    /// No points.
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

/// Why a field of KataGo's rules cannot be set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RuleFieldError {
    /// There is no such field.
    Unknown,
    /// The field does not take this value.
    BadValue,
}

const BUTTON: &str = "a button";
const TAX_ON_SEKI: &str = "a tax on groups in seki";
const TAX_ON_ALL: &str = "a tax on all groups";

/// KataGo's words for values; the first word of a value is the one to write.
const KO: &[(&str, Ko)] = &[
    ("SIMPLE", Ko::Simple),
    ("POSITIONAL", Ko::Positional),
    ("SITUATIONAL", Ko::Situational),
    ("SPIGHT", Ko::Situational),
    ("NONE", Ko::None),
];
const SCORING: &[(&str, Scoring)] = &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];
const BONUS: &[(&str, HandicapBonus)] =
    &[("0", HandicapBonus::None), ("N", Stones), ("N-1", StonesButOne)];
const TAX: &[(&str, Option<&str>)] =
    &[("NONE", None), ("SEKI", Some(TAX_ON_SEKI)), ("ALL", Some(TAX_ON_ALL))];
const FLAG: &[(&str, bool)] = &[("TRUE", true), ("1", true), ("FALSE", false), ("0", false)];

/// The value of a word, in any letter case.
fn value_of<T: Copy>(words: &[(&str, T)], word: &str) -> Result<T, RuleFieldError> {
    let entry = words.iter().find(|(known, _)| known.eq_ignore_ascii_case(word));
    entry.map(|&(_, value)| value).ok_or(RuleFieldError::BadValue)
}

/// The word to write for a value.
fn word_of<T: PartialEq>(words: &[(&'static str, T)], value: T) -> &'static str {
    words.iter().find(|(_, known)| *known == value).map_or("", |(word, _)| word)
}

impl NamedRules {
    /// The options of these rules, and nothing else.
    pub fn new(rules: &Rules) -> NamedRules {
        NamedRules {
            ko: rules.ko,
            scoring: rules.scoring,
            suicide: rules.suicide,
            compensation: HandicapBonus::None,
            unsupported: Vec::new(),
        }
    }

    /// Whether points that groups in seki surround do not count.
    pub fn taxes_seki(&self) -> bool {
        self.unsupported.contains(&TAX_ON_SEKI)
    }

    /// Sets the options that a variant has.
    pub fn apply_to(&self, rules: &mut Rules, info: &VariantInfo) {
        if info.has(RuleKey::Ko) {
            rules.ko = self.ko;
        }
        if info.has(RuleKey::Scoring) {
            rules.scoring = self.scoring;
        }
        if info.has(RuleKey::Suicide) {
            rules.suicide = self.suicide;
        }
    }

    /// Sets a field of KataGo's rules, or the nearest option. Values may have any letter case.
    ///
    /// # Errors
    /// There is no such field, or it does not take this value; nothing is changed.
    pub fn set(&mut self, field: &str, value: &str) -> Result<(), RuleFieldError> {
        let unless_false = |rule| Ok(value_of(FLAG, value)?.then_some(rule));
        let unsupported = match field {
            "ko" => {
                self.ko = value_of(KO, value)?;
                value.eq_ignore_ascii_case("SPIGHT").then_some("Spight's ko rule")
            }
            "scoring" | "score" => {
                self.scoring = value_of(SCORING, value)?;
                None
            }
            "whiteHandicapBonus" => {
                self.compensation = value_of(BONUS, value)?;
                None
            }
            "suicide" | "multiStoneSuicideLegal" => {
                self.suicide = value_of(FLAG, value)?;
                None
            }
            "tax" => value_of(TAX, value)?,
            "hasButton" => unless_false(BUTTON)?,
            "friendlyPassOk" => unless_false("a friendly pass")?,
            _ => return Err(RuleFieldError::Unknown),
        };
        self.unsupported.extend(unsupported);
        Ok(())
    }

    /// A sentence about the rules that kawari does not support in a game of a variant; `None` if it
    /// supports all.
    pub fn warning(&self, info: &VariantInfo) -> Option<String> {
        let has_bonus = self.compensation != HandicapBonus::None;
        let bonus = has_bonus.then_some("points for handicap stones");
        let suicide = (self.suicide && !info.has(RuleKey::Suicide)).then_some("suicide");
        let named = self.unsupported.iter().copied();
        let words: Vec<_> = named.chain(suicide).chain(bonus).collect();
        (!words.is_empty())
            .then(|| format!("the nearest rules apply, without {}", words.join(", ")))
    }
}

use HandicapBonus::{Stones, StonesButOne};

/// A set of rules: name, ko rule, scoring, suicide, White's points for handicap stones, unsupported
/// rules.
type RuleSet = (&'static str, Ko, Scoring, bool, HandicapBonus, &'static [&'static str]);

/// Sets of rules, with hyphens for blanks. Records have the first name that fits the options.
const RULE_SETS: &[RuleSet] = &[
    ("Chinese", Ko::Simple, Scoring::Area, false, Stones, &[]),
    ("Japanese", Ko::Simple, Scoring::Territory, false, HandicapBonus::None, &[TAX_ON_SEKI]),
    ("AGA", Ko::Situational, Scoring::Area, false, StonesButOne, &[]),
    ("Korean", Ko::Simple, Scoring::Territory, false, HandicapBonus::None, &[TAX_ON_SEKI]),
    ("Tromp-Taylor", Ko::Positional, Scoring::Area, true, HandicapBonus::None, &[]),
    ("Chinese-OGS", Ko::Positional, Scoring::Area, false, Stones, &[]),
    ("Chinese-KGS", Ko::Positional, Scoring::Area, false, Stones, &[]),
    ("French", Ko::Situational, Scoring::Area, false, StonesButOne, &[]),
    ("New-Zealand", Ko::Situational, Scoring::Area, true, HandicapBonus::None, &[]),
    ("Ing", Ko::Positional, Scoring::Area, true, Stones, &["Ing's ko rule"]),
    ("AGA-Button", Ko::Situational, Scoring::Area, false, StonesButOne, &[BUTTON]),
    ("Stone-Scoring", Ko::Simple, Scoring::Area, false, HandicapBonus::None, &[TAX_ON_ALL]),
    ("Ancient-Area", Ko::Simple, Scoring::Area, false, HandicapBonus::None, &[TAX_ON_ALL]),
    (
        "Ancient-Territory",
        Ko::Simple,
        Scoring::Territory,
        false,
        HandicapBonus::None,
        &[TAX_ON_ALL],
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
    ("british", "AGA"),
    ("bga", "AGA"),
    ("nz", "New-Zealand"),
    ("goe", "Ing"),
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

/// Whether a set of rules is China's.
pub(super) fn is_chinese(name: &str) -> bool {
    set_named(name).is_some_and(|(known, ..)| known.starts_with("Chinese"))
}

/// The rules of this name: a set's name in any case, with or without `rules`, blanks, hyphens, a
/// year or parentheses; or KataGo's fields in one word, such as
/// `koSIMPLEscoreTERRITORYtaxSEKIsui0`.
pub fn rules_named(name: &str) -> Option<NamedRules> {
    let Some(&(_, ko, scoring, suicide, compensation, unsupported)) = set_named(name) else {
        return in_fields(name.trim());
    };
    Some(NamedRules { ko, scoring, suicide, compensation, unsupported: unsupported.to_vec() })
}

fn set_named(name: &str) -> Option<&'static RuleSet> {
    let set = |name: &str| RULE_SETS.iter().find(|(known, ..)| known.eq_ignore_ascii_case(name));
    // Most files have an exact name, which needs no allocation.
    set(name.trim()).or_else(|| {
        let name = essential(name);
        let mut sets = RULE_SETS.iter().map(|set| (set, essential(set.0)));
        let synonym = SYNONYMS.iter().find(|(synonym, _)| *synonym == name);
        let by_name = sets.clone().find(|(_, known)| *known == name).map(|(set, _)| set);
        by_name.or_else(|| set(synonym?.1)).or_else(|| {
            let is_prefix = |(set, known): &(&RuleSet, String)| {
                set.0.len() > 5 && name.starts_with(known.as_str())
            };
            sets.find(is_prefix).map(|(set, _)| set)
        })
    })
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

/// Reads KataGo's fields in one word: a key in small letters and a value in capitals or digits,
/// one after the other.
fn in_fields(text: &str) -> Option<NamedRules> {
    /// Keys and their fields; a key that begins with another comes first.
    const KEYS: &[(&str, &str)] = &[
        ("komi", "komi"),
        ("ko", "ko"),
        ("score", "scoring"),
        ("tax", "tax"),
        ("sui", "suicide"),
        ("button", "hasButton"),
        ("whiteBonus", "whiteHandicapBonus"),
        ("whb", "whiteHandicapBonus"),
        ("fpok", "friendlyPassOk"),
    ];
    let mut rules = NamedRules::new(&Rules::GO);
    let (mut rest, mut stated) = (text, [false; 2]);
    while !rest.is_empty() {
        let mut keys = KEYS.iter();
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

/// The name of these rules in a game with this number of handicap stones: that of a set of rules
/// with the same options and no other rules than a tax on seki, for other programs know no other
/// name; or KataGo's fields. `None` without a ko rule, because all rules of Go have one.
pub fn rules_name(rules: &Rules, handicap: usize) -> Option<String> {
    let Rules { ko, scoring, suicide, .. } = *rules;
    let fits = |set: &&RuleSet| {
        let (_, other, counted, takes_off, compensation, unsupported) = **set;
        // Without suicide, sets with positional superko have points for the handicap.
        (ko != Ko::Positional || suicide)
            && (other, counted, takes_off) == (ko, scoring, suicide)
            && compensation.points(handicap) == 0
            && unsupported.iter().all(|rule| *rule == TAX_ON_SEKI)
    };
    match RULE_SETS.iter().find(fits) {
        _ if ko == Ko::None => None,
        Some((name, ..)) => Some((*name).to_owned()),
        None => {
            let (ko, scoring) = (word_of(KO, ko), word_of(SCORING, scoring));
            Some(format!("ko{ko}score{scoring}taxNONEsui{}", u8::from(suicide)))
        }
    }
}
