//! A store of many files as a whole: its manifest, and what has changed since.

mod arguments;
mod check;
mod human;
mod listed;
mod manifest;
mod store;

pub use arguments::Which;
pub use check::{Against, Shown, check};
pub use listed::{ENSEMBLE_EXAMPLES, Ensemble, TABLE_EXAMPLES, Table, ensemble, table};
pub use manifest::{EXAMPLES as MANIFEST_EXAMPLES, Manifest, run as manifest};
