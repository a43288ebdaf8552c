//! Several byte strings in one, for messages between ranks.

use linkstream_memory::{self as memory, Short};

/// The byte strings in a message.
#[derive(Debug)]
pub struct Parts<'b> {
    rest: &'b [u8],
}

impl<'b> Parts<'b> {
    /// The strings of a message.
    #[must_use]
    pub const fn new(bytes: &'b [u8]) -> Self {
        Self { rest: bytes }
    }

    /// A message with these strings.
    ///
    /// # Errors
    /// There is not enough memory.
    pub fn join(parts: &[&[u8]]) -> Result<Vec<u8>, Short> {
        let mut all = Vec::new();
        for part in parts {
            memory::extend(&mut all, &(part.len() as u64).to_le_bytes())?;
            memory::extend(&mut all, part)?;
        }
        Ok(all)
    }
}

impl<'b> Iterator for Parts<'b> {
    type Item = &'b [u8];

    fn next(&mut self) -> Option<&'b [u8]> {
        let (length, rest) = self.rest.split_first_chunk::<8>()?;
        let (part, rest) = rest.split_at_checked(usize::try_from(u64::from_le_bytes(*length)).ok()?)?;
        self.rest = rest;
        Some(part)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parts_are_found_again() {
        let joined = Parts::join(&[b"a", b"", b"bcd"]).unwrap();
        assert_eq!(Parts::new(&joined).collect::<Vec<_>>(), [&b"a"[..], b"", b"bcd"]);
        assert_eq!(Parts::new(&joined[..10]).count(), 1);
    }
}
