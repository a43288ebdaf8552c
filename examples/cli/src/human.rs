//! Words for people: numbers and names as they may be shown.

/// Text from a file as it may be shown on a terminal: nothing in it can move the cursor or change colors.
pub fn printable(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars() {
        if c.is_control() && !matches!(c, '\n' | '\t') {
            out.extend(c.escape_default());
        } else {
            out.push(c);
        }
    }
    out
}

/// A name that may hold anything, on one line.
pub fn one_line(name: &str) -> String {
    printable(name).replace('\n', "\\n").replace('\t', "\\t")
}

pub fn counted(n: usize, one: &str, many: &str) -> String {
    if n == 1 { format!("1 {one}") } else { format!("{n} {many}") }
}

pub fn bytes(n: impl Into<u128>) -> String {
    let n = n.into();
    if n == 1 { "1 byte".to_owned() } else { format!("{} bytes", thousands(n)) }
}

/// Digits in groups of three.
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
