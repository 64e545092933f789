//! The results file of a study: first the settings, then each [`PlayedGame`].

use super::{KomiChoice, KomiStudy};
use crate::json;
use crate::line_file::LineFile;
use crate::rules::SetupRecord;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::path::Path;

const FORMAT: u32 = 3;

const FORMAT_KEY: &str = "kawari-balance";

#[derive(Clone, Copy, Debug, PartialEq, Serialize, Deserialize)]
pub struct PlayedGame {
    /// The number, from 0.
    pub game: u64,
    /// Points added to White's score.
    pub komi: f64,
    pub half_points: u8,
    pub turns: u64,
}

/// Also returns the games in the file, by number.
pub fn open(
    path: &Path,
    study: &KomiStudy,
) -> Result<(LineFile, BTreeMap<u64, PlayedGame>), String> {
    let own = study.to_json();
    let first = own.to_string();
    let (mut has_header, mut games) = (false, BTreeMap::new());
    let mut file = LineFile::open(path, &first, |text| {
        let value: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
        if !has_header {
            has_header = true;
            return same_study(&value, &own);
        }
        let game: PlayedGame = serde_json::from_value(value).map_err(|error| error.to_string())?;
        if game.half_points > 2 {
            return Err("more than 2 half points".to_owned());
        }
        match games.insert(game.game, game) {
            None => Ok(()),
            Some(_) => Err(format!("game {} is recorded twice", game.game)),
        }
    })?;
    if !has_header {
        file.append(&first)?;
    }
    Ok((file, games))
}

fn same_study(header: &Value, own: &Value) -> Result<(), String> {
    if header.get(FORMAT_KEY).is_none() {
        return Err("not the results of kawari balance".to_owned());
    }
    match json::difference(header, own) {
        None => Ok(()),
        Some(difference) => Err(format!("holds another study: {difference}")),
    }
}

impl KomiStudy {
    /// The number of games is left out unless it decides the komi of the first games.
    fn to_json(&self) -> Value {
        let mut study = json::fields(&SetupRecord::new(&self.setup));
        study.extend(json::fields(&json!({
            FORMAT_KEY: FORMAT,
            "playouts": self.playouts,
            "seed": self.seed,
        })));
        study.extend(json::fields(&match self.komi_choice {
            KomiChoice::Adaptive { step } => json!({ "step": step }),
            KomiChoice::Fixed { from, to, step } => {
                json!({ "from": from, "to": to, "step": step, "games": self.games })
            }
        }));
        Value::Object(study)
    }
}
