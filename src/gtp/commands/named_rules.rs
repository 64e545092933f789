//! Rules in KataGo's and KGS's terms.
//!
//! KataGo describes rules of Go by fields. `ko`, `scoring` and `suicide` are rule options here; the
//! others have the same value in every variant.

use super::{KEY, NAME, VALUE, done};
use crate::gtp::arguments::{ArgType, SyntaxError, arg};
use crate::gtp::table::{CommandGroup, CommandSpec, Effect};
use crate::gtp::{Failure, Reply, Session};
use crate::playing::params::plain;
use crate::rules::{Game, RuleKey};
use crate::sgf::{NamedRules, RuleFieldError, rules_named};
use serde_json::{Map, Value, json};

pub const GROUP: CommandGroup = CommandGroup {
    title: "Rules by other names",
    commands: &[
        CommandSpec::new(
            "kata-get-rules",
            &[],
            "returns one line of JSON: `ko` (`SIMPLE`, `POSITIONAL`, `SITUATIONAL`, `NONE`), \
                `scoring` (`AREA`, `TERRITORY`; `NONE` in a game that is not counted), `suicide` \
                and the constant fields: no tax, no button, no handicap bonus, no friendly \
                pass",
            |session, _| Ok(rules_json(session.game()).to_string()),
        ),
        CommandSpec::new(
            "kata-set-rules",
            &[arg("rules", ArgType::Text("the name of a rule set or a JSON object"))],
            "sets `ko`, `scoring` and `suicide` from a JSON object with some of these fields, from these \
                fields in one word (`koSIMPLEscoreTERRITORYtaxSEKIsui0`), or from the name of a \
                rule set: tromp-taylor, chinese, chinese-ogs, chinese-kgs, japanese, korean, aga, \
                bga, french, new-zealand (nz), ing (goe), stone-scoring, ancient-area, \
                ancient-territory, aga-button. Ignores rules without an option (a tax, such as \
                that of japanese and korean on groups in seki, a button, points for handicap \
                stones) with a warning in the log. The board stays. \
                Fails with `illegal move` if the new rules forbid a turn of the game, with \
                `unknown rule`, or with `bad value`",
            |session, args| set_rules(session, args.take()?),
        )
        .effect(Effect::ChangesRules),
        CommandSpec::new(
            "kata-set-rule",
            &[KEY, VALUE],
            "sets one of these fields, as `kata-set-rules`",
            |session, args| set_rule(session, args.take()?, args.take()?),
        )
        .effect(Effect::ChangesRules),
        CommandSpec::new(
            "kgs-rules",
            &[NAME],
            "as `kata-set-rules`, with positional superko for `chinese`",
            |session, args| kgs_rules(session, args.take()?),
        )
        .effect(Effect::ChangesRules),
    ],
};

/// Sets the options; warns of rules without an option.
fn apply(session: &mut Session, named: &NamedRules) -> Reply {
    // A game without such an option keeps its rule.
    let info = session.game().info();
    session.change_rules(|rules| named.apply_to(rules, info))?;
    if let Some(warning) = named.warning(info) {
        log::warn!("{warning}");
    }
    session.chosen_rules = Some(named.clone());
    done()
}

/// All fields, also those that never change.
fn rules_json(game: &Game) -> Value {
    let option = |key| game.rules().get(key).to_uppercase();
    let scoring = if game.info().is_counted() { option(RuleKey::Scoring) } else { "NONE".into() };
    json!({
        "friendlyPassOk": false,
        "hasButton": false,
        "ko": option(RuleKey::Ko),
        "scoring": scoring,
        "suicide": game.rules().suicide,
        "tax": "NONE",
        "whiteHandicapBonus": "0",
    })
}

fn set_field(rules: &mut NamedRules, key: &str, value: &str) -> Result<(), Failure> {
    rules.set(key, value).map_err(|error| match error {
        RuleFieldError::Unknown => {
            format!("{}: {}; kata-get-rules shows the fields", Failure::UnknownRule, short(key))
        }
        RuleFieldError::BadValue => {
            format!("{}: {} does not take {}", Failure::BadValue, short(key), short(value))
        }
    })?;
    Ok(())
}

/// Longer words are not repeated.
fn short(word: &str) -> String {
    const LENGTH: usize = 40;
    word.chars().take(LENGTH).collect()
}

fn no_such_rules(name: &str) -> Failure {
    format!("{}: no rules are called '{}'", Failure::UnknownRule, short(name)).into()
}

fn set_rules(session: &mut Session, text: &str) -> Reply {
    let mut rules = NamedRules::new(session.game().rules());
    if text.starts_with('{') {
        let object: Map<String, Value> = serde_json::from_str(text)
            .map_err(|error| SyntaxError::Other(format!("rules: {error}")))?;
        for (key, value) in &object {
            set_field(&mut rules, key, &plain(value))?;
        }
    } else {
        rules = rules_named(text).ok_or_else(|| no_such_rules(text))?;
    }
    apply(session, &rules)
}

fn set_rule(session: &mut Session, key: &str, text: &str) -> Reply {
    let mut rules = NamedRules::new(session.game().rules());
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
    apply(session, &rules.ok_or_else(|| no_such_rules(&name))?)
}
