//! Small messages, and a check that a refused call changes nothing.

use linkstream::CallbackError;
use linkstream::Encode as _;
use linkstream::Resumable as _;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, SiteError, SiteMut, Want};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};

/// The format of 2 sites, each with one link: a phase of 8 bytes.
pub fn two() -> Format {
    Format::new(GaugeKind::parse(b"u1phase").expect("a kind"), Precision::F64, [2, 1, 1, 1])
}

pub fn su3(extents: [u32; 4]) -> Format {
    Format::new(GaugeKind::SU3, Precision::F64, extents)
}

pub fn lattice(extents: &[u32]) -> PrivateFile {
    PrivateFile::new(&Extents::new(extents).expect("legal"))
}

/// A record of 8 bytes at each site.
pub fn real(region: &Region) -> PrivateRecord {
    described(&PrivateRecord::new(region), "QDP_D_Real", "D", 8)
}

/// The same record with one item of this type.
pub fn described(record: &PrivateRecord, datatype: &str, precision: &str, typesize: u32) -> PrivateRecord {
    let (datatype, precision) = (datatype.try_into().expect("short"), precision.try_into().expect("short"));
    let data = RecordData { datatype, precision, typesize, datacount: 1, ..RecordData::default() };
    record.with_data(data).expect("they agree")
}

/// A callback that fills a site with zeros.
pub fn zeros(site: &mut SiteMut<'_>) -> Result<(), SiteError> {
    site.bytes_mut().fill(0);
    Ok(())
}

/// A callback that must not be called.
pub fn never(_: &mut SiteMut<'_>) -> Result<(), SiteError> {
    panic!("the callback must not be called")
}

/// The error of a call whose callback does not fail.
pub fn failed<F>(error: CallbackError<F, SiteError>) -> F {
    match error {
        CallbackError::Failed(error) => error,
        CallbackError::Callback(error) => panic!("{error}"),
    }
}

/// Makes all steps up to data or the end. Returns the bytes to be written.
pub fn steps(encoder: &mut Encoder, message: &OutgoingMessage<'_>) -> Vec<u8> {
    let (mut scratch, mut bytes) = ([0; 1024], Vec::new());
    if encoder.finish().is_ok() {
        return bytes;
    }
    let begun = encoder.resume(message, &mut scratch).expect("the same message");
    while let Want::Bytes(more) = encoder.next(&begun, &mut scratch).expect("the same message") {
        bytes.extend_from_slice(more);
    }
    bytes
}

/// Writes a complete message with zeros as data.
pub fn write(encoder: &mut Encoder, message: &OutgoingMessage<'_>) {
    let _ = encoder.begin(message, &mut [0; 1024]).expect("legal");
    steps(encoder, message);
    encoder
        .put(&vec![0; encoder.room() as usize])
        .or_else(|kind| match kind {
            EncodeErrorKind::NoData => Ok(()),
            other => Err(other),
        })
        .expect("as many as are missing");
    steps(encoder, message);
    encoder.finish().expect("complete");
}

/// An encoder in the middle of this message's data.
pub fn in_data(message: &OutgoingMessage<'_>) -> Encoder {
    let mut encoder = Encoder::new();
    let _ = encoder.begin(message, &mut [0; 1024]).expect("legal");
    steps(&mut encoder, message);
    encoder
}

/// Verifies that the call is refused with this kind and this message, and changes nothing.
#[track_caller]
pub fn refused<T: std::fmt::Debug>(
    encoder: &mut Encoder,
    call: impl FnOnce(&mut Encoder) -> Result<T, EncodeErrorKind>,
    expected: EncodeErrorKind,
    sentence: &str,
) {
    let before = encoder.save();
    assert_eq!(call(encoder).expect_err("the call must be refused"), expected);
    assert_eq!(expected.to_string(), sentence);
    assert!(encoder.save() == before, "a refused call must change nothing");
}

#[track_caller]
pub fn not_begun(
    encoder: &mut Encoder,
    message: &OutgoingMessage<'_>,
    expected: EncodeErrorKind,
    sentence: &str,
) {
    refused(encoder, |encoder| encoder.begin(message, &mut [0; 1024]), expected, sentence);
}
