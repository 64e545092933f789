//! Rules in KataGo's and KGS's terms.
//!
//! KataGo describes rules of Go by fields. Of these, `ko` and `scoring` are rule
//! options here; the others have the same value in every variant.

use super::{KEY, NAME, VALUE, done};
use crate::gtp::arguments::{ArgType, SyntaxError, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Ko, Rules, Scoring, rules_named};
use serde_json::{Map, Value, json};

/// The commands of this file.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Rules by other names",
    commands: &[
        CommandSpec::new(
            "kata-get-rules",
            &[],
            "answers one line of JSON: `ko` (`SIMPLE`, `POSITIONAL`, `SITUATIONAL`, `NONE`), \
                `scoring` (`AREA`, `TERRITORY`) and the fields that never change: no suicide, no \
                tax, no button, no handicap bonus, no friendly pass",
            Immediate(|session, _| Ok(rules_json(session.game().rules()).to_string())),
        ),
        CommandSpec::new(
            "kata-set-rules",
            &[arg(
                "rules",
                ArgType::Text("the name of a rule set or a JSON object"),
            )],
            "sets `ko` and `scoring` from a JSON object with some of these fields, or from \
                the name of a rule set: tromp-taylor, chinese, chinese-ogs, chinese-kgs, \
                japanese, korean, aga, bga, french, new-zealand (nz), ancient-area, \
                ancient-territory; other parts of a rule set are ignored. The board stays; fails \
                with `illegal move` if the new rules forbid a turn of the game, with `unknown \
                rule`, or with `bad value` (suicide, a tax …)",
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

/// The options that these commands set.
#[derive(Clone, Copy)]
struct RuleChoice {
    ko: Ko,
    scoring: Scoring,
}

impl RuleChoice {
    fn of(rules: &Rules) -> RuleChoice {
        RuleChoice {
            ko: rules.ko,
            scoring: rules.scoring,
        }
    }

    fn set(self, session: &mut Session) -> Reply {
        session.change_rules(|rules| {
            rules.ko = self.ko;
            rules.scoring = self.scoring;
        })?;
        done()
    }
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
fn rules_json(rules: &Rules) -> Value {
    let mut fields = fixed_fields();
    let ko = KO.iter().find(|(_, ko)| *ko == rules.ko);
    let scoring = SCORING
        .iter()
        .find(|(_, scoring)| *scoring == rules.scoring);
    fields.insert("ko".to_owned(), json!(ko.map(|(name, _)| name)));
    fields.insert("scoring".to_owned(), json!(scoring.map(|(name, _)| name)));
    Value::Object(fields)
}

/// Looks a rule set up by name.
fn rule_set(name: &str) -> Option<RuleChoice> {
    rules_named(name).map(|(ko, scoring)| RuleChoice { ko, scoring })
}

/// Sets one field; a field that never changes accepts the value that it has.
fn set_field(choice: &mut RuleChoice, key: &str, value: &Value) -> Result<(), Failure> {
    let name = value.as_str().unwrap_or_default().to_ascii_uppercase();
    match key {
        "ko" => choice.ko = value_of(KO, &name)?,
        "scoring" => choice.scoring = value_of(SCORING, &name)?,
        _ => match fixed_fields().get(key) {
            None => return Err(Failure::UnknownRule),
            Some(Value::String(fixed)) if *fixed == name => {}
            Some(fixed) if fixed == value => {}
            Some(_) => return Err(Failure::BadValue),
        },
    }
    Ok(())
}

fn value_of<T: Copy>(table: &[(&str, T)], name: &str) -> Result<T, Failure> {
    let found = table.iter().find(|(known, _)| *known == name);
    found.map(|(_, value)| *value).ok_or(Failure::BadValue)
}

fn set_rules(session: &mut Session, text: &str) -> Reply {
    let mut choice = RuleChoice::of(session.game().rules());
    if text.starts_with('{') {
        let object: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| SyntaxError::Other(format!("rules: {error}")))?;
        for (key, value) in &object {
            set_field(&mut choice, key, value)?;
        }
    } else {
        choice = rule_set(text).ok_or(Failure::UnknownRule)?;
    }
    choice.set(session)
}

fn set_rule(session: &mut Session, key: &str, text: &str) -> Reply {
    let value = match text.to_ascii_lowercase().as_str() {
        "true" => json!(true),
        "false" => json!(false),
        _ => json!(text),
    };
    let mut choice = RuleChoice::of(session.game().rules());
    set_field(&mut choice, key, &value)?;
    choice.set(session)
}

fn kgs_rules(session: &mut Session, name: &str) -> Reply {
    let name = name.to_ascii_lowercase();
    let choice = match name.as_str() {
        "chinese" => rule_set("chinese-kgs"),
        "aga" | "japanese" | "new_zealand" => rule_set(&name),
        _ => None,
    };
    choice.ok_or(Failure::UnknownRule)?.set(session)
}
