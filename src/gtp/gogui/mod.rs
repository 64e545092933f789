//! GoGui: the board and the rules as it asks for them, drawings and a menu.
//!
//! [`ruler`] writes the board as rows of characters and lists the legal moves;
//! [`gfx`] is the language of drawings, [`board_graphics`] draws the contents of the
//! board and [`search_graphics`] the results of a search; [`menu`] lists the commands
//! in GoGui's menu, and [`dialog`] makes the dialogs for parameters.

pub mod board_graphics;
pub mod dialog;
pub mod gfx;
pub mod menu;
pub mod ruler;
pub mod search_graphics;
