//! NERSC archives and MILC files: their reports, and their conversion to and from LIME files.

pub mod human;
mod import;
mod nersc;
mod open_qcd;

pub use import::{Origin, as_lime, of_links, open_as_judged, warnings};
pub use nersc::write_nersc;
pub use open_qcd::write_open_qcd;
