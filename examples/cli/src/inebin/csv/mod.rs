//! Matrices as text: a line a row, fields between separators.
//!
//! Aion reads any file that does not begin with INEBIN as such a text. It takes a tab, a blank, `,` `;` `|` or
//! `:` for a separator, and writes tabs. A complex number has two fields there (`--pairs`).

mod error;
mod from;
mod lines;
mod number;
mod separator;
mod to;

pub use from::{Reading, from_csv};
pub use separator::Separator;
pub use to::to_csv;
