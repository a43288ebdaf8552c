//! NERSC archives and MILC files: their reports, and their conversion to and from LIME files.

mod figures;
pub mod human;
mod import;
mod lines;
mod nersc;

pub use import::{Origin, as_lime};
pub use nersc::{NerscForm, write_nersc};
