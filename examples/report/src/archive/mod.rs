//! Gauge configurations outside of LIME: NERSC archives, MILC files of version 5, and configurations of openQCD.

mod as_lime;
mod contents;
mod examination;
pub mod json;
mod lime_view;
mod milc;
mod nersc;
mod open_qcd;
pub(crate) mod state;
mod whole_links;

pub use as_lime::{AsLime, HeaderError, WritingError};
pub use contents::{Agreement, Contents, Sum};
pub use lime_view::LimeView;
pub(crate) use milc::survey as survey_milc;
pub(crate) use nersc::survey as survey_nersc;
pub(crate) use open_qcd::survey as survey_open_qcd;
