//! The misuse of the readers and writers of volumes that `guide::misuse` lists as an error is one.

use linkstream::Resumable as _;
use std::convert::Infallible;

use crate::io::writers::Narrow;
use crate::sinks::disk;
use crate::volume::broken::volume;
use linkstream::field::{self, Field, FieldDocuments, OutgoingMessage, SiteMut, Verdict};
use linkstream::ildg::{Format, GaugeKind};
use linkstream::io::{Fill, VolumeReader, VolumeWriter, WriteError};
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, StoredChecksum, VolumeFormat};
use linkstream::volume::{Decoder, EncodeErrorKind, Encoder, Event, SitesRead, Tally, VolumeKind};
use linkstream::{CallbackError, Mode};

fn field() -> Field {
    let lattice = Extents::new(&[4, 2]).expect("legal");
    FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice).expect("a field")
}

/// The sites read from a volume that contains these ranks.
fn sites(ranks: &[u32]) -> SitesRead {
    let data: Vec<u8> = ranks.iter().flat_map(|rank| (*rank as f32).to_be_bytes()).collect();
    let file = volume(ranks, &[&data]);
    let (mut list, mut buffer) = ([0; 8], [0; 64]);
    let mut reader =
        VolumeReader::new(disk(file), &mut list[..], &mut buffer[..], Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(&field());
    while reader.next().expect("valid") != Some(Event::Field) {}
    reader.for_each_site(|_| {}).expect("valid")
}

/// A record has begun, and its field has not been reported: the field of the record before is not passed again.
#[test]
fn a_field_is_read_after_it_has_been_reported() {
    let file = volume(&[3, 1], &[&[1; 8], &[2; 8]]);
    let (mut list, mut buffer) = ([0; 8], [0; 64]);
    let mut reader =
        VolumeReader::new(disk(file), &mut list[..], &mut buffer[..], Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(&field());
    let mut found = Vec::new();
    while let Some(event) = reader.next().expect("valid") {
        let read = reader.for_each_site(|site| found.push(site.bytes().to_vec()));
        assert_eq!(read.is_ok(), event == Event::Field, "{event:?}: {read:?}");
        if event == Event::End && found.len() == 2 {
            reader.decoder_mut().expect_field(&field());
        }
    }
    assert_eq!(found, [[1; 4], [1; 4], [2; 4], [2; 4]]);
}

/// Sites that come twice cancel in both sums, and as many as the lattice has.
#[test]
fn a_set_is_verified_if_each_site_has_come_once() {
    let verdict = |volumes: &[&[u32]]| {
        let mut tally = Tally::new(&field());
        volumes.iter().for_each(|ranks| tally.add(sites(ranks)));
        let verdict = tally.verdict(&StoredChecksum::new(tally.checksum()));
        assert_eq!(tally.is_complete(), verdict.is_match());
        // Without a stored checksum, missing sites are not accepted either.
        let absent = tally.verdict(&StoredChecksum::default());
        assert_eq!(absent.require_not_refuted().is_ok(), tally.is_complete());
        let other = tally.verdict(&StoredChecksum::new(linkstream::lattice::Checksum { suma: 9, sumb: 9 }));
        assert!(matches!(other, Verdict::Mismatch { .. }));
        verdict
    };
    assert!(verdict(&[&[0, 1, 4, 5], &[2, 3, 6, 7]]).is_match());
    assert!(verdict(&[&[7, 6, 5, 4, 3, 2, 1, 0]]).is_match());
    for damaged in [
        &[&[0, 1, 4, 5][..], &[0, 1, 4, 5]][..],
        &[&[0, 0, 1, 1, 2, 2, 3, 3]],
        &[&[0, 1, 4, 5]],
        &[&[0, 1, 4, 5], &[2, 3, 6, 7], &[0, 1, 4, 5]],
        &[],
    ] {
        let verdict = verdict(damaged);
        assert_eq!((verdict, verdict.require_match().is_err()), (Verdict::Unchecked, true), "{damaged:?}");
    }
}

type Writer<'b> = VolumeWriter<Narrow, &'b mut [u8]>;

/// A volume of a lattice of 4 times 2 sites, and the result of writing its file message.
fn begun<'b>(
    kind: VolumeKind,
    format: VolumeFormat,
    ranks: &[u64],
    announced: u64,
    buffer: &'b mut [u8],
) -> (Writer<'b>, Result<(), EncodeErrorKind>) {
    let file = PrivateFile::new(&Extents::new(&[4, 2]).expect("legal")).with_volume_format(format);
    let mut writer =
        VolumeWriter::with_encoder(Narrow::of(1 << 30), buffer, Encoder::new(kind, announced, 7));
    let written = writer.write_file(&OutgoingMessage::file(&file, b""), ranks.iter().copied());
    let written = written.map_err(|error| match error {
        WriteError::Refused(kind) => kind,
        other => panic!("{other:?}"),
    });
    (writer, written)
}

/// The error of the call for a field, which leaves the volume as it was.
fn refused(writer: &mut Writer<'_>, message: &OutgoingMessage<'_>, ranks: &[u64]) -> Option<EncodeErrorKind> {
    let before = writer.encoder().clone();
    let fill = |site: &mut SiteMut<'_>| site.bytes_mut().fill(1);
    let kind = match writer.write(message, ranks.iter().copied(), Fill::sites(fill)) {
        Err(CallbackError::<_, Infallible>::Failed(WriteError::Refused(kind))) => Some(kind),
        other => panic!("{other:?}"),
    };
    assert_eq!(writer.encoder(), &before, "nothing is written");
    kind
}

#[test]
fn ranks_that_come_twice_are_no_site_list() {
    let mut buffer = [0; 512];
    for (format, ranks, last) in [
        (VolumeFormat::Multifile, &[0, 0, 1, 1, 2, 2, 3, 3], 0),
        (VolumeFormat::Multifile, &[0, 1, 2, 3, 0, 1, 2, 3], 3),
        (VolumeFormat::Partition, &[0, 1, 2, 3, 4, 5, 6, 6], 6),
    ] {
        let (writer, written) = begun(VolumeKind::Other, format, ranks, 8, &mut buffer);
        assert_eq!(written, Err(EncodeErrorKind::Rank { rank: last }));
        assert_eq!(
            (writer.encoder().position(), writer.encoder()),
            (0, &Encoder::new(VolumeKind::Other, 8, 7))
        );
    }
    let ranks = [7, 6, 5, 4, 3, 2, 1, 0];
    assert_eq!(begun(VolumeKind::Other, VolumeFormat::Multifile, &ranks, 8, &mut buffer).1, Ok(()));
    // Too few, or too many: nothing is written, and the right ones can follow.
    for ranks in [&[0, 1][..], &[0, 1, 4, 5, 6]] {
        let (mut writer, written) = begun(VolumeKind::Other, VolumeFormat::Partition, ranks, 4, &mut buffer);
        assert_eq!((written, writer.encoder().position()), (Err(EncodeErrorKind::SitesDiffer), 0));
        let file = PrivateFile::new(&Extents::new(&[4, 2]).expect("legal"))
            .with_volume_format(VolumeFormat::Partition);
        assert!(writer.write_file(&OutgoingMessage::file(&file, b""), [0, 1, 4, 5]).is_ok());
    }
}

#[test]
fn the_sites_of_a_hypercube_are_in_it() {
    let lattice = Extents::new(&[4, 2]).expect("legal");
    let corner = |values| Coordinates::new(values).expect("2 dimensions");
    let cube = Hypercube::new(corner(&[0, 0]), corner(&[3, 0]), &lattice).expect("inside");
    let record = PrivateRecord::real_field(Precision::F32).covering(&Region::Hypercube(cube));
    let message = OutgoingMessage::scidac(&record, b"");
    let (all, mut buffer) = ([0, 1, 2, 3, 4, 5, 6, 7], [0; 512]);
    let (mut writer, written) = begun(VolumeKind::Other, VolumeFormat::Partition, &all, 8, &mut buffer);
    assert_eq!(written, Ok(()));
    for ranks in [&[4, 5, 6, 7][..], &[0, 0, 0, 0], &[3, 2, 1, 0], &[0, 1], &[0, 1, 2]] {
        assert_eq!(refused(&mut writer, &message, ranks), Some(EncodeErrorKind::SitesDiffer), "{ranks:?}");
    }
    let written = writer.write(&message, 0..4, Fill::sites(|site| site.bytes_mut().fill(1)));
    assert!(written.is_ok() && writer.finish().is_ok());
    // A field whose other sites are in other volumes, with sites in any order.
    let mut buffer = [0; 512];
    let (mut writer, _) = begun(VolumeKind::Other, VolumeFormat::Multifile, &[7, 3, 1, 0], 4, &mut buffer);
    for ranks in [&[3, 3, 0][..], &[7, 3, 1]] {
        assert_eq!(refused(&mut writer, &message, ranks), Some(EncodeErrorKind::SitesDiffer), "{ranks:?}");
    }
    assert!(writer.write(&message, [3, 1, 0], Fill::sites(|site| site.bytes_mut().fill(1))).is_ok());
}

#[test]
fn a_field_that_is_refused_leaves_the_volume_as_it_was() {
    let record = PrivateRecord::real_field(Precision::F32);
    let message = OutgoingMessage::scidac(&record, b"");
    let mut buffer = [0; 512];
    // A volume without sites.
    let (mut writer, _) = begun(VolumeKind::Other, VolumeFormat::Partition, &[], 0, &mut buffer);
    assert_eq!(refused(&mut writer, &message, &[3]), Some(EncodeErrorKind::SitesDiffer));
    assert!(writer.write(&message, [], Fill::sites(|_| ())).is_ok() && writer.finish().is_ok());
    // Too few, other or exchanged ranks; a site that the buffer does not hold.
    let mut buffer = [0; 512];
    let (mut writer, _) = begun(VolumeKind::First, VolumeFormat::Partition, &[0, 2, 5], 3, &mut buffer);
    for ranks in [&[0, 2][..], &[0, 2, 6], &[2, 0, 5]] {
        assert_eq!(refused(&mut writer, &message, ranks), Some(EncodeErrorKind::SitesDiffer), "{ranks:?}");
    }
    let propagator = PrivateRecord::propagator(Precision::F32);
    let large = refused(&mut writer, &OutgoingMessage::scidac(&propagator, b""), &[0, 2, 5]);
    assert_eq!(large, Some(field::EncodeErrorKind::SiteTooLarge { needed: 1152 }.into()));
    writer
        .write(&message, [0, 2, 5], Fill::sites(|site| site.bytes_mut().fill(1)))
        .expect("the sites of the list");
    writer.write_checksum(&message, linkstream::lattice::Checksum::default()).expect("due");
    assert!(writer.finish().is_ok());
}

/// As in files: a logical file name comes once, and a gauge field with its update.
#[test]
fn a_volume_has_each_gauge_field_once() {
    let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    let format = Format::new(GaugeKind::SU3, Precision::F32, [4, 2, 1, 1]);
    let file = PrivateFile::new(&Extents::new(&[4, 2, 1, 1]).expect("legal"))
        .with_volume_format(VolumeFormat::Partition);
    for (first, second, expected) in [
        (("lfn://a", "1"), ("lfn://b", "2"), field::EncodeErrorKind::LfnRepeated),
        (("", "1"), ("", "1"), field::EncodeErrorKind::UpdateRepeated),
    ] {
        let message = |(lfn, update): (&'static str, &'static str)| {
            let message = OutgoingMessage::scidac(&record, b"").with_format(&format).with_update(update);
            if lfn.is_empty() { message } else { message.with_lfn(lfn) }
        };
        let mut buffer = [0; 512];
        let encoder = Encoder::new(VolumeKind::Other, 1, 7);
        let mut writer = VolumeWriter::with_encoder(Narrow::of(1 << 30), &mut buffer[..], encoder);
        writer.write_file(&OutgoingMessage::file(&file, b""), [5]).expect("legal");
        writer.write(&message(first), [5], Fill::sites(|site| site.bytes_mut().fill(1))).expect("the first");
        assert_eq!(refused(&mut writer, &message(second), &[5]), Some(expected.into()));
        let saved = Encoder::load(&writer.encoder().save()).expect("sound");
        assert_eq!(&saved, writer.encoder());
    }
}
