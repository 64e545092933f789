//! Where a board is served, and who reaches it.

use serde::Serialize;

/// The addresses of a board for the links that people send.
#[derive(Clone, Debug, Default, Serialize)]
pub struct Place {
    /// The public address of a board; may be empty.
    pub site: String,
    /// `None` where friends cannot play at once.
    pub invitations: Option<Invitations>,
}

/// How friends reach the server of a board.
#[derive(Clone, Debug, Serialize)]
pub struct Invitations {
    /// The addresses of the page for friends on other machines.
    pub addresses: Vec<String>,
    pub reach: Reach,
}

/// The reach of a server, from few people to many.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Reach {
    /// Browsers on this computer.
    Computer,
    /// Machines in the same house or network.
    Network,
    Anyone,
}
