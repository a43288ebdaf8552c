//! The calls of `io` that handle a complete field: reading it into slices or passing it to a callback, and writing it
//! in one call, compared with QIO's files and with the output of the decoder.

use crate::field::support::build::messages;
use crate::field::write::refusals::{described, lattice, real};
use crate::field::write::written::Content;
use crate::sinks::{contents, disk};
use host_tests::drive::{Fitful, Random, block_on};
use host_tests::fixtures::Fixtures;
use linkstream::field::{
    self, EncodeErrorKind, Encoder, ErrorKind, FieldDocuments, Form, OutgoingMessage, SiteError, Verdict,
};
use linkstream::ildg::{GaugeKind, Group};
use linkstream::io::{FieldError, FieldReader, FieldWriter, Fill, ReadError, WriteError};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord};
use linkstream::{CallbackError, Diagnostic, Mode};

const FILES: [(&str, Form); 6] = [
    ("qio/nersc/n3x2_f.lime", Form::Scidac),
    ("qio/nersc/n3x2_d.lime", Form::Scidac),
    ("qio/nersc/n3x3_f.lime", Form::Scidac),
    ("qio/nersc/n3x2_f_ildg.lime", Form::Both),
    ("qio/convert/ildg_single.lime", Form::Both),
    ("qio/ildg/ildg_f_4x4x4x8.lime", Form::Both),
];

/// The contents of the two messages of a file. The second one has a gauge field.
fn gauge_file(file: &[u8]) -> (Content, Content) {
    let messages = messages(file);
    let mut found = messages.iter().map(|records| Content::of(records).expect("QIO's style"));
    let (first, second) = (found.next().expect("a file message"), found.next().expect("a field"));
    assert!(found.next().is_none());
    (first, second)
}

/// Numbers converted exactly from their bytes.
fn numbers(precision: Precision, data: &[u8]) -> Vec<f64> {
    match precision {
        Precision::F32 => {
            data.as_chunks().0.iter().map(|word| f64::from(f32::from_be_bytes(*word))).collect()
        }
        Precision::F64 => data.as_chunks().0.iter().map(|word| f64::from_be_bytes(*word)).collect(),
    }
}

/// The date of QIO's text, found by comparing days.
fn date(text: &str) -> Date {
    let digits = |range: std::ops::Range<usize>| text[range].trim().parse::<u64>().expect("a number");
    let seconds = digits(11..13) * 3600 + digits(14..16) * 60 + digits(17..19);
    let days = (0..60_000).find(|day| {
        let date = Date::from_unix(day * 86_400 + seconds).text();
        date.as_str() == text
    });
    Date::from_unix(days.expect("a day") * 86_400 + seconds)
}

#[test]
fn gauge_fields_written_in_one_call_equal_the_files_of_qio() {
    for (name, form) in FILES {
        let file = Fixtures::Ours.read(name);
        let (first, second) = gauge_file(&file);
        let (private, title) = first.file.as_ref().expect("a SciDAC document");
        let (record, text) = second.record.as_ref().expect("a SciDAC document");
        let precision = if &*record.precision == "F" { Precision::F32 } else { Precision::F64 };
        let values = numbers(precision, &second.data);
        let narrow: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        for way in 0..5 {
            let mut buffer = [0; 600];
            let extents = private.extents().expect("a lattice");
            let mut writer =
                FieldWriter::create(disk(Vec::new()), &mut buffer[..], extents).expect("there is room");
            let file_document = PrivateFile::new(&extents);
            writer.write_message(&OutgoingMessage::file(&file_document, title)).expect("legal");
            let field = FieldDocuments::gauge_field(GaugeKind::SU3, precision, form, &extents);
            let field = field.expect("legal").dated(date(&record.date));
            let mut message = field.message(text);
            if let Some(lfn) = &second.lfn {
                message = message.with_lfn(lfn);
            }
            match way {
                0 => writer.write(&message, &values[..]).expect(name),
                1 if precision == Precision::F32 => writer.write(&message, &narrow[..]).expect(name),
                2 => {
                    let sites = Fill::sites(|site| site.put_rounded(&values[72 * site.index()..][..72]));
                    writer.write(&message, sites).expect(name);
                }
                3 => writer.write(&message, &second.data[..]).expect(name),
                _ => {
                    let sites = Fill::sites(|site| {
                        for mu in 0..4 {
                            let link = &values[72 * site.index() + 18 * mu..][..18];
                            for (n, [re, im]) in link.as_chunks().0.iter().enumerate() {
                                site.link_mut(mu)?.set(n / 3, n % 3, [*re, *im])?;
                            }
                        }
                        Ok::<(), SiteError>(())
                    });
                    writer.write(&message, sites).expect(name);
                }
            }
            assert!(contents(writer.finish().expect("complete")) == file, "{name} {way}");
        }
    }
}

/// A sink that accepts few bytes at a time and is sometimes pending.
struct Slow {
    bytes: Vec<u8>,
    waited: bool,
}

impl embedded_io::ErrorType for Slow {
    type Error = std::convert::Infallible;
}

impl embedded_io_async::Write for Slow {
    async fn write(&mut self, bytes: &[u8]) -> Result<usize, Self::Error> {
        std::future::poll_fn(|context| {
            self.waited = !self.waited;
            if self.waited {
                context.waker().wake_by_ref();
                return std::task::Poll::Pending;
            }
            let n = bytes.len().min(37);
            self.bytes.extend_from_slice(&bytes[..n]);
            std::task::Poll::Ready(Ok(n))
        })
        .await
    }

    async fn flush(&mut self) -> Result<(), Self::Error> {
        Ok(())
    }
}

#[test]
fn asynchronous_sinks_get_the_same_files() {
    let lattice = Extents::new(&[2, 2, 2, 3]).expect("legal");
    let links: Vec<f64> = (0..24 * 72).map(|n| f64::from(n) / 7.0).collect();
    let mut buffer = [0; 700];
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer[..], lattice).expect("there is room");
    let [single, double] = [Precision::F32, Precision::F64].map(|precision| {
        FieldDocuments::gauge_field(GaugeKind::SU3, precision, Form::Both, &lattice).expect("legal")
    });
    let [first, second] = [single.message(b"").with_update("1"), double.message(b"").with_update("2")];
    let global = PrivateRecord::global(Precision::F64, 2);
    let global = OutgoingMessage::scidac(&global, b"");
    writer.write(&first, &links[..]).expect("legal");
    writer.write(&second, Fill::sites(|site| site.put(&links[72 * site.index()..][..72]))).expect("legal");
    writer.write(&global, &[1.0_f32, 2.0][..]).expect("legal");
    let file = contents(writer.finish().expect("complete"));

    let sink = Slow { bytes: Vec::new(), waited: false };
    let mut writer = FieldWriter::create(sink, &mut buffer[..], lattice).expect("there is room");
    block_on(async {
        writer.write_async(&first, &links[..]).await.expect("legal");
        let missing = writer.write_async(&second, &links[1..]).await;
        assert!(matches!(missing, Err(CallbackError::Callback(SiteError::Length { .. }))));
        let put = Fill::sites(|site| site.put(&links[72 * site.index()..][..72]));
        writer.write_async(&second, put).await.expect("legal");
        writer.write_async(&global, &[1.0_f32, 2.0][..]).await.expect("legal");
        writer.complete_async().await.expect("complete");
    });
    assert!(writer.into_parts().0.bytes == file);

    // After a write was abandoned in the middle, the writer refuses to write more.
    let sink = Slow { bytes: Vec::new(), waited: false };
    let mut writer = FieldWriter::create(sink, &mut buffer[..], lattice).expect("there is room");
    {
        let mut future = std::pin::pin!(writer.write_async(&global, &[1.0_f32, 2.0][..]));
        let mut context = std::task::Context::from_waker(std::task::Waker::noop());
        assert!(future.as_mut().poll(&mut context).is_pending());
    }
    block_on(async {
        assert!(matches!(writer.put_async(&b"x"[..]).await, Err(CallbackError::Failed(WriteError::Broken))));
        assert!(matches!(writer.finish_async().await, Err(WriteError::Broken)));
    });
}

/// Every way to read returns the numbers of the file: in both precisions, from any source, through buffers of any size.
#[test]
fn fields_are_read_in_every_way() {
    for (name, _) in FILES {
        let file = Fixtures::Ours.read(name);
        let (_, second) = gauge_file(&file);
        let precision = if &*second.record.as_ref().expect("a SciDAC document").0.precision == "F" {
            Precision::F32
        } else {
            Precision::F64
        };
        let values = numbers(precision, &second.data);
        let narrow: Vec<f32> = values.iter().map(|value| *value as f32).collect();
        for (room, seed) in [(1152, 1), (1153, 2), (4001, 3), (1 << 17, 4)] {
            let mut buffer = vec![0; room];
            let mut reader = FieldReader::new(Fitful::new(&file, seed), &mut buffer[..]);
            let mut count = 0;
            while let Some(mut field) = reader.next_field().expect(name) {
                assert_eq!(field.number_count(), Ok(values.len()));
                let mut read = vec![0.0_f32; values.len()];
                let verdict = field.read_into(&mut read).expect(name);
                assert!(read == narrow && verdict.is_match(), "{name}");
                assert!(matches!(field.read_into(&mut read), Err(FieldError::AlreadyRead)));
                assert!(field.verdict().expect(name).require_match().is_ok());
                assert!(field.verdict().expect("again").is_match());
                count += 1;
            }
            assert_eq!(count, 1);

            let mut reader = FieldReader::new(Fitful::new(&file, seed), &mut buffer[..]);
            let mut field = reader.next_field().expect(name).expect("a field");
            let mut read = Vec::new();
            let verdict = field
                .for_each_site(|site| -> Result<(), SiteError> {
                    assert_eq!(site.index() as u64, site.rank());
                    read.extend(site.numbers()?);
                    Ok(())
                })
                .expect(name);
            assert!(read == values && verdict.is_match(), "{name}");
            assert!(reader.next_field().expect(name).is_none());

            let mut reader = FieldReader::new(Fitful::new(&file, seed), &mut buffer[..]);
            block_on(async {
                let mut field = reader.next_field_async().await.expect(name).expect("a field");
                let mut read = vec![0.0_f64; values.len()];
                let verdict = field.read_into_async(&mut read).await.expect(name);
                assert!(read == values && verdict.is_match(), "{name}");
                assert!(field.verdict_async().await.expect(name).is_match());
                assert!(reader.next_field_async().await.expect(name).is_none());
            });
            let mut reader = FieldReader::new(Fitful::new(&file, seed), &mut buffer[..]);
            block_on(async {
                let mut field = reader.next_field_async().await.expect(name).expect("a field");
                let mut read = Vec::new();
                let each = |site: field::Site<'_>| -> Result<(), SiteError> {
                    read.extend(site.numbers()?);
                    Ok(())
                };
                let verdict = field.for_each_site_async(each).await.expect(name);
                assert!(read == values && verdict.is_match(), "{name}");
            });
        }
    }
}

/// Two fields of reals on 2x2. If `broken`, the checksum of the first does not match.
fn two_fields(broken: bool) -> Vec<u8> {
    let mut buffer = [0; 512];
    let mut writer =
        FieldWriter::create(disk(Vec::new()), &mut buffer[..], Extents::new(&[2, 2]).expect("legal"))
            .expect("there is room");
    let (real, complex) =
        (PrivateRecord::real_field(Precision::F64), PrivateRecord::complex_field(Precision::F32));
    let sites = Fill::sites(|site| site.put(&[site.rank() as f64]));
    writer.write(&OutgoingMessage::scidac(&real, b""), sites).expect("legal");
    let sites = Fill::sites(|site| site.put(&[site.rank() as f32, 0.5]));
    writer.write(&OutgoingMessage::scidac(&complex, b""), sites).expect("legal");
    let mut file = contents(writer.finish().expect("complete"));
    if broken {
        let mut buffer = [0; 4096];
        let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
        let field = reader.next_field().expect("a valid file").expect("a field");
        let at = field.layout().expect("announced").record.payload_offset() as usize;
        file[at + 7] ^= 1;
    }
    file
}

/// An error of the callback ends the calls at once, and does not affect the verdict on the data.
#[test]
fn after_a_callback_has_failed_the_rest_is_verified() {
    for broken in [false, true] {
        let file = two_fields(broken);
        for (room, stop) in [(16, 0), (17, 1), (64, 3), (4096, 2)] {
            let mut buffer = vec![0; room];
            let mut reader =
                FieldReader::with_decoder(&file[..], &mut buffer[..], field::Decoder::new(Mode::Survey));
            let mut field = reader.next_field().expect("surveyed").expect("a field");
            let mut calls = 0;
            let answer = field.for_each_site(|site| {
                calls += 1;
                if site.index() == stop { Err("enough") } else { Ok(()) }
            });
            assert_eq!((answer, calls), (Err(CallbackError::Callback("enough")), stop + 1));
            let verdict = field.verdict().expect("surveyed");
            assert_eq!(verdict.is_match(), !broken, "{verdict:?}");
            assert_eq!(verdict.require_match().is_ok(), !broken);
            // The next field is complete.
            let mut field = reader.next_field().expect("surveyed").expect("a field");
            let mut numbers = [0.0_f64; 8];
            assert!(field.read_into(&mut numbers).expect("surveyed").is_match());
            assert_eq!(numbers, [0.0, 0.5, 1.0, 0.5, 2.0, 0.5, 3.0, 0.5]);
            assert!(field.verdict().expect("surveyed").is_match());
            assert!(reader.next_field().expect("surveyed").is_none());
            assert_eq!(reader.findings().count > 0, broken);
            assert_eq!(
                reader.findings().first.map(|finding| finding.kind.rule()),
                broken.then_some("checksum-mismatch")
            );
        }
    }
}

#[test]
fn a_checksum_mismatch_is_an_error_in_every_way_of_reading() {
    let file = two_fields(true);
    let mismatch = |error: ReadError<_, ErrorKind>| match error {
        ReadError::Format(error) => error.kind.rule(),
        other => panic!("{other:?}"),
    };
    let mut buffer = [0; 4096];
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    let mut field = reader.next_field().expect("valid so far").expect("a field");
    let read = field.read_into(&mut [0.0_f64; 4]);
    assert!(
        matches!(read, Err(FieldError::Read(error)) if mismatch(error) == "checksum-mismatch"),
        "{read:?}"
    );
    assert_eq!(field.verdict().map_err(mismatch), Err("checksum-mismatch"));
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    assert!(reader.next_field().expect("valid so far").is_some());
    // The caller did not read the data, which are verified nevertheless.
    assert_eq!(reader.next_field().map(|_| ()).map_err(mismatch), Err("checksum-mismatch"));
}

#[test]
fn skipped_data_are_not_verified() {
    for (broken, seeking) in [(false, false), (false, true), (true, false), (true, true)] {
        let file = two_fields(broken);
        let mut buffer = [0; 40];
        let source = linkstream::io::FromStd(std::io::Cursor::new(file));
        let mut reader = FieldReader::new(source, &mut buffer[..]);
        let mut field = reader.next_field().expect("valid so far").expect("a field");
        if seeking { field.skip_seeking() } else { field.skip() }.expect("the data are present");
        assert_eq!(field.verdict().expect("valid so far"), Verdict::Unchecked);
        assert!(matches!(field.read_into(&mut [0.0_f64; 4]), Err(FieldError::AlreadyRead)));
        let mut field = reader.next_field().expect("valid so far").expect("a field");
        assert!(field.verdict().expect("complete").is_match());
        assert!(reader.next_field().expect("complete").is_none());
    }
}

#[test]
fn impossible_requests_are_refused_before_a_byte_is_read() {
    let file = two_fields(false);
    let decoder = field::Decoder::new(Mode::Strict);
    let mut reader = FieldReader::with_decoder(&file[..], [0; 15], decoder);
    let mut field = reader.next_field().expect("complete").expect("a field");
    for length in [0, 3, 5, 8] {
        let error = SiteError::Length { needed: 32, given: 8 * length as u64 };
        assert_eq!(field.read_into(&mut vec![0.0_f32; length]), Err(FieldError::Site(error)));
    }
    assert_eq!(field.read_bytes_into(&mut [0; 31]), Err(SiteError::Length { needed: 32, given: 31 }.into()));
    let refused =
        field.for_each_site(|_| -> Result<(), SiteError> { panic!("the callback must not be called") });
    assert_eq!(refused, Err(CallbackError::Failed(FieldError::BufferTooSmall { needed: 16 })));
    let mut bytes = [0; 32];
    assert!(field.read_bytes_into(&mut bytes).expect("nothing was read before").is_match());
    assert_eq!(bytes[24..], 3.0_f64.to_be_bytes());
    assert!(field.for_each_site(|_| Ok::<(), SiteError>(())).is_err());

    // A field of integers.
    let record = described(&real(&Region::Lattice), "two integers", "I", 8);
    let mut buffer = [0; 512];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
    writer.write_message(&OutgoingMessage::file(&lattice(&[2, 2]), b"")).expect("legal");
    let ranks = Fill::sites(|site| site.put(&[site.rank()]));
    writer.write(&OutgoingMessage::scidac(&record, b""), ranks).expect("legal");
    let file = contents(writer.into_parts().0);
    let mut buffer = [0; 4096];
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    let mut field = reader.next_field().expect("complete").expect("a field");
    assert_eq!(field.number_count(), Err(SiteError::NotNumbers));
    assert_eq!(field.read_into(&mut [0.0_f64; 4]), Err(SiteError::NotNumbers.into()));
}

#[test]
fn a_source_that_ends_early_is_reported() {
    let file = two_fields(false);
    let mut random = Random(7);
    for _ in 0..200 {
        let cut = random.below(file.len());
        let mut buffer = vec![0; 16 + random.below(300)];
        let mut reader = FieldReader::new(&file[..cut], &mut buffer[..]);
        let mut read = || -> Result<usize, ReadError<_, ErrorKind>> {
            let mut count = 0;
            while let Some(mut field) = reader.next_field()? {
                let mut numbers = vec![0.0_f64; field.number_count().expect("numbers")];
                let verdict = match field.read_into(&mut numbers) {
                    Err(FieldError::Read(error)) => return Err(error),
                    other => other.expect("the lengths are equal"),
                };
                count += usize::from(verdict.is_match());
            }
            Ok(count)
        };
        // A file may end between messages.
        match read() {
            Err(ReadError::Format(_)) => {}
            Ok(count) => assert!(count < 2, "{cut}"),
            Err(other) => panic!("{other:?}"),
        }
    }
}

/// A refused call leaves the file unchanged.
#[test]
fn contradictions_are_refused_before_a_byte_is_written() {
    let values = vec![0.25_f64; 72 * 16];
    let mut buffer = [0; 600];
    let extents = Extents::new(&[2, 2, 2, 2]).expect("legal");
    assert!(matches!(
        FieldWriter::create(disk(Vec::new()), &mut [0; 511], extents),
        Err(EncodeErrorKind::Emit(..))
    ));
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer[..], extents).expect("there is room");
    let refused = |result: Result<
        (),
        CallbackError<WriteError<std::io::Error, EncodeErrorKind>, SiteError>,
    >| match result {
        Err(CallbackError::Failed(WriteError::Refused(kind))) => kind,
        other => panic!("{other:?}"),
    };
    let so2 = GaugeKind::parse(b"so2gauge").expect("a kind");
    assert_eq!(so2.group(), Group::So);
    let (f32, f64) = (Precision::F32, Precision::F64);
    let unsuited = EncodeErrorKind::FormUnsuited;
    assert_eq!(FieldDocuments::gauge_field(so2, f32, Form::Both, &extents), Err(unsuited));
    let [single, double] = [f32, f64].map(|precision| {
        FieldDocuments::gauge_field(GaugeKind::SU3, precision, Form::Both, &extents).expect("legal")
    });
    let length = writer.write(&single.message(b""), &values[1..]);
    let error = SiteError::Length { needed: 16 * 288, given: 16 * 288 - 4 };
    assert!(matches!(length, Err(CallbackError::Callback(found)) if found == error), "{length:?}");
    // A site takes 1,152 bytes, more than the buffer.
    let never = Fill::sites(|_| -> Result<(), SiteError> { panic!("the callback must not be called") });
    let large = writer.write(&OutgoingMessage::scidac(&PrivateRecord::propagator(f32), b""), never);
    assert_eq!(refused(large), EncodeErrorKind::SiteTooLarge { needed: 1152 });
    assert_eq!(
        refused(writer.write(&single.message(b"").with_update("not digits"), &values[..])),
        EncodeErrorKind::UpdateNotDigits
    );
    assert_eq!(writer.encoder(), &Encoder::new(), "nothing has been written");
    let [first, second] = ["1", "2"].map(|update| double.message(b"").with_update(update));
    writer.write(&first, &values[..]).expect("legal");

    // A second field of the kind needs another update number.
    let before = writer.encoder().clone();
    assert_eq!(refused(writer.write(&first, &values[..])), EncodeErrorKind::UpdateRepeated);
    assert_eq!(writer.encoder(), &before);
    writer.write(&second, &values[..]).expect("legal");
    let plain = FieldDocuments::gauge_field(GaugeKind::SU3, f64, Form::Ildg, &extents).expect("legal");
    let text = plain.message(b"a text that has no place").with_update("3");
    assert_eq!(refused(writer.write(&text, &values[..])), EncodeErrorKind::NoPlaceForText);
    let file = contents(writer.finish().expect("complete"));
    let mut buffer = [0; 4096];
    let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
    let mut count = 0;
    while let Some(mut field) = reader.next_field().expect("no rule is broken") {
        count += usize::from(field.verdict().expect("no rule is broken").is_match());
    }
    assert_eq!(count, 2);
    // A writer of messages does not know the lattice.
    let mut buffer = [0; 600];
    let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer[..], Encoder::new());
    let complex = PrivateRecord::complex_field(f32);
    let call = writer.write(&OutgoingMessage::scidac(&complex, b""), &[0.0_f32; 32][..]);
    assert_eq!(refused(call), EncodeErrorKind::FileMissing);
}

/// The standard SciDAC records describe their data completely: the reader returns the numbers that were written.
#[test]
fn usual_fields_come_back() {
    let extents = Extents::new(&[2, 3]).expect("legal");
    for precision in [Precision::F32, Precision::F64] {
        let mut buffer = [0; 4096];
        let mut writer =
            FieldWriter::create(disk(Vec::new()), &mut buffer[..], extents).expect("there is room");
        let values = |count: usize| (0..count).map(|n| f64::from(n as u32) / 4.0).collect::<Vec<_>>();
        let records = [
            (PrivateRecord::propagator(precision), 6 * 288),
            (PrivateRecord::complex_field(precision), 6 * 2),
            (PrivateRecord::global(precision, 5), 5),
            (PrivateRecord::dirac_fermion(precision), 6 * 24),
            (PrivateRecord::color_vector(precision), 6 * 6),
            (PrivateRecord::gauge_field(2, precision, 2), 6 * 16),
        ];
        for (record, count) in &records {
            writer.write(&OutgoingMessage::scidac(record, b""), &values(*count)[..]).expect("legal");
        }
        let file = contents(writer.finish().expect("complete"));
        let mut buffer = [0; 4096];
        let mut reader = FieldReader::new(&file[..], &mut buffer[..]);
        let mut seen = Vec::new();
        while let Some(mut field) = reader.next_field().expect("complete") {
            let mut numbers = vec![0.0_f64; field.number_count().expect("numbers")];
            let verdict = field.read_into(&mut numbers).expect("the lengths are equal");
            assert!(numbers == values(numbers.len()) && verdict.is_match());
            let record = field.decoder().private_record().expect("a SciDAC document");
            seen.push((
                record.datatype.to_string(),
                field.layout().expect("read").links.map(|links| links.links),
            ));
        }
        let letter = if precision == Precision::F32 { "F" } else { "D" };
        let names = [
            ("USQCD_?3_DiracPropagator", None),
            ("USQCD_?_Complex", None),
            ("QLA_?_Real", None),
            ("USQCD_?3_DiracFermion", None),
            ("USQCD_?3_ColorVector", None),
            ("QDP_?2_ColorMatrix", Some(2)),
        ];
        assert_eq!(seen, names.map(|(name, links)| (name.replace('?', letter), links)));
    }
}
