//! Small files: sections of every type, streams with every kind of block, and one file for each error.

use super::texts::{framed, stored, text};
use crate::scda::lines::Lines;

const UNIX: [u8; 2] = *b"=\n";

fn file() -> Lines {
    Lines::file(false, b"libsc", b"demo")
}

fn entry(size: u64) -> [u8; 32] {
    *file().count(b'U', size.into()).bytes.last_chunk().expect("a count line has 32 bytes")
}

fn block(lines: Lines, size: u64, text: &[u8]) -> Lines {
    lines.inline(b"B compressed scda 00", &entry(size)).block(b"block", text)
}

fn array(lines: Lines, size: u64, texts: &[Vec<u8>]) -> Lines {
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    lines.inline(b"A compressed scda 00", &entry(size)).varray(b"array", &texts)
}

fn varray(lines: Lines, sizes: &[u64], texts: &[Vec<u8>]) -> Lines {
    let texts: Vec<&[u8]> = texts.iter().map(Vec::as_slice).collect();
    let entries: Vec<u8> = sizes.iter().flat_map(|size| entry(*size)).collect();
    lines.array(b"V compressed scda 00", sizes.len() as u128, 32, &entries).varray(b"varray", &texts)
}

fn good(plain: &[u8], line_break: [u8; 2]) -> Vec<u8> {
    text(plain.len() as u64, &stored(plain), line_break)
}

#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    // Streams without header and checksum: `copy` and `hello` are fixed blocks, `dynamic` is a dynamic block, and
    // `blocks` has stored blocks followed by a fixed one.
    let copy = &[0x4b, 0x4c, 0x24, 0x04, 0x00][..];
    let dynamic = &[
        0x45, 0xcc, 0x39, 0x0a, 0xc0, 0x00, 0x0c, 0x03, 0xc1, 0xb7, 0xca, 0x12, 0x3e, 0xe4, 0xff, 0xf7, 0x71,
        0x20, 0x90, 0xad, 0x87, 0x05, 0x10, 0x54, 0xb6, 0xa1, 0x32, 0x6b, 0x35, 0x6c, 0x8e, 0x9c, 0x31, 0xc9,
        0xed, 0x54, 0x60, 0x3d, 0x97, 0x17, 0x71, 0x6e, 0x99, 0x13, 0xe9, 0x8f, 0x6d, 0xd1, 0x25, 0xf8, 0x1c,
        0x03, 0x6f, 0xff, 0xec, 0x01,
    ][..];
    let hello = &[0xcb, 0x48, 0xcd, 0xc9, 0xc9, 0x57, 0xc8, 0x40, 0x27, 0x01][..];
    let blocks = &[0, 2, 0, 0xfd, 0xff, b'a', b'b', 0, 0, 0, 0xff, 0xff, 0x4b, 0x4c, 0x24, 0x04, 0x00][..];
    let elements = [&b""[..], b"a", b"hello hello hello", &[b'x'; 60]];
    let texts = elements.map(|plain| good(plain, UNIX));
    let sizes = elements.map(|plain| plain.len() as u64);
    let a = || good(b"a", UNIX);
    let with = |mut text: Vec<u8>, at: usize, byte: u8| {
        text[at] = byte;
        text
    };
    let mut seeds: Vec<(String, Lines)> = [
        ("block", block(file(), 1, &a())),
        ("block-empty", block(file(), 0, &good(b"", UNIX))),
        ("block-two-lines", block(file(), 60, &texts[3])),
        ("block-mime", block(Lines::file(true, b"", b""), 60, &good(&[b'x'; 60], *b"\r\n"))),
        ("block-any-breaks", block(file(), 60, &good(&[b'x'; 60], [0, 0xff]))),
        ("array", array(file(), 1, &[a(), good(b"b", UNIX), a()])),
        ("array-no-elements", array(file(), 5, &[])),
        ("varray", varray(file(), &sizes, &texts)),
        ("varray-no-elements", varray(file(), &[], &[])),
        ("all", varray(array(block(file(), 1, &a()), 1, &[a()]), &sizes, &texts).block(b"plain", b"plain")),
        ("near-miss", file().inline(b"B compressed scda 01", &entry(1)).block(b"block", &a())),
        ("streams", file().inline(b"B compressed scda 00", &entry(1)).block(b"", dynamic)),
        (
            "streams-of-all-kinds",
            file().array(b"V compressed scda 00", 0, 32, b"").varray(b"", &[copy, dynamic, blocks, hello]),
        ),
        ("copy", block(file(), 34, &text(34, &framed(copy, &[b'a'; 34]), UNIX))),
        ("second-half-wrong", file().inline(b"B compressed scda 00", &entry(1)).array(b"", 1, 26, &a())),
        ("second-half-missing", file().inline(b"A compressed scda 00", &entry(1))),
        ("halves-in-a-row", block(file().inline(b"B compressed scda 00", &entry(1)), 1, &a())),
        ("entry-size", file().array(b"V compressed scda 00", 1, 31, &[b'U'; 31]).varray(b"", &[&a()])),
        ("entry-letter", file().inline(b"B compressed scda 00", &[b'E'; 32]).block(b"", &a())),
        ("elements-differ", varray(file(), &[1, 1], &[a()])),
        ("sizes-differ", varray(file(), &[1, 2], &[a(), a()])),
        ("sizes-swapped", varray(file(), &[1, 0], &[good(b"", UNIX), a()])),
        ("size-differs", block(file(), 2, &a())),
        ("text-length", block(file(), 1, &a()[..25])),
        ("text-truncated", block(file(), 60, &texts[3][..78])),
        ("base64", block(file(), 1, &with(a(), 20, b'!'))),
        ("base64-padding", block(file(), 1, &with(a(), 20, b'='))),
        ("format-byte", block(file(), 1, &with(a(), 11, b'5'))),
        ("zlib-header", block(file(), 1, &with(a(), 12, b'f'))),
        ("adler", block(file(), 1, &with(a(), 28, b'f'))),
        ("left-over", block(file(), 1, &text(1, &[&stored(b"a")[..], b"more"].concat(), UNIX))),
        ("too-much", block(file(), 1, &text(1, &stored(b"ab"), UNIX))),
        ("too-little", block(file(), 3, &text(3, &stored(b"ab"), UNIX))),
        ("distance", block(file(), 34, &text(34, &framed(&[0x03, 0x12, 0x00], &[0; 34]), UNIX))),
        ("huge", block(file(), u64::MAX, &text(u64::MAX, &stored(b"ab"), UNIX))),
        ("window", block(file(), 40_000, &text(40_000, &stored(&[b'x'; 300]), UNIX))),
    ]
    .map(|(name, lines)| (name.to_owned(), lines))
    .into();
    let whole = varray(file(), &sizes[..3], &texts[..3]);
    for at in [200, 300, 420, 480, 560] {
        let bytes = whole.bytes[..at].to_vec();
        seeds.push((format!("cut-at-{at}"), file().cut(0).and(&bytes)));
    }
    seeds.into_iter().map(|(name, lines)| (name, lines.bytes)).collect()
}
