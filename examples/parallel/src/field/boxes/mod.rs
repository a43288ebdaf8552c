//! Parts of fields: the sites in a box of the lattice.

mod error;
mod numbers;
mod part;
mod runs;

pub use error::BoxError;
pub use part::BoxPart;
pub use runs::{BoxRun, Runs, Windows};
