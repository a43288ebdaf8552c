//! Restricts texts for documents to the characters that XML can contain.

use linkstream_access::text::is_xml;

/// Parses a command-line argument that goes into a document.
pub fn argument(text: &str) -> Result<String, String> {
    match text.chars().find(|c| !is_xml(*c)) {
        None => Ok(text.to_owned()),
        Some(c) => Err(format!("XML cannot hold the character {}", c.escape_unicode())),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_xml() {
        assert_eq!(argument("a\t\r\n\u{e9}\u{1f600}").as_deref(), Ok("a\t\r\n\u{e9}\u{1f600}"));
        for wrong in ["a\u{1}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
            assert!(argument(wrong).is_err(), "{}", wrong.escape_unicode());
        }
    }
}
