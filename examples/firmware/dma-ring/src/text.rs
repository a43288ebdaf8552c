//! Text in a buffer of fixed size.

use core::fmt;

/// Writes text into a slice. The rest is left out.
#[derive(Debug)]
pub struct Text<'a> {
    room: &'a mut [u8],
    length: usize,
}

impl<'a> Text<'a> {
    pub const fn new(room: &'a mut [u8]) -> Self {
        Self { room, length: 0 }
    }

    /// Number of bytes written.
    pub const fn length(&self) -> usize {
        self.length
    }

    pub fn put(&mut self, bytes: &[u8]) {
        let rest = self.room.get_mut(self.length..).unwrap_or_default();
        let length = bytes.len().min(rest.len());
        for (to, from) in rest.iter_mut().zip(bytes) {
            *to = *from;
        }
        self.length = self.length.saturating_add(length);
    }
}

impl fmt::Write for Text<'_> {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        self.put(text.as_bytes());
        Ok(())
    }
}
