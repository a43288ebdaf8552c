//! Damaged and unusual files, read as raw sections: the error has the class that the manifest requires and the expected
//! offset, and as much as possible is read before it.

use crate::scda::model::{MODES, drive, expected};
use host_tests::fixtures::Fixtures;
use host_tests::sections::{Broken, load_broken};
use linkstream::scda::{Count, ErrorKind, Event, PlainDecoder};
use linkstream::{Class, Diagnostic as _, Error, Mode};

fn files() -> Vec<Broken> {
    load_broken(Fixtures::Ours)
}

/// Files whose counts describe more than 64-bit offsets can address: the offset of the line, and the largest count read
/// so far. The manifest's checker continues to the place of the data and reports that they are missing.
fn limits() -> Vec<(&'static str, u64, u128)> {
    let most = Count::MAX.get();
    vec![
        ("count-26-digits.scda", 192, most),
        ("count-2e64.scda", 192, 1 << 64),
        ("count-2e64-1.scda", 192, (1 << 64) - 1),
        ("count-2e64-plus-5.scda", 192, (1 << 64) + 5),
        // The second of two counts.
        ("array-product-overflow.scda", 224, 1 << 33),
        ("array-product-wraps-small.scda", 224, (1 << 60) + 2),
        ("array-huge-N.scda", 224, most),
        // Reported before the sum that overflows: the first size already leaves no space for padding.
        ("varray-sum-overflow.scda", 224, (1 << 64) - 1),
        ("varray-huge-N.scda", 192, most),
        ("varray-N-times-32-overflow.scda", 192, 1 << 59),
    ]
}

/// Class and offset of the error that the manifest's checker found.
fn checker(file: &Broken) -> Option<(&str, u64)> {
    let (class, at) = file.checker.as_deref()?.split_once(" at ").expect("a class and an offset");
    Some((class, at.parse().expect("an offset")))
}

/// The expected offset of the error.
fn place(file: &Broken, class: Class) -> u64 {
    match (class, checker(file)) {
        // The checker reports the beginning of the truncated part; this decoder reports the end of the input, from
        // which on bytes are missing.
        (Class::Truncated, _) => file.bytes,
        (Class::Limit, _) => limits().iter().find(|limit| limit.0 == file.path).expect("listed").1,
        // The byte that should be a space, as in all other sections; the checker reports the letter before it.
        _ if file.path == "header-letter-no-space.scda" => 33,
        (_, Some((_, at))) => at,
        (_, None) => panic!("{}: no place is known", file.path),
    }
}

#[test]
fn broken_files_are_taken_as_the_manifest_asks() {
    let mut classes = Vec::new();
    for file in files() {
        if file.path.starts_with("comp-") {
            continue;
        }
        let bytes = file.bytes();
        for mode in [Mode::Lenient, Mode::Survey] {
            let decoder = PlainDecoder::new(mode);
            let trace = drive(&decoder, &bytes).whole();
            let what = format!("{} ({}), {mode:?}: {:?}", file.path, file.what, trace.end);
            expected(&bytes, mode).assert_same(&trace, &what);
            // Only padding after complete data is missing: the lists of sections and findings are complete.
            let error = match trace.end {
                Err(error) => Some(error),
                Ok(()) => trace.events().find_map(|event| match event {
                    Event::Finding(error) if error.kind.class() == Class::Truncated => Some(*error),
                    _ => None,
                }),
            };
            let Some(error) = error else {
                assert!(file.expect.split('|').any(|way| way == "accept"), "{what}");
                continue;
            };
            let class = error.kind.class();
            let allowed = file.expect.strip_prefix("reject:").expect(&what);
            assert!(allowed.split('|').any(|allowed| allowed == class.as_str()), "{what}");
            assert_eq!(error.at, place(&file, class), "{what}");
            if mode == Mode::Lenient {
                classes.push(class);
            }
        }
    }
    let of = |class| classes.iter().filter(|found| **found == class).count();
    let classes = [Class::Magic, Class::Version, Class::Format, Class::Truncated, Class::Limit];
    assert_eq!(classes.map(of), [6, 2, 53, 36, 10]);
}

#[test]
fn limits_name_the_count() {
    let files = files();
    for (path, at, count) in limits() {
        let file = files.iter().find(|file| file.path == path).expect(path);
        let decoder = PlainDecoder::new(Mode::Lenient);
        let trace = drive(&decoder, &file.bytes()).whole();
        let count = Count::new(count).expect("26 digits at most");
        assert_eq!(trace.end, Err(Error::new(at, ErrorKind::TooLong { count })), "{path}");
    }
}

/// Padding that strict mode refuses and other modes do not examine. The two bytes at the end of strings and counts may
/// have any value in all modes.
#[test]
fn padding_that_only_strict_mode_refuses() {
    let mut refused = Vec::new();
    for file in files() {
        if file.expect != "accept" || file.path.starts_with("comp-") {
            continue;
        }
        let bytes = file.bytes();
        let decoder = PlainDecoder::new(Mode::Strict);
        let trace = drive(&decoder, &bytes).whole();
        expected(&bytes, Mode::Strict).assert_same(&trace, &file.path);
        match trace.end {
            Ok(()) => assert!(["vendor-no-newline.scda", "count-pad-no-newline.scda"].contains(&&*file.path)),
            Err(Error { at, kind: ErrorKind::Padding { found }, .. }) => {
                assert_eq!(bytes[at as usize], found);
                refused.push((file.path.clone(), at));
            }
            Err(other) => panic!("{}: {other}", file.path),
        }
    }
    let padding = [
        ("header-data-padding.scda", 100),
        ("datapad-first.scda", 235),
        ("datapad-middle.scda", 246),
        ("datapad-last.scda", 255),
        ("datapad-second-last.scda", 254),
        ("datapad-newline-after-newline.scda", 235),
        ("datapad-empty-no-newline.scda", 224),
    ];
    assert_eq!(refused, padding.map(|(path, at)| (path.to_owned(), at)));
}

/// Errors in the compression do not matter if sections are read as raw ones.
#[test]
fn wrong_compression_is_read_raw() {
    let mut count = 0;
    for file in files() {
        if !file.path.starts_with("comp-") {
            continue;
        }
        count += 1;
        let bytes = file.bytes();
        for mode in MODES {
            let decoder = PlainDecoder::new(mode);
            let trace = drive(&decoder, &bytes).whole();
            let what = format!("{}, {mode:?}", file.path);
            assert_eq!(trace.end, Ok(()), "{what}");
            assert!(!trace.events().any(|event| matches!(event, Event::Finding(_))), "{what}");
            expected(&bytes, mode).assert_same(&trace, &what);
        }
    }
    assert!(count == 77, "{count} files");
}
