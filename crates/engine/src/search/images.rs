//! Mirror images at the root. Where the position is symmetric, the search makes only one of the
//! steps that are images of each other, and the report gives all of them its numbers (as
//! `isSymmetryOf` of KataGo).

use super::report::{PointOwnership, StepReport};
use crate::board::{Color, Point, PointMap};
use crate::rules::{Game, Step, StepSet};

/// The legal steps that are images of other ones.
#[derive(Debug, Default)]
pub(super) struct MirrorImages {
    /// The symmetries of the position: the image of each point.
    maps: Vec<PointMap<Point>>,
    images: Vec<Image>,
    left_out: StepSet,
}

#[derive(Clone, Copy, Debug)]
struct Image {
    step: Step,
    original: Step,
    /// The number of the symmetry that makes the step of the original.
    map: usize,
}

impl MirrorImages {
    /// The images among the legal steps of `color`. The original is the one nearest to the upper
    /// right, where people begin.
    pub(super) fn new(game: &Game, color: Color, maps: Vec<PointMap<Point>>) -> MirrorImages {
        if maps.is_empty() {
            return MirrorImages::default();
        }
        let mut steps = game.steps(color);
        steps.retain(|&step| game.check_next_step(color, step).is_ok());
        let legal: StepSet = steps.iter().copied().collect();
        let corner = |step: &Step| {
            let (column, row) = game.grid().coordinates(step.point()?);
            Some((u16::from(column) + u16::from(row), column))
        };
        steps.sort_by_key(|step| std::cmp::Reverse(corner(step)));
        let mut images: Vec<Image> = Vec::new();
        for &original in &steps {
            if images.iter().any(|image| image.step == original) {
                continue;
            }
            for (map, of) in maps.iter().enumerate() {
                let step = image_of_step(original, of);
                let is_new = images.iter().all(|image| image.step != step);
                if step != original && is_new && legal.contains(step) {
                    images.push(Image { step, original, map });
                }
            }
        }
        let left_out = images.iter().map(|image| image.step).collect();
        MirrorImages { maps, images, left_out }
    }

    pub(super) fn is_empty(&self) -> bool {
        self.images.is_empty()
    }

    /// Whether the search leaves a step out, for it is an image of another one.
    pub(super) fn leave_out(&self, step: Step) -> bool {
        self.left_out.contains(step)
    }

    fn image(&self, step: Step) -> Option<(Image, &PointMap<Point>)> {
        let image = *self.images.iter().find(|image| image.step == step)?;
        Some((image, self.maps.get(image.map)?))
    }

    /// The step that the search makes instead of this one.
    pub(super) fn original(&self, step: Step) -> Step {
        self.image(step).map_or(step, |(image, _)| image.original)
    }

    /// Adds the images of reported steps. The prior of each step is its own.
    pub(super) fn add_to(&self, reports: &mut Vec<StepReport>, prior: impl Fn(Step) -> f32) {
        let images = self.images.iter().filter_map(|image| {
            let original = reports.iter().find(|report| report.step == image.original)?;
            let map = self.maps.get(image.map)?;
            Some(StepReport {
                step: image.step,
                prior: prior(image.step),
                pv: original.pv.iter().map(|&step| image_of_step(step, map)).collect(),
                image_of: Some(image.original),
                ..original.clone()
            })
        });
        let images: Vec<_> = images.collect();
        reports.extend(images);
    }

    /// Ownership after a step, from that after its original.
    pub(super) fn moved_ownership(&self, step: Step, owned: &mut [PointOwnership]) {
        let Some((_, map)) = self.image(step) else {
            return;
        };
        let mut numbers = PointMap::filled(0usize);
        for (number, of) in owned.iter().enumerate() {
            numbers[of.point] = number;
        }
        let before = owned.to_vec();
        for from in before {
            let to = map[from.point];
            if let Some(of) = owned.get_mut(numbers[to]) {
                *of = PointOwnership { point: to, ..from };
            }
        }
    }

    /// Makes ownership as symmetric as the position: each point has the mean of its images.
    pub(super) fn make_symmetric(&self, owned: &mut [PointOwnership]) {
        if self.is_empty() {
            return;
        }
        let mut means = PointMap::filled(0.0);
        for of in owned.iter() {
            means[of.point] = of.mean;
        }
        for of in owned {
            let sum: f32 = self.maps.iter().map(|map| means[map[of.point]]).sum();
            of.mean = (of.mean + sum) / (1 + self.maps.len()) as f32;
            of.stdev = (1.0 - of.mean * of.mean).max(0.0).sqrt();
        }
    }
}

fn image_of_step(step: Step, map: &PointMap<Point>) -> Step {
    moved_by(step, &|point| map[point])
}

fn moved_by(step: Step, image: &dyn Fn(Point) -> Point) -> Step {
    step.point().map_or(step, |point| Step::new(step.kind(), image(point)))
}

#[cfg(test)]
mod tests {
    use super::moved_by;
    use crate::board::{Color, Point, Symmetry};
    use crate::rules::{Game, Step, Turn};
    use crate::search::tests::{pondered, setup, stone, task};
    use crate::search::{SearchParams, SearchReport, Searcher, Task};
    use std::collections::HashMap;

    fn analysed(game: &Game) -> (SearchReport, Vec<f32>) {
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let task = Task { move_ownership: true, ..task(game.to_move(), 100, 1) };
        pondered(&mut searcher, game, &task, |progress| {
            for step in &progress.report().steps {
                let after = |step| {
                    let owned = progress.ownership_after(step).into_iter();
                    owned.map(|of| (of.point, of.mean)).collect::<HashMap<Point, f32>>()
                };
                let (image, original) = (step.step, step.image_of.unwrap_or(step.step));
                let (owned, moved) = (after(original), after(image));
                assert_eq!(moved.len(), progress.ownership().len());
                let is_moved = |symmetry: &Symmetry| {
                    let to = |point| game.grid().image(point, *symmetry);
                    moved_by(original, &to) == image
                        && owned.iter().all(|(&point, mean)| moved.get(&to(point)) == Some(mean))
                };
                assert!(game.grid().symmetries(false).iter().any(is_moved), "{image:?}");
            }
            let owned = progress.ownership().into_iter().map(|of| of.mean);
            (progress.report(), owned.collect())
        })
    }

    /// All images of a step have the same numbers, and the principal variations are images too.
    #[test]
    fn steps_of_symmetric_positions_have_equal_numbers() {
        for (id, turns) in
            [("go", &[][..]), ("go", &["E5"]), ("sygo", &[]), ("tao", &[]), ("stoical", &["D5"])]
        {
            let mut game = Game::new(&setup(id, 9, 9)).expect("a game");
            for vertex in turns {
                let turn = stone(&game, vertex);
                game.play(game.to_move(), &turn).expect("legal");
            }
            let (report, owned) = analysed(&game);
            let steps: HashMap<Step, _> = report.steps.iter().map(|of| (of.step, of)).collect();
            let grid = game.grid();
            let cells_stay = |symmetry: &Symmetry| {
                grid.points().all(|at| game.cell(at) == game.cell(grid.image(at, *symmetry)))
            };
            let symmetries: Vec<_> =
                grid.symmetries(false).into_iter().filter(cells_stay).collect();
            assert!(symmetries.len() >= 2, "{id} {turns:?}");
            let mut compared = 0;
            for report in &report.steps {
                for &symmetry in &symmetries {
                    let other = steps
                        .get(&moved_by(report.step, &|point| grid.image(point, symmetry)))
                        .expect("reported");
                    assert_eq!((report.visits, report.margin), (other.visits, other.margin));
                    compared += usize::from(other.step != report.step);
                }
                let is_first_step = report.pv.first() == Some(&report.step);
                assert!(is_first_step, "{id} {turns:?}");
            }
            assert!(compared >= 4, "{id} {turns:?}: {compared}");
            let points: Vec<_> = game.position().board.ownable_points().collect();
            let owner: HashMap<_, _> = points.iter().zip(&owned).collect();
            for &symmetry in &symmetries {
                for point in &points {
                    let there = owner[&grid.image(*point, symmetry)];
                    assert!((owner[point] - there).abs() < 1e-4, "{id} {turns:?}");
                }
            }
        }
    }

    #[test]
    fn other_positions_and_tasks_have_no_images() {
        let mut corner = Game::new(&setup("go", 9, 9)).expect("a game");
        let turn = Turn::stone(corner.grid().point(2, 3).expect("a point"));
        corner.play(Color::Black, &turn).expect("legal");
        let (report, _) = analysed(&corner);
        assert!(report.steps.iter().all(|step| step.image_of.is_none()));
        let mut limited = Task { playouts: Some(50), ..Task::new(Color::Black) };
        limited.root_noise = true;
        let empty = Game::new(&setup("go", 9, 9)).expect("a game");
        let mut searcher = Searcher::new(SearchParams::default(), 16, 1);
        let report = pondered(&mut searcher, &empty, &limited, |progress| progress.report());
        assert!(report.steps.iter().all(|step| step.image_of.is_none()));
    }
}
