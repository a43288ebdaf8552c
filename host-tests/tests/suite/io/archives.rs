//! `ArchiveReader` and `ArchiveWriter`: the archives in the manifest compared with the output of QIO's converter, and
//! files of both formats from every kind of source, cut everywhere, with sources that fail and futures that are
//! dropped.

use std::convert::Infallible;

use embedded_io::{ErrorKind, ErrorType};
use host_tests::archives::{milc, noise};
use host_tests::drive::Fitful;
use host_tests::fixtures::Fixtures;
use host_tests::{manifest, oracle};
use linkstream::field::{self, MissingPlace, Site, SiteError};
use linkstream::io::{ArchiveError, ArchiveReader, ArchiveWriter, Fill, ReadError, WriteError};
use linkstream::lattice::{ByteOrder, Extents, Precision};
use linkstream::nersc::{self, EncodeErrorKind, Header, StoredRows, Verdict};
use linkstream::{CallbackError, Limits, Mode};

use crate::sinks::{contents, disk};

/// Name, bytes, and the numbers of each archive in the manifest, by QIO's converter where it reads the file.
fn fixtures() -> Vec<(String, Vec<u8>, Option<Vec<f64>>)> {
    let entries = manifest::load(Fixtures::Ours, "qio").into_iter();
    let archives = entries.filter(|entry| entry.path.ends_with(".nersc")).map(|entry| {
        let is_double = entry.precision.as_deref() == Some("D");
        let numbers = (!entry.path.contains("little")).then(|| {
            let lime = Fixtures::Ours.read(&format!("qio/{}", entry.path.replace(".nersc", ".lime")));
            let records = oracle::records(&lime);
            let data = records.iter().find(|record| record.kind == b"scidac-binary-data").expect("data");
            numbers(data.payload(&lime), is_double)
        });
        (entry.path.clone(), entry.bytes(), numbers)
    });
    let archives: Vec<_> = archives.collect();
    assert_eq!(archives.len(), 7);
    archives
}

/// Big-endian numbers.
fn numbers(bytes: &[u8], is_double: bool) -> Vec<f64> {
    if is_double {
        bytes.chunks(8).map(|word| f64::from_be_bytes(word.try_into().expect("8 bytes"))).collect()
    } else {
        bytes.chunks(4).map(|word| f32::from_be_bytes(word.try_into().expect("4 bytes")).into()).collect()
    }
}

/// The numbers as bits, so that NaNs are equal.
fn bits(numbers: &[f64]) -> Vec<u64> {
    numbers.iter().map(|number| number.to_bits()).collect()
}

/// All numbers of an archive, from a source that returns as much as is asked for.
fn read(file: &[u8]) -> (Vec<f64>, Verdict) {
    let mut buffer = [0; 4096];
    let mut archive = ArchiveReader::with_decoder(file, &mut buffer, nersc::Decoder::new(Mode::Survey));
    let mut out = vec![0.0_f64; archive.number_count().expect("small")];
    let verdict = archive.read_into(&mut out).expect("it can be read");
    archive.finish().expect("complete");
    (out, verdict)
}

#[test]
fn archives_are_read_as_by_the_reference_converter() {
    for (path, file, expected) in fixtures() {
        let (found, verdict) = read(&file);
        assert_eq!(verdict.is_match(), !path.contains("badsum"), "{path}");
        if let Some(expected) = expected {
            assert!(bits(&found) == bits(&expected), "{path}");
        }
        // Rows have norm 1, so the byte order is right also where the converter cannot read the file.
        let norm: f64 = found[..6].iter().map(|number| number * number).sum();
        assert!((norm - 1.0).abs() < 1e-5, "{path}: {norm}");
        // Strict mode refuses a wrong checksum.
        let mut buffer = [0; 100];
        let mut archive = ArchiveReader::nersc(&file[..], &mut buffer);
        let mut out = vec![0.0_f32; archive.number_count().expect("small")];
        match archive.read_into(&mut out) {
            Ok(verdict) => assert!(verdict.is_match(), "{path}"),
            Err(error) => {
                assert!(path.contains("badsum") && matches!(error, ArchiveError::Read(_)), "{path}")
            }
        }
    }
}

/// A MILC file of 6 sites; its numbers in stored order.
fn milc_file(list: Option<&[u32]>, is_big: bool) -> (Vec<u8>, Vec<f64>) {
    let data = noise(6 * 288);
    let file = milc([3, 1, 2, 1], list, &data, is_big);
    let mut whole = data;
    if !is_big {
        whole.chunks_mut(4).for_each(<[u8]>::reverse);
    }
    (file, numbers(&whole, false))
}

#[test]
fn sources_and_buffers_of_any_kind_give_the_same() {
    for (path, file, _) in fixtures().into_iter().filter(|(path, ..)| !path.contains("badsum")) {
        let (expected, verdict) = read(&file);
        for (seed, size) in [1, 7, 48, 1000, 5000].into_iter().enumerate() {
            let what = format!("{path}, a buffer of {size} bytes");
            let mut buffer = vec![0; size];
            let mut out = vec![0.0; expected.len()];
            let mut archive = ArchiveReader::nersc(Fitful::new(&file, seed as u64), &mut buffer);
            assert_eq!(archive.read_into(&mut out), Ok(verdict), "{what}");
            assert!(bits(&out) == bits(&expected), "{what}");
            archive.finish().expect("complete");
            // Site by site.
            let mut archive = ArchiveReader::nersc(Fitful::new(&file, seed as u64), &mut buffer);
            let (mut found, mut next) = (Vec::new(), 0);
            let each = |site: Site<'_>| -> Result<(), SiteError> {
                assert_eq!((site.rank(), site.index()), (next, next as usize));
                next += 1;
                found.extend(site.numbers()?);
                Ok(())
            };
            assert_eq!(archive.for_each_site(each), Ok(verdict), "{what}");
            assert!(bits(&found) == bits(&expected), "{what}");
            // Verified and skipped.
            let mut archive = ArchiveReader::nersc(Fitful::new(&file, seed as u64), &mut buffer);
            assert_eq!(archive.verdict(), Ok(verdict), "{what}");
            assert_eq!(archive.read_into(&mut out), Err(ArchiveError::AlreadyRead), "{what}");
            let mut archive = ArchiveReader::nersc(Fitful::new(&file, seed as u64), &mut buffer);
            archive.skip().expect("complete");
            assert_eq!(archive.verdict(), Ok(Verdict::Unchecked), "{what}");
        }
    }
}

#[test]
fn files_of_milc_are_read_in_stored_order() {
    let list = [5, 0, 4, 1, 3, 2];
    for (listed, is_big) in [(None, true), (None, false), (Some(&list[..]), true), (Some(&list[..]), false)] {
        let (file, expected) = milc_file(listed, is_big);
        for size in [1, 5, 300, 4000] {
            let (mut buffer, mut ranks, mut out) = (vec![0; size], Vec::new(), vec![0.0; expected.len()]);
            let mut archive = ArchiveReader::milc(Fitful::new(&file, 5), &mut buffer);
            assert_eq!(archive.number_count(), Ok(expected.len()));
            if listed.is_some() {
                assert_eq!(archive.read_into(&mut out), Err(ArchiveError::SiteList));
            }
            archive.for_each_rank(|rank| ranks.push(rank as u32)).expect("a list");
            assert_eq!(ranks, listed.unwrap_or_default());
            assert!(archive.read_into(&mut out).expect("valid").is_match());
            archive.finish().expect("complete");
            assert!(bits(&out) == bits(&expected));
            let mut archive = ArchiveReader::milc(Fitful::new(&file, 6), &mut buffer);
            ranks.clear();
            archive.for_each_rank(|rank| ranks.push(rank as u32)).expect("a list");
            assert_eq!(ranks, listed.unwrap_or_default());
            let each = |_: Site<'_>| {};
            match archive.for_each_site(each) {
                Ok(verdict) => assert!(listed.is_none() && verdict.is_match()),
                Err(error) => {
                    assert!(listed.is_some());
                    assert_eq!(ArchiveError::from(error), ArchiveError::SiteList);
                }
            }
        }
        // The list is neither skipped silently nor read in part.
        let (mut buffer, mut out) = ([0; 64], vec![0.0; expected.len()]);
        let mut archive = ArchiveReader::milc(&file[..], &mut buffer);
        let stopped = archive.for_each_rank(|_| Err::<(), _>("stop"));
        if listed.is_some() {
            assert_eq!(stopped, Err(CallbackError::Callback("stop")));
            assert_eq!(archive.read_into(&mut out), Err(ArchiveError::SiteList));
            assert_eq!(archive.for_each_rank(|_| ()), Err(ArchiveError::AlreadyRead.into()));
            assert!(archive.verdict().expect("valid").is_match());
        }
    }
}

#[test]
fn truncated_archives_are_errors() {
    let archive = fixtures().into_iter().min_by_key(|(_, file, _)| file.len()).expect("archives").1;
    let (milc, _) = milc_file(Some(&[5, 0, 4, 1, 3, 2]), false);
    let whole = read(&archive).0.len();
    for end in (0..archive.len()).filter(|end| end % 7 == 0 || *end > archive.len() - 50) {
        let (mut buffer, mut out) = ([0; 333], vec![0.0_f32; whole]);
        let mut reader = ArchiveReader::nersc(&archive[..end], &mut buffer);
        let Err(ArchiveError::Read(ReadError::Format(error))) = reader.read_into(&mut out) else {
            panic!("{end}")
        };
        assert!(error.at <= end as u64, "{end}");
        let mut reader = ArchiveReader::nersc(disk_at_start(&archive[..end]), &mut buffer);
        let skipped = reader.skip_seeking();
        assert!(matches!(skipped, Err(ArchiveError::Read(ReadError::Format(_)))), "{end}: {skipped:?}");
    }
    for end in 0..milc.len() {
        let (mut buffer, mut out) = ([0; 333], vec![0.0_f32; 6 * 72]);
        let mut reader = ArchiveReader::milc(&milc[..end], &mut buffer);
        let ranks = reader.for_each_rank(|_| ());
        let done = ranks.map_err(ArchiveError::from).and_then(|()| reader.read_into(&mut out).map(drop));
        assert!(matches!(done, Err(ArchiveError::Read(ReadError::Format(_)))), "{end}: {done:?}");
        let mut reader = ArchiveReader::milc(&milc[..end], &mut buffer);
        assert!(reader.finish().is_err(), "{end}");
    }
}

fn disk_at_start(file: &[u8]) -> crate::sinks::Disk {
    let mut disk = disk(file.to_vec());
    embedded_io::Seek::seek(&mut disk, embedded_io::SeekFrom::Start(0)).expect("in memory");
    disk
}

/// A source that fails once, after a number of bytes.
struct Failing<'f> {
    file: &'f [u8],
    at: usize,
    fails_at: Option<usize>,
}

impl ErrorType for Failing<'_> {
    type Error = ErrorKind;
}

impl embedded_io::Read for Failing<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, ErrorKind> {
        let end = self.fails_at.unwrap_or(self.file.len());
        if end == self.at && self.fails_at.take().is_some() {
            return Err(ErrorKind::Other);
        }
        let n = out.len().min(end - self.at);
        out[..n].copy_from_slice(&self.file[self.at..self.at + n]);
        self.at += n;
        Ok(n)
    }
}

#[test]
fn a_call_that_failed_is_repeated_or_refused() {
    let archive = fixtures().into_iter().min_by_key(|(_, file, _)| file.len()).expect("archives").1;
    let (expected, verdict) = read(&archive);
    let (mut repeated, mut refused) = (0, 0);
    for fails_at in (0..archive.len()).step_by(37) {
        let mut buffer = [0; 64];
        let source = Failing { file: &archive, at: 0, fails_at: Some(fails_at) };
        let mut reader = ArchiveReader::nersc(source, &mut buffer);
        let mut first = vec![0.0; expected.len()];
        let failed = reader.read_into(&mut first);
        assert_eq!(failed, Err(ArchiveError::Read(ReadError::Io(ErrorKind::Other))), "{fails_at}");
        let mut second = vec![0.0; expected.len()];
        match reader.read_into(&mut second) {
            Ok(found) => {
                assert!(found == verdict && bits(&second) == bits(&expected), "{fails_at}");
                repeated += 1;
            }
            Err(ArchiveError::Read(error @ ReadError::Interrupted { .. })) => {
                assert!(second.iter().all(|number| *number == 0.0), "{fails_at}");
                // There is neither a verdict nor an end of the file: the data were not delivered.
                assert_eq!(reader.verdict(), Err(error), "{fails_at}");
                assert_eq!(reader.finish(), Err(error), "{fails_at}");
                assert_eq!(reader.skip(), Err(ArchiveError::Read(error)), "{fails_at}");
                refused += 1;
            }
            Err(other) => panic!("{fails_at}: {other:?}"),
        }
    }
    assert!(repeated > 5 && refused > 5, "{repeated}, {refused}");
}

/// A call that only passes data or ranks fails in the middle of them: no later call delivers the rest as the whole.
#[test]
fn what_a_failed_call_has_passed_is_not_delivered() {
    let archive = fixtures().into_iter().min_by_key(|(_, file, _)| file.len()).expect("archives").1;
    let (expected, verdict) = read(&archive);
    let data = archive.len() - nersc_data_length(&archive);
    for (fails_at, finishes) in
        (0..archive.len()).step_by(37).flat_map(|fails_at| [(fails_at, false), (fails_at, true)])
    {
        let source = Failing { file: &archive, at: 0, fails_at: Some(fails_at) };
        let mut reader = ArchiveReader::nersc(source, [0; 64]);
        let failed = if finishes { reader.finish() } else { reader.verdict().map(drop) };
        assert_eq!(failed, Err(ReadError::Io(ErrorKind::Other)), "{fails_at}");
        let mut numbers = vec![0.0; expected.len()];
        match reader.read_into(&mut numbers) {
            Ok(found) => {
                assert!(
                    fails_at <= data && found == verdict && bits(&numbers) == bits(&expected),
                    "{fails_at}"
                );
            }
            Err(error) => {
                assert!(fails_at > data, "{fails_at}");
                assert_eq!(error, ArchiveError::AlreadyRead);
                assert_eq!(reader.verdict(), Ok(verdict));
            }
        }
    }

    let (file, _) = milc_file(Some(&[5, 0, 4, 1, 3, 2]), true);
    for fails_at in 0..file.len() {
        let source = Failing { file: &file, at: 0, fails_at: Some(fails_at) };
        let mut reader = ArchiveReader::milc(source, [0; 16]);
        assert_eq!(reader.verdict(), Err(ReadError::Io(ErrorKind::Other)), "{fails_at}");
        let mut ranks = Vec::new();
        match reader.for_each_rank(|rank| ranks.push(rank)) {
            Ok(()) => assert_eq!(ranks, [5, 0, 4, 1, 3, 2], "{fails_at}"),
            Err(error) => {
                assert_eq!((error, ranks.len()), (ArchiveError::AlreadyRead.into(), 0), "{fails_at}")
            }
        }
        assert!(reader.verdict().expect("complete").is_match(), "{fails_at}");
    }
}

/// The length of the data of a NERSC archive.
fn nersc_data_length(archive: &[u8]) -> usize {
    let header = ArchiveReader::nersc(archive, [0; 64]).header().expect("complete");
    header.data_length() as usize
}

#[test]
fn misuse_is_refused() {
    let archive = &fixtures()[0].1;
    let mut buffer = [0; 512];
    let mut reader = ArchiveReader::nersc(&archive[..], &mut buffer).with_limits(Limits::new(1000));
    assert!(matches!(reader.number_count(), Err(ArchiveError::Site(SiteError::Limit(_)))));
    assert!(matches!(
        reader.read_into(&mut [0.0_f64; 71]),
        Err(ArchiveError::Site(SiteError::Length { .. }))
    ));
    let stopped = reader.for_each_site(|_| Err::<(), _>("stop"));
    assert_eq!(stopped, Err(CallbackError::Callback("stop")));
    // The rest was verified.
    assert!(reader.verdict().expect("valid").is_match());
    assert_eq!(reader.skip(), Err(ArchiveError::AlreadyRead));
    assert_eq!(ArchiveReader::nersc(&archive[..], &mut []).verdict(), Err(ReadError::NoBuffer));
}

/// The checksum of an archive without a byte order shows that the caller's byte order is wrong.
#[test]
fn a_wrong_byte_order_is_an_error() {
    let (_, file, expected) = fixtures()
        .into_iter()
        .find(|(path, ..)| path.contains("generic"))
        .expect("an archive without byte order");
    let mut buffer = [0; 512];
    let mut out = vec![0.0; expected.as_ref().map_or(0, Vec::len)];
    let mut reader = ArchiveReader::nersc(&file[..], &mut buffer).with_byte_order(ByteOrder::Little);
    assert_eq!(reader.read_into(&mut out), Err(ArchiveError::ByteOrder { stored: ByteOrder::Big }));
    let mut reader = ArchiveReader::nersc(&file[..], &mut buffer).with_byte_order(ByteOrder::Big);
    let verdict = reader.read_into(&mut out).expect("valid");
    assert_eq!(verdict.require_match().expect("a match").order, ByteOrder::Big);
}

/// Header and numbers of a small archive with complete links of special unitary matrices.
fn content() -> (Header, Vec<f64>) {
    let (_, file, _) = fixtures().into_iter().min_by_key(|(_, file, _)| file.len()).expect("archives");
    let mut decoder = nersc::Decoder::new(Mode::Lenient);
    linkstream::drive(&mut decoder, &file, |_, _, _| {}).expect("valid");
    (*decoder.header().expect("a header"), read(&file).0)
}

#[test]
fn written_archives_read_back() {
    let (given, numbers) = content();
    let more = [("ENSEMBLE_ID", "a test")];
    for rows in [StoredRows::Reduced, StoredRows::Full] {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let header =
                Header::new(*given.extents(), given.precision(), rows, order).expect("four dimensions");
            let mut buffer = [0; 1024];
            let mut writer =
                ArchiveWriter::create(disk(Vec::new()), &mut buffer, &header, &more).expect("fits");
            // In several calls, and the rest by a callback.
            writer.put(&numbers[..72]).expect("there is room");
            writer.put(&numbers[72..72]).expect("nothing");
            let fill = |site: &mut field::SiteMut<'_>| {
                let at = 72 * site.index();
                match given.precision() {
                    Precision::F32 => {
                        site.put(&Vec::from_iter(numbers[at..at + 72].iter().map(|n| *n as f32)))
                    }
                    Precision::F64 => site.put(&numbers[at..at + 72]),
                }
            };
            writer.put(Fill::sites(fill)).expect("there is room");
            let file = contents(writer.finish_seeking().expect("complete"));
            let (found, verdict) = read(&file);
            assert_eq!(verdict.require_match().expect("a match").order, order);
            let far = found.iter().zip(&numbers).any(|(a, b)| (a - b).abs() > 1e-6);
            assert!(!far, "{rows:?} {order:?}");
            // The same bytes with the checksum in advance, and from the bytes of the data.
            let mut header = header;
            let mut decoder = nersc::Decoder::new(Mode::Strict);
            linkstream::drive(&mut decoder, &file, |_, _, _| {}).expect("valid");
            header.checksum = decoder.header().and_then(|header| header.checksum);
            let mut sink = vec![0; file.len()];
            let mut writer = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &more).expect("fits");
            writer.put(&numbers[..]).expect("there is room");
            writer.finish().expect("complete");
            assert!(sink == file);
            let data = file.len() - header.data_length() as usize;
            sink.fill(0);
            let mut writer = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &more).expect("fits");
            file[data..].chunks(101).for_each(|bytes| writer.put(bytes).expect("there is room"));
            writer.finish().expect("complete");
            assert!(sink == file);
        }
    }
}

/// A call that the encoder refuses.
fn refused<C>(
    kind: EncodeErrorKind,
) -> Result<(), CallbackError<WriteError<embedded_io::SliceWriteError, EncodeErrorKind>, C>> {
    Err(CallbackError::Failed(WriteError::Refused(kind)))
}

#[test]
fn a_writer_refuses_wrong_calls() {
    let header = Header::new(
        Extents::new(&[1, 1, 1, 2]).expect("small"),
        Precision::F32,
        StoredRows::Reduced,
        ByteOrder::Big,
    )
    .expect("four dimensions");
    let (mut sink, mut buffer) = ([0; 2048], [0; 1024]);
    assert!(ArchiveWriter::create(&mut sink[..], &mut [0; 100], &header, &[]).is_err());
    let mut writer = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &[]).expect("fits");
    let length = |needed, given| Err(CallbackError::Callback(SiteError::Length { needed, given }));
    assert_eq!(writer.put(&[0.0_f32; 73][..]), length(576, 292));
    assert_eq!(writer.put(&[0.0_f32; 216][..]), length(576, 864));
    let overflow = Err(CallbackError::Callback(SiteError::Overflow { index: 0 }));
    assert_eq!(writer.put(&[1e300_f64; 72][..]), overflow);
    let unfilled = writer.put(Fill::sites(|_| Ok::<(), SiteError>(())));
    let missing = MissingPlace { link: Some(0), from: 0, to: 72 };
    assert_eq!(unfilled, refused(field::EncodeErrorKind::SiteNotFilled { missing }.into()));
    writer.put(&[0_u8; 1][..]).expect("there is room");
    let inside = field::EncodeErrorKind::InsideSite;
    assert_eq!(writer.put(&[0.0_f32; 72][..]), refused(inside.into()));
    assert_eq!(writer.put(&[0.0_f32; 0][..]), Ok(()));
    let call = writer.put(Fill::sites(|site| site.put(&[0.0_f32; 72])));
    assert_eq!(call, refused(inside.into()));
    assert_eq!(writer.put(&[0_u8; 384][..]), refused(EncodeErrorKind::TooMany));
    assert_eq!(writer.finish().err(), Some(WriteError::Refused(EncodeErrorKind::TooFew { missing: 383 })));
    // A checksum of other data.
    let mut writer = ArchiveWriter::create(&mut sink[..], &mut buffer, &header, &[]).expect("fits");
    writer.put(&[1.0_f32; 144][..]).expect("there is room");
    let finished = writer.finish().err();
    assert!(matches!(finished, Some(WriteError::Refused(EncodeErrorKind::Checksum { .. }))), "{finished:?}");
    // A sink without room.
    let mut writer = ArchiveWriter::create(&mut sink[..300], &mut buffer, &header, &[]).expect("fits");
    assert!(writer.put(&[1.0_f32; 144][..]).is_err());
    assert_eq!(writer.put(&[0_u8; 0][..]), Err(CallbackError::Failed(WriteError::Broken)));
}

/// Without an error of the source, the error comes from the format, with its message.
#[test]
fn messages_name_the_cause() {
    let error = ArchiveError::<Infallible, nersc::ErrorKind>::from(SiteError::NotNumbers);
    assert_eq!(error.to_string(), SiteError::NotNumbers.to_string());
}
