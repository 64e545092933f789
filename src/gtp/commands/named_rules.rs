//! Rules as other engines name them.
//!
//! They know rules of Go by fields; of these, `ko` and `scoring` are options
//! here, and the others are the same for all games.

use super::done;
use crate::gtp::request::Args;
use crate::gtp::table::{CommandGroup, CommandSpec, Handler::Immediate};
use crate::gtp::{Failure, Reply, Session};
use crate::rules::{Ko, Rules, Scoring, rules_named};
use serde_json::{Map, Value, json};

/// The group.
pub const GROUP: CommandGroup = CommandGroup {
    title: "Rules by other names",
    commands: &[
        CommandSpec {
            name: "kata-get-rules",
            args: "",
            summary: "one line of JSON: `ko` (`SIMPLE`, `POSITIONAL`, `SITUATIONAL`, `NONE`) and `scoring` \
                (`AREA`, `TERRITORY`), and what is always so: no suicide, no tax, no button, no bonus \
                for handicap, no friendly pass",
            handler: Immediate(|session, _| Ok(fields(session.game().rules()).to_string())),
        },
        CommandSpec {
            name: "kata-set-rules",
            args: "NAME \\| JSON",
            summary: "sets `ko` and `scoring` from an object with some of these fields or from the name of \
                a set of rules: tromp-taylor, chinese, chinese-ogs, chinese-kgs, japanese, korean, aga, \
                bga, french, new-zealand (nz), ancient-area, ancient-territory; what else a name means is left \
                out. The board stays: `illegal move` if the game could not have come about. `unknown \
                rule` and `bad value` (suicide, a tax …) otherwise",
            handler: Immediate(set_rules),
        },
        CommandSpec {
            name: "kata-set-rule",
            args: "KEY VALUE",
            summary: "sets one of these fields",
            handler: Immediate(set_rule),
        },
        CommandSpec {
            name: "kgs-rules",
            args: "chinese \\| aga \\| japanese \\| new_zealand",
            summary: "as `kata-set-rules`, with positional superko for `chinese`",
            handler: Immediate(kgs_rules),
        },
    ],
};

/// What can be set.
#[derive(Clone, Copy)]
struct Choice {
    ko: Ko,
    scoring: Scoring,
}

impl Choice {
    fn of(rules: &Rules) -> Choice {
        Choice {
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
fn fixed() -> Map<String, Value> {
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

fn fields(rules: &Rules) -> Value {
    let mut fields = fixed();
    let ko = KO.iter().find(|(_, ko)| *ko == rules.ko);
    let scoring = SCORING
        .iter()
        .find(|(_, scoring)| *scoring == rules.scoring);
    fields.insert("ko".to_owned(), json!(ko.map(|(name, _)| name)));
    fields.insert("scoring".to_owned(), json!(scoring.map(|(name, _)| name)));
    Value::Object(fields)
}

/// The rules of this name, as far as they are options.
fn named(name: &str) -> Option<Choice> {
    rules_named(name).map(|(ko, scoring)| Choice { ko, scoring })
}

/// Sets one field, or sees that it is so anyhow.
fn set_field(choice: &mut Choice, key: &str, value: &Value) -> Result<(), Failure> {
    let name = value.as_str().unwrap_or_default().to_ascii_uppercase();
    match key {
        "ko" => choice.ko = value_of(KO, &name)?,
        "scoring" => choice.scoring = value_of(SCORING, &name)?,
        _ => match fixed().get(key) {
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

fn set_rules(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let text = args.rest();
    if text.is_empty() {
        return Err(Failure::Syntax);
    }
    let mut choice = Choice::of(session.game().rules());
    if text.starts_with('{') {
        let object: Map<String, Value> = serde_json::from_str(text).map_err(|_| Failure::Syntax)?;
        for (key, value) in &object {
            set_field(&mut choice, key, value)?;
        }
    } else {
        choice = named(text).ok_or(Failure::UnknownRule)?;
    }
    choice.set(session)
}

fn set_rule(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let (key, text) = (args.word()?, args.word()?);
    args.end()?;
    let value = match text.to_ascii_lowercase().as_str() {
        "true" => json!(true),
        "false" => json!(false),
        _ => json!(text),
    };
    let mut choice = Choice::of(session.game().rules());
    set_field(&mut choice, key, &value)?;
    choice.set(session)
}

fn kgs_rules(session: &mut Session, args: &mut Args<'_>) -> Reply {
    let name = args.word()?.to_ascii_lowercase();
    args.end()?;
    let choice = match name.as_str() {
        "chinese" => named("chinese-kgs"),
        "aga" | "japanese" | "new_zealand" => named(&name),
        _ => None,
    };
    choice.ok_or(Failure::UnknownRule)?.set(session)
}
