//! Texts that are compared but not kept: each is represented by 64 bits.

use crate::ildg::GaugeKind;
use crate::state::saved;

/// FNV-1a of a text without the white space around it. Two of the few texts of one file having the same by
/// chance is out of the question, and who makes such texts on purpose gets a finding about their own file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Digest {
    state: u64,
}

saved!(struct Digest { state });

impl Digest {
    pub(crate) const fn new() -> Self {
        Self { state: 0xcbf2_9ce4_8422_2325 }
    }

    /// Of a single string.
    pub(crate) fn of(text: &str) -> Self {
        let mut digest = Self::new();
        for byte in text.bytes() {
            digest.push(byte);
        }
        digest
    }

    pub(crate) const fn push(&mut self, byte: u8) {
        // Modulo 2^64, as the hash (FNV-1a) is defined.
        self.state = (self.state ^ byte as u64).wrapping_mul(0x0100_0000_01b3);
    }

    /// The digest of a field: its update and its kind.
    pub(crate) fn with_kind(mut self, kind: GaugeKind) -> u64 {
        let [high, low] = kind.colors().to_be_bytes();
        for byte in [kind.group() as u8, high, low] {
            self.push(byte);
        }
        self.state
    }
}
