//! Formatting of numbers, names and messages for the text output.

pub use linkstream_access::text::{
    bytes, counted, no_such, one_line, printable, shown as shown_name, shown_path, thousands,
};
