//! INEBIN files: matrices of booleans, integers, real and complex numbers.

mod contents;
mod figures;
pub mod json;
mod look;
mod survey;

pub use contents::{Contents, word};
pub use figures::{Figures, Integers, Parts, Reals};
pub use survey::survey;
