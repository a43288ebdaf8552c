//! Predicts which programs can read a file: `check --for`.
//!
//! No program is run. A table of rules (`rules`) has one row for each fact about the programs, with the place in the
//! source and the [`Evidence`]: most facts were read in the source, a few were inferred from it or observed when the
//! program ran. The rules are evaluated on the [`Report`](crate::report::Report) of a file; the file is not read again.
//!
//! The table covers gauge configurations in LIME files, NERSC archives and MILC files. [`answer`] returns `None` for
//! files without a gauge field.
//!
//! An [`Audience`] is the program, or nearly every program, that a new file is written for: `convert --for`.

mod answer;
mod archive_facts;
mod audience;
mod basis;
mod document;
mod evaluate;
mod facts;
pub mod json;
mod program;
mod rules;

pub use answer::{Answer, Effect, Evidence, Reason};
pub use audience::{Audience, NotAudience, Unread, not_read_by};
pub use basis::basis;
pub use evaluate::{answer, is_damaged};
pub use program::Program;
