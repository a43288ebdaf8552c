//! Calls of [`FieldReader`] and of the fields that it finds.

use std::ops::ControlFlow;

use embedded_io::ErrorKind;
use linkstream::field::{Decoder, Encoder, FieldDocuments, OutgoingMessage, Verdict};
use linkstream::io::{FieldData, FieldError, FieldReader, FieldWriter, ReadError};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::{CallbackError, Encode as _, Mode};

use super::{Case, Unsteady, run};

const CALLS: &[&str] = &[
    "read_into",
    "read_into",
    "read_bytes_into",
    "for_each_site",
    "for_each_site",
    "skip",
    "skip_seeking",
    "verdict",
    "verdict",
];

/// Number of sites of each field. Each has two numbers.
const SITES: usize = 8;

/// The numbers of a field, and their bytes.
struct Truth {
    numbers: Vec<f64>,
    bytes: Vec<u8>,
    /// A bit of the data is wrong.
    is_damaged: bool,
}

/// Effects of the calls for a field so far.
#[derive(Default)]
struct Model {
    /// Numbers were delivered, or data skipped, so that none can be delivered again.
    is_used: bool,
    /// Data were skipped.
    is_skipped: bool,
}

impl Model {
    /// The verdict of a call that has delivered the numbers.
    fn deliver(&mut self, truth: &Truth, verdict: Verdict) {
        assert!(!self.is_used);
        self.is_used = true;
        self.judge(truth, verdict);
    }

    fn judge(&self, truth: &Truth, verdict: Verdict) {
        match verdict {
            Verdict::Unchecked => assert!(self.is_skipped),
            Verdict::Mismatch { .. } => assert!(truth.is_damaged),
            verdict => assert!(verdict.is_match() && !truth.is_damaged, "{verdict:?}"),
        }
    }
}

/// Calls for one field.
fn field(case: &mut Case, mut data: FieldData<'_, Unsteady<'_>, Vec<u8>>, truth: &Truth) {
    let mut model = Model::default();
    for _ in 0..case.random.below(8) {
        let result = match case.call(CALLS) {
            "read_into" => {
                let mut numbers = [f64::NAN; 2 * SITES];
                let result = data.read_into(&mut numbers);
                if let Ok(verdict) = result {
                    assert_eq!(numbers[..], truth.numbers);
                    model.deliver(truth, verdict);
                    case.delivered += 1;
                }
                model.is_used |= !numbers[0].is_nan();
                result.map(|_| ())
            }
            "read_bytes_into" => {
                // No number begins with it.
                let mut bytes = vec![0xEE; truth.bytes.len()];
                let result = data.read_bytes_into(&mut bytes);
                if let Ok(verdict) = result {
                    assert_eq!(bytes, truth.bytes);
                    model.deliver(truth, verdict);
                    case.delivered += 1;
                }
                model.is_used |= bytes[0] != 0xEE;
                result.map(|_| ())
            }
            "for_each_site" => {
                let (mut sites, most) = (0, 1 + case.random.below(10));
                let result = data.for_each_site(|site| {
                    assert_eq!((site.rank(), site.index()), (sites as u64, sites));
                    let numbers: Vec<f64> = site.numbers().expect("numbers").collect();
                    assert_eq!(numbers, truth.numbers[2 * sites..][..2]);
                    sites += 1;
                    if sites == most { ControlFlow::Break(()) } else { ControlFlow::Continue(()) }
                });
                let result = result.map_err(CallbackError::into_failed);
                if let Ok(verdict) = result {
                    assert_eq!(sites, most.min(SITES));
                    model.deliver(truth, verdict);
                    case.delivered += 1;
                }
                model.is_used |= sites > 0;
                result.map(|_| ())
            }
            "skip" | "skip_seeking" if !case.is_chosen(3) => continue,
            call @ ("skip" | "skip_seeking") => {
                let result = if call == "skip" { data.skip() } else { data.skip_seeking() };
                model.is_skipped |= matches!(result, Ok(()) | Err(FieldError::Read(ReadError::Io(_))));
                model.is_used |= model.is_skipped;
                result
            }
            "verdict" => {
                let result = data.verdict();
                model.is_used = true;
                match result {
                    // It may be known already.
                    Ok(verdict) => model.judge(truth, verdict),
                    Err(error) => drop(case.check(Err::<(), _>(error))),
                }
                continue;
            }
            call => panic!("{call}"),
        };
        match result {
            Ok(()) => drop(case.check(Ok::<_, ReadError<ErrorKind, ()>>(()))),
            Err(FieldError::Read(error)) => drop(case.check(Err::<(), _>(error))),
            Err(FieldError::AlreadyRead) => assert!(model.is_used),
            Err(FieldError::BufferTooSmall { needed }) => assert_eq!(needed, truth.bytes.len() as u64 / 4),
            Err(error) => panic!("{error:?}"),
        }
    }
}

fn case(case: &mut Case, file: &[u8], truth: &[Truth]) {
    let decoder = Decoder::new(Mode::Survey);
    let mut reader = FieldReader::with_decoder(case.source(file), case.buffer(), decoder);
    let mut fields = truth.iter();
    for _ in 0..20 {
        case.calls.push("next_field");
        match reader.next_field() {
            Ok(Some(data)) => {
                assert!(!case.is_lost);
                field(case, data, fields.next().expect("no more fields than there are"));
            }
            Ok(None) => {
                assert!(fields.next().is_none());
                return;
            }
            Err(error) => drop(case.check(Err::<(), _>(error))),
        }
    }
}

/// A file of three complex fields.
fn file() -> (Vec<u8>, Vec<Truth>) {
    let lattice = Extents::new(&[2, 4]).expect("legal");
    let (mut file, mut buffer) = (vec![0; 10_000], [0; 512]);
    let mut writer = FieldWriter::with_encoder(&mut file[..], &mut buffer, Encoder::new());
    writer.write_message(&OutgoingMessage::file(&PrivateFile::new(&lattice), b"")).expect("room");
    let truth = [(1, Precision::F64), (2, Precision::F32), (3, Precision::F64)].map(|(number, precision)| {
        let numbers: Vec<f64> = (0..2 * SITES).map(|n| f64::from(100 * number) + n as f64).collect();
        let documents = FieldDocuments::scidac(PrivateRecord::complex_field(precision));
        writer.write(&documents.message(b""), &numbers[..]).expect("room");
        let bytes = |number: &f64| match precision {
            Precision::F64 => number.to_be_bytes().to_vec(),
            _ => (*number as f32).to_be_bytes().to_vec(),
        };
        Truth { bytes: numbers.iter().flat_map(bytes).collect(), numbers, is_damaged: false }
    });
    let length = writer.encoder().position() as usize;
    writer.finish().expect("complete");
    file.truncate(length);
    (file, truth.into())
}

#[test]
fn fields_are_read_by_any_calls() {
    let (mut file, mut truth) = file();
    let delivered = run(2000, |each| case(each, &file, &truth));
    assert!(delivered > 500, "{delivered}");

    // A bit of a number of the second field.
    let damaged = &mut truth[1];
    let at = file.windows(128 / 2).position(|bytes| bytes == damaged.bytes).expect("the data");
    damaged.bytes[9] ^= 1;
    file[at + 9] ^= 1;
    damaged.numbers[2] = f32::from_be_bytes(damaged.bytes[8..12].try_into().expect("4 bytes")).into();
    damaged.is_damaged = true;
    let delivered = run(2000, |each| case(each, &file, &truth));
    assert!(delivered > 500, "{delivered}");
}
