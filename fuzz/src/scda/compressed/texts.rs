//! Texts of compressed elements written byte by byte from the paper (section 3.1), not by the code under test.

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// The text of an element with the given size and compressed stream.
pub fn text(size: u64, stream: &[u8], line_break: [u8; 2]) -> Vec<u8> {
    let raw = [&size.to_be_bytes()[..], b"z", stream].concat();
    let mut code = Vec::new();
    for group in raw.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, n| bits << 8 | usize::from(*group.get(n).unwrap_or(&0)));
        let char = |n: usize| if n <= group.len() { ALPHABET[bits >> (18 - 6 * n) & 63] } else { b'=' };
        code.extend((0..4).map(char));
    }
    code.chunks(76).flat_map(|line| [line, &line_break].concat()).collect()
}

/// A zlib stream of one stored block.
pub fn stored(plain: &[u8]) -> Vec<u8> {
    let length = u16::try_from(plain.len()).expect("the element fits into one stored block");
    let head = [&[0x78, 0x01, 1][..], &length.to_le_bytes(), &(!length).to_le_bytes()].concat();
    [&head, plain, &adler32(plain)].concat()
}

/// A zlib stream: `deflated` between the header and the checksum of `plain`.
pub fn framed(deflated: &[u8], plain: &[u8]) -> Vec<u8> {
    [&[0x78, 0x01], deflated, &adler32(plain)].concat()
}

fn adler32(bytes: &[u8]) -> [u8; 4] {
    let (mut a, mut b) = (1, 0);
    for byte in bytes {
        a = (a + u32::from(*byte)) % 65521;
        b = (b + a) % 65521;
    }
    (b << 16 | a).to_be_bytes()
}
