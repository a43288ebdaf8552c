//! File sets are written with the same bytes as by QIO, with the volumes in any order.

use linkstream::Resumable as _;
use linkstream::field::{self, OutgoingMessage, SiteMut};
use linkstream::ildg::Format;
use linkstream::io::{Fill, VolumeWriter, WriteError};
use linkstream::lattice::{Checksum, Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{EncodeErrorKind, Encoder, Mesh, NodeOrder, VolumeKind, Want};
use linkstream::{Mode, lime};

use crate::io::writers::Narrow;
use crate::volume::support::{Counting, ReadSet, Volume, read, sets, volumes};

/// The documents and texts of one message.
#[derive(Debug, Default)]
pub struct Documents {
    file: Option<PrivateFile>,
    record: Option<PrivateRecord>,
    format: Option<Format>,
    text: Vec<u8>,
    lfn: Option<String>,
}

impl Documents {
    pub fn message(&self) -> OutgoingMessage<'_> {
        let mut message = match (&self.file, &self.record) {
            (Some(file), _) => OutgoingMessage::file(file, &self.text),
            (_, Some(record)) => OutgoingMessage::scidac(record, &self.text),
            _ => panic!("neither a file nor a record"),
        };
        if let Some(format) = &self.format {
            message = message.with_format(format);
        }
        if let Some(lfn) = &self.lfn {
            message = message.with_lfn(lfn);
        }
        message
    }
}

/// The messages of a first volume, read by the LIME decoder.
fn messages(first: &[u8]) -> Vec<Documents> {
    let mut messages = Vec::new();
    let (mut payload, mut decoder) = (Vec::new(), lime::Decoder::new(Mode::Strict));
    linkstream::drive(&mut decoder, first, |event, bytes, decoder: &lime::Decoder| match event {
        lime::Event::Record(record) => {
            payload.clear();
            if record.begin {
                messages.push(Documents::default());
            }
        }
        lime::Event::Payload => payload.extend_from_slice(bytes),
        lime::Event::End => {
            let message = messages.last_mut().expect("begun");
            let text = payload.strip_suffix(b"\0").unwrap_or(&payload).to_vec();
            match decoder.record_type() {
                b"scidac-private-file-xml" => message.file = PrivateFile::parse(&payload).ok(),
                b"scidac-private-record-xml" => message.record = PrivateRecord::parse(&payload).ok(),
                b"scidac-file-xml" | b"scidac-record-xml" => message.text = text,
                b"ildg-format" => message.format = Format::parse(&payload).ok(),
                b"ildg-data-lfn" => message.lfn = String::from_utf8(text).ok(),
                _ => {}
            }
        }
        _ => {}
    })
    .expect("an intact volume");
    messages
}

/// Writes a volume. Returns its bytes and its checksum of each field. The first volume needs the checksums of the
/// others.
fn write(
    set: &ReadSet,
    documents: &[Documents],
    number: u64,
    kind: VolumeKind,
    others: &[Checksum],
) -> (Vec<u8>, Vec<Checksum>) {
    let ranks = &set.lists[&number];
    let largest = ranks.iter().copied().max().unwrap_or(0);
    let (mut buffer, mut sums) = (vec![0; 1024], Vec::new());
    let encoder = Encoder::new(kind, ranks.len() as u64, largest);
    let mut writer = VolumeWriter::with_encoder(Narrow::of(1 << 30), &mut buffer, encoder);
    writer.write_file(&documents[0].message(), ranks.iter().copied()).expect("a file message");
    for (index, (field, documents)) in set.fields.iter().zip(&documents[1..]).enumerate() {
        let message = documents.message();
        let of_field = ranks.iter().copied().filter(|rank| field.sites.contains_key(rank));
        let fill = |site: &mut SiteMut<'_>| {
            let bytes = &field.sites[&site.rank()];
            site.bytes_mut().copy_from_slice(bytes);
        };
        let sum = writer.write(&message, of_field, Fill::sites(fill));
        let is_global = field.field.region == Region::Global;
        sums.push(if is_global && kind == VolumeKind::Other {
            Checksum::default()
        } else {
            sum.expect("a field")
        });
        if kind == VolumeKind::First {
            writer.write_checksum(&message, others[index]).expect("due");
        }
    }
    (writer.finish().expect("complete").bytes, sums)
}

/// Writes all volumes, the first one last.
fn write_set(set: &ReadSet, documents: &[Documents], first: u64) -> Vec<Volume> {
    let mut all = vec![Checksum::default(); set.fields.len()];
    let mut written = Vec::new();
    for number in set.lists.keys().rev().filter(|number| **number != first) {
        let (bytes, sums) = write(set, documents, *number, VolumeKind::Other, &[]);
        all.iter_mut().zip(sums).for_each(|(all, sum)| *all = all.combine(sum));
        written.push((*number, bytes));
    }
    written.push((first, write(set, documents, first, VolumeKind::First, &all).0));
    written.sort();
    written
}

/// Compares the volumes written by `write` with the file sets of QIO. The arguments are the sites, the documents and
/// the number of the first volume.
pub fn each_set(write: impl Fn(&ReadSet, &[Documents], u64) -> Vec<Vec<u8>>) {
    let mut compared = 0;
    for (name, entries) in sets("qio") {
        // In these sets, QIO appended, or labelled the data of other volumes wrongly.
        if name.starts_with("quirks/") {
            continue;
        }
        let files = volumes(&entries);
        let set = read(&files, Counting::WithMap);
        let documents = messages(&files[0].1);
        assert_eq!(documents.len(), set.fields.len() + 1, "{name}");
        let written = write(&set, &documents, files[0].0);
        assert_eq!(written.len(), files.len(), "{name}");
        for (written, (number, expected)) in written.iter().zip(&files) {
            assert!(written == expected, "{name} {number} differs");
        }
        compared += 1;
    }
    assert!(compared >= 12, "{compared}");
}

#[test]
fn sets_are_written_as_qio_writes_them() {
    each_set(|set, documents, first| {
        write_set(set, documents, first).into_iter().map(|(_, bytes)| bytes).collect()
    });
}

/// The sites of each volume in a mesh are as in QIO's layouts.
#[test]
fn meshes_equal_the_layouts_of_qio() {
    let mut compared = 0;
    for (name, entries) in sets("qio") {
        let (_, first) = &entries[0];
        let (Some(grid), Some(dims)) = (&first.grid, &first.dims) else { continue };
        if entries.len() as u64 > grid.iter().product() || name.contains("uneven") {
            continue;
        }
        let narrow = |numbers: &[u64]| numbers.iter().map(|n| *n as u32).collect::<Vec<_>>();
        let files = first.iogrid.as_ref().unwrap_or(grid);
        let lattice = Extents::new(&narrow(dims)).expect("a lattice");
        let mesh = Mesh::new(&lattice, &narrow(grid), &narrow(files)).expect("it divides the lattice");
        if mesh.volumes() != entries.len() as u64 {
            continue;
        }
        let set = read(&volumes(&entries), Counting::WithMap);
        for (index, number) in (0..).zip(set.lists.keys()) {
            assert_eq!(mesh.volume(index).map(|volume| volume.number), Some(*number), "{name}");
            let order = NodeOrder::of(set.format.expect("a set"));
            assert_eq!(mesh.ranks(index, order).collect::<Vec<_>>(), set.lists[number], "{name} {number}");
        }
        compared += 1;
    }
    assert!(compared >= 8, "{compared}");
}

/// If a rank exceeds 32 bits, the entries of its volume have 64 bits.
#[test]
fn wide_entries_are_written_where_ranks_need_them() {
    let lattice = Extents::new(&[1 << 16, 1 << 16, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let mut buffer = [0; 512];
    for (rank, length) in [(5, 4_usize), (u64::from(u32::MAX), 4), (1 << 32, 8)] {
        let mut writer =
            VolumeWriter::with_encoder(Vec::new(), &mut buffer, Encoder::new(VolumeKind::Other, 1, rank));
        writer.write_file(&OutgoingMessage::file(&file, b""), [rank]).expect("it fits");
        let (bytes, _) = writer.into_parts();
        assert_eq!(bytes.len(), 144 + 8);
        assert_eq!(&bytes[144..144 + length], &rank.to_be_bytes()[8 - length..]);
        assert_eq!(&bytes[144 + length..], &[0; 8][length..]);
    }
}

#[test]
fn impossible_volumes_are_refused() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let single = PrivateFile::new(&lattice);
    let file = single.clone().with_volume_format(VolumeFormat::Partition);
    let message = OutgoingMessage::file(&file, b"");
    let mut scratch = [0; 512];
    let mut encoder = Encoder::new(VolumeKind::Other, 4, 7);
    let untouched = encoder.clone();
    let refused = encoder.begin(&OutgoingMessage::file(&single, b""), 0, &mut scratch);
    assert_eq!(refused, Err(EncodeErrorKind::SingleFile));
    let record = PrivateRecord::real_field(Precision::F32);
    let field = OutgoingMessage::scidac(&record, b"");
    let missing = field::EncodeErrorKind::FileMissing.into();
    assert_eq!(encoder.begin(&field, 0, &mut scratch), Err(missing));
    assert_eq!((encoder.finish(), &encoder), (Err(missing), &untouched));
    let mut many = Encoder::new(VolumeKind::Other, 9, 7);
    let refused = many.begin(&message, 0, &mut scratch);
    assert_eq!(refused, Err(EncodeErrorKind::TooManySites { sites: 9, most: 8 }));

    let begun = encoder.begin(&message, 0, &mut scratch).expect("a set");
    assert!(matches!(encoder.next(&begun, &mut scratch), Ok(Want::Bytes(_))));
    // Repeated, descending, outside the lattice, or beyond the announced size.
    encoder.entry(2).expect("the first");
    for rank in [2, 1, 8, 1 << 40] {
        assert_eq!(encoder.entry(rank), Err(EncodeErrorKind::Rank { rank }));
    }
    for rank in [3, 5, 7] {
        encoder.entry(rank).expect("ascending");
    }
    assert_eq!(encoder.entry(7), Err(EncodeErrorKind::NoList));
    assert!(matches!(encoder.next(&begun, &mut scratch), Ok(Want::Bytes(b""))));
    encoder.finish().expect("a volume without fields");

    // The data must have the sites of the list.
    let begun = encoder.begin(&field, 0, &mut scratch).expect("a field");
    // Before the header of the data, and after the last site.
    let no_data = Err(field::EncodeErrorKind::NoData.into());
    assert_eq!((encoder.site(2, &[0; 4]), encoder.pass_site(2)), (no_data, no_data));
    assert!(matches!(encoder.next(&begun, &mut scratch), Ok(Want::Bytes(_))));
    assert_eq!(encoder.site(2, &[0; 3]), Err(EncodeErrorKind::SiteLength { needed: 4 }));
    for rank in [3, 2, 5, 7] {
        assert_eq!(Encoder::load(&encoder.save()).as_ref(), Ok(&encoder));
        encoder.site(rank, &[0; 4]).expect("a site");
    }
    assert_eq!((encoder.site(7, &[0; 4]), encoder.pass_site(7)), (no_data, no_data));
    assert_eq!(encoder.next(&begun, &mut scratch), Err(EncodeErrorKind::SitesDiffer));
}

/// Too few ranks, a buffer smaller than a site, and a checksum that is not due.
#[test]
fn a_writer_refuses_wrong_arguments() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let message = OutgoingMessage::file(&file, b"");
    let mut buffer = [0; 512];
    let mut writer =
        VolumeWriter::with_encoder(Vec::new(), &mut buffer, Encoder::new(VolumeKind::Other, 4, 7));
    let refused = writer.write_file(&message, [3, 1]).expect_err("two of four");
    assert_eq!(refused, WriteError::Refused(EncodeErrorKind::SitesDiffer));
    let refused = writer.write_checksum(&message, Checksum::default()).expect_err("no field");
    assert_eq!(refused, WriteError::Refused(field::EncodeErrorKind::NoData.into()));
}

/// The header of a site list needs no scratch buffer, so that an error without one can only come from comparing the
/// message's content.
#[test]
fn a_message_is_read_when_it_begins_and_when_it_is_resumed() {
    let lattice = Extents::new(&[2, 2]).expect("small");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let message = OutgoingMessage::file(&file, b"text");
    let mut encoder = Encoder::new(VolumeKind::Other, 1, 3);
    let begun = encoder.begin(&message, 0, &mut [0; 512]).expect("legal");
    let mut loaded = Encoder::load(&encoder.save()).expect("a saved state can be loaded");
    assert_eq!(loaded, encoder);
    assert!(matches!(encoder.next(&begun, &mut []), Ok(Want::Bytes(_))));
    assert!(loaded.resume(&message, &mut []).is_err());
    let resumed = loaded.resume(&message, &mut [0; 512]).expect("the message that was begun");
    assert!(matches!(loaded.next(&resumed, &mut []), Ok(Want::Bytes(_))));
    // Another message is refused, whether it is resumed or was begun elsewhere.
    let other = OutgoingMessage::file(&file, b"next");
    let refused = Err(field::EncodeErrorKind::MessageOther.into());
    assert_eq!(encoder.resume(&other, &mut [0; 512]).map(drop), refused);
    let other = Encoder::new(VolumeKind::Other, 1, 3).begin(&other, 0, &mut [0; 512]).expect("legal");
    encoder.entry(0).expect("a rank");
    assert_eq!(encoder.next(&other, &mut []).map(drop), refused);
    assert!(matches!(encoder.next(&begun, &mut []), Ok(Want::Bytes(_))));
}
