//! Each byte of a file with every kind of section is replaced by all values that have a meaning somewhere, and some
//! that have none. The decoder must report the same as the model.

use crate::scda::model::{Body, Plain, build, drive, expected};
use host_tests::long;
use linkstream::Mode;
use linkstream::scda::{PlainDecoder, Style};

fn file(style: Style) -> Vec<u8> {
    let section = |user: &[u8], body| Plain { user: user.to_vec(), body };
    let sections = [
        section(b"i", Body::Inline([b'\n'; 32])),
        section(b" - ", Body::Block(b"data\n".to_vec())),
        section(b"", Body::Array { n: 10, e: 2, data: vec![b'='; 20] }),
        section(&[b'v'; 58], Body::Varray(vec![b"one".to_vec(), Vec::new(), b"three\r".to_vec()])),
        section(b"no data", Body::Block(Vec::new())),
        section(b"many", Body::Array { n: 10_u128.pow(25), e: 0, data: Vec::new() }),
    ];
    build(style, b"vendor", b"user", &sections)
}

const VALUES: &[u8] = b" -\r\n=+0129FIBAVNEUfXscdat7b\0\x7f\x80\xff";

#[test]
fn each_byte_takes_each_relevant_value() {
    for (style, mode) in [(Style::Unix, Mode::Strict), (Style::Mime, Mode::Survey)] {
        let file = file(style);
        assert_eq!(expected(&file, mode).end, Ok(()));
        let mut refused = 0;
        for at in 0..file.len() {
            let values = VALUES.iter().copied().chain([file[at] ^ 1, file[at].wrapping_add(1)]);
            for value in long::sample(values.skip(at % 4), 4) {
                let mut changed = file.clone();
                changed[at] = value;
                let decoder = PlainDecoder::new(mode);
                let trace = drive(&decoder, &changed).whole();
                expected(&changed, mode).assert_same(&trace, &format!("{value:02x} at {at}, {mode:?}"));
                refused += usize::from(trace.end.is_err());
            }
        }
        assert!(refused > if long::is_wanted() { 5000 } else { 1000 }, "{refused}");
    }
}

/// Any section may follow the header, but none may replace it, and the header may be nowhere else.
#[test]
fn the_header_is_the_first_section_and_no_other() {
    let header = build(Style::Unix, b"", b"", &[]);
    let mut count = 0;
    for first in b"FIBAVX" {
        for second in b"FIBAVX" {
            let mut file = [&header[..], &header[32..96]].concat();
            (file[32], file[128]) = (*first, *second);
            let decoder = PlainDecoder::new(Mode::Lenient);
            let trace = drive(&decoder, &file).whole();
            let at = trace.end.expect_err("nothing is complete").at;
            let right = if *first != b'F' { 32 } else { if b"FX".contains(second) { 128 } else { 192 } };
            assert_eq!(at, right, "{} and {}", char::from(*first), char::from(*second));
            count += 1;
        }
    }
    assert_eq!(count, 36);
}
