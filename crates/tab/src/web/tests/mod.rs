//! The decisions of a tab, asked for by a page in the same thread.

mod edits;
mod page;
mod play;
mod records;
mod review;
mod searches;
mod waits;
mod walks;
