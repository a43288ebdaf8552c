//! NERSC archives and MILC files: what is reported of them, and their way into LIME files and back.

mod figures;
pub mod human;
mod import;
mod judged;
mod lines;
mod nersc;

pub use import::{Imported, Origin, as_lime};
pub use nersc::{NerscForm, write_nersc};
