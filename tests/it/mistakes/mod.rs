//! What a person or a careless client gets wrong, and what a server must refuse.

mod files;
mod limits;
mod terminal;
