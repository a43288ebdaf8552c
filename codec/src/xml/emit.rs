//! Writing documents: on one line followed by a NUL, or one line per element.

use core::fmt;

use super::element::ElementName;
use super::value::is_allowed;
use crate::messages::messages;

/// Layout of a document in its record.
///
/// # Example
/// ```
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::lattice::Precision;
/// use linkstream::xml::Spacing;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [4, 4, 4, 8]);
/// let mut buffer = [0; 512];
/// let length = format.emit(Spacing::Lines, &mut buffer)?;
/// assert!(buffer[..length].contains(&b'\n'));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Spacing {
    /// All on one line without white space between elements, followed by a NUL: the form of QIO and MILC.
    #[default]
    Line,
    /// One line per element, indented by two spaces; sums have 8 digits; no NUL, which ILDG does not recommend. This is
    /// the form of tmLQCD.
    Lines,
}

messages! {
    /// Reason why a document was not written.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::Checksum;
    /// use linkstream::scidac::StoredChecksum;
    /// use linkstream::xml::{EmitError, Spacing};
    ///
    /// let refused = StoredChecksum::new(Checksum { suma: 1, sumb: 2 }).emit(Spacing::Line, &mut [0; 10]);
    /// assert!(matches!(refused, Err(EmitError::TooSmall { needed }) if needed > 10));
    /// ```
    pub enum EmitError {
        /// The buffer is too small for the document.
        TooSmall {
            /// Length of the document in bytes.
            needed: usize,
        } => ("the document takes {needed} bytes, more than the buffer holds"),
        /// Readers would see another text of this element, or refuse it: it has white space around it, or a character
        /// inside that XML 1.0 does not permit (section 2.2).
        Text(element: ElementName) => ("the text of <{element}> begins or ends with white space or contains a control character: readers would see another text or refuse it"),
    }
}

impl fmt::Write for Emitter<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.raw(text.as_bytes());
        Ok(())
    }
}

/// Writes into a buffer. Bytes beyond its end are counted, so that an error can contain the required size.
pub(crate) struct Emitter<'a> {
    buffer: &'a mut [u8],
    used: usize,
    spacing: Spacing,
    refused: Option<ElementName>,
}

impl<'a> Emitter<'a> {
    /// Begins a document: XML declaration, and start tag of the root with its attributes.
    pub(crate) fn new(buffer: &'a mut [u8], spacing: Spacing, root: &str, attributes: &[&str]) -> Self {
        let mut emitter = Self { buffer, used: 0, spacing, refused: None };
        emitter.raw(b"<?xml version=\"1.0\" encoding=\"UTF-8\"?>");
        emitter.line(0);
        emitter.raw(b"<");
        emitter.raw(root.as_bytes());
        // Aligned below each other, one column after the name of the root.
        let mut gap = 1;
        for attribute in attributes {
            match spacing {
                Spacing::Lines if gap > 1 => emitter.line(gap),
                _ => emitter.raw(b" "),
            }
            emitter.raw(attribute.as_bytes());
            gap = root.len().saturating_add(2);
        }
        emitter.raw(b">");
        emitter
    }

    fn raw(&mut self, bytes: &[u8]) {
        let room = self.buffer.get_mut(self.used..).unwrap_or_default();
        for (to, from) in room.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.used = self.used.saturating_add(bytes.len());
    }

    /// Begins a new line if the spacing has lines.
    fn line(&mut self, indent: usize) {
        if self.spacing == Spacing::Lines {
            self.raw(b"\n");
            for _ in 0..indent {
                self.raw(b" ");
            }
        }
    }

    fn open(&mut self, element: ElementName) {
        self.open_name(element.as_str());
    }

    fn open_name(&mut self, name: &str) {
        self.line(2);
        for part in ["<", name, ">"] {
            self.raw(part.as_bytes());
        }
    }

    fn close(&mut self, name: &str) {
        for part in ["</", name, ">"] {
            self.raw(part.as_bytes());
        }
    }

    /// An element with a text. Characters of markup are written as entities.
    pub(crate) fn text(&mut self, element: ElementName, value: &str) {
        // A carriage return would be read as a line feed (XML 1.0, section 2.11).
        let is_refused = |c: char| c == '\r' || !is_allowed(c);
        if value.trim_ascii() != value || value.chars().any(is_refused) {
            self.refused = self.refused.or(Some(element));
        }
        self.open(element);
        for byte in value.as_bytes() {
            match byte {
                b'<' => self.raw(b"&lt;"),
                b'>' => self.raw(b"&gt;"),
                b'&' => self.raw(b"&amp;"),
                other => self.raw(&[*other]),
            }
        }
        self.close(element.as_str());
    }

    /// An element of any name. The value is written unchanged and may contain markup.
    pub(crate) fn verbatim(&mut self, name: &str, value: &[u8]) {
        self.open_name(name);
        self.raw(value);
        self.close(name);
    }

    /// An element with a displayed value, which must not contain markup.
    pub(crate) fn shown(&mut self, element: ElementName, value: &impl fmt::Display) {
        self.open(element);
        // Never fails: see `write_str`.
        let _ = fmt::Write::write_fmt(self, format_args!("{value}"));
        self.close(element.as_str());
    }

    /// An element with a decimal number.
    pub(crate) fn number(&mut self, element: ElementName, value: u32) {
        self.open(element);
        self.digits(value, 10, 1);
        self.close(element.as_str());
    }

    /// An element with a hexadecimal sum.
    pub(crate) fn sum(&mut self, element: ElementName, value: u32) {
        let least = match self.spacing {
            Spacing::Line => 1,
            Spacing::Lines => 8,
        };
        self.open(element);
        self.digits(value, 16, least);
        self.close(element.as_str());
    }

    /// An element with a list, a space after every number.
    pub(crate) fn numbers(&mut self, element: ElementName, values: &[u32]) {
        self.open(element);
        for value in values {
            self.digits(*value, 10, 1);
            self.raw(b" ");
        }
        self.close(element.as_str());
    }

    fn digits(&mut self, value: u32, base: u32, least: usize) {
        let mut text = [b'0'; 10];
        let mut rest = value;
        let mut first = text.len();
        // From the last digit to the first.
        for (i, digit) in text.iter_mut().enumerate().rev() {
            let low = rest.checked_rem(base).unwrap_or(0);
            *digit = char::from_digit(low, base).map_or(b'?', |c| c as u8);
            rest = rest.checked_div(base).unwrap_or(0);
            first = i;
            if rest == 0 {
                break;
            }
        }
        first = first.min(text.len().saturating_sub(least));
        self.raw(text.get(first..).unwrap_or_default());
    }

    /// Closes the root and adds the NUL if the spacing has one. Returns the length of the record.
    pub(crate) fn finish(mut self, root: &str) -> Result<usize, EmitError> {
        self.line(0);
        self.close(root);
        if self.spacing == Spacing::Line {
            self.raw(&[0]);
        }
        match self.refused {
            Some(element) => Err(EmitError::Text(element)),
            None if self.used > self.buffer.len() => Err(EmitError::TooSmall { needed: self.used }),
            None => Ok(self.used),
        }
    }
}
