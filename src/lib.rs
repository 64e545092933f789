//! kawari (変わり碁, "variant Go"): a GTP engine that plays, referees and
//! records Go and variants of it.
//!
//! # Map of the modules
//!
//! Each module imports only modules above it:
//!
//! ```text
//! board       files      points, groups, liberties, hashes; files and lines; json, tables, plots,
//!   │                    printable, similar, stats, time, workers, packed; guide
//!   ↑
//! rules       net        variants, positions, games, results; nets in exact integers
//!   ↑
//! search      encoding   tree search; turns as single vertices
//! solve                  exact values of small boards
//!   ↑          ↑
//! clock       sgf        time systems; game records
//!   ↑          ↑
//! playing     problems   turns within limits; positions with one right turn, made and proven
//!   ↑          ↑
//! gtp                    the Go Text Protocol: sessions and their commands
//!   ↑
//! analysis               KataGo's analysis protocol
//! transcript  train      recorded sessions; nets from self-play
//!   ↑          ↑
//! referee     arena      recorded games checked; matches
//!   ↑          ↑
//!   │         web        the board in the browser
//!   ↑          ↑
//! cli                    the command line, which `main` calls
//! ```
//!
//! - [`board`]: a padded board whose shape is data (`Grid`: rectangles, opposite sides of which may
//!   be joined, blocked points, stacked layers side by side). The number of directions, and whether
//!   sides may be joined, is a type (`lattice`). Each stone updates chains, pseudo-liberties,
//!   neighbour counts, the list of empty points and the Zobrist hash. `point` has colours, cells and
//!   containers indexed by points. `stones` places and removes stones, `regroup` splits and hands
//!   over groups, `queries` and `tactics` read the board, `area` counts it, `symmetry` turns and
//!   mirrors it. `eyes` finds points that playouts skip, `life` finds stones that live
//!   unconditionally. `plain_go` is a board of plain Go for clients and viewers.
//! - [`net`]: evaluates neural nets. `data` has the shape and the numbers of the layers, `model`
//!   the forward pass in the buffers of a `scratch`, `heads` everything but convolutions, `kernels`
//!   the inner loops for AVX-512 VNNI, AVX2, WebAssembly and plain code with the same bits, `frame`
//!   the board among activations, `file` the format.
//! - `files`: writes whole files to a temporary file and renames it, replaces only files that it
//!   may replace, and reads files up to a bound. A `line_file` is locked and grows by lines. An
//!   `inbox` reads lines on a thread of its own.
//! - `time`: the present, from the system or from a browser, and dates. `json`: plain data as a line
//!   of JSON. `printable`: escapes characters that a terminal would obey. `similar`: finds the name
//!   that a person may have meant. `workers`: threads that share a list of tasks; results come as
//!   they finish, or in order. `stats` computes Elo, intervals, LOS and SPRT; `table` and `plot`
//!   draw. `packed`: files that `build.rs` compressed.
//! - [`rules`]: a `variant` is a record of defaults, rule options and kinds of `step`, and a few
//!   hooks: one file ([`rules::go`], [`rules::no`] and [`rules::go_san`], both over
//!   [`rules::nuclear`], [`rules::tao`], [`rules::sygo`], [`rules::stoical`], [`rules::layers`],
//!   [`rules::capture`]) and one line of the registry in `mod`. `options` is the table of rule
//!   options. `setup` is the start of a game, `setup_record` the same in words; `set_up` sets up
//!   stones later. A `position` is plain data that plays fast, compiled for each variant; all other
//!   code asks an `any_position`. A `game` adds checked turns, superko (`history`) and undo; `any`
//!   answers the questions of clients. `turn` reads and writes turns, `illegal` says why one is
//!   refused, `result` is the result of a game, `state` the JSON for scripts. `effects` lists what a
//!   turn did, in order, and `narration` says it in words. `contents` has the names and looks of
//!   cells. `perft` counts the whole turns that `turn_ends` lists.
//! - [`search`]: Monte-Carlo tree search. `searcher` is the public interface; its `tree` is kept
//!   from turn to turn. A `task` says what to search for, and has the choice. A `worker` runs the
//!   simulations of one thread in the search `context`: `select` (PUCT), `candidates` and
//!   `bounds` (proven margins) work on `node`s and their `edge`s in a `node_pool`; `transpositions`
//!   shares edges, `prune` frees nodes. An `evaluator` gives priors and values: a net ([`search::neural`]: its
//!   inputs, `ladder`s among them, and its outputs, which the count of `settled` boards corrects),
//!   `tactical` playouts with `local` replies where there is no net, or uniformly random
//!   `playout`s. `choose` and `passing` choose
//!   the step, `level` chooses worse ones for opponents of people, `report` and `lead` show a
//!   search in progress, `ownership` estimates ownership and dead groups, `params` is the table of
//!   parameters, and `utility` is what the tree maximises. A search advances until a `signal`
//!   pauses it or it has its result. Only evaluators are compiled for each variant.
//! - [`solve`](mod@solve): proofs on small boards. A `solver` narrows the bounds of a value by
//!   questions. Each is a `race` of `prover`s: proof-number searches for a `goal` with a `table` of
//!   results, each with its `assumptions` about the `line` before it. `key` tells positions apart,
//!   `scale` orders results, `children` knows the whole turns of a position without a search.
//! - `train`: `self_play` plays games and `records` reads recorded ones; a `teacher` labels positions
//!   of `plain_game`s, and a `label` is a game of one step; a `data_file` keeps them. `samples` of
//!   games have inputs and targets. `packed` writes them for `src/train/torch/fit.py`, which
//!   fits a net; `export` makes its weights integers, `measure` compares a net with labels, and
//!   `gate` plays matches.
//! - [`encoding`]: steps as single vertices, for clients that know only Go.
//! - [`sgf`]: `parse` and `grammar` read a `tree` of properties from bytes in any `charset`, which
//!   `detect` chooses before; `brackets` finds the ends of texts with unescaped brackets.
//!   A `record` is the game itself, with its variations and all other data of the tree: `root`,
//!   `start` and `decode` read it, `edit` changes and writes it, and it can `follow` a game.
//!   `encode` makes nodes that show the right stones in plain Go. `marks` are those that people
//!   made, and the territory and dead stones that players marked. `client` has the board of files
//!   that know only Go. `rule_names`, `result_words` and `amount` read the words of other programs.
//! - `problems`: a `form` reads and writes them as SGF. `generate` finds them in games of the engine
//!   with itself, [`solve`](mod@solve) proves them (`proof`), and `quality` leaves out poor ones and
//!   grades the others.
//! - `clock`: time systems, and the time that a player has left under one.
//! - `playing`: the engine as a player. `settings` has what a user may choose, by name in `params`;
//!   `report` is what reports of a search share. A plan has the task, the limits and the time of a turn.
//!   `proof` proves turns on small boards, the `time_manager` ends the search, `resignation` says
//!   when the player resigns, and a `ticker` when a search is reported.
//! - `gtp`: the Go Text Protocol: `protocol` (lines, requests, replies), `session` (the state between
//!   commands), `commands` with their table, `search_control` (the searches of a session),
//!   `analysis`, and adapters for clients: `gogui`, `sabaki`.
//! - `analysis`: KataGo's JSON protocol for many positions at the same time. A `request` is a line,
//!   a `query` its checked fields with the `position`s of its game; `settings` are what a query may
//!   override; the `queue` hands them to `worker`s by priority, `answer` writes the results, and
//!   the `outbox` waits for the client.
//! - `arena`: `matches` owns one: its files, counts, test and end. `settings` define it, `schedule`
//!   lists its games, `opening` has their openings, `runner` plays several at the same time. In a
//!   `game` the `controller` of each `engine` sends GTP commands to its `process`, `time_control`
//!   measures its time, `reported_lead` reads its score, and `process_guard` kills all engines when
//!   the match ends. `results` go to a `results_file`, to SGF, and the GTP to a `game_log`; `merge`
//!   joins those of shards. `standings` count, `ratings` rate all engines, `table` and
//!   `html_report` show them. `balance` estimates the
//!   fair komi.
//! - `transcript`: GTP transcripts, split into games and replayed by a session.
//! - [`referee`]: replays recorded games (SGF, transcripts, match records), many at the same time. It
//!   compares the `claimed_result` with the count of the board, and with an `agreed_result`, for
//!   which the players removed dead stones.
//! - `web`: the board in the browser. A `tab` has a `tab_game` over [`rules`], [`search`] and
//!   [`sgf`], with a `game_clock` for people, and decides which search runs. In `kawari board` a
//!   `server` has the files of the page and checks its clients (`access`, `connections`); in static files a `worker` of the
//!   browser has the tab. All rules are decided here: the page draws.
//! - `guide`: the guides for users, texts that import nothing. `kawari guide` prints them; the page
//!   shows the positions of good `play`, offers `fair_komi` and gives the `lessons`.
//! - [`cli`]: the options of the command line, a file for each subcommand.
//!
//! # Cargo features
//!
//! - `cli`, on by default: the program, with [`cli`], `problems`, `arena`, [`referee`] and `train`.
//! - `web`, on by default: the board in the browser, `web`.
//! - `nets`, on by default: the files of the built-in nets.
//! - `tab`: the decisions of the board in the browser, without the server; `site`: the same as a
//!   module for a worker of the browser.
//! - `trial`: games that only tests have.
//!
//! With `default-features = false` the library is [`board`], [`net`], [`rules`], [`search`] without
//! built-in nets, [`solve`](mod@solve), [`encoding`], [`sgf`], and private modules.
//!
//! # A game in a few lines
//!
//! ```
//! use kawari::board::Color;
//! use kawari::rules::{Action, AnyGame, Illegal, Setup, nuclear, variant};
//!
//! let info = variant("no").expect("a registered variant");
//! let mut game = AnyGame::new(&Setup::new(info)).expect("a valid setup");
//! let stone = game.parse("D4").expect("a turn of this variant");
//! assert_eq!(game.act(Color::Black, &stone), Ok(()));
//! assert_eq!(game.act(Color::White, &stone), Err(Illegal::Occupied));
//! let nuke = game.parse("nuke D4").expect("a turn of this variant");
//! assert_eq!(game.act(Color::White, &nuke), Err(nuclear::NOT_OWN_STONE));
//! assert_eq!(game.act(Color::Black, &nuke), Ok(()));
//! assert_eq!(game.state().board[5], "...*.....");
//! assert_eq!(game.act(Color::White, &Action::Resign), Ok(()));
//! assert_eq!(game.score().to_string(), "B+R");
//! ```
//!
//! # Rules for all modules
//!
//! - Generic code never asks which variant it serves: hooks are compiled in, and options are data.
//!   A new variant is one file and one line of the registry.
//! - The code of a playout is compiled for each variant: positions, boards, evaluators. All other
//!   code asks an [`AnyPosition`](rules::AnyPosition) or a game, and is compiled once.
//! - `board`, `rules` and `search` have no clock, no input or output and no global state. Randomness
//!   is a seeded [`board::Random`]; a search asks a callback whether to stop. The same seed gives
//!   the same moves on every machine.
//! - A [`rules::Position`] is copied without allocation and relies on its caller: `check` before
//!   `make`. A [`rules::AnyGame`] checks every turn; a refused turn changes nothing.
//! - A *turn* is all that one player does before the other moves. A *step* is an atom of it: an edge
//!   of the search tree, and one move of a client that sends one vertex a move. Rules on repetition
//!   judge the end of a turn, whichever steps made it.
//! - A game is counted, drawn, or won by a rule. Code about komi, points or ownership asks the
//!   record whether the game is counted; a pass is legal where the game allows it.
//! - Superko and draws by repetition need the history: a game and the search tree have it,
//!   `Position::check` and playouts do not.
//! - Unsafe code is in two rooms: the bounds hint of `board::point`, which is sound because only
//!   that file makes points, and the vector instructions of `net::kernels`, behind functions that
//!   check all bounds. In a browser `time` and `web::worker` also declare functions of the page.
//! - Command handlers return replies and never print; logs go to standard error. Commands run in
//!   the order in which they arrive; a later command can only end a search.
//!
//! # Promises
//!
//! Public items keep their meaning until version 2 (semantic versioning). [`cli`] and [`testing`]
//! are for the program and its tests, and are not part of the promise.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
mod analysis;
#[cfg(feature = "cli")]
mod arena;
pub mod board;
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod cli;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod clock;
pub mod encoding;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod files;
#[cfg(feature = "cli")]
mod gtp;
// Only the program and the board use all of it.
#[cfg_attr(not(feature = "web"), allow(dead_code, unused_imports))]
mod guide;
#[cfg(feature = "cli")]
mod inbox;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code))]
mod json;
#[cfg(feature = "cli")]
mod line_file;
pub mod net;
#[cfg(any(feature = "nets", feature = "tab"))]
mod packed;
// Only the program uses all of it.
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod playing;
#[cfg(feature = "cli")]
mod plot;
#[cfg(feature = "cli")]
mod printable;
// Only the program uses all of it.
#[cfg(any(feature = "cli", feature = "tab"))]
#[cfg_attr(not(feature = "cli"), allow(dead_code, unused_imports))]
mod problems;
#[cfg(feature = "cli")]
pub mod referee;
pub mod rules;
pub mod search;
pub mod sgf;
mod similar;
pub mod solve;
#[cfg(feature = "cli")]
mod stats;
#[cfg(feature = "cli")]
mod table;
// Only the board uses all of it.
#[cfg_attr(not(feature = "tab"), allow(dead_code, unused_imports))]
mod time;
#[cfg(feature = "cli")]
mod train;
#[cfg(feature = "cli")]
mod transcript;
#[cfg(feature = "tab")]
mod web;
#[cfg(feature = "cli")]
mod workers;

/// What the tests and the fuzz targets use of the modules that are the program's own.
#[cfg(feature = "cli")]
#[doc(hidden)]
pub mod testing {
    pub use crate::analysis::{AnalysisSettings, request};
    pub use crate::arena::balance::{KomiScore, fit::Fit};
    pub use crate::arena::merge::standings_of;
    pub use crate::arena::opening::{self, Opening, OpeningOrder, Openings};
    pub use crate::arena::results::{EndReason, MatchGame, MatchHeader, ResultsLine};
    pub use crate::cli::settings_of_text;
    pub use crate::guide::{Example, GUIDES, guide, passages};
    pub use crate::problems::{GRADES, Problem};
    pub use crate::stats::{Interval, wilson};
    /// The Go Text Protocol.
    pub mod gtp {
        pub use crate::gtp::*;
    }
    pub use crate::transcript::{Split, TranscriptGame, games, replay_session};
    #[cfg(feature = "web")]
    pub use crate::web::{
        SearchSettings, Server, TabSettings,
        request::{MAX_COMMENT, MAX_MESSAGE},
    };
    #[cfg(feature = "tab")]
    pub use crate::web::{
        catalog,
        job::Stop,
        tab::{PageOutput, Tab, TabOutput},
        view,
    };
}
