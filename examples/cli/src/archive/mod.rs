//! NERSC archives and MILC files: what is reported of them, and their way into LIME files and back.

pub mod human;
mod import;
mod nersc;

pub use import::as_lime;
pub use nersc::{NerscForm, write_nersc};
