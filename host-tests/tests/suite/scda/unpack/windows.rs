//! Elements longer than the buffer, which then serves as a window: streams around the edges of a window.

use crate::scda::unpack::support::{
    Run, block_file, noise, run, run_pieces, run_restless, run_with, varray_file,
};
use host_tests::packed::{Deflate, UNIX, inflated, stored, text};
use linkstream::scda::{Decoder, ErrorKind, Unpacker};
use linkstream::{Error, Mode};

const WINDOW: usize = 32 << 10;
const TEXT: u64 = 320;

/// Reads with a buffer of one window, and verifies that the result does not depend on the cut.
fn windowed(file: &[u8]) -> Run {
    let whole = run(file, Mode::Survey, WINDOW);
    let pieces =
        [1, 2, 3, 7, 76, 77, 78, 79, 1000].map(|piece| run_pieces(file, Mode::Survey, WINDOW, piece));
    // Pushes few bytes after many were passed and not consumed.
    let restless = [&[5000, 1, 2, 3][..], &[90, 1, 1], &[700, 3]]
        .map(|lengths| run_restless(file, Mode::Survey, WINDOW, lengths));
    for (piece, cut) in pieces.into_iter().chain(restless).enumerate() {
        assert_eq!(cut.findings, whole.findings, "way {piece}");
        assert_eq!(cut.end, whole.end, "way {piece}");
        for (cut, whole) in cut.sections.iter().zip(&whole.sections) {
            assert!(cut.content() == whole.content(), "way {piece}");
            assert_eq!(cut.parts, whole.parts, "way {piece}");
        }
        assert!(cut.incomplete == whole.incomplete, "way {piece}");
    }
    whole
}

fn assert_element(file: &[u8], plain: &[u8], what: &str) {
    for run in [windowed(file), run(file, Mode::Strict, plain.len())] {
        assert_eq!((run.end, &run.findings[..]), (Ok(()), &[][..]), "{what}");
        assert!(run.sections[1].elements == [plain], "{what}");
    }
}

/// A stored block followed by copies from the largest distance. The last copy ends at any position in the window.
#[test]
fn elements_as_long_as_windows() {
    for extra in [0, 1, 2, 3, 257, 258, 259] {
        for windows in [1, 2, 3] {
            let plain: Vec<u8> = noise(WINDOW).into_iter().cycle().take(windows * WINDOW + extra).collect();
            let mut deflate = Deflate::new();
            deflate.stored(&plain[..WINDOW], false);
            deflate.begin_fixed(true);
            let mut at = WINDOW;
            while plain.len() - at >= 258 {
                deflate.copy(258, WINDOW as u64);
                at += 258;
            }
            plain[at..].iter().for_each(|byte| deflate.literal(*byte));
            deflate.end_block();
            let stream = deflate.finish(&plain);
            assert_eq!(inflated(&stream, plain.len()).expect("a stream").0, plain);
            let file = block_file(plain.len() as u64, text(plain.len() as u64, &stream, UNIX));
            assert_element(&file, &plain, &format!("{windows} windows and {extra}"));
        }
    }
}

/// A stream may end with empty blocks after its last byte.
#[test]
fn empty_blocks_after_a_full_window() {
    let plain = noise(2 * WINDOW);
    for empty in 0..4 {
        let mut deflate = Deflate::new();
        deflate.stored(&plain[..WINDOW], false);
        deflate.stored(&plain[WINDOW..], false);
        for _ in 0..empty {
            deflate.stored(b"", false);
            deflate.begin_fixed(false);
            deflate.end_block();
        }
        deflate.begin_fixed(true);
        deflate.end_block();
        let stream = deflate.finish(&plain);
        let file = block_file(plain.len() as u64, text(plain.len() as u64, &stream, UNIX));
        assert_element(&file, &plain, &format!("{empty} empty blocks"));
    }
}

/// A copy from before the beginning of the element is refused. The first window would otherwise expose earlier content
/// of the buffer, for example other elements.
#[test]
fn copies_from_before_the_beginning_are_refused() {
    for (before, distance) in [(0, 1), (1, 2), (10, 32768), (32767, 32768), (300, 301)] {
        let mut deflate = Deflate::new();
        let mut plain = noise(before);
        deflate.stored(&plain, false);
        deflate.begin_fixed(false);
        deflate.copy(258, distance);
        deflate.end_block();
        // The result for a window full of zeros or of 0xa5, so that only the distance is wrong.
        for fill in [0, 0xa5] {
            plain.truncate(before);
            let history: Vec<u8> = std::iter::repeat_n(fill, WINDOW).chain(plain.iter().copied()).collect();
            let start = history.len() - distance as usize;
            let source = history[start..].iter().copied().cycle();
            plain.extend(source.take(258));
            let rest = noise(WINDOW + 100);
            plain.extend(&rest);
            let mut deflate = Deflate::new();
            deflate.stored(&plain[..before], false);
            deflate.begin_fixed(false);
            deflate.copy(258, distance);
            deflate.end_block();
            deflate.stored(&rest, true);
            let stream = deflate.finish(&plain);
            assert_eq!(inflated(&stream, plain.len()), None, "the other decoder must refuse it");
            let file = block_file(plain.len() as u64, text(plain.len() as u64, &stream, UNIX));
            for buffer in [WINDOW, 2 * WINDOW, 4 * WINDOW] {
                let unpacker = Unpacker::new(Decoder::new(Mode::Lenient, true), vec![fill; buffer]);
                let run = run_with(unpacker, [&file[..]]);
                assert_eq!(
                    run.end,
                    Err(Error::new(TEXT, ErrorKind::Deflate)),
                    "{before} {distance} {buffer}"
                );
                assert!(run.sections[1].elements.is_empty() && run.incomplete.is_empty());
            }
        }
    }
}

/// An element is reported as complete only once, and only after its checksum was verified.
#[test]
fn a_wrong_checksum_is_found_before_the_last_part() {
    for length in [2 * WINDOW, 2 * WINDOW + 1, 3 * WINDOW - 1] {
        let plain = noise(length);
        let mut stream = stored(&plain, 40_000);
        *stream.last_mut().expect("has a checksum") ^= 1;
        let run = windowed(&block_file(length as u64, text(length as u64, &stream, UNIX)));
        assert_eq!(run.findings, [Error::new(TEXT, ErrorKind::Adler32)], "{length}");
        assert!(run.sections[1].elements.is_empty(), "{length}");
    }
}

/// Errors exactly where a window is full: the same parts are reported before, for any cut of the text.
#[test]
fn faults_at_the_edge_of_a_window() {
    let plain = noise(4 * WINDOW);
    let size = plain.len() as u64;
    for behind in [0, 1, 5] {
        let good = &plain[..WINDOW + behind];
        let (first, second) = good.split_at(WINDOW);
        for (fault, kind) in [
            (0, ErrorKind::Deflate),
            (1, ErrorKind::Deflate),
            (2, ErrorKind::TooLittle { announced: size, found: 0 }),
        ] {
            // An error at each position in a group of base64.
            for shift in 0..3 {
                let mut deflate = Deflate::new();
                (0..shift).for_each(|_| deflate.stored(b"", false));
                deflate.stored(first, false);
                if !second.is_empty() || fault == 2 {
                    deflate.stored(second, fault == 2);
                }
                match fault {
                    // An invalid block type, and an invalid distance.
                    0 => deflate.number(7, 3),
                    1 => {
                        deflate.begin_fixed(true);
                        deflate.number(0b100_0000, 7);
                        deflate.number(0b11111, 5);
                    }
                    _ => {}
                }
                let stream = deflate.finish(good);
                let run = windowed(&block_file(size, text(size, &stream, UNIX)));
                let kind = match kind {
                    ErrorKind::TooLittle { announced, .. } => {
                        ErrorKind::TooLittle { announced, found: good.len() as u64 }
                    }
                    other => other,
                };
                assert_eq!(run.findings, [Error::new(TEXT, kind)], "{fault}, {behind} bytes after, {shift}");
                assert!(run.incomplete == plain[..WINDOW], "{fault}, {behind} bytes after, {shift}");
            }
        }
    }
}

/// Short elements between long ones: a window does not keep content of another element.
#[test]
fn long_and_short_elements_by_turns() {
    let lengths = [0, 40_000, 1, 65_536, 0, 32_768, 32_769, 5, 98_304, 32_767];
    let elements: Vec<Vec<u8>> = lengths.iter().map(|length| noise(*length)).collect();
    let streams: Vec<(u64, Vec<u8>)> =
        elements.iter().map(|plain| (plain.len() as u64, stored(plain, 10_000))).collect();
    let run = windowed(&varray_file(&streams));
    assert_eq!((run.end, &run.findings[..]), (Ok(()), &[][..]));
    assert!(run.sections[1].elements == elements);
}

/// A stream with more data than announced is refused in the first window that exceeds the size.
#[test]
fn more_than_announced() {
    for size in [WINDOW, WINDOW + 1, 2 * WINDOW - 1, 2 * WINDOW] {
        let stream = stored(&noise(size + 1), 65_535);
        let run = windowed(&block_file(size as u64, text(size as u64, &stream, UNIX)));
        assert_eq!(run.findings, [Error::new(TEXT, ErrorKind::TooMuch { announced: size as u64 })], "{size}");
        assert!(run.sections[1].elements.is_empty(), "{size}");
    }
}
