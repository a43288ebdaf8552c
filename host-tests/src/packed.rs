//! The texts of compressed scda elements in the simplest form, written from section 3.1 of `formats/scda-on-disk.md`.

mod deflate;

pub use deflate::{Deflate, stored};
pub use zlib_rs::{DeflateConfig as Compression, Strategy};

/// The two line breaks that a text can have.
pub const UNIX: [u8; 2] = *b"=\n";
pub const MIME: [u8; 2] = *b"\r\n";

const ALPHABET: &[u8; 64] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";

/// Base64 in lines of 76 characters, with a line break after each.
pub fn lines(raw: &[u8], line_break: [u8; 2]) -> Vec<u8> {
    let mut code = Vec::with_capacity(raw.len() / 3 * 4 + 4);
    for group in raw.chunks(3) {
        let bits = (0..3).fold(0_usize, |bits, n| bits << 8 | usize::from(*group.get(n).unwrap_or(&0)));
        for n in 0..4 {
            let char = ALPHABET[bits >> (18 - 6 * n) & 63];
            code.push(if n <= group.len() { char } else { b'=' });
        }
    }
    code.chunks(76).flat_map(|line| [line, &line_break].concat()).collect()
}

/// The text of an element with this size and this zlib stream, which need not match.
pub fn text(size: u64, stream: &[u8], line_break: [u8; 2]) -> Vec<u8> {
    lines(&[&size.to_be_bytes(), &b"z"[..], stream].concat(), line_break)
}

/// The zlib stream of `plain`, made by another compressor than the one under test.
///
/// # Panics
/// If the compressor refuses the settings.
pub fn compressed(plain: &[u8], how: Compression) -> Vec<u8> {
    // With the smallest windows, the output can be longer than the compressor's bound.
    let mut stream = vec![0; 2 * zlib_rs::compress_bound(plain.len()) + 100];
    let (stream, status) = zlib_rs::compress_slice(&mut stream, plain, how);
    assert_eq!(status as i32, 0, "zlib: {status:?}");
    stream.to_vec()
}

/// The text of an element as libsc would write it.
pub fn text_of(plain: &[u8]) -> Vec<u8> {
    text(plain.len() as u64, &compressed(plain, Compression::best_compression()), UNIX)
}

/// Inflates a complete zlib stream of at most `most` bytes with another decompressor. Returns the data and the number
/// of bytes of the stream that were consumed.
pub fn inflated(stream: &[u8], most: usize) -> Option<(Vec<u8>, usize)> {
    let mut plain = vec![0; most];
    let mut inflate = zlib_rs::Inflate::new(true, 15);
    let status = inflate.decompress(stream, &mut plain, zlib_rs::InflateFlush::Finish);
    plain.truncate(usize::try_from(inflate.total_out()).expect("in memory"));
    let taken = usize::try_from(inflate.total_in()).expect("in memory");
    matches!(status, Ok(zlib_rs::Status::StreamEnd)).then_some((plain, taken))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_examples_of_the_document() {
        for (plain, text) in [
            (&b""[..], &b"AAAAAAAAAAB6eNoDAAAAAAE==\n"[..]),
            (b"a", b"AAAAAAAAAAF6eNpLBAAAYgBi=\n"),
            (b"hello hello hello hello hello", b"AAAAAAAAAB16eNrLSM3JyVfIwE4CAKMQCuU==\n"),
        ] {
            assert_eq!(text_of(plain), text);
        }
    }

    #[test]
    fn lines_are_full_or_last() {
        for (raw, length) in [(57, 78), (58, 78 + 6), (114, 156), (115, 162)] {
            let text = lines(&vec![0xff; raw], MIME);
            assert_eq!(text.len(), length);
            assert!(text.ends_with(b"\r\n") && text[76..].starts_with(b"\r\n"));
        }
    }

    #[test]
    fn streams_written_by_hand_are_streams() {
        let plain: Vec<u8> = (0..=255).cycle().take(1000).collect();
        assert_eq!(inflated(&stored(&plain, 300), 1000).expect("a stream").0, plain);
        let mut deflate = Deflate::new();
        deflate.stored(&plain[..256], false);
        deflate.begin_fixed(true);
        plain[256..300].iter().for_each(|byte| deflate.literal(*byte));
        for (length, distance) in [(258, 256), (10, 256), (3, 256)] {
            deflate.copy(length, distance);
        }
        deflate.end_block();
        let stream = deflate.finish(&plain[..571]);
        assert_eq!(inflated(&stream, 1000), Some((plain[..571].to_vec(), stream.len())));
    }
}
