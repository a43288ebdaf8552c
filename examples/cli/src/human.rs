//! Formatting of numbers, names and messages for the text output.

use std::path::Path;

/// Shows the name of a file, which may contain any characters, on one line.
pub use linkstream_report::names::shown as shown_name;
use linkstream_report::names::{is_unprintable, shown_bytes};

/// Shows a path, of which the name need not be UTF-8, on one line. Different paths are shown differently.
pub fn shown_path(path: &Path) -> String {
    shown_bytes(path.as_os_str().as_encoded_bytes())
}

/// Escapes text from a file for a terminal, so that it cannot move the cursor or change colors.
pub fn printable(text: &str) -> String {
    escaped(text, |c| is_unprintable(c) && !matches!(c, '\n' | '\t'))
}

/// Escapes a message, or text from a file, for one line of a terminal.
pub fn one_line(text: &str) -> String {
    escaped(text, is_unprintable)
}

fn escaped(text: &str, is_escaped: impl Fn(char) -> bool) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if is_escaped(c) {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

pub fn counted(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

pub fn bytes(n: impl Into<u128>) -> String {
    let n = n.into();
    if n == 1 { "1 byte".to_owned() } else { format!("{} bytes", thousands(n)) }
}

/// Groups digits by three.
pub fn thousands(n: impl Into<u128>) -> String {
    let digits = n.into().to_string();
    let mut out = String::new();
    for (i, digit) in digits.chars().enumerate() {
        if i > 0 && (digits.len() - i).is_multiple_of(3) {
            out.push(',');
        }
        out.push(digit);
    }
    out
}
