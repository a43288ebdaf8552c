//! Rows of `guide/misuse_writers.md` about calls that write several pieces: what is wrong with a later piece is refused
//! before the first is written.

use super::misuse_of_writers::{Case, kind, kind_of, of_callback};
use crate::sinks::{Disk, disk};
use linkstream::CallbackError;
use linkstream::field::{EncodeErrorKind, Encoder, OutgoingMessage, SiteError};
use linkstream::io::{FieldWriter, Positioned};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord, RecordData};

/// A process that writes a part of fields of 16 sites.
fn in_part<T>(call: impl FnOnce(&mut FieldWriter<'_, Positioned<Disk>>) -> T) -> T {
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let (sink, mut buffer) = (Positioned::new(disk(Vec::new())), [0; 1024]);
    let mut writer = FieldWriter::create_part(sink, &mut buffer, lattice, true).expect("there is room");
    let result = call(&mut writer);
    assert_eq!(writer.encoder(), &Encoder::new(), "nothing is written");
    result
}

fn integers() -> PrivateRecord {
    let data = RecordData {
        datatype: "QDP_Int".try_into().expect("short"),
        precision: "I".try_into().expect("short"),
        typesize: 4,
        datacount: 1,
        ..RecordData::default()
    };
    PrivateRecord::real_field(Precision::F32).with_data(data).expect("they agree")
}

pub const CASES: [Case; 5] = [
    ("A part with sites that the field does not have", || {
        let record = || PrivateRecord::real_field(Precision::F32);
        let mut ranges = [(20..24, 20), (10..20, 16)].into_iter();
        let of_callbacks = ranges.all(|(range, index)| {
            let call =
                in_part(|writer| writer.scidac_field_part(record(), range, |site| site.put(&[1.0_f32])));
            kind_of(call) == Some(EncodeErrorKind::NoSuchSite { index, sites: 16 })
        });
        let reversed = in_part(|writer| {
            #[expect(clippy::reversed_empty_ranges, reason = "the misuse")]
            writer.scidac_field_part(record(), 5..3, |site| site.put(&[1.0_f32]))
        });
        let of_numbers = in_part(|writer| writer.scidac_field_part_from(record(), 20, &[1.0_f32]));
        of_callbacks
            && kind_of(reversed) == Some(EncodeErrorKind::SitesReversed { start: 5, end: 3 })
            && kind_of(of_numbers) == Some(EncodeErrorKind::NoSuchSite { index: 20, sites: 16 })
    }),
    ("A part with more numbers than its sites have, or a part of a site", || {
        let long = in_part(|writer| {
            writer.scidac_field_part_from(PrivateRecord::real_field(Precision::F32), 10, &[1.0_f32; 10])
        });
        let cut = in_part(|writer| {
            writer.scidac_field_part_from(PrivateRecord::complex_field(Precision::F32), 0, &[1.0_f32; 3])
        });
        of_callback(long) == Some(SiteError::Length { needed: 24, given: 40 })
            && of_callback(cut) == Some(SiteError::Length { needed: 16, given: 12 })
    }),
    ("Floating-point numbers for a field of integers", || {
        let call = in_part(|writer| writer.scidac_field_part_from(integers(), 0, &[1.0_f32; 16]));
        of_callback(call) == Some(SiteError::NotNumbers)
    }),
    ("A file message of the caller with another lattice than the writer was created for", || {
        in_part(|writer| {
            let other = PrivateFile::new(&Extents::new(&[2, 2, 2, 1]).expect("a lattice"));
            kind(writer.message(&OutgoingMessage::file(&other, b""))) == Some(EncodeErrorKind::LatticeOther)
        })
    }),
    ("A message of the caller for a buffer without room for its site", || {
        let file = PrivateFile::new(&Extents::new(&[1]).expect("a lattice"));
        let record = PrivateRecord::propagator(Precision::F32);
        let mut buffer = [0; 1024];
        let mut writer = FieldWriter::with_encoder(disk(Vec::new()), &mut buffer, Encoder::new());
        writer.message(&OutgoingMessage::file(&file, b"")).expect("legal");
        let before = writer.encoder().position();
        let call = writer.field(&OutgoingMessage::scidac(&record, b""), |site| site.put(&[1.0_f32; 288]));
        let is_refused = kind_of(call) == Some(EncodeErrorKind::SiteTooLarge { needed: 1152 });
        is_refused && writer.encoder().position() == before && writer.finish().is_ok()
    }),
];

/// A process may have no site, at any place of the field.
#[test]
fn a_part_may_be_empty() -> Result<(), CallbackError<impl std::fmt::Debug, SiteError>> {
    let lattice = Extents::new(&[2, 2, 2, 2]).expect("a lattice");
    let (sink, mut buffer) = (Positioned::new(disk(Vec::new())), [0; 1024]);
    let mut writer = FieldWriter::create_part(sink, &mut buffer, lattice, true).expect("there is room");
    let record = PrivateRecord::real_field(Precision::F32);
    writer.scidac_field_part(record, 16..16, |site| site.put(&[1.0_f32])).map(drop)
}
