//! The rules of all variants, one by one: a diagram, a turn, its effect.
//!
//! `X` is Black, `O` White, `+` a tao stone, `*` a void and `#` a wall.

mod captures;
mod counting;
mod handicap;
mod joined;
mod ko;
mod layers;
mod nuclear;
mod stoical;
mod sygo;
mod tao;
mod turns;
