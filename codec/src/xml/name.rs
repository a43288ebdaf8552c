//! Names of elements and attributes, as far as they are kept.

use crate::state::saved;

/// Longest name that is kept, with its prefix; longer ones are compared by their first bytes and their length,
/// which is counted up to 255.
const MAX_NAME: usize = 24;

/// A name, cut at [`MAX_NAME`].
#[derive(Debug, Clone, Copy)]
pub(crate) struct Name {
    /// Zeros after the name.
    bytes: [u8; MAX_NAME],
    length: u8,
}

saved!(struct Name { bytes, length });

impl Name {
    pub(super) const EMPTY: Self = Self { bytes: [0; MAX_NAME], length: 0 };

    pub(super) fn push(&mut self, byte: u8) {
        if let Some(slot) = self.bytes.get_mut(usize::from(self.length)) {
            *slot = byte;
        }
        // The names of a file have any length.
        self.length = self.length.saturating_add(1);
    }

    /// Its length in the file, up to 255.
    pub(super) const fn length(&self) -> u8 {
        self.length
    }

    /// Whether this byte is at this place, as far as that is kept.
    pub(super) fn has(&self, place: u8, byte: u8) -> bool {
        self.bytes.get(usize::from(place)).is_none_or(|kept| *kept == byte)
    }

    /// The name if all of it was kept; otherwise it is none that means something.
    pub(super) fn kept(&self) -> &[u8] {
        self.bytes.get(..usize::from(self.length)).unwrap_or(&[])
    }

    /// The prefix with its colon, and the rest. The prefix of a name without a colon is empty.
    pub(super) fn parts(&self) -> (&[u8], &[u8]) {
        let name = self.kept();
        let colon = name.iter().position(|byte| *byte == b':');
        let prefix = colon.map_or(0, |colon| colon.saturating_add(1));
        name.split_at_checked(prefix).unwrap_or((&[], name))
    }
}
