//! Matrices as text: one line per row, with separators between the fields.
//!
//! Aion reads any file that does not begin with INEBIN as such a text. It accepts a tab, a space, `,` `;` `|` or `:` as
//! a separator, and writes tabs. It stores a complex number in two fields (`--pairs`).

mod error;
mod from;
mod lines;
mod number;
mod separator;
mod to;

pub use from::{Reading, from_csv};
pub use separator::Separator;
pub use to::to_csv;
