//! `scda create`: a file made of pieces.

mod build;
mod compressor;
mod piece;
mod texts;
mod user;

pub use build::{Making, create};
pub use piece::{Piece, gathered};
pub use texts::Packing;
pub use user::UserString;
