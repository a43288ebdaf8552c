//! `scda create`: a file made of pieces.

mod build;
mod piece;
mod texts;
mod user;

pub use build::{Making, create};
pub use piece::{Piece, gathered};
pub use user::UserString;
