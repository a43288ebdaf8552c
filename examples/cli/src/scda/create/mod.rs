//! `scda create`: makes a file from sections given on the command line.

mod build;
mod piece;
mod user;

pub use build::{Making, create};
pub use piece::{Piece, gathered};
pub use user::UserString;
