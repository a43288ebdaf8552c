//! The buffer between the network and the card.

/// Size of the buffer. The pieces that TCP delivers do not end where sectors end.
pub const STAGE: usize = 2048;

/// Bytes that are waiting to be written or sent.
#[derive(Debug)]
pub struct Stage {
    pub bytes: [u8; STAGE],
    pub filled: usize,
}

impl Stage {
    pub const fn new() -> Self {
        Self { bytes: [0; STAGE], filled: 0 }
    }

    pub fn contents(&self) -> &[u8] {
        self.bytes.get(..self.filled).unwrap_or(&[])
    }

    /// Removes bytes from the front.
    pub fn remove(&mut self, count: usize) {
        let bytes = self.bytes.get_mut(..self.filled).unwrap_or(&mut []);
        let count = count.min(bytes.len());
        bytes.copy_within(count.., 0);
        self.filled = self.filled.saturating_sub(count);
    }
}

impl Default for Stage {
    fn default() -> Self {
        Self::new()
    }
}
