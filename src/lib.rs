//! kawari (変わり碁, "variant Go"): a GTP engine that plays, referees and
//! records seven kinds of Go.
//!
//! # A map of the house
//!
//! Rooms lie one above the other; each knows those above it and none below:
//!
//! ```text
//! board     points, neighbours, stones, groups, liberties, hashes
//!   ↑
//! rules     a record and a few hooks for each variant; positions, games
//!   ↑
//! search    playouts, and a tree of steps that chooses turns
//! sgf       game records, read and written; beside search, over rules
//!   ↑   ↑
//! clock, encoding   time systems; turns as single vertices
//!   ↑   ↑
//! gtp   │   the Go Text Protocol: sessions and their commands
//!   ↑ learn games with itself, and weights from them
//! arena │   matches between engines, and their statistics
//!   ↑   ↑
//! cli       the command line; `main` only calls it
//! ```
//!
//! - [`board`]: a padded board whose shape is data (`Grid`: rectangles, walls,
//!   stacked layers laid side by side) and whose number of directions is a type
//!   (`Lattice`). Stones, groups, pseudo-liberties, neighbour counts, empty
//!   points and the Zobrist hash are kept up to date stone by stone. `point` has
//!   colours, cells and the containers indexed by points, `list` what is drawn
//!   from, `grid` the shape; `liberties` packs count, sum and sum of squares into
//!   one word; `stones` changes the board, `regroup` takes groups apart and hands
//!   them over, `queries` asks it, `area` counts it;
//!   `eyes` knows which points need not be drawn again; `zobrist` has the hash
//!   keys, `random` the generator.
//! - [`rules`]: `record` is the rules record (ko, scoring, komi, options);
//!   `variant` the trait of hooks; one file a variant ([`rules::go`],
//!   [`rules::no`], [`rules::go_san`], both over [`rules::nuclear`],
//!   [`rules::tao`], [`rules::sygo`], [`rules::stoical`], [`rules::layers`]) and
//!   one line in the registry of `mod`. `position` is plain data that plays fast;
//!   `game` adds checked play, superko (`history`) and undo; `any` is a game of
//!   whichever variant; `turn` reads and writes turns, `illegal` says why one is
//!   refused; `setup` makes starts; `state` is the JSON that scripts read;
//!   `perft` counts.
//! - [`search`]: Monte-Carlo tree search. `searcher` is the public interface; its
//!   `tree` is kept from turn to turn. A `worker` runs the simulations of one thread:
//!   `select` (PUCT and AMAF), `candidates` and `bounds` (proven margins) work on
//!   `node`s in a `node_pool`; `transpositions` shares children, `prune` frees nodes.
//!   `evaluator` is the interface to priors and values: uniformly random `playout`s, or
//!   [`search::policy`] with trained `weights` of `features` (`large_pattern`,
//!   `ladder`, `opening`), `local` replies and a `playout` policy. `choose` and
//!   `passing` choose the step, `report` shows a search in progress, `ownership`
//!   estimates ownership and dead groups, `params` is the table of parameters.
//! - [`learn`]: `lesson` plays games, `fit` learns priors from what searches
//!   tried, `tune` playouts from who won.
//! - [`sgf`]: `parse` and `grammar` (nom) make trees of bytes, `tree` and `value`
//!   read them, `charset` knows what bytes say, `write` makes bytes again. `record`
//!   is a game as files keep it: `root` and `decode` read it from trees, `encode`
//!   writes it, asking `viewer` what a program shows that knows only Go, and
//!   `picture` marks what is no stone; `notes` are names and comments, `territory`
//!   is what players marked at the end.
//! - [`clock`]: time systems, and what a player has left under one.
//! - [`encoding`]: steps as single vertices, for clients that know only Go.
//! - [`gtp`]: the Go Text Protocol: `protocol` (lines, requests, replies), `session`
//!   (the state between commands), `commands` with their table, `search_control`
//!   (searches within time and playouts, resignation), `analysis`, and adapters for
//!   clients: `gogui`, `sabaki`.
//! - [`arena`]: matches. `settings` define one, `schedule` lists its games, `opening` has
//!   their openings, `runner` plays several at the same time. In a `game` the
//!   `controller` of each `engine` sends GTP commands to its `process`, `time_control`
//!   measures its time, and `process_guard` kills all engines when the match ends.
//!   `results` go to a `results_file` and to SGF; `merge` joins those of shards.
//!   `standings` count, `stats` computes Elo, LOS and SPRT, `table` and `html_report`
//!   show them. `balance` estimates the fair komi.
//! - [`referee`]: replays what others recorded, SGF, transcripts and match records,
//!   many games at a time, and says what is wrong with them: a `claim` is held
//!   against the board, and against what an `agreement` may have been.
//! - [`guide`](mod@guide): the guides for users, which `kawari guide` prints.
//! - [`cli`]: the options of the command line, a file for each subcommand.
//!
//! # Cargo features
//!
//! `cli`, which is on by default, is the program: [`cli`], [`arena`], [`referee`] and
//! [`learn`] with their dependencies. With `default-features = false` the library is
//! [`board`], [`rules`], [`search`], [`sgf`], [`clock`], [`encoding`] and [`gtp`].
//!
//! # A game in a few lines
//!
//! ```
//! use kawari::board::Color;
//! use kawari::rules::{Action, AnyGame, Illegal, Setup, nuclear, variant};
//!
//! let info = variant("no").expect("a registered variant");
//! let mut game = AnyGame::new(&Setup::new(info)).expect("a valid setup");
//! let turn = |game: &AnyGame, words: &str| {
//!     let words: Vec<_> = words.split(' ').collect();
//!     game.parse(&words).expect("a turn of this variant")
//! };
//! let stone = turn(&game, "D4");
//! assert_eq!(game.act(Color::Black, &stone), Ok(()));
//! assert_eq!(game.act(Color::White, &stone), Err(Illegal::Occupied));
//! let nuke = turn(&game, "nuke D4");
//! assert_eq!(game.act(Color::White, &nuke), Err(nuclear::NOT_OWN_STONE));
//! assert_eq!(game.act(Color::Black, &nuke), Ok(()));
//! assert_eq!(game.state().board[5], "...*.....");
//! assert_eq!(game.act(Color::White, &Action::Resign), Ok(()));
//! assert_eq!(game.score().to_string(), "B+R");
//! ```
//!
//! # Rules that hold between the rooms
//!
//! - Nothing imports upwards in the list of dependencies, and generic code
//!   never asks which variant it serves: hooks are compiled in, options are
//!   data. A new variant is one file and one registry line.
//! - `board`, `rules` and `search` have no clock, no input or output and no
//!   global state. Randomness is a seeded [`board::Random`] passed in; time
//!   reaches a search as a callback. The same seed gives the same answer on
//!   every machine.
//! - A [`rules::Position`] is copied without allocation and trusts its caller:
//!   `check` before `make`. A [`rules::Game`] trusts nobody: what it refuses
//!   leaves it as it was.
//! - A *turn* is what one player does before the other moves; a *step* is its
//!   atom, which a tree branches on and a client that knows one vertex a move
//!   says. Only sygo has turns of several steps.
//! - Superko and draws by repetition need the history, so they are seen by
//!   `Game` and by the tree of a search, not by `Position::check` or playouts.
//! - The only unsafe code is the bounds hint in `board::point`, which rests on
//!   points being made in that one file.
//! - Handlers of commands return replies, or what will make them, and never
//!   print; logs go to standard error. Commands are carried out one by one in
//!   the order they come; what arrives meanwhile can only end a search.

#![deny(unsafe_code)]
#![warn(missing_docs)]

#[cfg(feature = "cli")]
pub mod arena;
pub mod board;
#[cfg(feature = "cli")]
pub mod cli;
pub mod clock;
pub mod encoding;
pub mod gtp;
pub mod guide;
#[cfg(feature = "cli")]
pub mod learn;
#[cfg(feature = "cli")]
pub mod referee;
pub mod rules;
pub mod search;
pub mod sgf;
pub mod transcript;
