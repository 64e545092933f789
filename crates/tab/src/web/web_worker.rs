//! A tab in the worker of a browser: a module of WebAssembly instead of a server.
//!
//! `site/worker.js` calls the exports. [`input`] makes room for a message, which the next call
//! takes; [`next_output`] and [`output`] give the messages for the page, one after the other.
//! Searches run during [`go_on`], for at most [`SLICE`] at a time. A pool of other workers, which
//! have the same module, may evaluate their leaves: [`next_request`] and [`answer`] exchange these
//! with [`evaluate`] there.
#![allow(unsafe_code)] // Only for the names of the exports.

use super::job::{Finding, Job, Stop};
use super::job_runner::{JobRunner, SearchSettings};
use super::slices::{self, pause};
use super::tab::{Tab, TabOutput};
use crate::search::SearchParams;
use crate::search::neural::{EvaluationPool, PoolWorker};
use serde_json::json;
use std::cell::{Cell, RefCell};
use std::collections::VecDeque;
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

/// Maximum time without listening to the page, plus a few playouts.
pub const SLICE: Duration = Duration::from_millis(40);

/// Memory of the tree in megabytes: a phone has little.
const TREE_MEMORY: usize = 64;

/// Time after which a search looks for its end while all its leaves wait for the pool.
const WAIT: Duration = Duration::from_millis(100);

/// State that the tab and its searches share.
#[derive(Default)]
struct Shared {
    job: RefCell<Option<Box<Job>>>,
    findings: RefCell<Vec<Finding>>,
    /// The net that a search waits for.
    wanted_net: Cell<Option<&'static str>>,
    /// Files of nets by name; empty if a file did not load.
    nets: RefCell<Vec<(String, Vec<u8>)>>,
    pool: Arc<EvaluationPool>,
}

async fn do_jobs(shared: Rc<Shared>) {
    let settings =
        SearchSettings { params: SearchParams::default(), memory: TREE_MEMORY, threads: 1 };
    let mut runner = JobRunner::new(settings, |finding| {
        shared.findings.borrow_mut().push(finding);
        true
    });
    runner.searcher = runner.searcher.asking(shared.pool.clone());
    let mut given_up = Vec::new();
    loop {
        let next = shared.job.take();
        let Some(job) = next else {
            pause().await;
            continue;
        };
        let missing = runner.searcher.missing_net(&job.game);
        if let Some(name) = missing.filter(|name| !given_up.contains(name)) {
            shared.wanted_net.set(Some(name));
            let file = net_file(&shared, name).await;
            shared.wanted_net.set(None);
            // Without the file the search has no net.
            if runner.searcher.load_net(name, &file).is_err() {
                given_up.push(name);
            }
        }
        runner.run(&job).await;
    }
}

/// Waits for the file of a net.
async fn net_file(shared: &Shared, name: &str) -> Vec<u8> {
    loop {
        let mut nets = shared.nets.borrow_mut();
        if let Some(at) = nets.iter().position(|(other, _)| other == name) {
            return nets.swap_remove(at).1;
        }
        drop(nets);
        pause().await;
    }
}

struct Board {
    tab: Tab,
    shared: Rc<Shared>,
    searches: Pin<Box<dyn Future<Output = ()>>>,
    /// Whether a search runs.
    busy: bool,
    /// The net that was asked for last.
    asked: Option<&'static str>,
    outputs: VecDeque<String>,
}

impl Board {
    fn new() -> Option<Board> {
        let shared = Rc::<Shared>::default();
        Some(Board {
            tab: Tab::new(Stop::default()).ok()?,
            searches: Box::pin(do_jobs(shared.clone())),
            shared,
            busy: false,
            asked: None,
            outputs: VecDeque::new(),
        })
    }

    fn request(&mut self) {
        self.tab.request(&String::from_utf8_lossy(&INPUT.take()));
        self.deliver();
    }

    /// See [`net`].
    fn net(&mut self) {
        self.shared.nets.borrow_mut().extend(file_of_net(&INPUT.take()));
        self.asked = None;
    }

    /// See [`go_on`].
    fn go_on(&mut self) -> f64 {
        // The future never ends.
        let _ = slices::advance(self.searches.as_mut(), Some(SLICE));
        let findings = self.shared.findings.take();
        for finding in findings {
            self.tab.take_finding(finding);
        }
        self.deliver();
        let net = self.shared.wanted_net.get();
        if let Some(name) = net {
            if self.asked != net {
                self.asked = net;
                self.outputs.push_back(json!({ "net": name }).to_string());
            }
            return -1.0;
        }
        let stall = if self.shared.pool.take_stall() { WAIT } else { Duration::ZERO };
        let rest = slices::take_rest().max(stall);
        if self.busy { rest.as_secs_f64() * 1000.0 } else { -1.0 }
    }

    fn deliver(&mut self) {
        for output in self.tab.take_outputs() {
            match output {
                TabOutput::Message(text) | TabOutput::Replaceable(text) => {
                    self.outputs.push_back(text);
                }
                TabOutput::Busy(busy) => self.busy = busy,
            }
        }
        if let Some(job) = self.tab.take_job() {
            self.shared.job.replace(Some(job));
        }
    }
}

/// The name and the file of a net in an input.
fn file_of_net(input: &[u8]) -> Option<(String, Vec<u8>)> {
    let mut parts = input.splitn(2, |&byte| byte == 0);
    let name = String::from_utf8_lossy(parts.next()?).into_owned();
    Some((name, parts.next()?.to_vec()))
}

/// Makes bytes the output; returns their length.
fn put_out(bytes: Vec<u8>) -> usize {
    let length = bytes.len();
    OUTPUT.set(bytes);
    length
}

thread_local! {
    static INPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    static OUTPUT: RefCell<Vec<u8>> = const { RefCell::new(Vec::new()) };
    /// In a worker of a pool, which has no board.
    static POOL_WORKER: RefCell<PoolWorker> = RefCell::default();
    static BOARD: RefCell<Option<Board>> = RefCell::new(Board::new());
}

fn with_board<T: Default>(work: impl FnOnce(&mut Board) -> T) -> T {
    BOARD.with_borrow_mut(|board| board.as_mut().map(work).unwrap_or_default())
}

/// Makes room for `length` bytes of input; returns its address.
#[unsafe(no_mangle)]
pub extern "C" fn input(length: usize) -> *mut u8 {
    INPUT.with_borrow_mut(|input| {
        *input = vec![0; length];
        input.as_mut_ptr()
    })
}

#[unsafe(no_mangle)]
pub extern "C" fn request() {
    with_board(Board::request);
}

/// Takes the input as the file of a net: its name, a zero, and its bytes. A file that did not load
/// has no bytes.
#[unsafe(no_mangle)]
pub extern "C" fn net() {
    with_board(Board::net);
}

/// Continues the search for a while; returns the milliseconds until the next call, or a negative
/// number if there is nothing to do before the next input.
#[unsafe(no_mangle)]
pub extern "C" fn go_on() -> f64 {
    BOARD.with_borrow_mut(|board| board.as_mut().map_or(-1.0, Board::go_on))
}

/// The length of the next message, or zero. A message with `net` asks the worker for the file of
/// that net; the others are for the page.
#[unsafe(no_mangle)]
pub extern "C" fn next_output() -> usize {
    put_out(with_board(|board| board.outputs.pop_front().unwrap_or_default()).into_bytes())
}

/// The address of the latest output.
#[unsafe(no_mangle)]
pub extern "C" fn output() -> *const u8 {
    OUTPUT.with_borrow(|output| output.as_ptr())
}

/// Sets the number of workers of the pool.
#[unsafe(no_mangle)]
pub extern "C" fn set_pool(workers: usize) {
    with_board(|board| board.shared.pool.set_workers(workers));
}

/// Whether a search has leaves for workers of the pool, which it evaluates itself.
#[unsafe(no_mangle)]
pub extern "C" fn wants_pool() -> bool {
    with_board(|board| board.shared.pool.is_wanted())
}

/// The length of the next request for the pool, which is the output, or zero.
#[unsafe(no_mangle)]
pub extern "C" fn next_request() -> usize {
    put_out(with_board(|board| board.shared.pool.next_request().unwrap_or_default()))
}

/// Takes the input as an answer of the pool. Only the first four bytes of a request say that the
/// pool has lost it.
#[unsafe(no_mangle)]
pub extern "C" fn answer() {
    with_board(|board| board.shared.pool.answer(&INPUT.take()));
}

/// In a worker of the pool: the length of the answer to the request in the input, or zero without
/// its net. The answer is the output.
#[unsafe(no_mangle)]
pub extern "C" fn evaluate() -> usize {
    let answer =
        INPUT.with_borrow(|request| POOL_WORKER.with_borrow_mut(|at| at.evaluate(request)));
    put_out(answer.unwrap_or_default())
}

/// In a worker of the pool: the length of the name of the net that the request in the input needs,
/// or zero if the net is there. The name is the output.
#[unsafe(no_mangle)]
pub extern "C" fn missing_net() -> usize {
    let missing = |request: &Vec<u8>| {
        POOL_WORKER.with_borrow(|at| at.missing_net(request).map(|name| name.as_bytes().to_vec()))
    };
    put_out(INPUT.with_borrow(missing).unwrap_or_default())
}

/// In a worker of the pool: takes the input as the file of a net, as [`net`] does.
#[unsafe(no_mangle)]
pub extern "C" fn pool_net() {
    if let Some((name, file)) = file_of_net(&INPUT.take()) {
        // Without the net `evaluate` has no answer.
        let _ = POOL_WORKER.with_borrow_mut(|at| at.load_net(&name, &file));
    }
}
