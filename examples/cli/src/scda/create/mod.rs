//! `scda create`: makes a file from sections given on the command line.

mod build;
mod compressor;
mod piece;
mod texts;
mod user;

pub use build::{Making, create};
pub use piece::{Piece, gathered};
pub use texts::Packing;
pub use user::UserString;
