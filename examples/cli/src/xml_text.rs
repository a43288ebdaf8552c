//! Restricts texts for documents to the characters that XML can contain.

/// Parses a command-line argument that goes into a document.
pub fn argument(text: &str) -> Result<String, String> {
    match text.chars().find(|c| !is_held(*c)) {
        None => Ok(text.to_owned()),
        Some(c) => Err(format!("XML cannot hold the character {}", c.escape_unicode())),
    }
}

/// A text in which U+FFFD replaces characters that are not UTF-8 or not allowed in XML.
pub fn replaced(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).replace(|c| !is_held(c), "\u{fffd}")
}

/// A character of XML 1.0 (section 2.2, production 2).
const fn is_held(c: char) -> bool {
    matches!(c, '\t' | '\n' | '\r' | ' '..='\u{fffd}' | '\u{10000}'..)
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
        assert_eq!(replaced(b"a\x01\xff\xc3\xa9\n"), "a\u{fffd}\u{fffd}\u{e9}\n");
    }
}
