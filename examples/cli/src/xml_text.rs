//! Restricts texts for documents to what XML can contain.

use linkstream_access::text::{is_xml, not_xml};

/// Parses a command-line argument that goes into a document.
pub fn argument(text: &str) -> Result<String, String> {
    match text.chars().find(|c| !is_xml(*c)) {
        None => Ok(text.to_owned()),
        Some(c) => Err(format!("XML cannot hold the character {}", c.escape_unicode())),
    }
}

/// Parses a command-line argument that is a document itself.
pub fn document(text: &str) -> Result<String, String> {
    not_xml(text).map_or_else(|| Ok(text.to_owned()), |what| Err(format!("XML cannot hold {what}")))
}

/// Parses a command-line argument that becomes the content of an element.
pub fn content(text: &str) -> Result<String, String> {
    document(&format!("<info>{text}</info>")).map(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn characters_of_xml() {
        assert!(content("beta = 6 &amp; more").is_ok() && content("a &#1; b").is_err());
        assert_eq!(argument("a\t\r\n\u{e9}\u{1f600}").as_deref(), Ok("a\t\r\n\u{e9}\u{1f600}"));
        for wrong in ["a\u{1}", "\u{1f}", "\u{fffe}", "\u{ffff}"] {
            assert!(argument(wrong).is_err() && document(wrong).is_err(), "{}", wrong.escape_unicode());
        }
        for wrong in ["<a>&#0;</a>", "<a b='&nbsp;'/>", "<a>&#xffff;</a>"] {
            // It is escaped where it is no document.
            assert!(
                argument(wrong).is_ok() && document(wrong).is_err() && content(wrong).is_err(),
                "{wrong}"
            );
        }
    }
}
