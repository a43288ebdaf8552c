//! Writing documents as QIO does: declaration and root on one line, no white space between elements, a NUL.

use core::fmt;

/// The buffer lent for a document is too small.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct TooSmall {
    /// Bytes that the document takes.
    pub needed: usize,
}

impl fmt::Display for TooSmall {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "the document takes {} bytes, more than the buffer holds", self.needed)
    }
}

impl core::error::Error for TooSmall {}

impl fmt::Write for Emitter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.raw(text.as_bytes());
        Ok(())
    }
}

/// Writes into a buffer and counts on past its end, so that the size needed is known.
pub(crate) struct Emitter<'a> {
    buffer: &'a mut [u8],
    used: usize,
}

impl<'a> Emitter<'a> {
    /// Begins a document: declaration and root tag, with attributes if any.
    pub(crate) fn new(buffer: &'a mut [u8], root: &str, attributes: &str) -> Self {
        let mut emitter = Self { buffer, used: 0 };
        for part in ["<?xml version=\"1.0\" encoding=\"UTF-8\"?><", root, attributes, ">"] {
            emitter.raw(part.as_bytes());
        }
        emitter
    }

    fn raw(&mut self, bytes: &[u8]) {
        let room = self.buffer.get_mut(self.used..).unwrap_or_default();
        for (to, from) in room.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.used = self.used.saturating_add(bytes.len());
    }

    fn tag(&mut self, open: &str, name: &str) {
        for part in [open, name, ">"] {
            self.raw(part.as_bytes());
        }
    }

    /// An element with a text. What would read as markup is written as an entity.
    pub(crate) fn text(&mut self, name: &str, value: &str) {
        self.tag("<", name);
        for byte in value.as_bytes() {
            match byte {
                b'<' => self.raw(b"&lt;"),
                b'>' => self.raw(b"&gt;"),
                b'&' => self.raw(b"&amp;"),
                other => self.raw(&[*other]),
            }
        }
        self.tag("</", name);
    }

    /// An element with a value as it is displayed, which must not read as markup.
    pub(crate) fn shown(&mut self, name: &str, value: &impl fmt::Display) {
        self.tag("<", name);
        // Never fails: see `write_str`.
        let _ = fmt::Write::write_fmt(self, format_args!("{value}"));
        self.tag("</", name);
    }

    /// An element with a number in the base 10 or 16, without leading zeros.
    pub(crate) fn number(&mut self, name: &str, value: u32, base: u32) {
        self.tag("<", name);
        self.digits(value, base);
        self.tag("</", name);
    }

    /// An element with a list, a blank behind every number.
    pub(crate) fn numbers(&mut self, name: &str, values: &[u32]) {
        self.tag("<", name);
        for value in values {
            self.digits(*value, 10);
            self.raw(b" ");
        }
        self.tag("</", name);
    }

    fn digits(&mut self, value: u32, base: u32) {
        let mut text = [b'0'; 10];
        let mut rest = value;
        let mut first = text.len();
        for (i, digit) in text.iter_mut().enumerate().rev() {
            let low = rest.checked_rem(base).unwrap_or(0);
            *digit = char::from_digit(low, base).map_or(b'?', |c| c as u8);
            rest = rest.checked_div(base).unwrap_or(0);
            first = i;
            if rest == 0 {
                break;
            }
        }
        self.raw(text.get(first..).unwrap_or_default());
    }

    /// Closes the root and adds the NUL; gives the length of the record.
    pub(crate) fn finish(mut self, root: &str) -> Result<usize, TooSmall> {
        self.tag("</", root);
        self.raw(&[0]);
        if self.used <= self.buffer.len() { Ok(self.used) } else { Err(TooSmall { needed: self.used }) }
    }
}
