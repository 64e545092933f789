//! `kawari board`: the board in the browser.

use super::options::{PlayerKind, half};
use super::progress::{self, LogOption};
use super::{CliResult, Error, cores, print};
use crate::server::{IDLE_PING_INTERVAL, Server, TabSettings};
use crate::web::SearchSettings;
use clap::{Args, Subcommand};
use log::LevelFilter;
use std::net::{IpAddr, Ipv4Addr, SocketAddr};

const MAX_DEFAULT_THREADS: usize = 8;

#[derive(Clone, Debug, Args)]
pub struct BoardOptions {
    /// The port; 0 for any free port
    #[arg(long, value_name = "N", default_value = "9019")]
    port: u16,
    /// Do not open the browser
    #[arg(long)]
    no_open: bool,
    /// The IP address to listen on; beyond this machine, the address of the page has a secret token
    #[arg(long, value_name = "ADDRESS", default_value_t = IpAddr::V4(Ipv4Addr::LOCALHOST))]
    listen: IpAddr,
    /// The public address of a board as static files: links that people send point there
    #[arg(long, value_name = "ADDRESS", value_parser = site)]
    site: Option<String>,
    /// Search threads of each board [default: half of the cores, at most 8]
    #[arg(long, value_name = "N", value_parser = super::options::threads())]
    threads: Option<u16>,
    /// Megabytes for the search tree of each board
    #[arg(long, value_name = "MB", default_value = "64", value_parser = super::options::megabytes())]
    memory: u32,
    /// The player: `net` searches with a net where there is one; `baseline` is plain UCT with
    /// uniformly random playouts
    #[arg(long, default_value = "net", value_parser = super::options::player())]
    player: PlayerKind,
    #[command(flatten)]
    pub log: LogOption,
}

impl BoardOptions {
    pub fn tabs(&self) -> TabSettings {
        let threads = half(cores()).min(MAX_DEFAULT_THREADS);
        TabSettings {
            search: SearchSettings {
                params: self.player.params(),
                memory: usize::try_from(self.memory).unwrap_or(usize::MAX),
                threads: self.threads.map_or(threads, usize::from),
            },
            site: self.site.clone().unwrap_or_default(),
            idle: IDLE_PING_INTERVAL,
        }
    }
}

#[derive(Debug, Subcommand)]
pub enum BoardCommand {
    /// Show and play all games in the browser
    Board(BoardOptions),
}

impl BoardCommand {
    pub fn log_level(&self) -> LevelFilter {
        let BoardCommand::Board(options) = self;
        options.log.log
    }

    pub fn run(&self) -> CliResult {
        let BoardCommand::Board(options) = self;
        board(options)
    }
}

fn site(text: &str) -> Result<String, String> {
    let has_host = |rest: &str| !rest.starts_with('/') && !rest.is_empty() && !rest.contains('#');
    let rest = text.strip_prefix("https://").or_else(|| text.strip_prefix("http://"));
    match rest {
        Some(rest) if has_host(rest) => Ok(text.to_owned()),
        _ => Err("expected an address such as https://example.org/kawari/".to_owned()),
    }
}

fn board(options: &BoardOptions) -> CliResult {
    let address = SocketAddr::new(options.listen, options.port);
    let server = Server::bind(address, options.tabs()).map_err(Error::failure)?;
    let url = server.url();
    print(&format!("The board is at {url} (Ctrl-C ends it)"))?;
    for address in server.urls_for_others() {
        print(&format!("Other machines open {address}"))?;
    }
    if !options.no_open
        && let Err(error) = open::that_detached(&url)
    {
        progress::line(&format!("no browser could be opened ({error}): open the address yourself"));
    }
    server.run()?;
    Ok(())
}
