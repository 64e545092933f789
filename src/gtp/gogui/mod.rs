//! What GoGui wants to know: a board that it can draw, the rules as it asks for
//! them, pictures, and a menu.
//!
//! [`ruler`] is the board as rows of characters and the legal moves, [`gfx`] the
//! language of pictures, [`board_graphics`] what lies on the board, [`search_graphics`] what a
//! search thinks of it, [`menu`] the commands that GoGui's menu offers, [`dialog`]
//! their dialogs of parameters.

pub mod board_graphics;
pub mod dialog;
pub mod gfx;
pub mod menu;
pub mod ruler;
pub mod search_graphics;
