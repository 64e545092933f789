//! Mistakes of a person or a careless client, and requests that a server must refuse.

mod files;
mod limits;
mod terminal;
