//! Rules in KataGo's and KGS's terms.
//!
//! KataGo describes rules of Go by fields. Of these, `ko` and `scoring` are rule
//! options here; the others have the same value in every variant.

use super::{KEY, NAME, VALUE, done};
use crate::gtp::arguments::{ArgType, SyntaxError, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{AnyGame, Ko, NamedRules, RuleFieldError, RuleKey, Scoring, rules_named};
use serde_json::{Map, Value, json};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Rules by other names",
    commands: &[
        CommandSpec::new(
            "kata-get-rules",
            &[],
            "answers one line of JSON: `ko` (`SIMPLE`, `POSITIONAL`, `SITUATIONAL`, `NONE`), \
                `scoring` (`AREA`, `TERRITORY`; `NONE` in a game that is not counted) and the fields that never change: no suicide, no \
                tax, no button, no handicap bonus, no friendly pass",
            Immediate(|session, _| Ok(rules_json(session.game()).to_string())),
        ),
        CommandSpec::new(
            "kata-set-rules",
            &[arg("rules", ArgType::Text("the name of a rule set or a JSON object"))],
            "sets `ko` and `scoring` from a JSON object with some of these fields, from these \
                fields in one word (`koSIMPLEscoreTERRITORYtaxSEKIsui0`), or from the name of a \
                rule set: tromp-taylor, chinese, chinese-ogs, chinese-kgs, japanese, korean, aga, \
                bga, french, new-zealand (nz), ing (goe), stone-scoring, ancient-area, \
                ancient-territory, aga-button. What the rules have and no option can express (a \
                tax, suicide, a button, points for handicap stones) is left out, and the log says \
                so. The board stays; fails with `illegal move` if the new rules forbid a turn of \
                the game, with `unknown rule`, or with `bad value`",
            Immediate(|session, args| set_rules(session, args.take()?)),
        )
        .effect(Effect::ChangesRules),
        CommandSpec::new(
            "kata-set-rule",
            &[KEY, VALUE],
            "sets one of these fields, as `kata-set-rules`",
            Immediate(|session, args| set_rule(session, args.take()?, args.take()?)),
        )
        .effect(Effect::ChangesRules),
        CommandSpec::new(
            "kgs-rules",
            &[NAME],
            "as `kata-set-rules`, with positional superko for `chinese`",
            Immediate(|session, args| kgs_rules(session, args.take()?)),
        )
        .effect(Effect::ChangesRules),
    ],
};

/// Rules in force, as these commands set them.
fn rules_of(session: &Session) -> NamedRules {
    let rules = session.game().rules();
    NamedRules::of(rules.ko, rules.scoring)
}

/// Sets the options of these rules; logs what they have and ours have not.
fn apply(session: &mut Session, named: &NamedRules) -> Reply {
    // What a game has no option for stays as it is.
    let keys = session.game().info().keys;
    session.change_rules(|rules| {
        if keys.contains(&RuleKey::Ko) {
            rules.ko = named.ko;
        }
        if keys.contains(&RuleKey::Scoring) {
            rules.scoring = named.scoring;
        }
    })?;
    if let Some(warning) = named.warning() {
        log::warn!("{warning}");
    }
    done()
}

const KO: &[(&str, Ko)] = &[
    ("SIMPLE", Ko::Simple),
    ("POSITIONAL", Ko::Positional),
    ("SITUATIONAL", Ko::Situational),
    ("NONE", Ko::None),
];

const SCORING: &[(&str, Scoring)] = &[("AREA", Scoring::Area), ("TERRITORY", Scoring::Territory)];

/// The fields that no option changes.
fn fixed_fields() -> Map<String, Value> {
    let fixed = [
        ("friendlyPassOk", json!(false)),
        ("hasButton", json!(false)),
        ("suicide", json!(false)),
        ("tax", json!("NONE")),
        ("whiteHandicapBonus", json!("0")),
    ];
    let entries = fixed.map(|(key, value)| (key.to_owned(), value));
    entries.into_iter().collect()
}

/// All fields with their values in force.
fn rules_json(game: &AnyGame) -> Value {
    let rules = game.rules();
    let mut fields = fixed_fields();
    let ko = KO.iter().find(|(_, ko)| *ko == rules.ko);
    let scoring = SCORING.iter().find(|(_, scoring)| *scoring == rules.scoring);
    fields.insert("ko".to_owned(), json!(ko.map(|(name, _)| name)));
    let scoring = scoring.filter(|_| game.info().is_counted());
    fields.insert("scoring".to_owned(), json!(scoring.map_or("NONE", |(name, _)| name)));
    Value::Object(fields)
}

fn set_field(rules: &mut NamedRules, key: &str, value: &str) -> Result<(), Failure> {
    rules.set(key, value).map_err(|error| match error {
        RuleFieldError::Unknown => Failure::UnknownRule,
        RuleFieldError::BadValue => Failure::BadValue,
    })
}

fn set_rules(session: &mut Session, text: &str) -> Reply {
    let mut rules = rules_of(session);
    if text.starts_with('{') {
        let object: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| SyntaxError::Other(format!("rules: {error}")))?;
        for (key, value) in &object {
            let value = value.as_str().map_or_else(|| value.to_string(), str::to_owned);
            set_field(&mut rules, key, &value)?;
        }
    } else {
        rules = rules_named(text).ok_or(Failure::UnknownRule)?;
    }
    apply(session, &rules)
}

fn set_rule(session: &mut Session, key: &str, text: &str) -> Reply {
    let mut rules = rules_of(session);
    set_field(&mut rules, key, text)?;
    apply(session, &rules)
}

fn kgs_rules(session: &mut Session, name: &str) -> Reply {
    let name = name.to_ascii_lowercase();
    let rules = match name.as_str() {
        "chinese" => rules_named("chinese-kgs"),
        "aga" | "japanese" | "new_zealand" => rules_named(&name),
        _ => None,
    };
    apply(session, &rules.ok_or(Failure::UnknownRule)?)
}
