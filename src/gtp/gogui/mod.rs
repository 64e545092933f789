//! What GoGui wants to know: a board that it can draw, the rules as it asks for
//! them, pictures, and a menu.
//!
//! [`ruling`] is the board as rows of characters and the legal moves, [`gfx`] the
//! language of pictures, [`picture`] what lies on the board, [`thought`] what a
//! search thinks of it, [`menu`] the commands that GoGui's menu offers, [`dialog`]
//! their dialogs of parameters.

pub mod dialog;
pub mod gfx;
pub mod menu;
pub mod picture;
pub mod ruling;
pub mod thought;
