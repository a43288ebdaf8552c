//! Conversion of data records from one file to another: collecting what the file holds, planning, writing, and reading
//! the result back.

mod choose;
mod copy;
mod document;
mod fault;
mod found;
mod job;
mod messages;
mod names;
mod numbers;
mod plausible;
mod provenance;
mod read_back;
mod run;
mod shape;
mod sink;
mod wish;

pub use document::{Beside, NO_TEXT, Planned, SCRATCH, check_date, private_record, set_date};
pub use fault::Fault;
pub use found::{Found, next, pass_over};
pub use messages::{warn, warnings};
pub use names::{Names, is_update, judge};
pub use plausible::Plausibility;
pub use provenance::note;
pub use read_back::read_back;
pub use run::{make, run, write, written_to};
pub use sink::FieldSink;
pub use wish::{Rows, Target, Wish, precision, unix_now};
