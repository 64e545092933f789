//! Plots of losses and Elo over the generations.

use super::history::Generation;
use crate::arena::plot::{self, Axes, DataPoint, Mark, Series};
use crate::arena::stats::{Interval, Pairs};
use crate::cli::{CliResult, Error};
use crate::files::{self, Replace};
use std::path::Path;

type Number = fn(&Generation) -> f64;

/// Shows only nets that passed.
const ELO: &str = "elo.svg";

/// File, label and number.
const PLOTS: [(&str, &str, Number); 3] = [
    (ELO, "Elo against the first net", |line| line.elo),
    ("policy-loss.svg", "loss of the policy", |line| line.policy_loss),
    ("result-loss.svg", "loss of the result", |line| line.result_loss),
];

/// Plots without points are left out.
pub fn draw(folder: &Path, history: &[Generation]) -> CliResult {
    for (name, label, value) in PLOTS {
        let shown = history.iter().filter(|line| name != ELO || line.passed);
        let points: Vec<DataPoint> = shown.map(|line| point(line, name, value)).collect();
        if !points.is_empty() {
            draw_plot(&folder.join(name), label, points)?;
        }
    }
    Ok(())
}

/// Elo has the interval of its gate.
fn point(line: &Generation, name: &str, value: Number) -> DataPoint {
    let y = value(line);
    let gate = line.gate.filter(|_| name == ELO).map(Pairs::from);
    let interval = gate.and_then(|pairs| pairs.elo_interval());
    let error = interval.map_or(0.0, |interval| interval.error().min(400.0));
    DataPoint {
        x: f64::from(line.generation),
        y,
        interval: Interval { low: y - error, high: y + error },
    }
}

fn draw_plot(path: &Path, label: &str, points: Vec<DataPoint>) -> CliResult {
    let all = || points.iter().flat_map(|p| [p.interval.low, p.interval.high]);
    let (low, high) = (all().fold(f64::MAX, f64::min), all().fold(f64::MIN, f64::max));
    let margin = ((high - low) * 0.05).max(0.01);
    let axes = Axes {
        title: "",
        x: "generation",
        y: label,
        xs: -0.5..points.last().map_or(0.0, |point| point.x) + 0.5,
        ys: low - margin..high + margin,
    };
    let line = points.iter().map(|point| DataPoint::exact(point.x, point.y));
    let series = [
        Series { name: "nets in turn", mark: Mark::Dashes, points: line.collect() },
        Series { name: label, mark: Mark::Dots, points },
    ];
    let svg = plot::draw(&axes, &series).map_err(Error::Failure)?;
    let written = files::write(path, svg.as_bytes(), Replace::Containing("<svg"));
    written.map_err(Error::in_file(path))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_history_of_refused_nets_has_no_plot_of_elo() {
        let line = r#"{"generation":0,"games":450,"samples":198540,"policy_loss":0.3,
            "result_loss":0.4,"ownership_loss":0.3,"gate":[4,0,13,0,0],"passed":false,
            "elo":-83.3,"reference":null,"seconds":{"play":1,"fit":1,"gate":1}}"#;
        let refused: Generation = serde_json::from_str(line).expect("a generation");
        let folder = tempfile::tempdir().expect("a folder");
        draw(folder.path(), std::slice::from_ref(&refused)).expect("plots");
        let has = |name: &str| folder.path().join(name).exists();
        assert!(!has(ELO) && has("policy-loss.svg"));
    }
}
