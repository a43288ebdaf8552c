//! The value of an element while it is read, and the references in it.

use super::value::{MAX_VALUE, token};
use crate::state::saved;

/// The entities that XML defines (section 4.6).
const NAMED: [(&[u8], u8); 5] =
    [(b"lt", b'<'), (b"gt", b'>'), (b"amp", b'&'), (b"quot", b'"'), (b"apos", b'\'')];

/// Longest reference between `&` and `;`: `#x10FFFF`.
const MAX_REFERENCE: usize = 8;

/// A value without white space at its ends, however that is written: types of a schema that drop it do so when
/// references and CDATA sections have been replaced.
#[derive(Debug, Clone)]
pub(super) struct Content {
    bytes: [u8; MAX_VALUE],
    /// Length without white space at the end, also beyond what is kept.
    length: u32,
    /// Length with white space, which counts if something follows.
    end: u32,
}

saved!(struct Content { bytes, length, end });

impl Content {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_VALUE], length: 0, end: 0 };

    pub(super) const fn clear(&mut self) {
        self.length = 0;
        self.end = 0;
    }

    pub(super) fn push(&mut self, byte: u8) {
        let blank = byte.is_ascii_whitespace();
        if blank && self.end == 0 {
            return;
        }
        if let Some(slot) = self.bytes.get_mut(self.end as usize) {
            *slot = byte;
        }
        // The values of a file have any length.
        self.end = self.end.saturating_add(1);
        if !blank {
            self.length = self.end;
        }
    }

    /// Its length in the file.
    pub(super) const fn length(&self) -> u32 {
        self.length
    }

    /// What is kept of it.
    pub(super) fn kept(&self) -> &[u8] {
        self.bytes.get(..self.length as usize).unwrap_or(&self.bytes)
    }
}

/// What has been read of a reference, between `&` and `;`.
#[derive(Debug, Clone)]
pub(super) struct Reference {
    /// Zeros after the reference.
    bytes: [u8; MAX_REFERENCE],
}

saved!(struct Reference { bytes });

impl Reference {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_REFERENCE] };

    /// Whether the byte can belong to a reference.
    pub(super) fn push(&mut self, byte: u8) -> bool {
        let Some(slot) = self.bytes.iter_mut().find(|slot| **slot == 0) else { return false };
        *slot = byte;
        byte.is_ascii_alphanumeric() || byte == b'#'
    }

    /// The character it refers to; `None` if XML defines none.
    pub(super) fn character(&self) -> Option<char> {
        let name = self.bytes.split(|byte| *byte == 0).next()?;
        let digits = match name {
            [b'#', digits @ ..] => digits,
            _ => return NAMED.iter().find(|(listed, _)| *listed == name).map(|(_, c)| char::from(*c)),
        };
        let (digits, base) = match digits {
            [b'x', digits @ ..] => (digits, 16),
            _ => (digits, 10),
        };
        let number = token(digits, base);
        let code = number.value.filter(|code| *code != 0 && number.rest.is_empty())?;
        char::from_u32(code)
    }
}
