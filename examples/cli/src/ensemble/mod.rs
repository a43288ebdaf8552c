//! A store of many files as a whole: its manifest, and what has changed since.

mod arguments;
mod check;
mod human;
mod manifest;
mod store;

pub use check::{Against, Shown, check};
pub use manifest::{EXAMPLES as MANIFEST_EXAMPLES, Manifest, run as manifest};
