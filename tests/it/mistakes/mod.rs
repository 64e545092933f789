//! What a person or a careless client gets wrong, and what a server must refuse.

mod illegal;
mod komi;
