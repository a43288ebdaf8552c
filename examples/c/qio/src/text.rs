//! Texts that accessors pass to C programs.

use std::ffi::c_char;

use linkstream_memory as memory;

/// A text in memory of this library, with a zero byte at its end; it can be missing, and is empty then.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Text {
    bytes: Vec<u8>,
    is_defined: bool,
}

impl Default for Text {
    fn default() -> Self {
        let mut missing = Self::new(b"");
        missing.is_defined = false;
        missing
    }
}

impl Text {
    /// A text of these bytes, up to the first zero byte.
    #[must_use]
    pub fn new(bytes: &[u8]) -> Self {
        let length = bytes.iter().position(|byte| *byte == 0).unwrap_or(bytes.len());
        // The text can come from a file.
        let mut copy = memory::unwinding::or_end(memory::room(length + 1));
        copy.extend_from_slice(&bytes[..length]);
        copy.push(0);
        Self { bytes: copy, is_defined: true }
    }

    /// A text, or a missing one.
    #[must_use]
    pub fn of(bytes: Option<&[u8]>) -> Self {
        bytes.map(Self::new).unwrap_or_default()
    }

    /// True unless the text is missing.
    #[must_use]
    pub const fn is_defined(&self) -> bool {
        self.is_defined
    }

    /// The bytes without the zero byte. A program that writes to the memory can shorten the text, not lengthen it.
    #[must_use]
    pub fn as_bytes(&self) -> &[u8] {
        let length = self.bytes.iter().position(|byte| *byte == 0);
        &self.bytes[..length.unwrap_or(self.bytes.len() - 1)]
    }

    /// The text, or `None` if it is missing.
    #[must_use]
    pub fn get(&self) -> Option<&[u8]> {
        self.is_defined.then(|| self.as_bytes())
    }

    /// The text with bytes that are not UTF-8 replaced, for messages.
    #[must_use]
    pub fn shown(&self) -> String {
        String::from_utf8_lossy(self.as_bytes()).into_owned()
    }

    /// Address of the text for C.
    pub const fn as_mut_ptr(&mut self) -> *mut c_char {
        self.bytes.as_mut_ptr().cast()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_end_with_a_zero_byte() {
        let text = Text::new(b"ab\0c");
        assert_eq!((text.as_bytes(), text.bytes.len(), text.get()), (&b"ab"[..], 3, Some(&b"ab"[..])));
        let mut missing = Text::of(None);
        assert_eq!((missing.as_bytes(), missing.get()), (&b""[..], None));
        assert!(!missing.as_mut_ptr().is_null());
        assert_eq!(Text::new(b"").get(), Some(&b""[..]));
    }
}
