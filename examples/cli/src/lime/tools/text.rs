//! Selects the payloads that `contents` shows: short ones that are text, as in c-lime's tool.

/// Longer payloads are not shown.
pub const LONGEST: u64 = 63_999;

/// A payload as text; `None` if it is not text. Many writers include a NUL at the end, which is removed.
pub fn of(payload: &[u8]) -> Option<&str> {
    let text = std::str::from_utf8(payload.strip_suffix(b"\0").unwrap_or(payload)).ok()?;
    let is_text = |c: char| !c.is_control() || matches!(c, '\n' | '\r' | '\t');
    text.chars().all(is_text).then_some(text)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_of_any_language_with_or_without_a_nul() {
        for text in ["", "LIME test message", "a\tb\r\nc\n", "größe"] {
            assert_eq!(of(text.as_bytes()), Some(text));
            assert_eq!(of(&[text.as_bytes(), b"\0"].concat()), Some(text));
        }
        for other in [&b"\0\0"[..], b"a\0b", b"\x1b[31m", b"\x7f", b"\xff"] {
            assert_eq!(of(other), None, "{other:?}");
        }
    }
}
