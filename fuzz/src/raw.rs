//! Records written byte by byte from the specification (LIME 1.2, appendix), not by the code under test.

pub const MB: u16 = 0x8000;
pub const ME: u16 = 0x4000;
pub const MAGIC: [u8; 4] = [0x45, 0x67, 0x89, 0xab];
pub const HEADER: usize = 144;

/// The bytes of consecutive records, with methods to append to and change them.
pub struct Raw {
    pub bytes: Vec<u8>,
}

impl Raw {
    #[must_use]
    pub fn record(flags: u16, record_type: &[u8], payload: &[u8]) -> Self {
        let mut bytes = MAGIC.to_vec();
        bytes.extend_from_slice(&[0, 1]);
        bytes.extend_from_slice(&flags.to_be_bytes());
        bytes.extend_from_slice(&(payload.len() as u64).to_be_bytes());
        bytes.extend_from_slice(record_type);
        bytes.resize(HEADER, 0);
        bytes.extend_from_slice(payload);
        bytes.resize(bytes.len().next_multiple_of(8), 0);
        Self { bytes }
    }

    #[must_use]
    pub fn then(mut self, other: Self) -> Self {
        self.bytes.extend_from_slice(&other.bytes);
        self
    }

    #[must_use]
    pub fn with(mut self, at: usize, bytes: &[u8]) -> Self {
        self.bytes[at..at + bytes.len()].copy_from_slice(bytes);
        self
    }

    #[must_use]
    pub fn cut(mut self, length: usize) -> Self {
        self.bytes.truncate(length);
        self
    }

    #[must_use]
    pub fn and(mut self, bytes: &[u8]) -> Self {
        self.bytes.extend_from_slice(bytes);
        self
    }
}
