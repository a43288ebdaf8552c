//! A line of an answer. Its own conversion of numbers takes less flash than `core::fmt`, and cannot panic.

/// Text of at most `N` bytes. The rest is left out.
#[derive(Debug, Clone, Copy)]
pub struct Text<const N: usize> {
    bytes: [u8; N],
    length: usize,
}

impl<const N: usize> Text<N> {
    pub const fn new() -> Self {
        Self { bytes: [0; N], length: 0 }
    }

    pub fn clear(&mut self) {
        self.length = 0;
    }

    pub fn as_bytes(&self) -> &[u8] {
        self.bytes.get(..self.length).unwrap_or(&[])
    }

    pub fn byte(&mut self, byte: u8) -> &mut Self {
        if let Some(place) = self.bytes.get_mut(self.length) {
            *place = byte;
            self.length += 1;
        }
        self
    }

    pub fn bytes(&mut self, bytes: &[u8]) -> &mut Self {
        for &byte in bytes {
            self.byte(byte);
        }
        self
    }

    pub fn word(&mut self, word: &str) -> &mut Self {
        self.bytes(word.as_bytes())
    }

    /// The number in decimal, after a space.
    pub fn number(&mut self, number: u64) -> &mut Self {
        self.byte(b' ').digits(number)
    }

    /// The number in decimal.
    pub fn digits(&mut self, number: u64) -> &mut Self {
        let mut place = 10_000_000_000_000_000_000_u64;
        while place > number && place > 1 {
            place /= 10;
        }
        while place > 0 {
            self.byte(b'0' + (number / place % 10) as u8);
            place /= 10;
        }
        self
    }

    /// The bytes in hexadecimal digits, after a space.
    pub fn hexadecimal(&mut self, bytes: &[u8]) -> &mut Self {
        self.byte(b' ');
        for byte in bytes {
            for digit in [byte >> 4, byte & 15] {
                self.byte(if digit < 10 { b'0' + digit } else { b'a' - 10 + digit });
            }
        }
        self
    }
}

impl<const N: usize> Default for Text<N> {
    fn default() -> Self {
        Self::new()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn numbers_are_written_as_rust_writes_them() {
        for number in [0, 1, 9, 10, 123, 4_294_967_295, u64::MAX] {
            let mut text = Text::<64>::new();
            text.word("x").number(number).hexadecimal(&(number as u32).to_be_bytes());
            assert_eq!(text.as_bytes(), std::format!("x {number} {:08x}", number as u32).as_bytes());
        }
    }

    #[test]
    fn text_ends_where_it_does_not_fit() {
        let mut text = Text::<4>::new();
        text.word("abcdef").number(7);
        assert_eq!(text.as_bytes(), b"abcd");
    }
}
