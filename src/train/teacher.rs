//! Questions to a teacher, in KataGo's analysis protocol, and its answers.

use super::game::{Phase, PositionValues};
use super::label::{Label, place_from_top};
use super::plain_game::{Coordinates, PlainGame, parse_move, write_move};
use crate::board::{Color, Random};
use crate::json;
use crate::rules::{Scoring, Size};
use serde::Deserialize;
use serde_json::json;

#[derive(Clone, Debug, PartialEq)]
pub struct Question {
    pub position: PlainGame,
    /// The number in its source, from 0.
    pub game: Option<u32>,
    /// In half points.
    pub komi: i16,
    pub scoring: Scoring,
}

#[derive(Clone, Debug)]
pub struct QuestionSettings {
    pub share: f32,
    pub phases: Vec<Phase>,
    /// In points.
    pub komi_stdev: f32,
    pub scorings: Vec<Scoring>,
    pub seed: u64,
}

impl QuestionSettings {
    /// Depends only on the settings, the game, its number and its komi in half points.
    pub fn questions(&self, game: &PlainGame, number: u32, komi: i16) -> Vec<Question> {
        let seed = u64::from(number).wrapping_mul(0x9E37_79B9_7F4A_7C15);
        let mut random = Random::new(self.seed.wrapping_add(seed));
        let mut questions = Vec::new();
        for turn in 0..=game.moves.len() {
            let is_drawn = random.fraction() < self.share;
            let spread = self.komi_stdev * super::normal(&mut random);
            let scoring = random.below(self.scorings.len() as u32) as usize;
            let phase = Phase::at(game.size, game.colored_stones().count() + turn);
            let wanted = (is_drawn && self.phases.contains(&phase)).then(|| game.until(turn));
            if let (Some(position), Some(&scoring)) = (wanted.flatten(), self.scorings.get(scoring))
            {
                let komi = komi.saturating_add((2.0 * spread).round() as i16);
                questions.push(Question { position, game: Some(number), komi, scoring });
            }
        }
        questions
    }
}

impl Question {
    pub fn query(&self, id: usize, visits: u32) -> String {
        let pair = |color: Color, place| json!([color.letter(), write_move(place)]);
        let position = &self.position;
        let stones = position.colored_stones().map(|(color, place)| pair(color, Some(place)));
        let moves = position.colored_moves().map(|(color, place)| pair(color, place));
        json::text(&json!({
            "id": id.to_string(),
            "boardXSize": position.size.width,
            "boardYSize": position.size.height,
            "rules": match self.scoring {
                Scoring::Area => "chinese",
                Scoring::Territory => "japanese",
            },
            // Labels state compensation only as komi.
            "whiteHandicapBonus": "0",
            "komi": f32::from(self.komi) / 2.0,
            "initialStones": stones.collect::<Vec<_>>(),
            "initialPlayer": position.first.letter(),
            "moves": moves.collect::<Vec<_>>(),
            "maxVisits": visits,
            "analysisPVLen": 1,
            "includePolicy": true,
            "includeOwnership": true,
            "overrideSettings": { "reportAnalysisWinratesAs": "BLACK" },
        }))
    }

    pub fn label(&self, answer: &TeacherAnswer) -> Result<Label, String> {
        let size = self.position.size;
        let root = answer.root_info.as_ref().ok_or("rootInfo is missing")?;
        if !(0.0..=1.0).contains(&root.winrate) || !root.score_lead.is_finite() {
            return Err("rootInfo: a win rate from 0 to 1 and a lead are expected".to_owned());
        }
        let points = usize::from(size.width) * usize::from(size.height);
        if answer.ownership.len() != points {
            return Err(format!("ownership: {points} numbers are expected"));
        }
        let owned = f32::from(PositionValues::OWNED);
        let rows = answer.ownership.chunks(usize::from(size.width)).rev().flatten();
        let ownership = rows.map(|owner| (owned * owner).round().clamp(-owned, owned) as i8);
        Ok(Label {
            position: self.position.clone(),
            game: self.game,
            komi: self.komi,
            scoring: self.scoring,
            policy: answer.policy(size)?,
            values: PositionValues {
                win_rate: root.winrate,
                lead: root.score_lead,
                stdev: root.score_stdev.max(0.0),
                ownership: ownership.collect(),
            },
        })
    }

    pub fn is_of(&self, label: &Label) -> bool {
        label.position == self.position && (label.komi, label.scoring) == (self.komi, self.scoring)
    }
}

/// Other fields are ignored.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
pub struct TeacherAnswer {
    /// Absent if the teacher could not read a line.
    pub id: Option<String>,
    pub error: Option<String>,
    /// The answer follows.
    pub warning: Option<String>,
    pub is_during_search: bool,
    root_info: Option<RootInfo>,
    move_infos: Vec<MoveInfo>,
    ownership: Vec<f32>,
    policy: Vec<f32>,
}

#[derive(Clone, Debug, Deserialize)]
#[serde(rename_all = "camelCase")]
struct RootInfo {
    winrate: f32,
    score_lead: f32,
    #[serde(default)]
    score_stdev: f32,
}

#[derive(Clone, Debug, Deserialize)]
struct MoveInfo {
    #[serde(rename = "move")]
    vertex: String,
    visits: u32,
}

/// With fewer visits, the net's policy says more.
const MIN_VISITS: u32 = 32;

impl TeacherAnswer {
    /// In thousandths: of visits, or of the policy after a short search.
    fn policy(&self, size: Size) -> Result<Vec<(Option<Coordinates>, u16)>, String> {
        let total: u32 = self.move_infos.iter().map(|info| info.visits).sum();
        let shares: Vec<(Option<Coordinates>, f32)> = if total >= MIN_VISITS {
            let share = |info: &MoveInfo| {
                let place = parse_move(&info.vertex, size)?;
                Ok((place, info.visits as f32 / total as f32))
            };
            self.move_infos.iter().map(share).collect::<Result<_, String>>()?
        } else {
            let outputs = usize::from(size.width) * usize::from(size.height) + 1;
            if self.policy.len() != outputs {
                return Err(format!("policy: {outputs} numbers are expected"));
            }
            let shares = self.policy.iter().enumerate();
            shares.map(|(at, &share)| (place_from_top(at, size), share)).collect()
        };
        let thousandths = |share: f32| (1000.0 * share).round().clamp(0.0, 1000.0) as u16;
        let shares = shares.into_iter().map(|(place, share)| (place, thousandths(share)));
        let shares: Vec<_> = shares.filter(|&(_, share)| share > 0).collect();
        if shares.is_empty() { Err("no policy and no visits".to_owned()) } else { Ok(shares) }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn settings() -> QuestionSettings {
        QuestionSettings {
            share: 1.0,
            phases: Phase::ALL.to_vec(),
            komi_stdev: 0.0,
            scorings: vec![Scoring::Area],
            seed: 1,
        }
    }

    fn game() -> PlainGame {
        let moves = "B D4 W E5 B D5 W E4 B D3 W E3 B D6 W E6 B D2 W E2 B pass W pass";
        PlainGame::from_line(moves, Size { width: 5, height: 6 }).expect("a game")
    }

    #[test]
    fn questions_depend_on_their_seed_and_game_alone() {
        let all = settings().questions(&game(), 5, 13);
        assert_eq!(all.len(), 13);
        assert!(all.iter().enumerate().all(|(turn, one)| one.position.moves.len() == turn));
        assert!(all.iter().all(|one| (one.komi, one.game) == (13, Some(5))));
        let late = QuestionSettings { phases: vec![Phase::End], ..settings() };
        assert_eq!(late.questions(&game(), 5, 13), all[12..]);
        let both = vec![Scoring::Area, Scoring::Territory];
        let spread = QuestionSettings { komi_stdev: 6.0, share: 0.5, scorings: both, ..settings() };
        let questions = spread.questions(&game(), 5, 13);
        assert!(
            (2..12).contains(&questions.len()) && spread.questions(&game(), 5, 13) == questions
        );
        assert!(spread.questions(&game(), 6, 13) != questions);
        assert!(questions.iter().any(|one| one.komi != 13));
    }

    #[test]
    fn a_question_is_a_query_of_the_protocol() {
        let mut position = game().until(1).expect("a move");
        position.stones[1].push((0, 0));
        let question = Question { position, game: None, komi: -1, scoring: Scoring::Territory };
        let query: serde_json::Value = serde_json::from_str(&question.query(7, 30)).expect("JSON");
        assert_eq!(query["id"], "7");
        assert_eq!((&query["boardXSize"], &query["boardYSize"]), (&json!(5), &json!(6)));
        assert_eq!((&query["rules"], &query["komi"]), (&json!("japanese"), &json!(-0.5)));
        assert_eq!(query["initialStones"], json!([["W", "A1"]]));
        assert_eq!(query["moves"], json!([["B", "D4"]]));
        assert_eq!((&query["initialPlayer"], &query["maxVisits"]), (&json!("B"), &json!(30)));
    }

    #[test]
    fn an_answer_becomes_a_label() {
        let size = Size { width: 2, height: 3 };
        let position = PlainGame::from_line("B A1", size).expect("a game");
        let question = Question { position, game: Some(4), komi: 13, scoring: Scoring::Area };
        let answer = |text: &str| serde_json::from_str::<TeacherAnswer>(text).expect("an answer");
        let text = r#"{"id":"0","turnNumber":1,"isDuringSearch":false,"moveInfos":[{"move":"B2","visits":1}],
            "rootInfo":{"winrate":0.25,"scoreLead":-3.04,"scoreStdev":2.5,"visits":1},
            "ownership":[-1,-0.8,0.1,0.13,0.5,1],"policy":[0.5,0.0001,0.3,-1,-1,0.1,0.1]}"#;
        let label = question.label(&answer(text)).expect("a label");
        let line = "2x3 - bA1 6.5 c 0.2500 -3.0 2.5 0:0.500,2:0.300,5:0.100,6:0.100 abefgi 4";
        assert_eq!(label.to_string(), line);
        let read = Label::from_line(line).expect("a label").expect("no comment");
        assert!(question.is_of(&read));
        assert!(!Question { komi: 12, ..question.clone() }.is_of(&read));
        // Enough visits say more than the policy.
        let searched = text.replace(
            r#"{"move":"B2","visits":1}"#,
            r#"{"move":"B2","visits":30},{"move":"pass","visits":10}"#,
        );
        let label = question.label(&answer(&searched)).expect("a label");
        assert_eq!(label.policy, [(Some((1, 1)), 750), (None, 250)]);
        for (part, error) in [
            (r#""winrate":0.25"#, r#""winrate":7"#),
            (r#""ownership":[-1,"#, r#""ownership":["#),
            (r#""policy":[0.5,"#, r#""policy":["#),
            (r#""rootInfo""#, r#""other""#),
        ] {
            assert!(question.label(&answer(&text.replace(part, error))).is_err(), "{part}");
        }
    }
}
