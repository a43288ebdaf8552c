//! Which programs can read a file: `check --for`.
//!
//! No program is run. What each of them accepts was read in its source: a table of rules (`rules`) has one row for each
//! fact, with the version of the program and the place in its source. The rules are evaluated on the
//! [`Report`](crate::report::Report) of a file; the file is not read again.
//!
//! The table covers gauge configurations in LIME files, NERSC archives and MILC files. [`answer`] returns `None` for
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
pub use evaluate::{answer, is_damaged};
pub use program::Program;
