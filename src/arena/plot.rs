//! Plots as SVG. Every number in a plot is also in a table.

use super::stats::Interval;
use plotters::chart::{ChartBuilder, ChartContext};
use plotters::coord::Shift;
use plotters::coord::cartesian::Cartesian2d;
use plotters::coord::types::RangedCoordf64;
use plotters::element::{Circle, ErrorBar, Rectangle};
use plotters::prelude::{BLACK, Color, DrawingArea, IntoDrawingArea, RGBColor, SVGBackend, WHITE};
use plotters::series::{DashedLineSeries, LineSeries};
use plotters::style::ShapeStyle;
use std::ops::Range;

/// Why a plot cannot be drawn.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[error("cannot draw the plot: {0}")]
pub struct PlotError(String);

/// The axes of a plot.
#[derive(Clone, Debug)]
pub struct Axes<'a> {
    /// The title.
    pub title: &'a str,
    /// The label of the x axis.
    pub x: &'a str,
    /// The label of the y axis.
    pub y: &'a str,
    /// The range of x.
    pub xs: Range<f64>,
    /// The range of y.
    pub ys: Range<f64>,
}

/// Width and height of a plot in pixels.
const SIZE: (u32, u32) = (760, 380);

/// The colours: dark blue for data, red for reference lines.
const BLUE: RGBColor = RGBColor(31, 73, 125);
const RED: RGBColor = RGBColor(180, 50, 40);

type Canvas<'a> = SVGBackend<'a>;
type Chart<'a, 'b> = ChartContext<'a, Canvas<'b>, Cartesian2d<RangedCoordf64, RangedCoordf64>>;

/// A data point with the confidence interval of y.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    /// x.
    pub x: f64,
    /// y.
    pub y: f64,
    /// The interval of y.
    pub interval: Interval,
}

/// Plots points with error bars, and a reference curve.
///
/// # Errors
/// [`PlotError`], for instance with an empty range.
pub fn points(
    axes: &Axes<'_>,
    points: &[DataPoint],
    curve: &[(f64, f64)],
) -> Result<String, PlotError> {
    draw(axes, |chart| {
        chart.draw_series(LineSeries::new(curve.iter().copied(), RED.stroke_width(2)))?;
        let bars = points.iter().map(|point| {
            let Interval { low, high } = point.interval;
            ErrorBar::new_vertical(point.x, low, point.y, high, BLUE.filled(), 8)
        });
        chart.draw_series(bars)?;
        let dots = points
            .iter()
            .map(|point| Circle::new((point.x, point.y), 3, BLUE.filled()));
        chart.draw_series(dots)?;
        Ok(())
    })
}

/// Plots a line with its confidence band, and a reference level.
///
/// # Errors
/// [`PlotError`].
pub fn band(axes: &Axes<'_>, line: &[DataPoint], level: f64) -> Result<String, PlotError> {
    let xs = axes.xs.clone();
    draw(axes, |chart| {
        let above = line.iter().map(|point| (point.x, point.interval.high));
        let below = line.iter().rev().map(|point| (point.x, point.interval.low));
        let outline: Vec<_> = above.chain(below).collect();
        let shade = BLUE.mix(0.15).filled();
        chart.draw_series([plotters::element::Polygon::new(outline, shade)])?;
        let middle = [(xs.start, level), (xs.end, level)];
        let dashes: ShapeStyle = RED.stroke_width(1);
        chart.draw_series(DashedLineSeries::new(middle, 5, 5, dashes))?;
        let path = line.iter().map(|point| (point.x, point.y));
        chart.draw_series(LineSeries::new(path, BLUE.stroke_width(2)))?;
        Ok(())
    })
}

/// Plots bars: the range of x and the height of each.
///
/// # Errors
/// [`PlotError`].
pub fn bars(axes: &Axes<'_>, bars: &[(Range<f64>, f64)]) -> Result<String, PlotError> {
    draw(axes, |chart| {
        let bars = bars.iter().map(|(span, height)| {
            let mut bar = Rectangle::new(
                [(span.start, 0.0), (span.end, *height)],
                BLUE.mix(0.8).filled(),
            );
            bar.set_margin(0, 0, 1, 1);
            bar
        });
        chart.draw_series(bars)?;
        Ok(())
    })
}

type Drawn = Result<(), Box<dyn std::error::Error>>;

fn draw(
    axes: &Axes<'_>,
    content: impl FnOnce(&mut Chart<'_, '_>) -> Drawn,
) -> Result<String, PlotError> {
    for range in [&axes.xs, &axes.ys] {
        let is_finite = range.start.is_finite() && range.end.is_finite();
        // The crate would look for ticks for ever.
        if !is_finite || range.is_empty() {
            return Err(PlotError(format!("the range {range:?} is empty")));
        }
    }
    let mut svg = String::new();
    let area = SVGBackend::with_string(&mut svg, SIZE).into_drawing_area();
    let drawn = on(&area, axes, content).and_then(|()| Ok(area.present()?));
    drop(area);
    match drawn {
        Ok(()) => Ok(svg),
        Err(error) => Err(PlotError(error.to_string())),
    }
}

fn on(
    area: &DrawingArea<Canvas<'_>, Shift>,
    axes: &Axes<'_>,
    content: impl FnOnce(&mut Chart<'_, '_>) -> Drawn,
) -> Drawn {
    area.fill(&WHITE)?;
    let mut chart = ChartBuilder::on(area)
        .caption(axes.title, ("sans-serif", 18))
        .margin(12)
        .x_label_area_size(42)
        .y_label_area_size(56)
        .build_cartesian_2d(axes.xs.clone(), axes.ys.clone())?;
    chart
        .configure_mesh()
        .x_desc(axes.x)
        .y_desc(axes.y)
        .light_line_style(BLACK.mix(0.05))
        .bold_line_style(BLACK.mix(0.12))
        .draw()?;
    content(&mut chart)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_range_must_hold_numbers() {
        let on = |ys: Range<f64>| {
            let axes = Axes {
                title: "",
                x: "x",
                y: "y",
                xs: 0.0..1.0,
                ys,
            };
            points(&axes, &[], &[])
        };
        assert!(on(0.0..1.0).is_ok());
        for ys in [
            1.0..1.0,
            f64::MAX..f64::MIN,
            0.0..f64::INFINITY,
            f64::NAN..1.0,
        ] {
            assert!(on(ys.clone()).is_err(), "{ys:?}");
        }
    }

    #[test]
    fn plots_hold_their_elements() {
        let axes = Axes {
            title: "wins & komi",
            x: "komi",
            y: "part",
            xs: -1.0..8.0,
            ys: 0.0..1.0,
        };
        let interval = Interval {
            low: 0.4,
            high: 0.6,
        };
        let measured = |x| DataPoint {
            x,
            y: 0.5,
            interval,
        };
        let line: Vec<_> = (0..7).map(|x| measured(f64::from(x))).collect();
        let svg = points(&axes, &line, &[(0.0, 0.9), (7.0, 0.1)]).expect("a plot");
        assert!(svg.starts_with("<svg") && svg.contains("komi") && svg.contains("wins &amp; komi"));
        assert_eq!(svg.matches("<circle").count(), 7 + 7);
        assert!(
            band(&axes, &line, 0.5)
                .expect("a plot")
                .contains("<polygon")
        );
        let rectangles = |svg: String| svg.matches("<rect").count();
        let none = rectangles(bars(&axes, &[]).expect("a plot"));
        let two = bars(&axes, &[(0.0..1.0, 0.5), (1.0..2.0, 0.2)]).expect("a plot");
        assert_eq!(rectangles(two), none + 2);
    }
}
