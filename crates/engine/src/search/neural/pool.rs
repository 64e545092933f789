//! A pool of workers that evaluate leaves for a search without sharing memory with it, as the
//! workers of a browser. Requests and answers are bytes, which the caller carries.
//!
//! A request has the number of its ticket, the name of a built-in net, a board and all inputs, so a
//! [`PoolWorker`] needs no state but its nets. An answer has the number and the evaluation. An
//! answer with only the number says that the worker has no evaluation; then the search makes its own.

use super::BuiltInNet;
use super::board::{NetBoard, described_frame};
use crate::net::{Evaluation, Frame, Instructions, Net, NetError, Scratch, Shape};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The search's end of a pool.
#[derive(Debug, Default)]
pub struct EvaluationPool(Mutex<Requests>);

#[derive(Debug, Default)]
struct Requests {
    workers: usize,
    is_wanted: bool,
    is_stalled: bool,
    latest: u32,
    unsent: VecDeque<(u32, Vec<u8>)>,
    /// The answers to the tickets.
    answers: BTreeMap<u32, Option<Vec<u8>>>,
}

impl EvaluationPool {
    fn requests(&self) -> MutexGuard<'_, Requests> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Leaves of a worker: one that it evaluates, and the next one, so that it never waits.
    const LEAVES: usize = 2;

    /// Multiplications of an evaluation that a search gives to others. With 6.5 million two
    /// workers of a browser made 0.7 of the visits of one, with 14 million 1.3, with 37 million 1.6.
    pub(in crate::search) const MIN_MULTIPLICATIONS: usize = 10_000_000;

    /// Maximum number of workers.
    pub const MAX_WORKERS: usize = 4;

    /// Maximum number of leaves that wait at once.
    pub(in crate::search) const MAX_ROOM: usize =
        EvaluationPool::LEAVES * EvaluationPool::MAX_WORKERS;

    /// Sets the number of workers, [`MAX_WORKERS`](Self::MAX_WORKERS) at most; without workers the
    /// search evaluates its leaves itself.
    pub fn set_workers(&self, workers: usize) {
        self.requests().workers = workers.min(EvaluationPool::MAX_WORKERS);
    }

    /// The number of evaluations at a time.
    pub(in crate::search) fn workers(&self) -> usize {
        self.requests().workers.max(1)
    }

    /// The number of leaves that may wait at once.
    pub(in crate::search) fn room(&self) -> usize {
        self.requests().workers * EvaluationPool::LEAVES
    }

    /// Whether a search has had a leaf for workers while there were none.
    pub fn is_wanted(&self) -> bool {
        self.requests().is_wanted
    }

    /// The next request to send.
    pub fn next_request(&self) -> Option<Vec<u8>> {
        self.requests().unsent.pop_front().map(|(_, request)| request)
    }

    /// Takes an answer; ignores those that no leaf waits for any more.
    pub fn answer(&self, answer: &[u8]) {
        if let Some((&ticket, evaluation)) = answer.split_first_chunk()
            && let Some(waiting) = self.requests().answers.get_mut(&u32::from_le_bytes(ticket))
        {
            *waiting = Some(evaluation.to_vec());
        }
    }

    /// Whether the search has paused because all its leaves wait; true once for each such pause.
    pub fn take_stall(&self) -> bool {
        std::mem::take(&mut self.requests().is_stalled)
    }

    pub(in crate::search) fn report_stall(&self) {
        self.requests().is_stalled = true;
    }
}

/// The claim to an answer.
#[derive(Debug)]
pub(super) struct Ticket {
    number: u32,
    pool: Arc<EvaluationPool>,
}

impl Ticket {
    /// The answer, once it is there.
    pub(super) fn answer(&self) -> Option<Answer> {
        self.pool.requests().answers.get(&self.number)?.clone().map(Answer)
    }
}

impl Drop for Ticket {
    fn drop(&mut self) {
        let mut requests = self.pool.requests();
        requests.answers.remove(&self.number);
        requests.unsent.retain(|&(number, _)| number != self.number);
    }
}

/// An evaluation in bytes.
pub(super) struct Answer(Vec<u8>);

impl Answer {
    fn new(evaluation: &Evaluation) -> Answer {
        let &Evaluation { result, score_mean, score_log_stdev, .. } = evaluation;
        let lists = [&evaluation.board_policy, &evaluation.point_policy, &evaluation.ownership];
        let head = result.into_iter().chain([score_mean, score_log_stdev]);
        let numbers = head.chain(lists.into_iter().flatten().copied());
        Answer(numbers.flat_map(f32::to_le_bytes).collect())
    }

    /// Reads the evaluation of a board with this number of playable points by a net of this shape;
    /// `None` if there is no evaluation.
    pub(super) fn read(&self, points: usize, shape: &Shape, into: &mut Evaluation) -> Option<()> {
        let (numbers, rest) = self.0.as_chunks();
        let mut numbers = numbers.iter().map(|&number| f32::from_le_bytes(number));
        let lengths = [shape.board_kinds, shape.point_kinds * points, points];
        let count = 5 + lengths.iter().sum::<usize>();
        if !rest.is_empty() || numbers.len() != count {
            return None;
        }
        for number in
            into.result.iter_mut().chain([&mut into.score_mean, &mut into.score_log_stdev])
        {
            *number = numbers.next()?;
        }
        let lists = [&mut into.board_policy, &mut into.point_policy, &mut into.ownership];
        for (list, length) in lists.into_iter().zip(lengths) {
            list.clear();
            list.extend(numbers.by_ref().take(length));
        }
        Some(())
    }
}

/// The requests of an evaluator: a built-in net and a board.
#[derive(Clone, Debug)]
pub(super) struct Asking {
    pool: Arc<EvaluationPool>,
    /// The name, a zero, and the board.
    target: Vec<u8>,
}

impl Asking {
    pub(super) fn new(pool: Arc<EvaluationPool>, net: &str, board: &NetBoard) -> Asking {
        let mut target = net.as_bytes().to_vec();
        target.push(0);
        target.extend(board.description());
        Asking { pool, target }
    }

    /// Asks for the evaluation of these inputs; `None` if the pool evaluates nothing now.
    pub(super) fn ask(&self, inputs: &Scratch) -> Option<Ticket> {
        let (planes, globals) = inputs.inputs();
        let mut requests = self.pool.requests();
        if requests.workers == 0 {
            requests.is_wanted = true;
            return None;
        }
        requests.latest = requests.latest.wrapping_add(1);
        let number = requests.latest;
        let mut request = number.to_le_bytes().to_vec();
        for length in [self.target.len(), globals.len()] {
            request.extend((length as u16).to_le_bytes());
        }
        request.extend_from_slice(&self.target);
        request.extend(globals.iter().map(|&global| global as u8));
        request.extend_from_slice(planes);
        requests.unsent.push_back((number, request));
        requests.answers.insert(number, None);
        drop(requests);
        Some(Ticket { number, pool: self.pool.clone() })
    }
}

struct Request<'a> {
    ticket: [u8; 4],
    target: &'a [u8],
    globals: &'a [u8],
    planes: &'a [u8],
}

impl<'a> Request<'a> {
    fn read(bytes: &'a [u8]) -> Option<Request<'a>> {
        let (&ticket, rest) = bytes.split_first_chunk()?;
        let (&target_length, rest) = rest.split_first_chunk()?;
        let (&global_count, rest) = rest.split_first_chunk()?;
        let (target, rest) = rest.split_at_checked(u16::from_le_bytes(target_length).into())?;
        let (globals, planes) = rest.split_at_checked(u16::from_le_bytes(global_count).into())?;
        Some(Request { ticket, target, globals, planes })
    }

    /// The name of the net, and the board.
    fn net_and_board(&self) -> Option<(&'a str, &'a [u8])> {
        let mut parts = self.target.splitn(2, |&byte| byte == 0);
        Some((str::from_utf8(parts.next()?).ok()?, parts.next()?))
    }
}

#[derive(Debug, Default)]
pub struct PoolWorker {
    nets: Vec<(&'static str, Arc<Net>)>,
    latest: Option<NetOnBoard>,
    evaluation: Evaluation,
}

/// The net and the board of the latest request.
#[derive(Debug)]
struct NetOnBoard {
    target: Vec<u8>,
    net: Arc<Net>,
    frame: Frame,
    scratch: Scratch,
}

impl PoolWorker {
    /// Loads the file of a built-in net; ignores unknown names.
    ///
    /// # Errors
    /// The file is not a net for its variant.
    pub fn load_net(&mut self, name: &str, file: &[u8]) -> Result<(), NetError> {
        if let Some(net) = BuiltInNet::by_name(name) {
            self.nets.push((net.name, Arc::new(Net::from_bytes(file, net.variant)?)));
        }
        Ok(())
    }

    /// The name of the net of a request if it is not loaded.
    pub fn missing_net<'a>(&self, request: &'a [u8]) -> Option<&'a str> {
        let (name, _) = Request::read(request)?.net_and_board()?;
        self.net(name).is_none().then_some(name)
    }

    fn net(&self, name: &str) -> Option<&Arc<Net>> {
        self.nets.iter().find(|(known, _)| *known == name).map(|(_, net)| net)
    }

    /// The answer to a request; `None` without its net, or if the bytes are not a request.
    pub fn evaluate(&mut self, request: &[u8]) -> Option<Vec<u8>> {
        let request = Request::read(request)?;
        let latest = self.latest.take().filter(|latest| latest.target == request.target);
        let latest = latest.or_else(|| self.prepare(&request))?;
        let NetOnBoard { net, frame, scratch, .. } = self.latest.insert(latest);
        let globals = request.globals.iter().map(|&global| global as i8);
        scratch.set_inputs(request.planes, globals)?;
        net.evaluate(Instructions::best(), frame, scratch, &mut self.evaluation);
        Some([&request.ticket, &*Answer::new(&self.evaluation).0].concat())
    }

    fn prepare(&self, request: &Request<'_>) -> Option<NetOnBoard> {
        let (name, board) = request.net_and_board()?;
        let (net, frame) = (self.net(name)?.clone(), described_frame(board)?);
        let scratch = Scratch::new(net.shape(), &frame);
        Some(NetOnBoard { target: request.target.to_vec(), net, frame, scratch })
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::board::{Color, Point, Random};
    use crate::net::sample::data;
    use crate::rules::{Game, Position, Setup, Size, VariantInfo, variant};
    use crate::search::evaluator::{Evaluator, Leaf, Outcome, Trace};
    use crate::search::neural::{NetEvaluator, shape_for};
    use crate::search::node_pool::TREE_ROOT;
    use crate::search::tree::SearchTree;
    use crate::search::{Search, SearchParams, SearchProgress, Searcher, Signal, Task};

    const NAME: &str = "go";

    fn net(info: &'static VariantInfo) -> Arc<Net> {
        Arc::new(Net::new(data(shape_for(info, 1, 32), &mut Random::new(5))).expect("a net"))
    }

    fn game(id: &str) -> Game {
        let setup = Setup { size: Size::square(6), ..Setup::new(variant(id).expect("a variant")) };
        Game::new(&setup).expect("a game")
    }

    fn worker(net: &Arc<Net>) -> PoolWorker {
        PoolWorker { nets: vec![(NAME, net.clone())], ..PoolWorker::default() }
    }

    fn tree(game: &Game, net: &Arc<Net>, pool: Option<&Arc<EvaluationPool>>) -> SearchTree {
        let (start, params) = (game.position(), SearchParams::default());
        let mut cache = None;
        let mut evaluator = || -> Box<dyn Evaluator> {
            let evaluator = NetEvaluator::new(start, net.clone()).sharing(&mut cache, 1 << 20);
            let evaluator = evaluator.with_symmetries(8, game.info());
            match pool {
                Some(pool) => Box::new(evaluator.asking(pool.clone(), NAME)),
                None => Box::new(evaluator),
            }
        };
        let count = pool.map_or(1, |_| EvaluationPool::MAX_ROOM);
        let evaluators = (0..count).map(|_| evaluator()).collect();
        let tree = SearchTree::new(start, params, 1 << 20, evaluators);
        match pool {
            Some(pool) => tree.asking(pool.clone()),
            None => tree,
        }
    }

    fn pool(workers: usize) -> Arc<EvaluationPool> {
        let pool = Arc::<EvaluationPool>::default();
        pool.set_workers(workers);
        pool
    }

    /// The virtual losses of all nodes.
    fn virtual_losses(tree: &SearchTree, at: u32) -> u32 {
        let below = tree.nodes.children(at).map(|child| virtual_losses(tree, child));
        tree.nodes.node(at).virtual_losses() + below.sum::<u32>()
    }

    #[test]
    fn the_answer_to_a_request_is_the_evaluation() {
        for id in ["go", "tao", "2.5d"] {
            let game = game(id);
            let (net, pool) = (net(game.info()), pool(1));
            let alone = NetEvaluator::new(game.position(), net.clone());
            let mut asking = alone.asking(pool.clone(), NAME);
            let mut alone = NetEvaluator::new(game.position(), net.clone());
            let steps = game.steps(Color::Black);
            let (position, before) = (game.position(), Point::NONE);
            let leaf = Leaf { position, before, steps: &steps, is_root: false };
            assert!(asking.must_wait(leaf) && asking.must_wait(leaf));
            let request = pool.next_request().expect("a request");
            assert_eq!(pool.next_request(), None);
            let mut ignorant = PoolWorker::default();
            assert_eq!(ignorant.missing_net(&request), Some(NAME));
            assert_eq!(ignorant.evaluate(&request), None);
            let mut worker = worker(&net);
            assert_eq!(worker.missing_net(&request), None);
            for length in 0..request.len() {
                assert_eq!(worker.evaluate(&request[..length]), None);
            }
            pool.answer(&worker.evaluate(&request).expect("an answer"));
            assert!(!asking.must_wait(leaf), "{id}");
            let [mut found, mut wanted] = [const { Vec::new() }; 2];
            let outcome = asking.expand(leaf, &mut found, &mut Trace::default());
            assert_eq!(outcome, alone.expand(leaf, &mut wanted, &mut Trace::default()));
            assert_eq!(found, wanted, "{id}");
            assert!(!asking.must_wait(leaf), "the evaluation is known");
        }
    }

    /// Answers in any order; every seventh request is lost, and one answer is damaged.
    #[test]
    fn a_search_with_workers_makes_each_visit_once() {
        for id in ["go", "tao", "2.5d"] {
            const VISITS: u64 = 150;
            let game = game(id);
            let (net, pool, mut random) = (net(game.info()), pool(2), Random::new(1));
            let task = Task { playouts: Some(VISITS), ..Task::new(game.to_move()) };
            let mut tree = tree(&game, &net, Some(&pool));
            tree.set_game(&game, &task);
            let (mut workers, mut sent) = ([worker(&net), worker(&net)], Vec::new());
            let (mut requests, mut counts) = (0, [0_u32; 2]);
            while !tree.run(&task, VISITS, &mut |_| Signal::GoOn) {
                assert!(pool.take_stall() && !pool.take_stall());
                sent.extend(std::iter::from_fn(|| pool.next_request()));
                assert!((1..=4).contains(&sent.len()), "{}", sent.len());
                let request: Vec<u8> = sent.swap_remove(random.below(sent.len() as u32) as usize);
                requests += 1;
                let at = requests % 2;
                let answer = workers[at].evaluate(&request).expect("an answer");
                counts[at] += 1;
                let length = match requests % 7 {
                    0 => 4,
                    1 if requests == 1 => answer.len() - 1,
                    _ => answer.len(),
                };
                pool.answer(&answer[..length]);
            }
            assert!(requests > 100, "{id}: {requests}");
            assert!(counts[0].abs_diff(counts[1]) <= 1, "{counts:?}");
            let root = tree.root();
            assert_eq!(
                (tree.playouts, u64::from(tree.nodes.node(root).visits())),
                (VISITS, VISITS)
            );
            let below: u32 = tree.nodes.children(root).map(|at| tree.nodes.node(at).visits()).sum();
            assert_eq!(u64::from(below), VISITS - 1, "{id}");
            assert_eq!(virtual_losses(&tree, root), 0);
            assert!(pool.requests().answers.is_empty());
        }
    }

    #[test]
    fn an_end_drops_the_leaves_that_wait() {
        let game = game("go");
        let (net, pool) = (net(game.info()), pool(4));
        let task = Task::new(game.to_move());
        let mut tree = tree(&game, &net, Some(&pool));
        tree.set_game(&game, &task);
        assert!(!tree.run(&task, 100, &mut |_| Signal::GoOn));
        // A simulation that meets a leaf that waits takes another way, if there is one.
        let waiting = virtual_losses(&tree, tree.root());
        assert!((9..=16).contains(&waiting), "{waiting}");
        assert!(tree.run(&task, 100, &mut |_| Signal::End));
        assert_eq!((virtual_losses(&tree, tree.root()), tree.playouts), (0, 1));
        assert_eq!(pool.next_request(), None);
        // Neither does a search that was left alone disturb the next one.
        assert!(!tree.run(&task, 100, &mut |_| Signal::GoOn));
        pool.set_workers(0);
        tree.set_game(&game, &task);
        assert!(tree.run(&task, 100, &mut |_| Signal::GoOn));
        assert_eq!((virtual_losses(&tree, tree.root()), tree.playouts), (0, 100));
    }

    /// Waits once for each leaf but the root.
    #[derive(Debug, Default)]
    struct Patient {
        is_waiting: bool,
    }

    impl Evaluator for Patient {
        fn knows_eyes(&self) -> bool {
            true
        }

        fn must_wait(&mut self, leaf: Leaf<'_>) -> bool {
            self.is_waiting = !self.is_waiting && !leaf.is_root;
            self.is_waiting
        }

        fn forget_leaf(&mut self) {
            self.is_waiting = false;
        }

        fn expand(
            &mut self,
            leaf: Leaf<'_>,
            priors: &mut Vec<f32>,
            _: &mut Trace,
        ) -> Option<Outcome> {
            assert!(!self.is_waiting);
            priors.resize(leaf.steps.len(), 1.0);
            Some(Outcome { win: 0.5, margin: 0.0 })
        }

        fn value(&mut self, _: &Position, _: &mut Random, _: &mut Trace) -> Outcome {
            Outcome { win: 0.5, margin: 0.0 }
        }
    }

    #[test]
    fn a_full_tree_is_pruned_while_leaves_wait() {
        const VISITS: u64 = 6000;
        for id in ["go", "tao"] {
            let game = game(id);
            let evaluator = || -> Box<dyn Evaluator> { Box::new(Patient::default()) };
            let evaluators = (0..EvaluationPool::MAX_ROOM).map(|_| evaluator()).collect();
            let params = SearchParams::default();
            let tree = SearchTree::new(game.position(), params, 0, evaluators);
            let (mut tree, task) = (tree.asking(pool(4)), Task::new(game.to_move()));
            tree.set_game(&game, &task);
            while !tree.run(&task, VISITS, &mut |_| Signal::GoOn) {}
            // A visit makes a node and about thirty edges.
            assert!(u64::from(tree.nodes.capacity()) < 30 * VISITS);
            assert_eq!((tree.playouts, virtual_losses(&tree, TREE_ROOT)), (VISITS, 0), "{id}");
        }
    }

    #[test]
    fn a_search_asks_only_for_what_takes_long() {
        for (id, side, is_asked) in [("tao", 9, false), ("tao", 19, true), ("go", 9, true)] {
            let info = variant(id).expect("a variant");
            let setup = Setup { size: Size::square(side), ..Setup::new(info) };
            let game = Game::new(&setup).expect("a game");
            let pool = pool(0);
            let mut searcher = Searcher::new(SearchParams::default(), 1, 1).asking(pool.clone());
            let task = Task { playouts: Some(3), ..Task::new(game.to_move()) };
            searcher.ponder(&game, &task).finish(&mut |_| false);
            assert_eq!(pool.is_wanted(), is_asked, "{id} {side}");
        }
    }

    #[test]
    fn without_workers_a_search_is_that_of_one_thread() {
        let game = game("tao");
        let (net, pool) = (net(game.info()), pool(0));
        let task = Task::new(game.to_move());
        let [asking, alone] = [Some(&pool), None].map(|pool| {
            let mut tree = tree(&game, &net, pool);
            tree.set_game(&game, &task);
            assert!(tree.run(&task, 200, &mut |_| Signal::GoOn));
            tree.see(&task, |progress: &dyn SearchProgress| progress.report())
        });
        assert!(asking == alone, "{asking:?} {alone:?}");
        assert!(pool.is_wanted());
    }
}
