//! Gauge configurations outside of LIME: NERSC archives and MILC files of version 5.

mod contents;
mod examination;
pub mod json;
mod milc;
mod nersc;

pub use contents::{Agreement, Contents, Shape, Sum};
pub use milc::survey as survey_milc;
pub use nersc::{guessed, survey as survey_nersc};
