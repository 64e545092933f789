//! Drawings and texts of search results, at the end of a search and during it.

use super::board_graphics::board_graphics;
use super::gfx::{Gfx, Mark};
use crate::board::Color;
use crate::encoding::{DisplayCell, Vertex, VertexCodec};
use crate::gtp::params::Values;
use crate::gtp::search_runner::{self, SearchObserver, SearchPlan};
use crate::gtp::{Session, process};
use crate::rules::AnyGame;
use crate::search::{Choice, PointOwnership, SearchProgress, SearchReport, StepReport};
use std::time::{Duration, Instant};

/// The report and the ownership of a search for one side.
#[derive(Debug, Default)]
pub struct SearchSummary {
    report: SearchReport,
    ownership: Vec<PointOwnership>,
}

/// Keeps the results at the end of the search.
impl SearchObserver for SearchSummary {
    fn on_finish(&mut self, _: &AnyGame, _: &Choice, progress: Option<&dyn SearchProgress>) {
        if let Some(progress) = progress {
            *self = SearchSummary::of(progress);
        }
    }
}

impl SearchSummary {
    fn of(progress: &dyn SearchProgress) -> SearchSummary {
        SearchSummary { report: progress.report(), ownership: progress.ownership() }
    }

    /// Searches as long as for a move, without using clock time.
    pub fn of_search(session: &mut Session, color: Color) -> SearchSummary {
        let plan = SearchPlan::untimed(session, color);
        let mut live = GraphicsObserver::new(session, color);
        let mut both = ObserverPair(SearchSummary::default(), &mut live);
        search_runner::choose(session, &plan, &mut both);
        both.0
    }

    /// The moves to show: those with more than a fiftieth of the most visits.
    fn moves<'s>(
        &'s self,
        game: &'s AnyGame,
        codec: &'s VertexCodec,
    ) -> impl Iterator<Item = (Vertex, &'s StepReport)> {
        let most = self.report.steps.iter().map(|step| step.visits).max();
        let enough = most.unwrap_or(0) / 50;
        let steps = self.report.steps.iter();
        steps.filter(move |step| step.visits > enough).filter_map(move |step| {
            let vertex = codec.encode(game, step.step)?.vertex()?;
            Some((vertex, step))
        })
    }

    /// Draws the win rates of the moves, in percent.
    pub fn win_rates(&self, game: &AnyGame, codec: &VertexCodec) -> Gfx {
        let labels = |(vertex, step): (Vertex, &StepReport)| (vertex, percent(step.win_rate));
        self.labelled(game, codec, labels)
    }

    /// Draws the visits of the moves.
    pub fn visits(&self, game: &AnyGame, codec: &VertexCodec) -> Gfx {
        let visits = |(vertex, step): (Vertex, &StepReport)| (vertex, u64::from(step.visits));
        self.labelled(game, codec, visits)
    }

    fn labelled(
        &self,
        game: &AnyGame,
        codec: &VertexCodec,
        label: impl Fn((Vertex, &StepReport)) -> (Vertex, u64),
    ) -> Gfx {
        let mut gfx = Gfx::default();
        let best = self.moves(game, codec).map(|(vertex, _)| vertex).next();
        gfx.paint("green", best.as_slice());
        let labels: Vec<_> = self.moves(game, codec).map(label).collect();
        gfx.label(&labels);
        gfx.text(&self.summary(game, codec));
        gfx
    }

    /// Draws the principal variation.
    pub fn variation(&self, game: &AnyGame, codec: &VertexCodec, color: Color) -> Gfx {
        let mut gfx = Gfx::default();
        if let Some(best) = self.report.steps.first() {
            gfx.variation(&codec.encode_variation(game, color, &best.pv));
        }
        gfx.text(&self.summary(game, codec));
        gfx
    }

    fn summary(&self, game: &AnyGame, codec: &VertexCodec) -> String {
        let Some(best) = self.report.steps.first() else {
            return "no legal move".to_owned();
        };
        let gtp_move = codec.encode(game, best.step);
        let gtp_move = gtp_move.map_or_else(|| "?".to_owned(), |gtp_move| gtp_move.to_string());
        format!(
            "{gtp_move}: win rate {}%, score {:+.1}, {} of {} visits",
            percent(best.win_rate),
            best.margin,
            best.visits,
            self.report.visits,
        )
    }

    /// The expected score with its standard deviation, and the win rate.
    pub fn expectation(&self, color: Color) -> String {
        if self.report.visits == 0 {
            return "no legal move".to_owned();
        }
        let SearchReport { win_rate, margin, stdev, .. } = self.report;
        let leader = if margin >= 0.0 { color } else { !color };
        format!(
            "{}+{:.1} ±{stdev:.1}, win rate of {} {}%",
            leader.letter(),
            margin.abs(),
            color.name(),
            percent(win_rate),
        )
    }

    /// The ownership of each point of the square, from 1 (Black) to -1 (White);
    /// rows from the top.
    pub fn ownership(&self, codec: &VertexCodec, color: Color) -> String {
        let shown = codec.shown();
        let values = self.influence(codec, color);
        let value = |vertex| {
            let found = values.iter().find(|(at, _)| *at == vertex);
            found.map_or(0.0, |&(_, value)| value)
        };
        let rows = (0..shown.side()).rev().map(|row| {
            let vertices = (0..shown.side()).map(|column| Vertex { column, row });
            let values: Vec<_> = vertices.map(|vertex| format!("{:.2}", value(vertex))).collect();
            values.join(" ")
        });
        rows.collect::<Vec<_>>().join("\n")
    }

    fn influence(&self, codec: &VertexCodec, color: Color) -> Vec<(Vertex, f32)> {
        let sign = if color == Color::Black { 1.0 } else { -1.0 };
        let ownership = self.ownership.iter();
        ownership
            .map(|ownership| {
                (codec.shown().vertex_of(ownership.point), sign * ownership.mean + 0.0)
            })
            .collect()
    }
}

fn percent(share: f32) -> u64 {
    (100.0 * share.clamp(0.0, 1.0)).round() as u64
}

/// Draws one playout from the current position: its first moves, and the owner of
/// each point at its end.
pub fn playout(session: &mut Session) -> Gfx {
    const SHOWN: usize = 30;
    let (codec, seed) = (session.codec(), session.seed());
    let (searcher, game, _) = session.search_parts();
    let preview = searcher.preview(game, seed.wrapping_add(game.turns().len() as u64));
    let mut gfx = Gfx::default();
    let vertex = |side| {
        let points = codec.shown().cells_shown().filter_map(|(vertex, cell)| match cell {
            DisplayCell::Point(point) => Some((vertex, point)),
            DisplayCell::Copy(_) | DisplayCell::End => None,
        });
        let ownership = points.filter(|&(_, point)| preview.owner(point) == Some(side));
        ownership.map(|(vertex, _)| vertex).collect::<Vec<_>>()
    };
    gfx.mark(Mark::Black, &vertex(Color::Black));
    gfx.mark(Mark::White, &vertex(Color::White));
    let steps = preview.steps.len();
    let shown = preview.steps.get(..SHOWN).unwrap_or(&preview.steps);
    gfx.variation(&codec.encode_variation(game, game.to_move(), shown));
    gfx.text(&format!("{} after {steps} moves", preview.score));
    gfx
}

/// What a search draws while it runs.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum LiveGraphics {
    /// Nothing.
    Off,
    /// Win rates of the moves.
    #[default]
    Moves,
    /// The principal variation.
    Variation,
    /// Ownership of the points.
    Ownership,
}

impl LiveGraphics {
    /// All values, each at the index that is its number.
    pub const ALL: [LiveGraphics; 4] =
        [LiveGraphics::Off, LiveGraphics::Moves, LiveGraphics::Variation, LiveGraphics::Ownership];

    /// The names of the values, in the same order.
    pub const NAMES: Values = Values::Choice(&["off", "moves", "variation", "ownership"]);
}

/// Time between drawings of a running search.
const INTERVAL: Duration = Duration::from_millis(500);

/// Draws a running search on standard error.
#[derive(Debug)]
pub struct GraphicsObserver {
    graphics: LiveGraphics,
    codec: VertexCodec,
    color: Color,
    started: Instant,
    due: Duration,
}

impl GraphicsObserver {
    /// Draws what the parameter `live_graphics` names, if the client reads drawings.
    pub fn new(session: &Session, color: Color) -> GraphicsObserver {
        GraphicsObserver {
            graphics: if session.client.draws_graphics {
                session.settings.live_graphics
            } else {
                LiveGraphics::Off
            },
            codec: session.codec(),
            color,
            started: Instant::now(),
            due: INTERVAL,
        }
    }

    /// The drawing commands for the state of a search.
    fn draw(&self, game: &AnyGame, progress: &dyn SearchProgress) -> String {
        let (summary, codec) = (SearchSummary::of(progress), &self.codec);
        let gfx = match self.graphics {
            LiveGraphics::Off => Gfx::default(),
            LiveGraphics::Moves => summary.win_rates(game, codec),
            LiveGraphics::Variation => summary.variation(game, codec, self.color),
            LiveGraphics::Ownership => {
                let mut gfx = Gfx::default();
                gfx.influence(&summary.influence(codec, self.color));
                gfx.text(&summary.summary(game, codec));
                gfx
            }
        };
        format!("{}\n{}", board_graphics(game, codec), gfx.finish())
    }
}

impl SearchObserver for GraphicsObserver {
    fn on_progress(&mut self, game: &AnyGame, progress: &dyn SearchProgress) -> bool {
        if self.graphics == LiveGraphics::Off || self.started.elapsed() < self.due {
            return false;
        }
        self.due = self.started.elapsed() + INTERVAL;
        let lines = self.draw(game, progress);
        process::print_stderr(&format!("gogui-gfx:\n{lines}\n\n"));
        false
    }
}

/// Passes what it observes on to both.
struct ObserverPair<'l>(SearchSummary, &'l mut GraphicsObserver);

impl SearchObserver for ObserverPair<'_> {
    fn on_progress(&mut self, game: &AnyGame, progress: &dyn SearchProgress) -> bool {
        self.1.on_progress(game, progress)
    }

    fn on_finish(
        &mut self,
        game: &AnyGame,
        choice: &Choice,
        progress: Option<&dyn SearchProgress>,
    ) {
        self.0.on_finish(game, choice, progress);
    }
}
