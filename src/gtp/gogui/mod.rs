//! GoGui: its rules interface, drawings, dialogs and menu.

pub mod board_graphics;
pub mod dialog;
pub mod gfx;
pub mod ruler;
pub mod search_graphics;
