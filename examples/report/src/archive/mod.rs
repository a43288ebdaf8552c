//! Gauge configurations outside of LIME: NERSC archives and MILC files of version 5.

mod contents;
mod examination;
pub mod json;
mod milc;
mod nersc;
mod site_list;
mod whole_links;

pub use contents::{Agreement, Contents, Shape, Sum};
pub use milc::survey as survey_milc;
pub use nersc::survey as survey_nersc;
pub use site_list::for_each_listed;
pub use whole_links::WholeLinks;
