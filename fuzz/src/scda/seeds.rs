//! Small files: valid ones of every form, and one for each error.

use super::lines::Lines;

#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    const MOST: u128 = 10_u128.pow(26) - 1;
    let file = || Lines::file(false, b"libsc", b"demo");
    let mime = || Lines::file(true, b"libsc", b"demo");
    let block = || file().block(b"greeting", b"hello\n");
    let varray = || file().varray(b"words", &[b"one", b"", b"three"]);
    let mut seeds = vec![
        ("header", file()),
        ("header-mime", mime()),
        ("strings-empty", Lines::file(false, b"", b"").block(b"", b"")),
        ("strings-longest", Lines::file(false, &[b'-'; 20], &[b' '; 58]).inline(&[b'-'; 58], &[0; 32])),
        ("inline", file().inline(b"step", b"42                             \n")),
        ("block", block()),
        ("block-mime", mime().block(b"greeting", b"hello\r\n")),
        ("array", file().array(b"ids", 2, 3, b"abcdef")),
        ("array-no-elements", file().array(b"none", 0, 8, b"")),
        ("array-empty-elements", file().array(b"empty", 5, 0, b"")),
        ("array-extreme", file().array(b"zero", MOST, 0, b"").array(b"zero", 0, MOST, b"")),
        ("varray", varray()),
        ("varray-mime", mime().varray(b"words", &[b"one", b"", b"three\n"])),
        ("varray-no-elements", file().varray(b"none", &[])),
        ("varray-empty-elements", file().varray(b"empty", &[b"", b""])),
        (
            "all",
            file()
                .inline(b"i", &[b'\n'; 32])
                .block(b"b", b"x")
                .array(b"a", 3, 1, b"xy\n")
                .varray(b"v", &[b"x", b"yz"]),
        ),
        ("any-line-ends", block().with(30, b"??").with(94, b"??").with(222, b"??")),
        ("magic-wrong", file().with(0, b"S")),
        ("version-wrong", file().with(5, b"9f")),
        ("version-a1", file().with(5, b"a1")),
        ("no-space", file().with(7, b"-")),
        ("vendor-too-long", file().with(8, &[b'v'; 21])),
        ("user-too-long", file().with(34, &[b'u'; 59])),
        ("letter-wrong", block().with(128, b"X")),
        ("second-header", file().head(b'F', b"demo").pad(b"")),
        ("no-header", Lines::file(false, b"", b"").with(32, b"I")),
        ("head-no-space", block().with(129, b"-")),
        ("count-letter", block().with(192, b"N")),
        ("count-no-space", block().with(193, b"-")),
        ("count-zero-in-front", block().with(194, b"06 -")),
        ("count-no-digits", block().with(194, b" -")),
        ("count-sign", block().with(194, b"+6 -")),
        ("count-27-digits", block().with(194, &[b'9'; 27])),
        ("size-letter", varray().with(224, b"N")),
        ("size-zero-in-front", varray().with(226, b"03 -")),
        ("limit-block", file().head(b'B', b"").count(b'E', u64::MAX.into())),
        ("limit-product", file().head(b'A', b"").count(b'N', 1 << 40).count(b'E', 1 << 40)),
        ("limit-product-wraps", file().head(b'A', b"").count(b'N', (1 << 60) + 2).count(b'E', 16).pad(b"")),
        ("limit-sizes", file().head(b'V', b"").count(b'N', 1 << 59)),
        ("limit-sum", file().head(b'V', b"").count(b'N', 2).count(b'E', 1 << 63).count(b'E', 1 << 63)),
        ("claims-much", file().head(b'B', b"").count(b'E', 1 << 60).and(b"little")),
        ("claims-many", file().head(b'V', b"").count(b'N', 1 << 50).count(b'E', 1)),
        ("padding-wrong", block().with(240, b"-")),
        ("padding-after-line-feed", file().block(b"", b"hello\n").with(230, b"\n")),
        ("padding-mixed", block().with(252, b"\r\n\r\n")),
        ("cut-in-magic", file().cut(3)),
        ("cut-in-vendor", file().cut(20)),
        ("cut-in-first-head", file().cut(60)),
        ("cut-in-head", block().cut(150)),
        ("cut-in-count", block().cut(200)),
        ("cut-in-sizes", varray().cut(250)),
        ("cut-in-data", block().cut(227)),
        ("cut-in-padding", block().cut(240)),
        ("cut-after-data", block().cut(230)),
        ("trailing-bytes", block().and(b"tail")),
        ("trailing-zeros", block().and(&[0; 64])),
    ]
    .into_iter()
    .map(|(name, lines)| (name.to_owned(), lines.bytes))
    .collect::<Vec<_>>();
    for length in [1, 24, 25, 26, 31, 32] {
        seeds.push((format!("padding-after-{length}"), file().block(b"", &vec![b'x'; length]).bytes));
    }
    seeds
}
