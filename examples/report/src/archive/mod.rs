//! Gauge configurations outside of LIME: NERSC archives and MILC files of version 5.

mod contents;
mod examination;
pub mod json;
mod milc;
mod nersc;
mod whole_links;

pub use contents::{Agreement, Contents, Sum};
pub(crate) use milc::survey as survey_milc;
pub(crate) use nersc::survey as survey_nersc;
