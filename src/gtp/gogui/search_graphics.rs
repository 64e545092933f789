//! Drawings and texts of search results, during a search and at its end.

use super::board_graphics::board_graphics;
use super::gfx::Gfx;
use crate::board::Color;
use crate::encoding::{ColoredMove, DisplayCell, Vertex, VertexCodec};
use crate::gtp::analyze::GtpClient;
use crate::gtp::search_runner::{self, SearchObserver};
use crate::gtp::{Session, process};
use crate::playing::analysis_report::{AnalysisReport, MoveInfo, ReportOptions, RootInfo, Values};
use crate::playing::{LiveGraphics, Ticker};
use crate::rules::Game;
use crate::search::{Choice, PlayoutPreview, SearchProgress, SearchReport};
use std::time::{Duration, Instant};

#[derive(Debug)]
pub struct SearchSummary {
    report: AnalysisReport<ColoredMove>,
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

    /// The summary without a search.
    fn new(codec: VertexCodec, game: &Game, color: Color) -> SearchSummary {
        let report = report(&codec, game, color, &SearchReport::default(), None);
        SearchSummary { report, codec, color }
    }

    fn update(&mut self, game: &Game, progress: &dyn SearchProgress) {
        let found = progress.report();
        self.report = report(&self.codec, game, self.color, &found, Some(progress));
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
        let infos = self.report.move_infos.iter();
        let enough = infos.clone().map(|info| info.visits).max().unwrap_or(0) / 50;
        let moves = infos.filter(|info| info.visits > enough);
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
        if let Some(best) = self.report.move_infos.first() {
            gfx.variation(&best.pv);
        }
        gfx.text(&self.summary());
        gfx.finish()
    }

    fn summary(&self) -> String {
        let Some(best) = self.report.move_infos.first() else {
            return "no legal move".to_owned();
        };
        format!(
            "{}: win rate {}%, score {:+.1}, {} of {} visits",
            best.first,
            percent(best.values.winrate),
            best.values.score_lead,
            best.visits,
            self.report.root_info.visits,
        )
    }

    pub fn expectation(&self) -> String {
        let RootInfo { visits, values, .. } = self.report.root_info;
        if visits == 0 {
            return "no legal move".to_owned();
        }
        let Values { winrate, score_lead, score_stdev, .. } = values;
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
        self.codec.display().square_rows(" ", |vertex| format!("{:.2}", self.owner(vertex)))
    }

    fn owner(&self, vertex: Vertex) -> f32 {
        let sign = if self.color == Color::Black { 1.0 } else { -1.0 };
        let display = self.codec.display();
        let owners = self.report.ownership.ownership.as_ref();
        let owner = owners.and_then(|owners| owners.get(display.number(vertex)?));
        owner.map_or(0.0, |owner| sign * owner + 0.0)
    }
}

fn report(
    codec: &VertexCodec,
    game: &Game,
    color: Color,
    report: &SearchReport,
    progress: Option<&dyn SearchProgress>,
) -> AnalysisReport<ColoredMove> {
    let options = ReportOptions { ownership: true, ..ReportOptions::default() };
    AnalysisReport::new(&GtpClient { codec, game, color }, &options, report, progress)
}

fn percent(share: f32) -> u64 {
    (100.0 * share.clamp(0.0, 1.0)).round() as u64
}

/// Draws the first moves of one playout and the owner of each point at its end.
pub fn playout(session: &mut Session) -> String {
    const SHOWN: usize = 30;
    let (codec, seed) = (session.codec(), session.seed());
    let (_, game, _) = session.search_parts();
    let preview = PlayoutPreview::new(&game, seed.wrapping_add(game.turns().len() as u64));
    let mut gfx = Gfx::default();
    let vertex = |side| {
        let points = codec.display().cells_shown().filter_map(|(vertex, cell)| match cell {
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
    gfx.variation(&codec.encode_variation(&game, game.to_move(), shown));
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
            summary: SearchSummary::new(session.codec(), session.game(), color),
        }
    }

    fn draw(&self, game: &Game) -> String {
        let summary = &self.summary;
        let drawing = match self.graphics {
            LiveGraphics::Off => String::new(),
            LiveGraphics::Moves => summary.win_rates(),
            LiveGraphics::Variation => summary.variation(),
            LiveGraphics::Ownership => {
                let mut gfx = Gfx::default();
                let cells = summary.codec.display().cells_shown();
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
    fn on_progress(&mut self, game: &Game, progress: &dyn SearchProgress) -> bool {
        let now = self.started.elapsed();
        if self.graphics != LiveGraphics::Off && self.due.is_due(now) {
            self.due.done(now);
            self.summary.update(game, progress);
            process::print_stderr(&format!("gogui-gfx:\n{}\n\n", self.draw(game)));
        }
        false
    }

    fn on_finish(&mut self, game: &Game, _: &Choice, progress: Option<&dyn SearchProgress>) {
        if let Some(progress) = progress {
            self.summary.update(game, progress);
        }
    }
}
