//! Drawings and texts of search results, during a search and at its end.

use super::board_graphics::board_graphics;
use super::gfx::Gfx;
use crate::board::Color;
use crate::encoding::{DisplayCell, Vertex, VertexCodec};
use crate::gtp::search_runner::{self, SearchObserver};
use crate::gtp::{Session, process};
use crate::playing::{LiveGraphics, Ticker};
use crate::rules::Game;
use crate::search::{
    Choice, PlayoutPreview, PointOwnership, SearchProgress, SearchReport, StepReport,
};
use std::collections::HashMap;
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct SearchSummary {
    report: SearchReport,
    ownership: Vec<PointOwnership>,
    codec: VertexCodec,
    color: Color,
}

impl SearchSummary {
    /// Searches as long as for a move, without a clock.
    pub fn search(session: &mut Session, color: Color) -> SearchSummary {
        let plan = search_runner::untimed_plan(session, color);
        let mut live = GraphicsObserver::new(session, color);
        search_runner::choose(session, &plan, &mut live);
        live.summary
    }

    /// The moves with more than a fiftieth of the most visits.
    fn moves<'s>(&'s self, game: &'s Game) -> impl Iterator<Item = (Vertex, &'s StepReport)> {
        let most = self.report.steps.iter().map(|step| step.visits).max();
        let enough = most.unwrap_or(0) / 50;
        let steps = self.report.steps.iter();
        steps.filter(move |step| step.visits > enough).filter_map(move |step| {
            let vertex = self.codec.encode(game, step.step)?.vertex()?;
            Some((vertex, step))
        })
    }

    /// Draws win rates in percent.
    pub fn win_rates(&self, game: &Game) -> String {
        self.labelled(game, |step| percent(step.win_rate))
    }

    pub fn visits(&self, game: &Game) -> String {
        self.labelled(game, |step| step.visits.into())
    }

    fn labelled(&self, game: &Game, label: impl Fn(&StepReport) -> u64) -> String {
        let mut gfx = Gfx::default();
        let moves: Vec<_> = self.moves(game).collect();
        gfx.paint("green", moves.first().map(|&(vertex, _)| vertex).as_slice());
        gfx.label(moves.iter().map(|&(vertex, step)| (vertex, label(step))));
        gfx.text(&self.summary(game));
        gfx.finish()
    }

    pub fn variation(&self, game: &Game) -> String {
        let mut gfx = Gfx::default();
        if let Some(best) = self.report.steps.first() {
            gfx.variation(&self.codec.encode_variation(game, self.color, &best.pv));
        }
        gfx.text(&self.summary(game));
        gfx.finish()
    }

    fn summary(&self, game: &Game) -> String {
        let Some(best) = self.report.steps.first() else {
            return "no legal move".to_owned();
        };
        let gtp_move = self.codec.encode(game, best.step);
        let gtp_move = gtp_move.map_or_else(|| "?".to_owned(), |gtp_move| gtp_move.to_string());
        format!(
            "{gtp_move}: win rate {}%, score {:+.1}, {} of {} visits",
            percent(best.win_rate),
            best.margin,
            best.visits,
            self.report.visits,
        )
    }

    pub fn expectation(&self, _: &Game) -> String {
        if self.report.visits == 0 {
            return "no legal move".to_owned();
        }
        let SearchReport { win_rate, margin, stdev, .. } = self.report;
        let color = self.color;
        let leader = if margin >= 0.0 { color } else { !color };
        format!(
            "{}+{:.1} ±{stdev:.1}, win rate of {} {}%",
            leader.letter(),
            margin.abs(),
            color.name(),
            percent(win_rate),
        )
    }

    /// The ownership of each point of the square, from 1 (Black) to -1 (White), from the top row.
    pub fn ownership(&self, _: &Game) -> String {
        let values: HashMap<_, _> = self.influence().collect();
        self.codec.shown().square_rows(" ", |vertex| {
            format!("{:.2}", values.get(&vertex).copied().unwrap_or_default())
        })
    }

    fn influence(&self) -> impl Iterator<Item = (Vertex, f32)> {
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        let owned = self.ownership.iter();
        owned.map(move |point| (self.codec.shown().vertex_of(point.point), sign * point.mean + 0.0))
    }
}

fn percent(share: f32) -> u64 {
    (100.0 * share.clamp(0.0, 1.0)).round() as u64
}

/// Draws the first moves of one playout and the owner of each point at its end.
pub fn playout(session: &mut Session) -> String {
    const SHOWN: usize = 30;
    let (codec, seed) = (session.codec(), session.seed());
    let (_, game, _) = session.search_parts();
    let preview = PlayoutPreview::new(game, seed.wrapping_add(game.turns().len() as u64));
    let mut gfx = Gfx::default();
    let vertex = |side| {
        let points = codec.shown().cells_shown().filter_map(|(vertex, cell)| match cell {
            DisplayCell::Point(point) => Some((vertex, point)),
            DisplayCell::Copy(_) | DisplayCell::End => None,
        });
        let ownership = points.filter(|&(_, point)| preview.owner(point) == Some(side));
        ownership.map(|(vertex, _)| vertex).collect::<Vec<_>>()
    };
    gfx.line("BLACK", &vertex(Color::Black));
    gfx.line("WHITE", &vertex(Color::White));
    let steps = preview.steps.len();
    let shown = preview.steps.get(..SHOWN).unwrap_or(&preview.steps);
    gfx.variation(&codec.encode_variation(game, game.to_move(), shown));
    gfx.text(&format!("{} after {steps} moves", preview.score));
    gfx.finish()
}

const INTERVAL: Duration = Duration::from_millis(500);

#[derive(Debug)]
pub struct GraphicsObserver {
    graphics: LiveGraphics,
    started: Instant,
    due: Ticker,
    /// The state at the latest drawing or at the end of the search.
    summary: SearchSummary,
}

impl GraphicsObserver {
    /// Draws what the parameter `live_graphics` names, if the client reads drawings.
    pub fn new(session: &Session, color: Color) -> GraphicsObserver {
        let (report, ownership) = (SearchReport::default(), Vec::new());
        GraphicsObserver {
            graphics: if session.client.draws_graphics {
                session.settings.live_graphics
            } else {
                LiveGraphics::Off
            },
            started: Instant::now(),
            due: Ticker::every(Some(INTERVAL)),
            summary: SearchSummary { report, ownership, codec: session.codec(), color },
        }
    }

    fn update(&mut self, progress: &dyn SearchProgress) {
        self.summary.report = progress.report();
        self.summary.ownership = progress.ownership();
    }

    fn draw(&self, game: &Game) -> String {
        let summary = &self.summary;
        let drawing = match self.graphics {
            LiveGraphics::Off => String::new(),
            LiveGraphics::Moves => summary.win_rates(game),
            LiveGraphics::Variation => summary.variation(game),
            LiveGraphics::Ownership => {
                let mut gfx = Gfx::default();
                gfx.influence(summary.influence());
                gfx.text(&summary.summary(game));
                gfx.finish()
            }
        };
        format!("{}\n{drawing}", board_graphics(game, &summary.codec))
    }
}

impl SearchObserver for GraphicsObserver {
    fn on_progress(&mut self, game: &Game, progress: &dyn SearchProgress) -> bool {
        let now = self.started.elapsed();
        if self.graphics != LiveGraphics::Off && self.due.is_due(now) {
            self.due.done(now);
            self.update(progress);
            process::print_stderr(&format!("gogui-gfx:\n{}\n\n", self.draw(game)));
        }
        false
    }

    fn on_finish(&mut self, _: &Game, _: &Choice, progress: Option<&dyn SearchProgress>) {
        if let Some(progress) = progress {
            self.update(progress);
        }
    }
}
