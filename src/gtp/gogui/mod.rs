//! GoGui: the board and the rules as it asks for them, drawings and a menu.
//!
//! [`ruler`] writes the board and its legal moves for GoGui's rules; [`gfx`] is the language of
//! drawings.

pub mod board_graphics;
pub mod dialog;
pub mod gfx;
pub mod menu;
pub mod ruler;
pub mod search_graphics;
