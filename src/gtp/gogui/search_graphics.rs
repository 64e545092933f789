//! What a search thinks, as pictures and texts; and while it still thinks.

use super::board_graphics::board_graphics;
use super::gfx::{Gfx, Mark};
use crate::board::Color;
use crate::gtp::encoding::{Coder, Place, Site};
use crate::gtp::params::Values;
use crate::gtp::think::{self, Onlooker, Thought};
use crate::gtp::{Session, aside};
use crate::rules::AnyGame;
use crate::search::{Choice, Owned, Report, StepReport, View};
use std::time::{Duration, Instant};

/// What was thought of the moves of one side.
#[derive(Debug, Default)]
pub struct SearchSummary {
    report: Report,
    owned: Vec<Owned>,
}

/// Keeps what a search thought in the end.
impl Onlooker for SearchSummary {
    fn conclude(&mut self, _: &AnyGame, _: &Choice, view: Option<&dyn View>) {
        if let Some(view) = view {
            *self = SearchSummary::of(view);
        }
    }
}

impl SearchSummary {
    fn of(view: &dyn View) -> SearchSummary {
        SearchSummary {
            report: view.report(),
            owned: view.ownership(),
        }
    }

    /// Thinks as long as about a move, on nobody's clock.
    pub fn by_thinking(session: &mut Session, color: Color) -> SearchSummary {
        let thought = Thought::off_the_clock(session, color);
        let mut live = GraphicsObserver::new(session, color);
        let mut both = Both(SearchSummary::default(), &mut live);
        think::choose(session, &thought, &mut both);
        both.0
    }

    /// Moves to show: those that were looked at more than a little.
    fn moves<'s>(
        &'s self,
        game: &'s AnyGame,
        coder: &'s Coder,
    ) -> impl Iterator<Item = (Place, &'s StepReport)> {
        let most = self.report.steps.iter().map(|step| step.visits).max();
        let enough = most.unwrap_or(0) / 50;
        let steps = self.report.steps.iter();
        steps
            .filter(move |step| step.visits > enough)
            .filter_map(move |step| {
                let place = coder.encode(game, step.step)?.place()?;
                Some((place, step))
            })
    }

    /// Win rates in parts of a hundred, on the moves.
    pub fn win_rates(&self, game: &AnyGame, coder: &Coder) -> Gfx {
        let percent = |(place, step): (Place, &StepReport)| (place, hundredths(step.win_rate));
        self.labelled(game, coder, percent)
    }

    /// Visits, on the moves.
    pub fn visits(&self, game: &AnyGame, coder: &Coder) -> Gfx {
        let visits = |(place, step): (Place, &StepReport)| (place, u64::from(step.visits));
        self.labelled(game, coder, visits)
    }

    fn labelled(
        &self,
        game: &AnyGame,
        coder: &Coder,
        label: impl Fn((Place, &StepReport)) -> (Place, u64),
    ) -> Gfx {
        let mut gfx = Gfx::default();
        let best = self.moves(game, coder).map(|(place, _)| place).next();
        gfx.paint("green", best.as_slice());
        let labels: Vec<_> = self.moves(game, coder).map(label).collect();
        gfx.label(&labels);
        gfx.text(&self.summary(game, coder));
        gfx
    }

    /// What is looked at most from here on.
    pub fn variation(&self, game: &AnyGame, coder: &Coder, color: Color) -> Gfx {
        let mut gfx = Gfx::default();
        if let Some(best) = self.report.steps.first() {
            gfx.variation(&coder.line(game, color, &best.line));
        }
        gfx.text(&self.summary(game, coder));
        gfx
    }

    fn summary(&self, game: &AnyGame, coder: &Coder) -> String {
        let Some(best) = self.report.steps.first() else {
            return "there is nothing to think about".to_owned();
        };
        let word = coder.encode(game, best.step);
        let word = word.map_or_else(|| "?".to_owned(), |word| word.to_string());
        format!(
            "{word}: wins {} of 100, {:+.1} points, {} of {} playouts",
            hundredths(best.win_rate),
            best.margin,
            best.visits,
            self.report.visits,
        )
    }

    /// The margin and the chances.
    pub fn expectation(&self, color: Color) -> String {
        if self.report.visits == 0 {
            return "there is nothing to think about".to_owned();
        }
        let Report {
            win_rate,
            margin,
            deviation,
            ..
        } = self.report;
        let leader = if margin >= 0.0 { color } else { !color };
        format!(
            "{}+{:.1} ±{deviation:.1}, {} wins {} of 100",
            leader.letter(),
            margin.abs(),
            color.name(),
            hundredths(win_rate),
        )
    }

    /// Whose each place of the square becomes, 1 Black's to -1 White's; rows from
    /// the top.
    pub fn ownership(&self, coder: &Coder, color: Color) -> String {
        let shown = coder.shown();
        let values = self.influence(coder, color);
        let value = |place| {
            let found = values.iter().find(|(at, _)| *at == place);
            found.map_or(0.0, |&(_, value)| value)
        };
        let rows = (0..shown.side()).rev().map(|row| {
            let places = (0..shown.side()).map(|column| Place { column, row });
            let values: Vec<_> = places.map(|place| format!("{:.2}", value(place))).collect();
            values.join(" ")
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn influence(&self, coder: &Coder, color: Color) -> Vec<(Place, f32)> {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let owned = self.owned.iter();
        owned
            .map(|owned| (coder.shown().place(owned.point), sign * owned.mean + 0.0))
            .collect()
    }
}

fn hundredths(share: f32) -> u64 {
    (100.0 * share.clamp(0.0, 1.0)).round() as u64
}

/// A playout from here as the engine thinks in: its first moves, and whose the points
/// become.
pub fn playout(session: &mut Session) -> Gfx {
    const SHOWN: usize = 30;
    let (coder, seed) = (session.coder(), session.seed());
    let (player, game, _) = session.thinker();
    let played = player.preview(game, seed.wrapping_add(game.turns().len() as u64));
    let mut gfx = Gfx::default();
    let place = |side| {
        let points = coder
            .shown()
            .sites()
            .filter_map(|(place, site)| match site {
                Site::Point(point) => Some((place, point)),
                Site::Copy(_) | Site::End => None,
            });
        let owned = points.filter(|&(_, point)| played.owner(point) == Some(side));
        owned.map(|(place, _)| place).collect::<Vec<_>>()
    };
    gfx.mark(Mark::Black, &place(Color::Black));
    gfx.mark(Mark::White, &place(Color::White));
    let steps = played.steps.len();
    let shown = played.steps.get(..SHOWN).unwrap_or(&played.steps);
    gfx.variation(&coder.line(game, game.to_move(), shown));
    gfx.text(&format!("{} after {steps} moves", played.score));
    gfx
}

/// What is drawn while the engine thinks.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveGraphics {
    /// Nothing.
    Off,
    /// Win rates of the moves.
    #[default]
    Moves,
    /// What is looked at most.
    Variation,
    /// Whose the points become.
    Ownership,
}

impl LiveGraphics {
    /// All of them, each at the place that is its number.
    pub const ALL: [LiveGraphics; 4] = [
        LiveGraphics::Off,
        LiveGraphics::Moves,
        LiveGraphics::Variation,
        LiveGraphics::Ownership,
    ];

    /// Their names.
    pub const NAMES: Values = Values::Choice(&["off", "moves", "variation", "ownership"]);
}

/// Time between pictures of a search under way.
const PAUSE: Duration = Duration::from_millis(500);

/// Draws a search under way, for a client that shows it.
#[derive(Debug)]
pub struct GraphicsObserver {
    scene: LiveGraphics,
    coder: Coder,
    color: Color,
    started: Instant,
    due: Duration,
}

impl GraphicsObserver {
    /// Draws what the settings ask for, if the client draws at all.
    pub fn new(session: &Session, color: Color) -> GraphicsObserver {
        GraphicsObserver {
            scene: match session.client.draws {
                true => session.settings.live_graphics,
                false => LiveGraphics::Off,
            },
            coder: session.coder(),
            color,
            started: Instant::now(),
            due: PAUSE,
        }
    }

    /// The lines that draw a search.
    fn scene(&self, game: &AnyGame, view: &dyn View) -> String {
        let (seen, coder) = (SearchSummary::of(view), &self.coder);
        let gfx = match self.scene {
            LiveGraphics::Off => Gfx::default(),
            LiveGraphics::Moves => seen.win_rates(game, coder),
            LiveGraphics::Variation => seen.variation(game, coder, self.color),
            LiveGraphics::Ownership => {
                let mut gfx = Gfx::default();
                gfx.influence(&seen.influence(coder, self.color));
                gfx.text(&seen.summary(game, coder));
                gfx
            }
        };
        format!("{}\n{}", board_graphics(game, coder), gfx.finish())
    }
}

impl Onlooker for GraphicsObserver {
    fn look(&mut self, game: &AnyGame, view: &dyn View) -> bool {
        if self.scene == LiveGraphics::Off || self.started.elapsed() < self.due {
            return false;
        }
        self.due = self.started.elapsed() + PAUSE;
        let lines = self.scene(game, view);
        aside::say(&format!("gogui-gfx:\n{lines}\n\n"));
        false
    }
}

/// Two who look at once.
struct Both<'l>(SearchSummary, &'l mut GraphicsObserver);

impl Onlooker for Both<'_> {
    fn look(&mut self, game: &AnyGame, view: &dyn View) -> bool {
        self.1.look(game, view)
    }

    fn conclude(&mut self, game: &AnyGame, choice: &Choice, view: Option<&dyn View>) {
        self.0.conclude(game, choice, view);
    }
}
