//! Conversion of data records from one file to another, as the program does it: warnings, errors and progress bars.

mod errors;
mod events;
mod plausible;
mod run;
mod terminal;

pub use errors::{converted, made};
pub use events::{next, pass_over};
pub use plausible::Plausibility;
pub use run::{asked, check_tolerance, make, run, warn_of_no_effect, written_to};
pub use terminal::{Terminal, precision, warn, warnings};
