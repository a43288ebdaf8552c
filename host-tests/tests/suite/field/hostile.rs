//! Documents that are made to be slow to read are refused at a limit, wherever the input is cut. Documents within the
//! limits are read.

use host_tests::hostile::{file, files};
use linkstream::scidac::PrivateFile;
use linkstream::xml::{ErrorKind, MAX_DEPTH, MAX_DOCUMENT, MAX_ELEMENTS};
use linkstream::{CallbackError, Decode, Diagnostic, Error, Mode, conformance, contract, drive, field};

/// Offset after the last byte that a decoder looks at in the document of a file with one record.
const LIMIT: u64 = 144 + MAX_DOCUMENT as u64;

/// Pushes bytes; the error of the decoder.
fn push<D: Decode>(decoder: &mut D, bytes: &[u8]) -> Option<Error<D::ErrorKind>> {
    match drive(decoder, bytes, |_, _, _| {}) {
        Err(CallbackError::Failed(error)) => Some(error),
        Ok(_) => None,
    }
}

/// The error that ends the reading in blocks of 512 bytes.
fn refused<D: Decode<ErrorKind: Diagnostic>>(mut decoder: D, file: &[u8]) -> Option<(u64, &'static str)> {
    let error = file.chunks(512).find_map(|block| push(&mut decoder, block))?;
    assert!(decoder.position() <= LIMIT, "{error}");
    Some((error.at, error.kind.rule()))
}

#[test]
fn documents_are_refused_at_a_limit() {
    const TOO_LARGE: &str = "xml-document-too-large";
    for (name, file) in files(100_000) {
        let expected = match name {
            "empty records" => None,
            "duplicate dims" => Some("xml-element-duplicate"),
            _ => Some(TOO_LARGE),
        };
        for mode in [Mode::Strict, Mode::Lenient] {
            let found = refused(field::Decoder::new(mode), &file);
            assert_eq!(found.map(|(_, rule)| rule), expected, "{name}");
            assert!(found.is_none_or(|(at, _)| at <= LIMIT), "{name}");
            // More rules can be broken before.
            let judged = refused(conformance::Decoder::new(mode), &file);
            assert!(
                judged.is_none_or(|(at, _)| at <= LIMIT) && judged.is_some() >= found.is_some(),
                "{name}"
            );
        }
        // A survey goes on after the document, and reports the limit once.
        let (mut survey, mut limits, mut findings) = (field::Decoder::new(Mode::Survey), 0, 0);
        for block in file.chunks(512) {
            let read = drive(&mut survey, block, |event, _, _| {
                if let field::Event::Finding(error) = event {
                    findings += 1;
                    limits += u32::from(error.kind.rule() == TOO_LARGE);
                }
            });
            assert!(read.is_ok(), "{name}");
        }
        assert_eq!(limits, u32::from(expected == Some(TOO_LARGE)), "{name}");
        assert_eq!(survey.position(), file.len() as u64, "{name}");
        assert!(findings <= 1 + u32::from(MAX_ELEMENTS), "{name}: {findings} findings");
    }
}

/// The largest number of calls of `push` that one byte of the file needs, and of those for a block of 512 bytes.
fn most_steps<D: Decode<ErrorKind: Diagnostic> + Clone>(decoder: &D, file: &[u8]) -> [usize; 2] {
    [1, 512].map(|length| {
        let mut decoder = decoder.clone();
        let steps = file.chunks(length).map(|block| {
            let (mut rest, mut steps) = (block, 0);
            loop {
                steps += 1;
                let step = decoder.push(rest).expect("a survey refuses nothing here");
                rest = &rest[step.consumed..];
                if step.event.is_none() {
                    return steps;
                }
            }
        });
        steps.max().unwrap_or(0)
    })
}

/// The work for a block of input is bounded because the number of steps is, and no byte is examined twice.
#[test]
fn a_byte_takes_a_bounded_number_of_steps() {
    let mut most = [[0; 2]; 2];
    let sample = ("sample", include_bytes!("../../../../examples/su3-4x4x4x8.lime").to_vec());
    for (_, file) in files(2000).into_iter().chain([sample]) {
        let read = most_steps(&field::Decoder::new(Mode::Survey), &file);
        let judged = most_steps(&conformance::Decoder::new(Mode::Survey), &file);
        for (most, found) in most.iter_mut().flatten().zip([read, judged].into_iter().flatten()) {
            *most = found.max(*most);
        }
    }
    // The table of the firmware's README has the instructions that these steps take.
    assert_eq!(most, [[4, 9], [8, 33]], "steps for a byte and for 512 bytes");
}

#[test]
fn the_limit_does_not_depend_on_the_chunks() {
    for (name, file) in files(30_000) {
        for (mode, length) in
            [(Mode::Strict, 1), (Mode::Survey, 7), (Mode::Survey, 512), (Mode::Lenient, 1000)]
        {
            let cuts = || (1..).map(|n| n * length);
            let read = contract::check(&field::Decoder::new(mode), &file, cuts(), |event| {
                matches!(event, field::Event::Data | field::Event::Payload)
            });
            assert!(read.is_ok(), "{name}, {mode:?}, {length}: {read:?}");
            let judged = contract::check(&conformance::Decoder::new(mode), &file, cuts(), |event| {
                matches!(event, field::Event::Data | field::Event::Payload)
            });
            assert!(judged.is_ok(), "{name}, {mode:?}, {length}: {judged:?}");
        }
    }
}

/// A good document with these bytes inside.
fn document(inside: &str) -> String {
    format!(
        "<scidacFile><version>1.1</version><spacetime>1</spacetime><dims>4</dims><volfmt>0</volfmt>{inside}</scidacFile>"
    )
}

/// The error of a document, by itself and in a file.
fn read(root: &str, behind: &[u8]) -> Option<(u64, ErrorKind)> {
    let begin = "<?xml version=\"1.0\"?>";
    let parsed = PrivateFile::parse(&[begin.as_bytes(), root.as_bytes(), behind].concat());
    let alone = parsed.err().map(|error| (error.at, error.kind));
    let mut whole = file(root);
    let end = 144 + begin.len() + root.len();
    whole.truncate(end);
    whole.extend_from_slice(behind);
    let length = (whole.len() - 144) as u64;
    whole[8..16].copy_from_slice(&length.to_be_bytes());
    whole.resize(whole.len().next_multiple_of(8), 0);
    let error = push(&mut field::Decoder::new(Mode::Strict), &whole);
    let in_file = error.map(|Error { at, kind, .. }| match kind {
        field::ErrorKind::Document(_, kind) => (at - 144, kind),
        other => panic!("{other:?}"),
    });
    assert_eq!(in_file, alone);
    alone
}

#[test]
fn documents_within_the_limits_are_read() {
    let begin = "<?xml version=\"1.0\"?>".len();
    // All elements without a meaning; the four others count as well.
    let elements = |count: u16| document(&"<a/>".repeat(usize::from(count - 4)));
    assert_eq!(read(&elements(MAX_ELEMENTS), b""), None);
    let refused = elements(MAX_ELEMENTS + 1);
    let at = begin + refused.len() - "></scidacFile>".len();
    assert_eq!(read(&refused, b""), Some((at as u64, ErrorKind::TooLarge)));

    let nested = |depth: usize| document(&("<a>".repeat(depth - 1) + &"</a>".repeat(depth - 1)));
    assert_eq!(read(&nested(MAX_DEPTH as usize), b""), None);
    let refused = nested(MAX_DEPTH as usize + 1);
    let at = begin + document("").len() - "</scidacFile>".len() + 3 * MAX_DEPTH as usize - 1;
    assert_eq!(read(&refused, b""), Some((at as u64, ErrorKind::TooLarge)));

    let long = |length: usize| {
        let missing = length - begin - document("<!---->").len();
        document(&format!("<!--{}-->", " ".repeat(missing)))
    };
    assert_eq!(read(&long(MAX_DOCUMENT), b""), None);
    // Bytes after a NUL do not count.
    assert_eq!(read(&long(MAX_DOCUMENT - 1), &[0; 100_000]), None);
    assert_eq!(read(&long(MAX_DOCUMENT + 1), b""), Some((MAX_DOCUMENT as u64, ErrorKind::TooLarge)));
}
