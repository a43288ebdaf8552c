//! Every file of `fixtures/inebin` is read in every way and compared with the values in its manifest. Every file of
//! `broken-inebin` is compared with the table below, whose entries follow from the last section of
//! `formats/inebin-on-disk.md` and the `expect` of the manifest.

use crate::inebin::model::{Entry, Known, MODES, bits, drive, files, matrix_type, of_type};
use host_tests::drive::{Fitful, Random};
use host_tests::fixtures::Fixtures;
use host_tests::matrices::{self, load, load_broken};
use linkstream::inebin::{Decoder, Entries, ErrorKind, Event, HEADER_LEN, Rows};
use linkstream::io::MatrixReader;
use linkstream::{Class, Decode, Diagnostic as _, Error, Mode};

#[test]
fn headers_equal_the_manifest() {
    let entries = load(Fixtures::Ours);
    assert_eq!(entries.len(), 48);
    for entry in entries {
        let bytes = entry.bytes();
        let mut decoder = Decoder::new(Mode::Strict);
        let step = decoder.push(&bytes).unwrap_or_else(|error| panic!("{}: {error}", entry.path));
        let Some(Event::Header(header)) = step.event else { panic!("{}: {step:?}", entry.path) };
        assert_eq!((step.consumed, decoder.header()), (HEADER_LEN, Some(&header)), "{}", entry.path);
        assert_eq!(header.matrix_type(), matrix_type(entry.letter), "{}", entry.path);
        assert_eq!(char::from(header.matrix_type().letter()), entry.letter, "{}", entry.path);
        assert_eq!((header.rows(), header.columns()), (entry.rows, entry.cols), "{}", entry.path);
        assert_eq!(header.entry_count(), entry.count() as u64, "{}", entry.path);
        assert_eq!(header.data_length(), entry.data_len, "{}", entry.path);
        assert_eq!(header.file_length(), bytes.len() as u64, "{}", entry.path);
        assert_eq!(usize::from(header.matrix_type().bits()), matrices::width(entry.letter), "{}", entry.path);
        assert_eq!(header.to_bytes(), bytes[..HEADER_LEN], "{}", entry.path);
    }
}

/// The entries read by [`Entries`] from the data in pieces of `size` bytes.
fn by_entries<T: Entry>(file: &Known, size: usize) -> Vec<u128> {
    let mut entries = Entries::<T>::new(&file.header()).expect("the matrix has this type");
    let mut found = Vec::new();
    for piece in file.data().chunks(size) {
        entries
            .feed(piece, |run| {
                let place = (found.len() / file.cols as usize, found.len() % file.cols as usize);
                assert_eq!((run.row as usize, run.column as usize), place, "{}", file.path);
                let values: Vec<T> = run.values().collect();
                assert!(!values.is_empty() && run.len() == values.len() as u64, "{}", file.path);
                assert!(
                    place.1 + values.len() <= file.cols as usize,
                    "{}: a run must lie in one row",
                    file.path
                );
                let mut copied = vec![T::ANY; values.len()];
                assert_eq!(run.copy_to(&mut copied), values.len(), "{}", file.path);
                assert_eq!(bits(&copied), bits(&values), "{}", file.path);
                found.extend(bits(&values));
            })
            .expect("not more than there are");
        assert_eq!(entries.left(), (file.entries.len() - found.len()) as u64, "{}", file.path);
    }
    found
}

/// The entries read by [`Rows`] from the data in pieces of `size` bytes.
fn by_rows<T: Entry>(file: &Known, size: usize) -> Vec<u128> {
    // A buffer may be longer than a row.
    let room = if file.entries.is_empty() { 0 } else { file.cols as usize + size % 2 };
    let mut buffer = vec![T::ANY; room];
    let Ok(mut rows) = Rows::new(&file.header(), &mut buffer) else {
        assert!(file.entries.is_empty() && file.cols > 0, "{}: room for a row", file.path);
        return Vec::new();
    };
    let mut found = Vec::new();
    let mut next = 0;
    for piece in file.data().chunks(size) {
        rows.feed(piece, |row, values| {
            assert_eq!((row, values.len()), (next, file.cols as usize), "{}", file.path);
            next += 1;
            found.extend(bits(values));
        })
        .expect("not more than there are");
    }
    found
}

#[test]
fn entries_and_rows_equal_the_formula() {
    for file in files() {
        for size in [1, 2, 3, 7, 8, 13, 16, 17, 64, 4096, usize::MAX] {
            let what = format!("{} in pieces of {size}", file.path);
            assert!(of_type!(file.letter, by_entries(&file, size)) == file.entries, "{what}: entries");
            assert!(of_type!(file.letter, by_rows(&file, size)) == file.entries, "{what}: rows");
        }
    }
}

/// Single entries, rows, and ranges over several rows, from a source that returns few bytes at a time.
fn by_seeking<T: Entry>(file: &Known, buffer: usize) {
    let mut random = Random(buffer as u64);
    let mut buffer = vec![0; buffer];
    let source = Fitful::new(&file.bytes, file.bytes.len() as u64);
    let mut matrix = MatrixReader::new(source, &mut buffer);
    for turn in 0..40 {
        let first = random.below(file.entries.len());
        let (row, column) = (first / file.cols as usize, first % file.cols as usize);
        let (first, count) = match turn % 3 {
            0 => (first, 1),
            1 => (first - column, file.cols as usize),
            _ => (first, 1 + random.below((file.entries.len() - first).min(300))),
        };
        let mut out = vec![T::ANY; count];
        let what = format!("{}: {count} entries from {row}, {}", file.path, first % file.cols as usize);
        let read = matrix.read_entries_seeking(row as u32, (first % file.cols as usize) as u32, &mut out);
        read.unwrap_or_else(|error| panic!("{what}: {error}"));
        assert!(bits(&out) == file.entries[first..first + count], "{what}");
    }
}

#[test]
fn entries_are_found_by_seeking() {
    for file in files().iter().filter(|file| !file.entries.is_empty()) {
        for buffer in [1, 9, 64, 4096] {
            of_type!(file.letter, by_seeking(file, buffer));
        }
    }
}

/// A file of `broken-inebin` and its expected treatment.
struct Broken {
    path: &'static str,
    at: u64,
    kind: ErrorKind,
    /// Number of entries that can be read in every mode, if the existing ones are read.
    entries: u64,
}

const fn broken(path: &'static str, at: u64, kind: ErrorKind, entries: u64) -> Broken {
    Broken { path, at, kind, entries }
}

const fn cut(entries: u64, missing: u64) -> ErrorKind {
    ErrorKind::DataTruncated { entries, missing }
}

const fn long(bits: u8, rows: u32, columns: u32) -> ErrorKind {
    ErrorKind::SizeOverflow { bits, rows, columns }
}

const ALL: u32 = u32::MAX;

const BROKEN: [Broken; 32] = [
    broken("magic-case", 0, ErrorKind::Magic { found: *b"inebin" }, 0),
    broken("magic-byte", 0, ErrorKind::Magic { found: *b"INEBIM" }, 0),
    broken("csv", 0, ErrorKind::Magic { found: *b"1,2,3\n" }, 0),
    broken("header-truncated-00", 0, ErrorKind::HeaderTruncated { have: 0 }, 0),
    broken("header-truncated-03", 3, ErrorKind::HeaderTruncated { have: 3 }, 0),
    broken("header-truncated-06", 6, ErrorKind::HeaderTruncated { have: 6 }, 0),
    broken("header-truncated-07", 7, ErrorKind::HeaderTruncated { have: 7 }, 0),
    broken("header-truncated-08", 8, ErrorKind::HeaderTruncated { have: 8 }, 0),
    broken("header-truncated-11", 11, ErrorKind::HeaderTruncated { have: 11 }, 0),
    broken("header-truncated-15", 15, ErrorKind::HeaderTruncated { have: 15 }, 0),
    broken("reserved-1", 6, ErrorKind::Reserved { found: 1 }, 6),
    broken("reserved-ff", 6, ErrorKind::Reserved { found: 0xFF }, 6),
    broken("type-58", 7, ErrorKind::Type { found: 0x58 }, 0),
    broken("type-7a", 7, ErrorKind::Type { found: 0x7A }, 0),
    broken("type-49", 7, ErrorKind::Type { found: 0x49 }, 0),
    broken("type-00", 7, ErrorKind::Type { found: 0 }, 0),
    // Six bits in one byte.
    broken("type-doc-table", 17, ErrorKind::Trailing, 6),
    broken("data-truncated-16", 16, cut(0, 48), 0),
    broken("data-truncated-17", 17, cut(0, 47), 0),
    broken("data-truncated-63", 63, cut(5, 1), 5),
    broken("bool-data-truncated", 17, cut(8, 1), 8),
    broken("bool-unused-bits", 17, ErrorKind::UnusedBits { found: 0x80 }, 15),
    broken("trailing-1", 64, ErrorKind::Trailing, 6),
    broken("trailing-16", 64, ErrorKind::Trailing, 6),
    broken("empty-with-data", 16, ErrorKind::Trailing, 0),
    // 2^64 - 2^33 + 1 bits take 2^61 - 2^30 + 1 bytes; the file has one of them.
    broken("size-max-bool", 17, cut(8, (1 << 61) - (1 << 30)), 8),
    broken("size-max-complex", 8, long(128, ALL, ALL), 0),
    broken("size-wrap-int", 8, long(64, 1 << 31, 1 << 30), 0),
    broken("size-wrap-int-small", 8, long(64, 1 << 31, 1 << 30), 0),
    broken("size-wrap-complex", 8, long(128, 1 << 30, 1 << 30), 0),
    broken("size-4gib-real", 24, cut(1, (1 << 32) - 8), 1),
    broken("big-endian-dims", 64, cut(6, 8 * ((2 << 24) * (3 << 24)) - 48), 6),
];

/// The findings, the error, and the number of entries read.
fn taken(bytes: &[u8], mode: Mode) -> (Vec<Error<ErrorKind>>, Option<Error<ErrorKind>>, u64) {
    let decoder = Decoder::new(mode);
    let trace = drive(&decoder, bytes).whole();
    let finding = |event: &Event| match event {
        Event::Finding(error) => Some(*error),
        _ => None,
    };
    let findings = trace.events().filter_map(finding).collect();
    let header = trace.events().find_map(|event| match event {
        Event::Header(header) => Some(*header),
        _ => None,
    });
    let entries = header.map_or(0, |header| {
        let letter = char::from(header.matrix_type().letter());
        let data = (trace.position.min(header.file_length()) - 16) as usize;
        of_type!(letter, count(&header, &bytes[16..16 + data]))
    });
    (findings, trace.end.err(), entries)
}

fn count<T: Entry>(header: &linkstream::inebin::Header, data: &[u8]) -> u64 {
    let mut count = 0;
    let mut entries = Entries::<T>::new(header).expect("the matrix has this type");
    let length = usize::try_from(header.data_length()).unwrap_or(usize::MAX);
    let data = &data[..data.len().min(length)];
    entries.feed(data, |run| count += run.values().count() as u64).expect("not more than there are");
    assert_eq!(count, header.entry_count() - entries.left());
    count
}

#[test]
fn broken_files_are_taken_as_the_table_says() {
    let files = load_broken(Fixtures::Ours);
    assert_eq!(files.len(), BROKEN.len(), "every file must be in the table");
    for broken in BROKEN {
        let path = format!("{}.bin", broken.path);
        let file = files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}"));
        let bytes = file.bytes();
        let error = Error::new(broken.at, broken.kind);
        let harmless = matches!(broken.kind.class(), Class::Format | Class::Trailing);
        for mode in MODES {
            let (findings, end, entries) = taken(&bytes, mode);
            let reported = harmless && mode != Mode::Strict;
            assert_eq!(findings, if reported { vec![error] } else { vec![] }, "{path}, {mode:?}: findings");
            assert_eq!(end, if reported { None } else { Some(error) }, "{path}, {mode:?}: error");
            // Strict mode stops at the reserved byte, before the header is reported.
            let none = mode == Mode::Strict && matches!(broken.kind, ErrorKind::Reserved { .. });
            assert_eq!(entries, if none { 0 } else { broken.entries }, "{path}, {mode:?}: entries");
        }
    }
}

/// The table above agrees with the requirements of the manifest.
#[test]
fn table_agrees_with_the_expect_of_the_manifest() {
    let files = load_broken(Fixtures::Ours);
    for broken in BROKEN {
        let path = format!("{}.bin", broken.path);
        let file = files.iter().find(|file| file.path == path).unwrap_or_else(|| panic!("{path}"));
        let allowed: Vec<&str> = file.expect.split('|').flat_map(|word| word.split("reject:")).collect();
        assert!(allowed.contains(&broken.kind.class().as_str()), "{path}: {:?}", file.expect);
        // The specification allows trailing bytes in a lenient mode even if the manifest does not mention it.
        let may_pass = allowed.contains(&"accept-with-warning") || broken.kind == ErrorKind::Trailing;
        let passes = !Mode::Lenient.refuses(broken.kind.severity());
        assert_eq!(passes, may_pass, "{path}: {:?}", file.expect);
        assert!(Mode::Strict.refuses(broken.kind.severity()), "{path}");
    }
}
