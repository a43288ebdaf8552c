//! Futures of reading calls dropped at every await: no later call reports data that were not delivered.

use std::convert::Infallible;

use super::sources::{Stalling, polled};
use host_tests::drive::block_on;
use linkstream::Encode as _;
use linkstream::field::{OutgoingMessage, Verdict};
use linkstream::io::{
    FieldError, FieldReader, FieldWriter, Fill, ReadError, Reader, RecordReader, RecordWriter,
};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::PrivateRecord;
use linkstream::{CallbackError, Mode, lime};

use crate::sinks::{contents, disk};

/// The result of a call that is polled a number of times, dropped, and repeated.
macro_rules! repeated {
    ($times:expr, $call:expr) => {
        match polled($call, $times) {
            Some(done) => done,
            None => block_on($call),
        }
    };
}

/// Drops a call that fills a slice at each of its awaits, and repeats it with another slice: it fills all of that, or
/// is refused. In that case the first slice has what `resume` returns, and takes the rest.
macro_rules! into_slices {
    ($open:expr, $expected:expr, $none:expr, |$reader:ident, $out:ident| $call:expr) => {{
        let expected = $expected;
        let mut refused = 0;
        for times in 0.. {
            let mut own = $open;
            let $reader = &mut own;
            let mut first = vec![$none; expected.len()];
            let $out = &mut first[..];
            if polled(async { $call.await.map(drop) }, times).is_some() {
                assert!(times > 2, "the source waits");
                assert_eq!(first, expected);
                break;
            }
            let mut second = vec![$none; expected.len()];
            let $out = &mut second[..];
            match block_on(async { $call.await.map(drop) }) {
                Ok(()) => assert_eq!(second, expected, "{times}"),
                Err(ReadError::Interrupted { done }) => {
                    assert_eq!(first[..done as usize], expected[..done as usize], "{times}");
                    assert!(second.iter().all(|entry| *entry == $none));
                    assert_eq!($reader.resume() as u64, done);
                    let $out = &mut first[done as usize..];
                    block_on(async { $call.await.map(drop) }).expect("the rest");
                    assert_eq!(first, expected, "{times}");
                    refused += 1;
                }
                Err(other) => panic!("{times}: {other:?}"),
            }
        }
        assert!(refused > 0, "no call was interrupted");
    }};
}

const TEXT: &[u8] = b"hello, world, and all that is in it";

fn records() -> Vec<u8> {
    let mut file = vec![0; 2000];
    let mut writer = RecordWriter::create(&mut file[..]);
    let names = [&b"one"[..], b"two", b"three"];
    writer.write_message(names.map(|name| (name, &TEXT[name.len()..]))).expect("there is room");
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    file.truncate(length);
    file
}

#[test]
fn records_are_neither_lost_nor_made_up() {
    let file = records();
    for times in 0..200 {
        let mut buffer = [0; 7];
        let mut reader = RecordReader::new(Stalling::new(&file, 3), &mut buffer);
        let mut found = Vec::new();
        while repeated!(times, reader.next_record_async()).expect("valid").is_some() {
            let (mut payload, mut piece) = (Vec::new(), [0; 4]);
            while let n @ 1.. = repeated!(times, reader.read_async(&mut piece)).expect("valid") {
                payload.extend_from_slice(&piece[..n]);
            }
            found.push((reader.record_type().to_vec(), payload));
        }
        let names = [&b"one"[..], b"two", b"three"];
        assert_eq!(found, names.map(|name| (name.to_vec(), TEXT[name.len()..].to_vec())), "{times}");
        let mut reader = RecordReader::new(Stalling::new(&file, 3), &mut buffer);
        let found = repeated!(times, reader.find_async(b"three")).expect("valid");
        assert_eq!(found.map(|record| record.number), Some(3), "{times}");
    }
    into_slices!(
        {
            let buffer = Box::leak(Box::new([0; 7]));
            let mut reader = RecordReader::new(Stalling::new(&file, 3), buffer);
            block_on(reader.next_record_async()).expect("valid");
            reader
        },
        &TEXT[3..],
        0,
        |reader, out| reader.read_into_async(out)
    );
}

/// Callbacks: payload that was passed to the callback of the dropped call is not passed again, and nothing is left out
/// silently.
#[test]
fn payload_for_a_callback_is_refused_once_it_is_interrupted() {
    let file = records();
    let (mut refused, mut completed) = (0, false);
    for times in 0..200 {
        let mut buffer = [0; 7];
        let mut reader = RecordReader::new(Stalling::new(&file, 3), &mut buffer);
        block_on(reader.next_record_async()).expect("valid");
        let (mut first, mut second) = (Vec::new(), Vec::new());
        let done = polled(reader.for_each_async(|bytes| first.extend_from_slice(bytes)), times);
        completed = done.is_some();
        if completed {
            break;
        }
        match block_on(reader.for_each_async(|bytes| second.extend_from_slice(bytes))) {
            Ok(()) => assert_eq!((first.len(), &second[..]), (0, &TEXT[3..])),
            Err(CallbackError::Failed(ReadError::Interrupted { done })) => {
                assert_eq!((done as usize, reader.resume(), second.len()), (first.len(), first.len(), 0));
                block_on(reader.for_each_async(|bytes| first.extend_from_slice(bytes))).expect("the rest");
                assert_eq!(first, &TEXT[3..]);
                refused += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(refused > 3 && completed);
}

/// A record that was begun and not passed is not left out when the call is repeated.
#[test]
fn no_record_is_left_out() {
    let file = records();
    let mut refused = 0;
    for times in 0.. {
        let mut buffer = [0; 7];
        let mut reader = RecordReader::new(Stalling::new(&file, 3), &mut buffer);
        let (mut passed, mut out, mut again) = (Vec::new(), [0; 40], [0; 40]);
        let each = |record_type: &[u8], payload: &[u8]| passed.push((record_type.to_vec(), payload.to_vec()));
        if polled(reader.for_each_record_async(&mut out, each), times).is_some() {
            break;
        }
        let mut rest = Vec::new();
        let each = |record_type: &[u8], payload: &[u8]| rest.push((record_type.to_vec(), payload.to_vec()));
        match block_on(reader.for_each_record_async(&mut again, each)) {
            Ok(()) => passed.append(&mut rest),
            Err(CallbackError::Failed(ReadError::Interrupted { done })) => {
                assert_eq!((done as usize, rest.len()), (reader.resume(), 0));
                // The rest of this record, and the others.
                let left =
                    block_on(reader.read_into_async(&mut out[done as usize..])).expect("the rest").len();
                passed.push((reader.record_type().to_vec(), out[..done as usize + left].to_vec()));
                let each =
                    |record_type: &[u8], payload: &[u8]| rest.push((record_type.to_vec(), payload.to_vec()));
                block_on(reader.for_each_record_async(&mut again, each)).expect("valid");
                passed.append(&mut rest);
                refused += 1;
            }
            other => panic!("{other:?}"),
        }
        let names = [&b"one"[..], b"two", b"three"];
        assert_eq!(passed, names.map(|name| (name.to_vec(), TEXT[name.len()..].to_vec())), "{times}");
    }
    assert!(refused > 3);
}

/// After a seek that was dropped the position is unknown, which every later call reports.
#[test]
fn a_seek_that_was_dropped_is_reported() {
    let file = records();
    let mut lost = 0;
    for times in 1.. {
        let mut buffer = [0; 7];
        let mut reader = RecordReader::new(Stalling::new(&file, 7), &mut buffer);
        block_on(reader.next_record_async()).expect("valid");
        if polled(reader.skip_seeking_async(), times).is_some() {
            break;
        }
        assert!(matches!(
            block_on(reader.read_async(&mut [0; 3])),
            Err(ReadError::Lost | ReadError::NotOpen)
        ));
        match block_on(reader.next_record_async()) {
            Err(ReadError::Lost) => lost += 1,
            next => assert_eq!(next.expect("valid").map(|record| record.number), Some(2), "{times}"),
        }
    }
    assert!(lost > 0);
}

#[test]
fn events_and_payload_are_neither_lost_nor_made_up() {
    let file = records();
    let read = |times: usize| {
        let mut buffer = [0; 7];
        let mut reader = Reader::new(Stalling::new(&file, 3), &mut buffer, lime::Decoder::new(Mode::Strict));
        let (mut types, mut payload, mut out) = (Vec::new(), Vec::new(), [0; 5]);
        while let Some(event) = repeated!(times, reader.next_async()).expect("valid") {
            match event {
                lime::Event::Record(record) if record.number == 2 => {
                    repeated!(times, reader.skip_async()).expect("valid");
                }
                lime::Event::Record(_) => {
                    types.push(reader.decoder().record_type().to_vec());
                    while let n @ 1.. = repeated!(times, reader.read_async(&mut out)).expect("valid") {
                        payload.extend_from_slice(&out[..n]);
                    }
                }
                _ => {}
            }
        }
        (types, payload)
    };
    let expected = read(1000);
    assert_eq!(expected.1, [&TEXT[3..], &TEXT[5..]].concat());
    for times in 0..100 {
        assert_eq!(read(times), expected, "{times}");
    }
}

fn two_fields() -> Vec<u8> {
    let mut buffer = [0; 512];
    let lattice = Extents::new(&[2, 2]).expect("legal");
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer, lattice).expect("there is room");
    for first in [1.0, 5.0] {
        let record = PrivateRecord::real_field(Precision::F64);
        let sites = Fill::sites(|site| site.put(&[first + site.rank() as f64]));
        writer.write(&OutgoingMessage::scidac(&record, b""), sites).expect("legal");
    }
    contents(writer.finish().expect("complete"))
}

#[test]
fn a_field_that_was_interrupted_is_not_complete() {
    let file = two_fields();
    let expected = [1.0, 2.0, 3.0, 4.0];
    let bytes = expected.map(f64::to_be_bytes).concat();
    for way in 0..3 {
        let (mut refused, mut completed) = (0, 0);
        for times in 0.. {
            let mut buffer = [0; 24];
            let mut reader = FieldReader::new(Stalling::new(&file, 5), &mut buffer);
            let mut field = repeated!(times, reader.next_field_async()).expect("valid").expect("a field");
            let (mut first, mut second) = ([0.0; 4], [0.0; 4]);
            let (mut raw, mut other_raw) = ([0; 32], [0; 32]);
            let (mut sites, mut other_sites) = (Vec::new(), Vec::new());
            // Of the call that is repeated; `None` if it had completed before.
            let left: Option<Result<Verdict, FieldError<Infallible>>> = match way {
                0 => match polled(field.read_into_async(&mut first), times) {
                    Some(_) => None,
                    None => Some(block_on(field.read_into_async(&mut second))),
                },
                1 => match polled(field.read_bytes_into_async(&mut raw), times) {
                    Some(_) => None,
                    None => Some(block_on(field.read_bytes_into_async(&mut other_raw))),
                },
                _ => match polled(field.for_each_site_async(|site| sites.push(site.rank())), times) {
                    Some(_) => None,
                    None => {
                        let each = |site: linkstream::field::Site<'_>| other_sites.push(site.rank());
                        Some(block_on(field.for_each_site_async(each)).map_err(FieldError::from))
                    }
                },
            };
            match left {
                None => {
                    let is_read = first == expected || raw[..] == bytes || sites == [0, 1, 2, 3];
                    assert!(is_read && block_on(field.verdict_async()).expect("valid").is_match());
                    break;
                }
                Some(Ok(verdict)) => {
                    let is_read = second == expected || other_raw[..] == bytes || other_sites == [0, 1, 2, 3];
                    assert!(is_read && verdict.is_match(), "{way} {times}");
                    completed += 1;
                }
                Some(Err(FieldError::Read(ReadError::Interrupted { done }))) => {
                    assert!((1..=32).contains(&done));
                    // Neither a verdict nor the data by another call.
                    let interrupted = ReadError::Interrupted { done };
                    assert_eq!(block_on(field.verdict_async()), Err(interrupted));
                    assert_eq!(
                        block_on(field.read_bytes_into_async(&mut other_raw)),
                        Err(FieldError::Read(interrupted))
                    );
                    assert_eq!(block_on(field.skip_async()), Err(FieldError::Read(interrupted)));
                    refused += 1;
                }
                Some(Err(other)) => panic!("{way} {times}: {other:?}"),
            }
            // The next field is complete.
            let mut field = repeated!(times, reader.next_field_async()).expect("valid").expect("a field");
            let mut numbers = [0.0; 4];
            assert!(block_on(field.read_into_async(&mut numbers)).expect("valid").is_match());
            assert_eq!(numbers, [5.0, 6.0, 7.0, 8.0]);
            assert!(repeated!(times, reader.next_field_async()).expect("valid").is_none());
        }
        assert!(refused > 5 && completed > 0, "{way}");
    }
}

/// Calls that deliver nothing can be repeated; data that were skipped in part are not verified.
#[test]
fn verdicts_and_skipping_can_be_repeated() {
    let file = two_fields();
    for times in 0..400 {
        let mut buffer = [0; 24];
        let mut reader = FieldReader::new(Stalling::new(&file, 5), &mut buffer);
        let mut field = repeated!(times, reader.next_field_async()).expect("valid").expect("a field");
        assert!(repeated!(times, field.verdict_async()).expect("valid").is_match());
        let mut field = repeated!(times, reader.next_field_async()).expect("valid").expect("a field");
        let skipped = polled(field.skip_async(), times);
        assert!(skipped.is_none_or(|skipped| skipped.is_ok()));
        assert!(
            matches!(block_on(field.read_into_async(&mut [0.0_f64; 4])), Err(FieldError::AlreadyRead))
                || times == 0
        );
        let verdict = block_on(field.verdict_async()).expect("valid");
        // Dropped before a byte was skipped, it has left all of them to be read.
        assert!(verdict == Verdict::Unchecked || (times < 3 && verdict.is_match()), "{times} {verdict:?}");
        assert!(repeated!(times, reader.next_field_async()).expect("valid").is_none());

        let mut reader = FieldReader::new(Stalling::new(&file, 5), &mut buffer);
        let mut field = block_on(reader.next_field_async()).expect("valid").expect("a field");
        if polled(field.skip_seeking_async(), times).is_none() {
            match block_on(field.verdict_async()) {
                Ok(verdict) => assert!(verdict.is_match() || verdict == Verdict::Unchecked, "{verdict:?}"),
                Err(error) => assert_eq!(error, ReadError::Lost),
            }
        }
    }
}
