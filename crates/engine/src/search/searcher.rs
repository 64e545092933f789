//! The public interface of the search: the [`Searcher`], which keeps its tree from turn to turn.

use super::choose::{Pondering, StepSearch, TurnSearch};
use super::evaluator::{Evaluator, RandomPlayouts};
use super::neural::{
    BuiltInNet, EvaluationPool, NetBoardKind, NetEvaluator, RawEvaluation, embedded_net,
};
use super::ownership::StatusSearch;
use super::params::SearchParams;
use super::task::Task;
use super::tree::SearchTree;
use crate::net::{Instructions, Net, NetError};
use crate::rules::{Game, VariantInfo};
use std::sync::Arc;

/// Searches games of any variant. It keeps its tree while the game continues.
#[derive(Debug)]
pub struct Searcher {
    params: SearchParams,
    memory: usize,
    threads: usize,
    /// A net and the id of its variant.
    net: Option<(&'static str, Arc<Net>)>,
    /// Built-in nets that the program loaded, by the names of their files.
    loaded_nets: Vec<(&'static str, Arc<Net>)>,
    /// Evaluates the leaves of the kept tree.
    pool: Option<Arc<EvaluationPool>>,
    tree: Option<SearchTree>,
}

impl Searcher {
    /// A searcher with `memory` megabytes (2^20 bytes) for its tree, and `threads` search threads.
    pub fn new(params: SearchParams, memory: usize, threads: usize) -> Searcher {
        Searcher {
            params,
            memory,
            threads,
            net: None,
            loaded_nets: Vec::new(),
            pool: None,
            tree: None,
        }
    }

    /// The searcher that lets a pool evaluate leaves of games with a built-in net, instead of
    /// threads.
    #[must_use]
    pub fn asking(self, pool: Arc<EvaluationPool>) -> Searcher {
        Searcher { pool: Some(pool), ..self }
    }

    /// Another searcher with the same parameters and nets.
    #[must_use]
    pub fn another(&self, memory: usize, threads: usize) -> Searcher {
        Searcher {
            net: self.net.clone(),
            loaded_nets: self.loaded_nets.clone(),
            ..Searcher::new(self.params, memory, threads)
        }
    }

    /// Changes parameters, memory and threads; a change drops the tree.
    pub fn configure(&mut self, params: SearchParams, memory: usize, threads: usize) {
        if (params, memory, threads) != (self.params, self.memory, self.threads) {
            (self.params, self.memory, self.threads) = (params, memory, threads);
            self.forget();
        }
    }

    /// The parameters as set.
    pub fn params(&self) -> &SearchParams {
        &self.params
    }

    /// Drops the tree.
    pub fn forget(&mut self) {
        self.tree = None;
    }

    /// Empties the tree and keeps the evaluators, for another game of the same variant on the same
    /// board, blocked points included.
    pub fn empty_tree(&mut self) {
        if let Some(tree) = &mut self.tree {
            tree.empty();
        }
    }

    /// Sets the net for a variant, instead of the embedded one.
    pub fn set_net(&mut self, variant: &'static VariantInfo, net: Arc<Net>) {
        self.net = Some((variant.id, net));
        self.forget();
    }

    /// The name of the file of the built-in net for a game, if the program neither embeds nor has
    /// [loaded](Self::load_net) it.
    pub fn missing_net(&self, game: &Game) -> Option<&'static str> {
        let (info, kind) = (game.info(), net_board_kind(game));
        if !self.params.use_net {
            return None;
        }
        if self.net.as_ref().is_some_and(|(id, _)| *id == info.id) {
            return None;
        }
        let net = BuiltInNet::for_game(info, kind)?;
        let is_there = net.is_embedded() || self.loaded_net(net).is_some();
        (!is_there).then_some(net.name)
    }

    /// Loads the file of a built-in net; ignores unknown names.
    ///
    /// # Errors
    /// The file is not a net for its variant.
    pub fn load_net(&mut self, name: &str, file: &[u8]) -> Result<(), NetError> {
        if let Some(net) = BuiltInNet::by_name(name) {
            let loaded = Net::from_bytes(file, net.variant)?;
            self.loaded_nets.retain(|(known, _)| *known != net.name);
            self.loaded_nets.push((net.name, Arc::new(loaded)));
            self.forget();
        }
        Ok(())
    }

    fn loaded_net(&self, net: &BuiltInNet) -> Option<&Arc<Net>> {
        let mut loaded = self.loaded_nets.iter();
        loaded.find(|(name, _)| *name == net.name).map(|(_, net)| net)
    }

    fn net_for(&self, variant: &VariantInfo, kind: NetBoardKind) -> Option<Arc<Net>> {
        if !self.params.use_net {
            return None;
        }
        let own = self.net.as_ref().filter(|(id, _)| *id == variant.id).map(|(_, net)| net.clone());
        own.or_else(|| embedded_net(variant, kind))
            .or_else(|| self.loaded_net(BuiltInNet::for_game(variant, kind)?).cloned())
    }

    /// The net's evaluation of a game without a search; `None` if the game has no net.
    pub fn raw_evaluation(&self, game: &Game) -> Option<RawEvaluation> {
        let net = self.net_for(game.info(), net_board_kind(game))?;
        Some(RawEvaluation::new(game, net, self.params.root_symmetries as usize))
    }

    /// The pool and the name of the net for it, if the game has a built-in net.
    fn pool_for(&self, game: &Game) -> Option<(&Arc<EvaluationPool>, &'static str)> {
        let (info, pool) = (game.info(), self.pool.as_ref()?);
        let is_own = self.net.as_ref().is_some_and(|(id, _)| *id == info.id);
        let net = BuiltInNet::for_game(info, net_board_kind(game)).filter(|_| !is_own)?;
        Some((pool, net.name))
    }

    /// A new tree of at most `bytes` bytes for games of this variant on this board.
    fn new_tree(
        &self,
        game: &Game,
        net: Option<Arc<Net>>,
        (bytes, threads): (usize, usize),
        pool: Option<(&Arc<EvaluationPool>, &str)>,
    ) -> SearchTree {
        let (params, start) = (self.params, game.position());
        let threads = 0..threads.max(1);
        let Some(net) = net else {
            let params = params.for_playouts(start.board.grid().point_count());
            let playouts = || -> Box<dyn Evaluator> { Box::new(RandomPlayouts::new(start)) };
            return SearchTree::new(start, params, bytes, threads.map(|_| playouts()).collect());
        };
        let (mut cache, cache_bytes) = (None, bytes / CACHE_DIVISOR);
        let multiplications = net.shape().multiplications() * start.board.grid().point_count();
        let pool = pool.filter(|_| multiplications >= EvaluationPool::MIN_MULTIPLICATIONS);
        let threads = if pool.is_some() { 0..EvaluationPool::MAX_ROOM } else { threads };
        let instructions = params.kernels.unwrap_or_else(Instructions::best);
        let each = threads.map(|_| -> Box<dyn Evaluator> {
            let evaluator = NetEvaluator::new(start, net.clone()).counting_settled();
            let mut evaluator = evaluator.with_instructions(instructions);
            if let Some((pool, name)) = pool {
                evaluator = evaluator.asking(pool.clone(), name);
            }
            let evaluator = evaluator.sharing(&mut cache, cache_bytes);
            Box::new(evaluator.with_symmetries(params.root_symmetries as usize, start.info()))
        });
        let tree = SearchTree::new(start, params, bytes - cache_bytes, each.collect());
        match pool {
            Some((pool, _)) => tree.asking(pool.clone()),
            None => tree,
        }
    }

    fn tree(&mut self, game: &Game) -> &mut SearchTree {
        // `filter` drops an old tree before a new one allocates its memory.
        let tree = self.tree.take().filter(|tree| tree.knows(game.position()));
        let tree = tree.unwrap_or_else(|| {
            let net = self.net_for(game.info(), net_board_kind(game));
            self.new_tree(game, net, (self.memory << 20, self.threads), self.pool_for(game))
        });
        self.tree.insert(tree)
    }

    /// Estimates by short searches in other trees, with the net and with playouts, which groups are
    /// dead.
    pub fn statuses<'g>(&self, game: &'g Game, seed: u64) -> StatusSearch<'g> {
        const BYTES: usize = 8 << 20;
        let net = self.net_for(game.info(), net_board_kind(game));
        // Nets have seen few finished games with dead stones on the board; playouts settle them.
        let nets = net.into_iter().map(Some).chain([None]);
        let trees = nets.map(|net| self.new_tree(game, net, (BYTES, 1), None));
        StatusSearch::new(game, trees.collect(), seed)
    }

    /// Searches and chooses a step, also in the middle of a turn. Without a limit of playouts a
    /// signal must end the search. The choice is a pass after the end of the game and during the
    /// other side's turn.
    pub fn step<'s>(&'s mut self, game: &'s Game, task: &Task) -> StepSearch<'s> {
        StepSearch::new(self.tree(game), game, task)
    }

    /// Searches and chooses a whole turn. The first step gets `task.playouts`; all later steps
    /// share the same number. See also [`step`](Self::step).
    pub fn turn<'s>(&'s mut self, game: &'s Game, task: &Task) -> TurnSearch<'s> {
        TurnSearch::new(self.tree(game), game, task)
    }

    /// Searches without a choice, for analysis and pondering, until a signal ends it or the task's
    /// playouts are made.
    pub fn ponder<'s>(&'s mut self, game: &Game, task: &'s Task) -> Pondering<'s> {
        Pondering::new(self.tree(game), game, task)
    }
}

/// The part of the memory of a search that its cache of evaluations takes.
const CACHE_DIVISOR: usize = 8;

fn net_board_kind(game: &Game) -> NetBoardKind {
    NetBoardKind::new(game.grid(), |point| game.cell(point))
}
