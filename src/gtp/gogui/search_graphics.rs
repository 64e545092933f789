//! Drawings and texts of search results, during a search and at its end.

use super::board_graphics::board_graphics;
use super::gfx::Gfx;
use crate::board::Color;
use crate::encoding::{ColoredMove, DisplayCell, Vertex, VertexCodec};
use crate::gtp::analyze::GtpClient;
use crate::gtp::search_runner::{self, SearchObserver};
use crate::gtp::{Session, process};
use crate::playing::analysis_report::{AnalysisReport, MoveInfo, ReportOptions, Values};
use crate::playing::{LiveGraphics, Ticker};
use crate::rules::AnyGame;
use crate::search::{Choice, SearchProgress};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct SearchSummary {
    /// `None` without a search.
    report: Option<AnalysisReport<ColoredMove>>,
    codec: VertexCodec,
    color: Color,
}

type Info = MoveInfo<ColoredMove>;

impl SearchSummary {
    /// Searches as long as for a move, without a clock.
    pub fn search(session: &mut Session, color: Color) -> SearchSummary {
        let plan = search_runner::untimed_plan(session, color);
        let mut live = GraphicsObserver::new(session, color);
        search_runner::choose(session, &plan, &mut live);
        live.summary
    }

    fn update(&mut self, game: &AnyGame, progress: &dyn SearchProgress) {
        let client = GtpClient { codec: &self.codec, game, color: self.color };
        let options = ReportOptions { ownership: true, ..ReportOptions::default() };
        self.report = Some(AnalysisReport::new(&client, &options, progress));
    }

    fn infos(&self) -> &[Info] {
        self.report.as_ref().map_or(&[], |report| &report.move_infos)
    }

    /// Draws win rates in percent.
    pub fn win_rates(&self) -> String {
        self.labelled(|info| percent(info.values.winrate))
    }

    pub fn visits(&self) -> String {
        self.labelled(|info| info.visits.into())
    }

    /// Draws the moves with more than a fiftieth of the most visits.
    fn labelled(&self, label: impl Fn(&Info) -> u64) -> String {
        let most = self.infos().iter().map(|info| info.visits).max();
        let enough = most.unwrap_or(0) / 50;
        let moves = self.infos().iter().filter(|info| info.visits > enough);
        let labels = moves.filter_map(|info| Some((info.first.gtp_move.vertex()?, label(info))));
        let labels: Vec<_> = labels.collect();
        let mut gfx = Gfx::default();
        gfx.paint("green", labels.first().map(|&(vertex, _)| vertex).as_slice());
        gfx.label(labels);
        gfx.text(&self.summary());
        gfx.finish()
    }

    pub fn variation(&self) -> String {
        let mut gfx = Gfx::default();
        if let Some(best) = self.infos().first() {
            gfx.variation(&best.pv);
        }
        gfx.text(&self.summary());
        gfx.finish()
    }

    fn summary(&self) -> String {
        let (Some(best), Some(report)) = (self.infos().first(), &self.report) else {
            return "no legal move".to_owned();
        };
        format!(
            "{}: win rate {}%, score {:+.1}, {} of {} visits",
            best.first,
            percent(best.values.winrate),
            best.values.score_lead,
            best.visits,
            report.root_info.visits,
        )
    }

    pub fn expectation(&self) -> String {
        let root = self.report.as_ref().map(|report| &report.root_info);
        let Some(root) = root.filter(|root| root.visits > 0) else {
            return "no legal move".to_owned();
        };
        let Values { winrate, score_lead, score_stdev, .. } = root.values;
        let color = self.color;
        let leader = if score_lead >= 0.0 { color } else { !color };
        format!(
            "{}+{:.1} ±{score_stdev:.1}, win rate of {} {}%",
            leader.letter(),
            score_lead.abs(),
            color.name(),
            percent(winrate),
        )
    }

    /// The ownership of each point of the square, from 1 (Black) to -1 (White), from the top row.
    pub fn ownership(&self) -> String {
        self.codec.shown().square_rows(" ", |vertex| format!("{:.2}", self.owner(vertex)))
    }

    fn owner(&self, vertex: Vertex) -> f32 {
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        let shown = self.codec.shown();
        let owners = self.report.as_ref().and_then(|report| report.ownership.ownership.as_ref());
        let owner = owners.and_then(|owners| owners.get(shown.number(vertex)?));
        owner.map_or(0.0, |owner| sign * owner + 0.0)
    }
}

fn percent(share: f32) -> u64 {
    (100.0 * share.clamp(0.0, 1.0)).round() as u64
}

/// Draws the first moves of one playout and the owner of each point at its end.
pub fn playout(session: &mut Session) -> String {
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
        GraphicsObserver {
            graphics: if session.client.draws_graphics {
                session.settings.live_graphics
            } else {
                LiveGraphics::Off
            },
            started: Instant::now(),
            due: Ticker::every(Some(INTERVAL)),
            summary: SearchSummary { report: None, codec: session.codec(), color },
        }
    }

    fn draw(&self, game: &AnyGame) -> String {
        let summary = &self.summary;
        let drawing = match self.graphics {
            LiveGraphics::Off => String::new(),
            LiveGraphics::Moves => summary.win_rates(),
            LiveGraphics::Variation => summary.variation(),
            LiveGraphics::Ownership => {
                let mut gfx = Gfx::default();
                let cells = summary.codec.shown().cells_shown();
                let points = cells.filter(|(_, cell)| matches!(cell, DisplayCell::Point(_)));
                gfx.influence(points.map(|(vertex, _)| (vertex, summary.owner(vertex))));
                gfx.text(&summary.summary());
                gfx.finish()
            }
        };
        format!("{}\n{drawing}", board_graphics(game, &summary.codec))
    }
}

impl SearchObserver for GraphicsObserver {
    fn on_progress(&mut self, game: &AnyGame, progress: &dyn SearchProgress) -> bool {
        let now = self.started.elapsed();
        if self.graphics != LiveGraphics::Off && self.due.is_due(now) {
            self.due.done(now);
            self.summary.update(game, progress);
            process::print_stderr(&format!("gogui-gfx:\n{}\n\n", self.draw(game)));
        }
        false
    }

    fn on_finish(&mut self, game: &AnyGame, _: &Choice, progress: Option<&dyn SearchProgress>) {
        if let Some(progress) = progress {
            self.summary.update(game, progress);
        }
    }
}
