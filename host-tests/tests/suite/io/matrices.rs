//! [`MatrixReader`] and its asynchronous calls, compared with the decoder.

use super::sources::{Hiccups, again, cuts, files, format, resumed};
use crate::inebin::model::Entry;
use host_tests::drive::{Fitful, Random};
use linkstream::inebin::{Complex, Decoder, Entries, ErrorKind, Event, MatrixType};
use linkstream::io::{MatrixReader, ReadError};
use linkstream::{Class, Diagnostic as _, Error, Misuse, Mode, drive, finish};

type Read = (Vec<u128>, Option<Error<ErrorKind>>);

fn decoded<T: Entry>(file: &[u8]) -> Read {
    let (mut found, mut entries) = (Vec::new(), None);
    let mut decoder = Decoder::new(Mode::Strict);
    let mut each = |event, bytes: &[u8], _: &Decoder| match event {
        Event::Header(header) => entries = Some(Entries::<T>::new(&header).expect("the type")),
        Event::Data => {
            let entries = entries.as_mut().expect("a header");
            entries
                .feed(bytes, |run| found.extend(run.values().map(Entry::bits)))
                .expect("not more than there are");
        }
        _ => {}
    };
    let driven = drive(&mut decoder, file, &mut each).and_then(|_| finish(&mut decoder, &mut each));
    (found, driven.err().map(Error::from))
}

/// Reads row by row, and `n` entries at a time.
fn same<T: Entry>(name: &str, file: &[u8], buffers: &[usize]) {
    let (expected, error) = decoded::<T>(file);
    for size in buffers {
        let mut buffer = vec![0; *size];
        let mut matrix = MatrixReader::new(file, &mut buffer);
        let columns = matrix.header().map_or(0, |header| header.columns() as usize);
        if columns > 1_000_000 {
            continue;
        }
        // Only complete rows are returned, not the entries of a truncated one.
        let complete = expected.len() / columns.max(1) * columns;
        let mut row = vec![T::ANY; columns];
        let mut rows = Vec::new();
        let end = loop {
            match format(matrix.next_row(&mut row)) {
                Ok(true) => rows.extend(row.iter().map(|value| value.bits())),
                Ok(false) => break None,
                Err(error) => break Some(error),
            }
        };
        assert_eq!((&rows[..], end), (&expected[..complete], error), "{name}: rows, {size}");

        let mut matrix = MatrixReader::new(Fitful::new(file, 9), &mut buffer);
        let mut rows = Vec::new();
        let end = loop {
            match format(matrix.next_row(&mut row)) {
                Ok(true) => rows.extend(row.iter().map(|value| value.bits())),
                Ok(false) => break None,
                Err(error) => break Some(error),
            }
        };
        assert_eq!(
            (&rows[..], end),
            (&expected[..complete], error),
            "{name}: rows of a fitful source, {size}"
        );

        for n in [1, 3, 17] {
            let mut matrix = MatrixReader::new(Fitful::new(file, 8), &mut buffer);
            let mut values = vec![T::ANY; n];
            let mut found = Vec::new();
            let end = loop {
                match format(matrix.read(&mut values)) {
                    Ok(0) => break format(matrix.finish()).err(),
                    Ok(n) => found.extend(values[..n].iter().map(|value| value.bits())),
                    Err(error) => break Some(error),
                }
            };
            assert_eq!(end, error, "{name}: {n} at a time, {size}");
            let whole = if error.is_some() { expected.len() / n * n } else { expected.len() };
            assert!(expected.starts_with(&found), "{name}: {n} at a time, {size}");
            assert!(found.len() >= whole, "{name}: {n} at a time, {size}");
        }
    }
}

macro_rules! of_type {
    ($file:expr, $call:ident ( $($argument:expr),* )) => {
        match $file.get(7) {
            Some(b'B') => $call::<bool>($($argument),*),
            Some(b'Z') => $call::<i64>($($argument),*),
            Some(b'C') => $call::<Complex>($($argument),*),
            _ => $call::<f64>($($argument),*),
        }
    };
}

#[test]
fn entries_equal_the_decoder() {
    for (name, file) in files(&["inebin", "broken-inebin"]) {
        if file.len() < 20_000 {
            of_type!(file, same(&name, &file, &[1, 5, 16, 64]));
        }
    }
}

#[test]
fn a_file_cut_anywhere_gives_the_error_of_the_decoder() {
    for (name, file) in files(&["inebin"]) {
        for part in cuts(&file).filter(|part| part.len() < 400) {
            of_type!(part, same(&name, part, &[7]));
        }
    }
}

fn failing<T: Entry>(name: &str, file: &[u8]) {
    let (expected, error) = decoded::<T>(file);
    let mut buffer = [0; 3];
    let mut matrix = MatrixReader::new(Hiccups::new(file), &mut buffer);
    let Ok(header) = again(|| matrix.header()) else { return };
    let mut row = vec![T::ANY; header.columns() as usize];
    let mut rows = Vec::new();
    let end = loop {
        // The rest of a row that was interrupted is read as entries.
        let length = row.len();
        let read = resumed(&mut matrix, MatrixReader::resume, |matrix, done| match done {
            0 => matrix.next_row(&mut row),
            done => matrix.read(&mut row[done..]).map(|n| done + n == length),
        });
        match format(read) {
            Ok((_, true)) => rows.extend(row.iter().map(|value| value.bits())),
            Ok((_, false)) => break None,
            Err(error) => break Some(error),
        }
    };
    assert_eq!((rows, end), (expected.clone(), error), "{name}: rows");
    let mut matrix = MatrixReader::new(Hiccups::new(file), &mut buffer);
    let mut all = vec![T::ANY; expected.len()];
    let read = resumed(&mut matrix, MatrixReader::resume, |matrix, done| matrix.read(&mut all[done..]));
    assert_eq!(format(read).map(|(done, rest)| done + rest), Ok(expected.len()), "{name}");
    assert!(all.iter().map(|value| value.bits()).eq(expected), "{name}: at once");
}

#[test]
fn a_failing_source_loses_nothing() {
    for (name, file) in files(&["inebin"]) {
        if file.len() < 5_000 && !name.contains("4294967295") {
            of_type!(file, failing(&name, &file));
        }
    }
}

/// `finish` fails after it has skipped entries: what follows is not delivered in their place.
#[test]
fn no_entries_are_read_after_a_finish_that_failed() {
    let mut file = b"INEBIN\0R\x02\0\0\0\x05\0\0\0".to_vec();
    file.extend((0..10).flat_map(|value| f64::from(value).to_le_bytes()));
    for calls in 0..40 {
        // Every third call fails.
        let source = Hiccups { calls, ..Hiccups::new(&file) };
        let mut matrix = MatrixReader::new(source, [0; 1]);
        let mut entries = [0.0; 2];
        let read =
            resumed(&mut matrix, MatrixReader::resume, |matrix, done| matrix.read(&mut entries[done..]));
        assert!(read.is_ok() && entries == [0.0, 1.0], "{calls}");
        if matrix.finish().is_err() {
            let mut row = [0.0; 5];
            match matrix.read(&mut entries) {
                Err(error) => assert_eq!(error, ReadError::NotOpen),
                Ok(n) => assert_eq!(entries[..n], [2.0, 3.0][..n], "{calls}"),
            }
            let next = matrix.next_row(&mut row);
            assert!(next.is_err() || row == [5.0, 6.0, 7.0, 8.0, 9.0], "{calls}: {row:?}");
        }
        assert_eq!(again(|| matrix.finish()), Ok(()), "{calls}");
    }
}

/// The source fails before the byte that a boolean shares with earlier ones has been read.
#[test]
fn no_bits_are_read_after_a_seek_that_has_not_come_to_them() {
    let file = b"INEBIN\0B\x03\0\0\0\x05\0\0\0\xff\x7f";
    let mut matrix = MatrixReader::new(Hiccups::new(file), [0; 1]);
    assert!(again(|| matrix.header()).is_ok());
    let mut failed = 0;
    for column in (1..5).cycle().take(40) {
        let mut bits = [false; 2];
        if matrix.read_entries_seeking(1, column, &mut bits).is_err() {
            let done = matrix.resume();
            let read = again(|| matrix.read(&mut bits[done..]));
            failed += 1;
            assert!(read == Err(ReadError::NotOpen) || bits == [true; 2], "{column}: {read:?} {bits:?}");
        }
        let all = again(|| matrix.read_entries_seeking(1, column, &mut bits));
        assert_eq!((all, bits), (Ok(()), [true; 2]), "{column}");
    }
    assert!(failed > 5, "{failed}");
}

/// Reads entries by seeking, rows, and ranges of entries in random order.
fn mixed<T: Entry>(name: &str, file: &[u8]) {
    let (expected, error) = decoded::<T>(file);
    let mut random = Random(file.len() as u64);
    let mut buffer = [0; 11];
    for source in 0..40 {
        let mut matrix = MatrixReader::new(Fitful::new(file, source), &mut buffer);
        let header = matrix.header().expect("a header");
        let columns = header.columns() as usize;
        if expected.is_empty() || error.is_some() {
            return;
        }
        let (mut at, mut row) = (0, vec![T::ANY; columns]);
        for _ in 0..20 {
            match random.below(3) {
                0 => {
                    let first = random.below(expected.len());
                    let n = random.below(expected.len() - first + 1);
                    let mut out = vec![T::ANY; n];
                    let (r, c) = ((first / columns) as u32, (first % columns) as u32);
                    matrix.read_entries_seeking(r, c, &mut out).expect("inside");
                    assert!(
                        out.iter().map(|value| value.bits()).eq(expected[first..first + n].iter().copied())
                    );
                    at = first + n;
                }
                1 => {
                    let mut out = vec![T::ANY; random.below(12)];
                    let n = matrix.read(&mut out).expect("readable");
                    assert_eq!(n, out.len().min(expected.len() - at), "{name}");
                    assert!(
                        out[..n].iter().map(|value| value.bits()).eq(expected[at..at + n].iter().copied())
                    );
                    at += n;
                }
                _ => {
                    // The next complete row.
                    at = at.next_multiple_of(columns);
                    if !matrix.next_row(&mut row).expect("readable") {
                        assert_eq!(at, expected.len(), "{name}");
                        break;
                    }
                    let known = expected[at..at + columns].iter().copied();
                    assert!(row.iter().map(|value| value.bits()).eq(known), "{name}: row at {at}");
                    at += columns;
                }
            }
        }
    }
}

#[test]
fn rows_after_seeking_are_rows() {
    for (name, file) in files(&["inebin"]) {
        if file.len() < 5_000 && !name.contains("empty") {
            of_type!(file, mixed(&name, &file));
        }
    }
}

#[test]
fn refused_calls() {
    let file = *b"INEBIN\0R\x02\0\0\0\x02\0\0\0\0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf0\x3f\
                  \0\0\0\0\0\0\xf0\x3f\0\0\0\0\0\0\xf0\x3f";
    let mut buffer = [0; 20];
    let mut matrix = MatrixReader::new(Fitful::new(&file, 1), &mut buffer);
    assert_eq!(matrix.header().expect("complete").matrix_type(), MatrixType::Real);
    let misuse = |misuse| Err(Error::new(16, ErrorKind::Misuse(misuse)));
    assert_eq!(format(matrix.next_row(&mut [0_i64; 2])), misuse(Misuse::OtherType));
    assert_eq!(format(matrix.read(&mut [false; 2]).map(|_| false)), misuse(Misuse::OtherType));
    assert_eq!(matrix.next_row(&mut [0.0; 1]), Err(ReadError::TooSmall { needed: 2 }));
    for (row, column, n) in [(2, 0, 1), (0, 2, 1), (1, 1, 2)] {
        let mut out = vec![0.0; n];
        let refused = format(matrix.read_entries_seeking(row, column, &mut out).map(|()| false));
        assert_eq!(refused, misuse(Misuse::Outside));
    }
    assert_eq!(matrix.next_row(&mut [0.0; 2]), Ok(true));
}

/// `read_entries_seeking` on a file that ends too early, for every position and after other entries.
#[test]
fn the_end_of_the_input_is_a_truncation_for_read_entries_seeking() {
    let mut file = b"INEBIN\0R\x02\0\0\0\x02\0\0\0".to_vec();
    file.extend((1..=4).flat_map(|value| f64::from(value).to_le_bytes()));
    for end in 0..file.len() {
        for (before, mode) in (0..4).flat_map(|n| [(n, Mode::Strict), (n, Mode::Lenient), (n, Mode::Survey)])
        {
            let mut buffer = [0; 10];
            let source = Fitful::new(&file[..end], 4);
            let mut matrix = MatrixReader::with_decoder(source, &mut buffer, Decoder::new(mode));
            let mut failed = None;
            for _ in 0..before {
                failed = failed.or(matrix.read(&mut [0.0]).err());
            }
            let mut out = [0.0; 4];
            let error = format(matrix.read_entries_seeking(0, 0, &mut out).map(|()| false))
                .expect_err("the input ends too early");
            assert_eq!(
                (error.kind.class(), error.at),
                (Class::Truncated, end as u64),
                "{end} {before} {mode:?}"
            );
            if let Some(failed) = failed {
                assert_eq!(failed, ReadError::Format(error));
            }
        }
    }
}
