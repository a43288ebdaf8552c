//! The sources of data, numbers, bytes and callbacks: the same bytes, errors and stops in every writer that takes them.

use std::fmt::Debug;
use std::ops::ControlFlow;

use linkstream::field::{self, MissingPlace, OutgoingMessage, SiteError, SiteMut};
use linkstream::io::{ArchiveWriter, FieldSource, FieldWriter, Fill, VolumeWriter, WriteError};
use linkstream::lattice::{ByteOrder, Checksum, Extents, Precision};
use linkstream::nersc::{self, Header, StoredRows};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{self, VolumeKind};
use linkstream::{CallbackError, Encode as _};

use crate::sinks::{Disk, contents, disk};

type Refused<K, C> = Result<(), CallbackError<K, C>>;
/// A call that writes the data of an archive.
type Put<'c> = dyn Fn(&mut ArchiveWriter<'_, Disk, &mut [u8]>) + 'c;

/// The result of a call whose sink does not fail.
fn refused<T, E: Debug, K, C>(call: Result<T, CallbackError<WriteError<E, K>, C>>) -> Refused<K, C> {
    match call {
        Ok(_) => Ok(()),
        Err(CallbackError::Failed(WriteError::Refused(kind))) => Err(CallbackError::Failed(kind)),
        Err(CallbackError::Failed(WriteError::Io(error))) => panic!("{error:?}"),
        Err(CallbackError::Failed(_)) => panic!("the sink did not fail"),
        Err(CallbackError::Callback(error)) => Err(CallbackError::Callback(error)),
    }
}

/// The ranks of a volume of the lattice 4x2, which are not in ascending order, and two numbers for each of them.
const RANKS: [u64; 5] = [6, 0, 3, 2, 5];
const NUMBERS: [f64; 10] = [0.5, 1.5, -2.0, 3.25, 4.0, 5.0, 6.0, 7.0, -8.0, 9.0];

fn put(site: &mut SiteMut<'_>) -> Result<(), SiteError> {
    site.put_rounded(&NUMBERS[2 * site.index()..][..2])
}

/// The record of a complex field of single precision.
fn complex() -> PrivateRecord {
    PrivateRecord::complex_field(Precision::F32)
}

/// Calls a writer of the volume of [`RANKS`] that has its file message, and returns its content.
fn in_volume<T>(
    room: usize,
    call: impl FnOnce(&mut VolumeWriter<Disk, &mut [u8]>, &OutgoingMessage<'_>) -> T,
) -> (T, Vec<u8>) {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let encoder = volume::Encoder::new(VolumeKind::First, RANKS.len() as u64, 7);
    let mut buffer = vec![0; room];
    let mut writer = VolumeWriter::with_encoder(disk(Vec::new()), &mut buffer[..], encoder);
    writer.write_file(&OutgoingMessage::file(&file, b""), RANKS).expect("legal");
    let result = call(&mut writer, &OutgoingMessage::scidac(&complex(), b""));
    (result, contents(writer.into_parts().0))
}

fn whole_volume<C: Debug>(room: usize, source: impl FieldSource<Error = C>) -> Vec<u8> {
    let ((), bytes) = in_volume(room, |writer, message| {
        writer.write(message, RANKS, source).expect("legal");
        writer.write_checksum(message, Checksum::default()).expect("due");
        writer.complete().expect("complete");
    });
    bytes
}

#[test]
fn a_volume_has_the_same_bytes_from_every_source() {
    let bytes: Vec<u8> = NUMBERS.iter().flat_map(|number| (*number as f32).to_be_bytes()).collect();
    let singles = NUMBERS.map(|number| number as f32);
    let expected = whole_volume(512, Fill::sites(put));
    assert!(expected.windows(40).any(|window| window == bytes));
    // One site at a time, and several.
    for room in [512, 513, 4096] {
        assert!(whole_volume(room, Fill::sites(put)) == expected);
        assert!(whole_volume(room, &NUMBERS[..]) == expected);
        assert!(whole_volume(room, &singles[..]) == expected);
        assert!(whole_volume(room, &bytes[..]) == expected);
    }
}

/// Neither the encoder nor the sink changes, so that the message can still be written.
#[test]
fn a_volume_refuses_data_of_another_length_at_once() {
    let expected = whole_volume(512, &NUMBERS[..]);
    let length = |given| Err(CallbackError::Callback(SiteError::Length { needed: 40, given }));
    let ((), bytes) = in_volume(512, |writer, message| {
        let before = writer.encoder().clone();
        assert_eq!(refused(writer.write(message, RANKS, &NUMBERS[1..])), length(36));
        assert_eq!(refused(writer.write(message, RANKS, &[0.0_f32; 12][..])), length(48));
        let overflow = Err(CallbackError::Callback(SiteError::Overflow { index: 9 }));
        let mut numbers = NUMBERS;
        numbers[9] = 1e300;
        assert_eq!(refused(writer.write(message, RANKS, &numbers[..])), overflow);
        let missing = field::EncodeErrorKind::DataMissing { missing: 1 };
        let call = refused(writer.write(message, RANKS, &[0_u8; 39][..]));
        assert_eq!(call, Err(CallbackError::Failed(missing.into())));
        let call = refused(writer.write(message, RANKS, &[0_u8; 41][..]));
        assert!(matches!(
            call,
            Err(CallbackError::Failed(volume::EncodeErrorKind::Field(field::EncodeErrorKind::Lime(_))))
        ));
        assert!(*writer.encoder() == before);
        writer.write(message, RANKS, &NUMBERS[..]).expect("legal");
        writer.write_checksum(message, Checksum::default()).expect("due");
    });
    assert!(bytes == expected);
}

/// In the other volumes of a set, global data have no bytes.
#[test]
fn global_data_are_in_the_first_volume_only() {
    let record = PrivateRecord::global(Precision::F64, 2);
    let message = OutgoingMessage::scidac(&record, b"");
    for (kind, numbers) in [(VolumeKind::First, &[1.0, 2.0][..]), (VolumeKind::Other, &[])] {
        let lattice = Extents::new(&[4, 2]).expect("a lattice");
        let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
        let encoder = volume::Encoder::new(kind, RANKS.len() as u64, 7);
        let mut writer = VolumeWriter::with_encoder(Vec::new(), vec![0; 512], encoder);
        writer.write_file(&OutgoingMessage::file(&file, b""), RANKS).expect("legal");
        let before = writer.encoder().position();
        writer.write(&message, [], numbers).expect("legal");
        assert_eq!(writer.encoder().position() > before, kind == VolumeKind::First);
    }
}

/// The message of a field or a volume stays open then; an archive has nothing that could be left open.
#[test]
fn a_callback_that_stops_leaves_the_rest_missing() {
    let stop = |site: &mut SiteMut<'_>| match site.index() {
        2 => Ok(ControlFlow::Break(())),
        _ => put(site).map(ControlFlow::Continue),
    };
    let missing = field::EncodeErrorKind::DataMissing { missing: 24 };
    let (call, _) = in_volume(512, |writer, message| {
        let call = refused(writer.write(message, RANKS, Fill::sites(stop)));
        let open = refused(writer.complete().map_err(CallbackError::<_, SiteError>::from));
        assert_eq!(open, Err(CallbackError::Failed(field::EncodeErrorKind::MessageOpen.into())));
        call
    });
    assert_eq!(call, Err(CallbackError::Failed(missing.into())));

    let (mut buffer, record) = ([0; 512], complex());
    let lattice = Extents::new(&[5]).expect("a lattice");
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer, lattice).expect("there is room");
    let message = OutgoingMessage::scidac(&record, b"");
    let call = refused(writer.write(&message, Fill::sites(stop)));
    assert_eq!(call, Err(CallbackError::Failed(missing)));
    // The next call continues with that site.
    writer.put(Fill::sites(put).at_most(1)).expect("the third");
    writer.put(&NUMBERS[6..]).expect("the others");
    writer.end(&message).expect("complete");
    let mut whole = FieldWriter::create(disk(Vec::new()), [0; 512], lattice).expect("there is room");
    whole.write(&message, &NUMBERS[..]).expect("legal");
    assert!(contents(writer.finish().expect("complete")) == contents(whole.finish().expect("complete")));
}

/// The numbers before it are not written either.
#[test]
fn numbers_that_overflow_change_nothing() {
    let mut numbers = [0.5_f64; 2 * 300];
    numbers[599] = -1e300;
    let overflow = Err(CallbackError::Callback(SiteError::Overflow { index: 599 }));
    let (mut buffer, record) = ([0; 512], complex());
    let message = OutgoingMessage::scidac(&record, b"");
    let lattice = Extents::new(&[300]).expect("a lattice");
    let mut writer = FieldWriter::create(disk(Vec::new()), &mut buffer, lattice).expect("there is room");
    let file = PrivateFile::new(&lattice);
    writer.write_message(&OutgoingMessage::file(&file, b"")).expect("legal");
    writer.begin(&message).expect("legal");
    let before = writer.encoder().clone();
    assert_eq!(refused(writer.put(&numbers[..])), overflow);
    assert!(*writer.encoder() == before);
    let (sink, encoder) = writer.into_parts();
    assert_eq!(contents(sink).len() as u64, encoder.position());
}

/// Numbers of each site, in single precision.
fn links(site: usize) -> [f32; 72] {
    std::array::from_fn(|n| (site * 72 + n) as f32)
}

/// With room for one site and for several: the place of a site with all rows is longer than the stored site.
#[test]
fn an_archive_has_the_same_bytes_from_every_source() {
    let lattice = Extents::new(&[3, 2, 2, 1]).expect("a lattice");
    let numbers: Vec<f32> = (0..12).flat_map(links).collect();
    let doubles: Vec<f64> = numbers.iter().copied().map(f64::from).collect();
    for rows in [StoredRows::Reduced, StoredRows::Full] {
        for order in [ByteOrder::Big, ByteOrder::Little] {
            let header = Header::new(lattice, Precision::F32, rows, order).expect("four dimensions");
            let kept = if rows == StoredRows::Full { 18 } else { 12 };
            let stored: Vec<u8> = numbers
                .chunks(18)
                .flat_map(|link| &link[..kept])
                .flat_map(|number| match order {
                    ByteOrder::Big => number.to_be_bytes(),
                    ByteOrder::Little => number.to_le_bytes(),
                })
                .collect();
            for room in [512, 1000, 4096] {
                let mut buffer = vec![0; room];
                let mut put = |call: &Put<'_>| {
                    let sink = disk(Vec::new());
                    let mut writer =
                        ArchiveWriter::create(sink, &mut buffer[..], &header, &[]).expect("there is room");
                    call(&mut writer);
                    contents(writer.finish_seeking().expect("complete"))
                };
                let fill = || Fill::sites(|site| site.put(&links(site.index())));
                let expected = put(&|writer| writer.put(&stored[..]).expect("there is room"));
                assert!(expected.ends_with(&stored));
                assert!(put(&|writer| writer.put(&numbers[..]).expect("there is room")) == expected);
                assert!(put(&|writer| writer.put(&doubles[..]).expect("there is room")) == expected);
                assert!(put(&|writer| writer.put(fill()).expect("there is room")) == expected);
                let by_turns = put(&|writer| {
                    writer.put(fill().at_most(1)).expect("there is room");
                    writer.put(&numbers[72..][..72 * 4]).expect("there is room");
                    let stop = Fill::sites(|site| match site.index() {
                        9 => ControlFlow::Break(()),
                        index => {
                            site.put(&links(index)).expect("a site");
                            ControlFlow::Continue(())
                        }
                    });
                    writer.put(stop).expect("there is room");
                    writer.put(&stored[stored.len() / 12 * 9..]).expect("there is room");
                });
                assert!(by_turns == expected);
            }
        }
    }
}

/// Not even the header is written then.
#[test]
fn an_archive_refuses_the_first_data_at_once() {
    let lattice = Extents::new(&[1, 1, 1, 2]).expect("a lattice");
    let header = Header::new(lattice, Precision::F32, StoredRows::Reduced, ByteOrder::Big).expect("legal");
    let mut buffer = [0; 1024];
    let mut writer = ArchiveWriter::create(disk(Vec::new()), &mut buffer[..], &header, &[]).expect("room");
    let before = writer.encoder().clone();
    let length = |needed, given| Err(CallbackError::Callback(SiteError::Length { needed, given }));
    assert_eq!(refused(writer.put(&[0.0_f32; 73][..])), length(576, 292));
    assert_eq!(refused(writer.put(&[0.0_f64; 216][..])), length(576, 864));
    let overflow = Err(CallbackError::Callback(SiteError::Overflow { index: 143 }));
    let numbers: [f64; 144] = std::array::from_fn(|n| if n == 143 { 1e300 } else { 0.5 });
    assert_eq!(refused(writer.put(&numbers[..])), overflow);
    let many = Err(CallbackError::Failed(nersc::EncodeErrorKind::TooMany));
    assert_eq!(refused(writer.put(&[0_u8; 385][..])), many);
    let (sink, encoder) = writer.into_parts();
    assert!(encoder == before && contents(sink).is_empty());
}

/// The sites before the one that fails are written.
#[test]
fn an_archive_continues_with_the_site_that_failed() {
    let lattice = Extents::new(&[1, 1, 1, 3]).expect("a lattice");
    let header = Header::new(lattice, Precision::F32, StoredRows::Reduced, ByteOrder::Big).expect("legal");
    let mut buffer = [0; 4096];
    let mut writer = ArchiveWriter::create(disk(Vec::new()), &mut buffer[..], &header, &[]).expect("room");
    let unfilled = Fill::sites(|site| -> Result<(), SiteError> {
        match site.index() {
            1 => site.link_mut(0)?.put(&[0.0_f32; 18]),
            index => site.put(&links(index)),
        }
    });
    let missing = MissingPlace { link: Some(1), from: 72, to: 144 };
    let expected = field::EncodeErrorKind::SiteNotFilled { missing };
    assert_eq!(refused(writer.put(unfilled)), Err(CallbackError::Failed(expected.into())));
    assert_eq!(writer.encoder().room(), 2 * 192);
    writer.put(Fill::sites(|site| site.put(&links(site.index())))).expect("there is room");
    let file = contents(writer.finish_seeking().expect("complete"));
    let stored = (0..3).flat_map(links).collect::<Vec<_>>();
    let stored = stored.chunks(18).flat_map(|link| &link[..12]).flat_map(|number| number.to_be_bytes());
    assert!(file.ends_with(&stored.collect::<Vec<_>>()));
}

/// Bytes can end anywhere, but numbers begin where a number of the file does.
#[test]
fn numbers_inside_a_number_are_refused() {
    let (record, bytes) = (complex(), [1.0_f32, 2.0, 3.0, 4.0].map(f32::to_be_bytes).concat());
    let message = OutgoingMessage::scidac(&record, b"");
    let lattice = Extents::new(&[2]).expect("a lattice");
    // A number has room after each of them.
    for cut in 1..=12 {
        let mut writer = FieldWriter::create(disk(Vec::new()), [0; 512], lattice).expect("room");
        writer.begin(&message).expect("legal");
        writer.put(&bytes[..cut]).expect("legal");
        let position = writer.encoder().position();
        let numbers = refused(writer.put(&[0.5][..]));
        if cut.is_multiple_of(4) {
            assert_eq!(numbers, Ok(()), "{cut}");
            continue;
        }
        assert_eq!(numbers, Err(CallbackError::Failed(field::EncodeErrorKind::InsideSite)), "{cut}");
        // The encoder without a writer does the same.
        let (sink, mut encoder) = writer.into_parts();
        let filled = encoder.fill(&mut &[0.5][..], &mut [0; 512]).map(|_| ());
        assert_eq!(filled, Err(CallbackError::Failed(field::EncodeErrorKind::InsideSite)), "{cut}");
        assert_eq!(encoder.position(), position);
        let mut writer = FieldWriter::with_encoder(sink, [0; 512], encoder);
        writer.put(&bytes[cut..]).expect("legal");
        writer.end(&message).expect("complete");
    }
}
