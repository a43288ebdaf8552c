//! Formatting of numbers, names and messages for the text output.

use std::path::Path;

pub use linkstream_access::text::{
    bytes, counted, no_such, one_line, printable, shown as shown_name, shown_path, thousands,
};

/// The bytes of a name that is not valid UTF-8.
pub fn not_utf8(path: &Path) -> Option<Vec<u8>> {
    let name = path.as_os_str();
    name.to_str().is_none().then(|| name.as_encoded_bytes().to_vec())
}
