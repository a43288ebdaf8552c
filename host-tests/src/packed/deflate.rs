//! zlib streams written without a compressor (RFC 1950, 1951): stored blocks, and blocks of fixed codes with copies
//! that no compressor would produce.

/// A stream that is written bit by bit.
#[derive(Debug)]
pub struct Deflate {
    bytes: Vec<u8>,
    bits: u64,
    held: u32,
}

impl Default for Deflate {
    fn default() -> Self {
        Self::new()
    }
}

impl Deflate {
    /// Begins with the header that libsc writes without zlib: a window of 32 KiB, no compression.
    pub fn new() -> Self {
        Self { bytes: vec![0x78, 0x01], bits: 0, held: 0 }
    }

    /// Writes bits from the lowest on, as for everything except Huffman codes (RFC 1951, section 3.1.1).
    pub fn number(&mut self, value: u64, length: u32) {
        self.bits |= value << self.held;
        self.held += length;
        while self.held >= 8 {
            self.bytes.push(self.bits as u8);
            self.bits >>= 8;
            self.held -= 8;
        }
    }

    /// Writes a Huffman code, which begins with its highest bit.
    fn code(&mut self, value: u64, length: u32) {
        self.number(value.reverse_bits() >> (64 - length), length);
    }

    fn align(&mut self) {
        let missing = (8 - self.held) % 8;
        self.number(0, missing);
    }

    /// Writes a stored block.
    pub fn stored(&mut self, bytes: &[u8], last: bool) {
        self.number(u64::from(last), 3);
        self.align();
        let length = u16::try_from(bytes.len()).expect("a stored block has at most 65535 bytes");
        self.bytes.extend(length.to_le_bytes());
        self.bytes.extend((!length).to_le_bytes());
        self.bytes.extend(bytes);
    }

    /// Begins a block of fixed codes.
    pub fn begin_fixed(&mut self, last: bool) {
        self.number(u64::from(last) | 1 << 1, 3);
    }

    /// Writes a literal byte.
    pub fn literal(&mut self, byte: u8) {
        let byte = u64::from(byte);
        if byte < 144 { self.code(0x30 + byte, 8) } else { self.code(0x190 + byte - 144, 9) }
    }

    /// Writes a copy of 3 to 10 bytes, or 258, at this distance.
    pub fn copy(&mut self, length: u64, distance: u64) {
        match length {
            3..=10 => self.code(length - 2, 7),
            258 => self.code(0xc0 + 5, 8),
            _ => panic!("a length with extra bits"),
        }
        // Distances 1 to 4 have codes of their own; beyond, there are two codes for each further bit.
        let from_zero = distance - 1;
        if from_zero < 4 {
            self.code(from_zero, 5);
            return;
        }
        let top = from_zero.ilog2();
        self.code(u64::from(2 * top) + (from_zero >> (top - 1) & 1), 5);
        self.number(from_zero & ((1 << (top - 1)) - 1), top - 1);
    }

    /// Ends a block of fixed codes.
    pub fn end_block(&mut self) {
        self.code(0, 7);
    }

    /// Completes a stream that should inflate to `plain`, with the checksum of that.
    pub fn finish(mut self, plain: &[u8]) -> Vec<u8> {
        self.align();
        self.bytes.extend(adler32(plain).to_be_bytes());
        self.bytes
    }
}

/// A stream of stored blocks of at most `most` bytes.
pub fn stored(plain: &[u8], most: usize) -> Vec<u8> {
    let mut deflate = Deflate::new();
    let blocks = plain.len().div_ceil(most).max(1);
    for n in 0..blocks {
        let end = plain.len().min((n + 1) * most);
        deflate.stored(&plain[n * most..end], n + 1 == blocks);
    }
    deflate.finish(plain)
}

fn adler32(bytes: &[u8]) -> u32 {
    let (mut a, mut b) = (1, 0);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    b << 16 | a
}
