//! Formatting of numbers and names for the text output.

/// Escapes text from a file for a terminal, so that it cannot move the cursor or change colors.
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

/// Escapes a name, which may contain any characters, to fit on one line.
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
