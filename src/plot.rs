//! Plots as SVG. Every number in a plot is also in a table.

use crate::stats::Interval;
use std::fmt::Write;
use std::ops::Range;

#[derive(Clone, Debug)]
pub struct Axes<'a> {
    pub title: &'a str,
    pub x: &'a str,
    pub y: &'a str,
    pub xs: Range<f64>,
    pub ys: Range<f64>,
}

#[derive(Clone, Copy, Debug, PartialEq)]
pub struct DataPoint {
    pub x: f64,
    pub y: f64,
    pub interval: Interval,
}

impl DataPoint {
    pub fn exact(x: f64, y: f64) -> DataPoint {
        let interval = Interval { low: y, high: y };
        DataPoint { x, y, interval }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Mark {
    /// Each dot has a bar for its interval.
    Dots,
    /// The line runs in a band of the intervals.
    Line,
    Dashes,
}

#[derive(Clone, Debug)]
pub struct Series<'a> {
    pub name: &'a str,
    pub mark: Mark,
    /// Points are sorted by x.
    pub points: Vec<DataPoint>,
}

/// In pixels.
const SIZE: (f64, f64) = (760.0, 400.0);

/// Left, upper, right and lower, in pixels.
const MARGINS: [f64; 4] = [64.0, 40.0, 16.0, 48.0];

const TICKS: f64 = 10.0;

/// Readable on white and on black.
const COLORS: [&str; 6] = ["#3b7dd8", "#d8553b", "#3a9a5b", "#a45fc4", "#b5851f", "#2a9d9d"];

/// Follows the colour scheme of the browser.
const STYLE: &str = "<style>.plot{background:#fff;color:#222;font:13px sans-serif}\
    .plot text{fill:currentColor}\
    @media(prefers-color-scheme:dark){.plot{background:#1b1b1b;color:#ddd}}</style>";

pub fn draw(axes: &Axes<'_>, series: &[Series<'_>]) -> Result<String, String> {
    for range in [&axes.xs, &axes.ys] {
        let is_finite = range.start.is_finite() && range.end.is_finite();
        if !is_finite || range.is_empty() || !(range.end - range.start).is_finite() {
            return Err(format!("cannot draw the plot: the range {range:?} is empty"));
        }
    }
    let mut canvas = Canvas::new(axes);
    canvas.axes();
    // The inner element clips what lies outside.
    let ([x, y, ..], width, height) = (MARGINS, canvas.width, canvas.height);
    canvas.element(format_args!(
        "<svg x='{x}' y='{y}' width='{width}' height='{height}' viewBox='{x} {y} {width} {height}'>"
    ));
    for (series, color) in series.iter().zip(COLORS.into_iter().cycle()) {
        canvas.series(series, color);
    }
    canvas.element(format_args!("</svg>"));
    canvas.legend(series);
    canvas.element(format_args!("</svg>"));
    Ok(canvas.svg)
}

struct Canvas<'a> {
    axes: &'a Axes<'a>,
    width: f64,
    height: f64,
    svg: String,
}

impl Canvas<'_> {
    fn new<'a>(axes: &'a Axes<'a>) -> Canvas<'a> {
        let [left, upper, right, lower] = MARGINS;
        let (width, height) = SIZE;
        Canvas {
            axes,
            width: width - left - right,
            height: height - upper - lower,
            svg: format!(
                "<svg class='plot' xmlns='http://www.w3.org/2000/svg' role='img' aria-label='{}' \
                width='{width}' height='{height}' viewBox='0 0 {width} {height}'>\n{STYLE}\n",
                escaped(axes.title)
            ),
        }
    }

    fn element(&mut self, element: std::fmt::Arguments<'_>) {
        let _ = writeln!(self.svg, "{element}");
    }

    fn text(&mut self, (x, y): (f64, f64), attributes: &str, text: &str) {
        let text = escaped(text);
        self.element(format_args!("<text x='{x:.1}' y='{y:.1}' {attributes}>{text}</text>"));
    }

    fn place_x(&self, x: f64) -> f64 {
        let Range { start, end } = self.axes.xs;
        MARGINS[0] + self.width * (x - start) / (end - start)
    }

    fn place_y(&self, y: f64) -> f64 {
        let Range { start, end } = self.axes.ys;
        MARGINS[1] + self.height * (end - y) / (end - start)
    }

    fn axes(&mut self) {
        let (left, upper) = (MARGINS[0], MARGINS[1]);
        let (right, lower) = (left + self.width, upper + self.height);
        let grid = "stroke='currentColor' stroke-opacity='.15'";
        for (x, number) in ticks(&self.axes.xs) {
            let x = self.place_x(x);
            self.element(format_args!("<path d='M{x:.1} {upper:.1}V{lower:.1}' {grid}/>"));
            self.text((x, lower + 17.0), "text-anchor='middle'", &number);
        }
        for (y, number) in ticks(&self.axes.ys) {
            let y = self.place_y(y);
            self.element(format_args!("<path d='M{left:.1} {y:.1}H{right:.1}' {grid}/>"));
            self.text((left - 7.0, y + 4.5), "text-anchor='end'", &number);
        }
        self.element(format_args!(
            "<path d='M{left:.1} {upper:.1}V{lower:.1}H{right:.1}' fill='none' stroke='currentColor'/>"
        ));
        let (middle, centre) = ((left + right) / 2.0, (upper + lower) / 2.0);
        let axes = self.axes;
        let title = "text-anchor='middle' font-size='16'";
        self.text((middle, 24.0), title, axes.title);
        self.text((middle, lower + 38.0), "text-anchor='middle'", axes.x);
        let upright = format!("text-anchor='middle' transform='rotate(-90 16 {centre:.1})'");
        self.text((16.0, centre), &upright, axes.y);
    }

    fn series(&mut self, series: &Series<'_>, color: &str) {
        let at = |canvas: &Self, x, y| format!("{:.1} {:.1}", canvas.place_x(x), canvas.place_y(y));
        let points = series.points.iter().filter(|point| point.is_finite());
        let middle: Vec<_> = points.clone().map(|p| at(self, p.x, p.y)).collect();
        let above = points.clone().map(|p| at(self, p.x, p.interval.high));
        let below = points.clone().map(|p| at(self, p.x, p.interval.low));
        let bounds: Vec<(String, String)> = above.zip(below).collect();
        let line = middle.join("L");
        match series.mark {
            Mark::Dots => {
                for (high, low) in bounds.iter().filter(|(high, low)| high != low) {
                    self.element(format_args!(
                        "<path class='interval' d='M{high}L{low}' stroke='{color}' stroke-width='1.5'/>"
                    ));
                }
                for point in points {
                    let (x, y) = (self.place_x(point.x), self.place_y(point.y));
                    self.element(format_args!(
                        "<circle cx='{x:.1}' cy='{y:.1}' r='3.5' fill='{color}'/>"
                    ));
                }
            }
            Mark::Line if !middle.is_empty() => {
                let (mut outline, mut back): (Vec<_>, Vec<_>) = bounds.into_iter().unzip();
                back.reverse();
                outline.append(&mut back);
                let outline = outline.join("L");
                self.element(format_args!(
                    "<path class='interval' d='M{outline}Z' fill='{color}' fill-opacity='.15'/>\
                    <path d='M{line}' fill='none' stroke='{color}' stroke-width='2'/>"
                ));
            }
            Mark::Dashes if !middle.is_empty() => self.element(format_args!(
                "<path d='M{line}' fill='none' stroke='{color}' stroke-width='1.5' stroke-dasharray='6 4'/>"
            )),
            Mark::Line | Mark::Dashes => {}
        }
    }

    fn legend(&mut self, series: &[Series<'_>]) {
        let right = MARGINS[0] + self.width - 8.0;
        let colors = COLORS.into_iter().cycle();
        for ((number, series), color) in series.iter().enumerate().zip(colors) {
            let y = MARGINS[1] + 18.0 + 18.0 * number as f64;
            self.element(format_args!(
                "<circle cx='{right:.1}' cy='{:.1}' r='4.5' fill='{color}'/>",
                y - 4.5
            ));
            self.text((right - 10.0, y), "text-anchor='end'", series.name);
        }
    }
}

impl DataPoint {
    fn is_finite(&self) -> bool {
        let Interval { low, high } = self.interval;
        [self.x, self.y, low, high].iter().all(|n| n.is_finite())
    }
}

/// Multiples of 1, 2 or 5 times a power of ten, with their texts.
fn ticks(range: &Range<f64>) -> Vec<(f64, String)> {
    let least = (range.end - range.start) / TICKS;
    let power = 10f64.powf(least.log10().floor());
    let steps = [1.0, 2.0, 5.0].map(|factor| factor * power);
    let step = steps.into_iter().find(|&step| step >= least).unwrap_or(10.0 * power);
    let decimals = (-step.log10().floor()).clamp(0.0, 9.0) as usize;
    let first = (range.start / step).ceil();
    (0..=TICKS as u32)
        .map(|number| (first + f64::from(number)) * step)
        .take_while(|&at| at <= range.end + step * 1e-9)
        // Adding 0 turns -0 into 0.
        .map(|at| (at, format!("{:.decimals$}", at + 0.0)))
        .collect()
}

/// Escapes characters with a meaning in HTML and SVG.
pub fn escaped(text: &str) -> String {
    let mut escaped = String::with_capacity(text.len());
    for letter in text.chars() {
        match letter {
            '&' => escaped.push_str("&amp;"),
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '"' => escaped.push_str("&quot;"),
            '\'' => escaped.push_str("&#39;"),
            letter => escaped.push(letter),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;

    fn axes(ys: Range<f64>) -> Axes<'static> {
        Axes { title: "wins & komi", x: "komi", y: "part", xs: -1.0..8.0, ys }
    }

    #[test]
    fn a_range_must_hold_numbers() {
        assert!(draw(&axes(0.0..1.0), &[]).is_ok());
        for ys in [1.0..1.0, 1.0..0.0, f64::MIN..f64::MAX, 0.0..f64::INFINITY, f64::NAN..1.0] {
            assert!(draw(&axes(ys.clone()), &[]).is_err(), "{ys:?}");
        }
    }

    #[test]
    fn ticks_are_round_numbers_within_the_range() {
        let texts =
            |range| -> Vec<String> { ticks(&range).into_iter().map(|(_, text)| text).collect() };
        assert_eq!(texts(0.0..1.0).join(" "), "0.0 0.1 0.2 0.3 0.4 0.5 0.6 0.7 0.8 0.9 1.0");
        assert_eq!(texts(-1.2..7.5), ["-1", "0", "1", "2", "3", "4", "5", "6", "7"]);
        assert_eq!(texts(0.0..300.0), ["0", "50", "100", "150", "200", "250", "300"]);
        assert_eq!(
            texts(-0.03..0.001),
            ["-0.030", "-0.025", "-0.020", "-0.015", "-0.010", "-0.005", "0.000"]
        );
        for range in [1e9..1e9 + 1e-3, 1e-300..2e-300, -1e300..1e300] {
            assert!(ticks(&range).len() <= 11, "{range:?}");
        }
    }

    #[test]
    fn plots_hold_their_elements() {
        let measured = |x, y| DataPoint {
            interval: Interval { low: y - 0.1, high: y + 0.1 },
            ..DataPoint::exact(x, y)
        };
        let points: Vec<_> = (0..7).map(|x| measured(f64::from(x), 0.5)).collect();
        let series =
            |name, mark, points: &[DataPoint]| Series { name, mark, points: points.to_vec() };
        let broken = [measured(0.0, f64::NAN)];
        let plot = draw(
            &axes(0.0..1.0),
            &[
                series("<dots>", Mark::Dots, &points),
                series("line", Mark::Line, &points),
                series("level", Mark::Dashes, &points),
                series("none", Mark::Line, &[]),
                series("broken", Mark::Dots, &broken),
            ],
        )
        .expect("a plot");
        assert_eq!(plot.matches("<circle").count(), 7 + 5, "dots and legend");
        assert_eq!(plot.matches("class='interval'").count(), 7 + 1, "bars and a band");
        for text in ["wins &amp; komi", ">komi<", ">part<", "&lt;dots&gt;", "stroke-dasharray"] {
            assert!(plot.contains(text), "{text}");
        }
        assert!(!plot.contains("NaN"));
    }
}
