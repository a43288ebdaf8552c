//! Which programs can read a file: `check --for`.
//!
//! No program is run. What each of them accepts was read in its source; a table of rules (`rules`) has one row for each
//! fact, with the version and the place in the source. The rules are evaluated on the [`Report`](crate::report::Report)
//! of a file, which is not parsed again.
//!
//! The table is about gauge configurations in LIME files, NERSC archives and MILC files. [`answer`] returns `None` for
//! files without a gauge field.

mod answer;
mod archive_facts;
mod document;
mod evaluate;
mod facts;
pub mod json;
mod program;
mod rules;

pub use answer::{Answer, Effect, Evidence, Reason};
pub use evaluate::answer;
pub use program::Program;
