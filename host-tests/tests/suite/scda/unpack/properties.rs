//! Random compressed sections, made by another compressor with various settings and without a compressor, are compared
//! with their original content; random streams are compared with another decoder.

use crate::scda::model::{Body, Plain, build};
use crate::scda::unpack::support::{block_file, noise, packed, run, run_with, smooth};
use host_tests::packed::{self, Compression, Strategy, inflated, stored};
use linkstream::scda::{Decoder, ErrorKind, SectionType, Style, Unpacker};
use linkstream::{Class, Diagnostic as _, Mode};
use proptest::collection::vec;
use proptest::prelude::{Just, Strategy as Making, any, prop_oneof};
use proptest::test_runner::{Config, TestRunner};

const WINDOW: usize = 32 << 10;

fn config(cases: u32) -> Config {
    Config { cases: host_tests::long::number(cases, 4), failure_persistence: None, ..Config::default() }
}

/// Sizes around the size of a line, a window, and a stored block.
fn size() -> impl Making<Value = usize> {
    prop_oneof![
        4 => 0..3_usize,
        4 => 36..60_usize,
        6 => 0..400_usize,
        2 => 2_000..9_000_usize,
        1 => WINDOW - 1..WINDOW + 2,
        1 => 65_530..65_540_usize,
        1 => 2 * WINDOW..3 * WINDOW,
    ]
}

/// Contents that compress well, slightly, and not at all.
fn content(size: usize) -> impl Making<Value = Vec<u8>> {
    prop_oneof![
        Just(smooth(size)),
        Just(noise(size)),
        any::<u8>().prop_map(move |byte| vec![byte; size]),
        (1..300_usize).prop_map(move |period| noise(period).into_iter().cycle().take(size).collect()),
        vec(any::<u8>(), size),
    ]
}

/// Ways to make a stream.
#[derive(Debug, Clone)]
enum How {
    Compressor(Compression),
    Stored(usize),
}

impl How {
    fn stream(&self, plain: &[u8]) -> Vec<u8> {
        match self {
            Self::Compressor(how) => packed::compressed(plain, *how),
            Self::Stored(most) => stored(plain, *most),
        }
    }
}

fn how() -> impl Making<Value = How> {
    let strategy = prop_oneof![
        Just(Strategy::Default),
        Just(Strategy::Filtered),
        Just(Strategy::HuffmanOnly),
        Just(Strategy::Rle),
        Just(Strategy::Fixed),
    ];
    let compressor =
        (0..10_i32, 9..16_i32, 1..10_i32, strategy).prop_map(|(level, window_bits, mem_level, strategy)| {
            How::Compressor(Compression { window_bits, mem_level, strategy, ..Compression::new(level) })
        });
    let stored = prop_oneof![1..70_usize, Just(65_531), Just(65_535)].prop_map(How::Stored);
    prop_oneof![4 => compressor, 1 => stored]
}

fn line_break() -> impl Making<Value = [u8; 2]> {
    prop_oneof![Just(packed::UNIX), Just(packed::MIME), any::<[u8; 2]>()]
}

/// The content of a compressed section, and how it is written.
#[derive(Debug, Clone)]
struct Made {
    kind: SectionType,
    elements: Vec<Vec<u8>>,
    texts: Vec<Vec<u8>>,
    /// Size of the elements of an array, even if it has none.
    size: u64,
}

fn made() -> impl Making<Value = Made> {
    let block = size().prop_flat_map(content).prop_map(|element| (SectionType::Block, vec![element]));
    let array = (size(), 0..5_usize)
        .prop_flat_map(|(size, n)| vec(content(size), n).prop_map(|elements| (SectionType::Array, elements)));
    let varray = vec(size().prop_flat_map(content), 0..12).prop_map(|all| (SectionType::Varray, all));
    (prop_oneof![block, array, varray], how(), how(), line_break(), any::<u64>()).prop_map(
        |((kind, elements), first, second, line_break, other)| {
            let text = |(n, plain): (usize, &Vec<u8>)| {
                let how = if n % 2 == 0 { &first } else { &second };
                packed::text(plain.len() as u64, &how.stream(plain), line_break)
            };
            let texts = elements.iter().enumerate().map(text).collect();
            let size = elements.first().map_or(other, |element| element.len() as u64);
            Made { kind, elements, texts, size }
        },
    )
}

impl Made {
    fn raw(&self, style: Style) -> [Plain; 2] {
        let mut sizes: Vec<u64> = self.elements.iter().map(|element| element.len() as u64).collect();
        if self.kind != SectionType::Varray {
            sizes = vec![self.size];
        }
        packed(style, self.kind, b"name", &sizes, self.texts.clone())
    }
}

#[test]
fn compressed_sections_read_back() {
    let style = prop_oneof![Just(Style::Unix), Just(Style::Mime)];
    let buffer = prop_oneof![Just(WINDOW), Just(WINDOW + 1), Just(2 * WINDOW), Just(4 * WINDOW)];
    let strategy = (vec(made(), 1..4), style, buffer, vec(1..3000_usize, 1..20));
    TestRunner::new(config(300))
        .run(&strategy, |(made, style, buffer, pieces)| {
            let between = Plain { user: b"between".to_vec(), body: Body::Block(b"data".to_vec()) };
            let mut sections: Vec<Plain> = made.iter().flat_map(|made| made.raw(style)).collect();
            sections.push(between);
            let bytes = build(style, b"v", b"u", &sections);
            let mut rest = &bytes[..];
            let mut sizes = pieces.iter().cycle();
            let pieces = std::iter::from_fn(|| {
                let (piece, behind) = rest.split_at(rest.len().min(*sizes.next()?));
                rest = behind;
                (!piece.is_empty()).then_some(piece)
            });
            let unpacker = Unpacker::new(Decoder::new(Mode::Strict, true), vec![0; buffer]);
            let run = run_with(unpacker, pieces);
            assert_eq!(run.end, Ok(()));
            assert_eq!(run.sections.len(), made.len() + 2);
            for (seen, made) in run.sections[1..].iter().zip(&made) {
                assert_eq!(seen.section.section_type, made.kind);
                assert!(seen.elements == made.elements, "elements");
                let text_sizes: Vec<u64> = made.texts.iter().map(|text| text.len() as u64).collect();
                assert!(made.kind == SectionType::Block || seen.text_sizes == text_sizes);
            }
            Ok(())
        })
        .unwrap();
}

/// Both decoders accept the stream with the same result. If the other decoder refuses it, this one reports an error and
/// no element.
fn judged_alike(size: usize, stream: &[u8]) {
    let other = inflated(stream, size).filter(|(plain, _)| plain.len() == size);
    let bytes = block_file(size as u64, packed::text(size as u64, stream, packed::MIME));
    let whole = run(&bytes, Mode::Survey, size);
    let found = whole.sections[1].elements.first();
    let is_wrong = whole.findings.iter().any(|error| error.kind.class() == Class::Decode);
    match other {
        Some((plain, taken)) if taken == stream.len() => {
            assert_eq!((found, is_wrong), (Some(&plain), false), "{:?}", whole.findings);
        }
        // With bytes after the stream, the element may have been reported before they are found.
        Some((plain, _)) => assert!(is_wrong && found.is_none_or(|found| *found == plain)),
        None => assert!(is_wrong && found.is_none(), "{:?}", whole.findings),
    }
    if size > WINDOW {
        let windowed = run(&bytes, Mode::Survey, WINDOW);
        assert_eq!(windowed.findings, whole.findings);
        assert!(windowed.sections[1].elements == whole.sections[1].elements);
    }
}

#[test]
fn garbage_is_judged_as_by_another_decoder() {
    let garbage = prop_oneof![
        vec(any::<u8>(), 8..200),
        // Random bytes after the header of a valid stream get further into the decoder.
        vec(any::<u8>(), 8..200).prop_map(|rest| [&[0x78, 0x9c][..], &rest].concat()),
    ];
    TestRunner::new(config(3000))
        .run(&(garbage, 0..300_usize), |(stream, size)| {
            judged_alike(size, &stream);
            Ok(())
        })
        .unwrap();
}

/// Valid streams with a few bytes changed, missing or added, and with another size announced.
#[test]
fn damaged_streams_are_judged_as_by_another_decoder() {
    let plain = size().prop_flat_map(content);
    let changes = vec((any::<proptest::sample::Index>(), any::<u8>()), 0..3);
    let strategy = (plain, how(), changes, 0..4_usize, vec(any::<u8>(), 0..4), -2..3_isize);
    TestRunner::new(config(1500))
        .run(&strategy, |(plain, how, changes, missing, more, size)| {
            let mut stream = how.stream(&plain);
            for (at, byte) in changes {
                let at = at.index(stream.len());
                stream[at] = byte;
            }
            stream.truncate(stream.len() - missing);
            stream.extend(more);
            let size = plain.len().saturating_add_signed(if missing == 0 { 0 } else { size });
            judged_alike(size, &stream);
            Ok(())
        })
        .unwrap();
}

/// The size in an element's text differs from the size in its section. This is detected before the element is
/// decompressed.
#[test]
fn sizes_that_differ_are_found() {
    let strategy = (0..300_usize, 0..300_u64, any::<bool>());
    TestRunner::new(config(200))
        .run(&strategy, |(size, announced, varray)| {
            let plain = smooth(size);
            let text = packed::text_of(&plain);
            let kind = if varray { SectionType::Varray } else { SectionType::Block };
            let bytes =
                crate::scda::unpack::support::file(&packed(Style::Unix, kind, b"", &[announced], vec![text]));
            let run = run(&bytes, Mode::Survey, 300);
            let kinds: Vec<ErrorKind> = run.findings.iter().map(|error| error.kind).collect();
            let stored = size as u64;
            if announced == stored {
                assert_eq!(kinds, []);
            } else if varray {
                assert_eq!(kinds, [ErrorKind::SizesDiffer]);
            } else {
                assert_eq!(kinds, [ErrorKind::SizeDiffers { announced: announced.into(), stored }]);
                assert!(run.sections[1].elements.is_empty());
            }
            Ok(())
        })
        .unwrap();
}
