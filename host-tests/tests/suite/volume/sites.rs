//! Sites of a volume that a callback reads or fills: their positions, and numbers and ranks that are refused.

use linkstream::field::{self, FieldDocuments, MissingPlace, OutgoingMessage, SiteError, SiteMut};
use linkstream::io::{Fill, VolumeReader, VolumeWriter, WriteError};
use linkstream::lattice::{Extents, Precision};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{Decoder, EncodeErrorKind, Encoder, Event, VolumeKind};
use linkstream::{CallbackError, Mode};

use crate::sinks::disk;
use crate::volume::broken::volume;

/// The answer of a writer, without its checksum and its sink.
type Written = Result<(), CallbackError<EncodeErrorKind, SiteError>>;

/// Writes the sites of rank 2, 1 and 6 of a field of singles.
fn written(fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), SiteError>) -> Written {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let record = PrivateRecord::real_field(Precision::F32);
    let (file, field) = (OutgoingMessage::file(&file, b""), OutgoingMessage::scidac(&record, b""));
    let (mut buffer, ranks) = ([0; 512], [2, 1, 6]);
    let mut writer =
        VolumeWriter::with_encoder(Vec::new(), &mut buffer, Encoder::new(VolumeKind::Other, 3, 7));
    writer.write_file(&file, ranks).expect("a file message");
    writer.write(&field, ranks, Fill::sites(fill)).map_err(refused).map(drop)
}

fn refused<E: std::fmt::Debug>(
    error: CallbackError<WriteError<E, EncodeErrorKind>, SiteError>,
) -> CallbackError<EncodeErrorKind, SiteError> {
    match error {
        CallbackError::Callback(error) => CallbackError::Callback(error),
        CallbackError::Failed(WriteError::Refused(kind)) => CallbackError::Failed(kind),
        CallbackError::Failed(error) => panic!("{error:?}"),
    }
}

#[test]
fn a_callback_knows_the_site_that_it_fills() {
    let places = [(2, 0, [2, 0]), (1, 1, [1, 0]), (6, 2, [2, 1])];
    let filled = written(|site| {
        assert_eq!((site.rank(), site.coordinates()), (places[site.index()].0, &places[site.index()].2[..]));
        assert_eq!(site.index(), places[site.index()].1);
        site.put(&[1.0_f32])
    });
    assert_eq!(filled, Ok(()));
}

#[test]
fn numbers_that_do_not_fit_a_site_are_refused() {
    let callback = |error| Err(CallbackError::Callback(error));
    let refused = written(|site| site.put(&[1.0_f64]));
    assert_eq!(refused, callback(SiteError::WordType { stored: Precision::F32 }));
    let refused = written(|site| site.put(&[1.0_f32; 2]));
    assert_eq!(refused, callback(SiteError::Length { needed: 4, given: 8 }));
    let needed =
        field::EncodeErrorKind::SiteNotFilled { missing: MissingPlace { link: None, from: 0, to: 4 } };
    assert_eq!(written(|_| Ok(())), Err(CallbackError::Failed(needed.into())));
}

#[test]
fn a_rank_outside_the_lattice_is_refused_before_its_site_is_filled() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let record = PrivateRecord::real_field(Precision::F32);
    let (mut buffer, mut filled) = ([0; 512], Vec::new());
    let mut writer =
        VolumeWriter::with_encoder(Vec::new(), &mut buffer, Encoder::new(VolumeKind::Other, 2, 7));
    writer.write_file(&OutgoingMessage::file(&file, b""), [0, 7]).expect("a file message");
    let fill = Fill::sites(|site| {
        filled.push(site.rank());
        site.put(&[1.0_f32])
    });
    let refused = writer.write(&OutgoingMessage::scidac(&record, b""), [0, 8], fill);
    assert_eq!(refused.map_err(self::refused), Err(CallbackError::Failed(EncodeErrorKind::SitesDiffer)));
    assert_eq!(filled, []);
}

/// There must be as many ranks as sites: for a list of two sites, one or three are refused before a site is filled.
#[test]
fn other_numbers_of_ranks_are_refused() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let record = PrivateRecord::real_field(Precision::F32);
    let (file, field) = (OutgoingMessage::file(&file, b""), OutgoingMessage::scidac(&record, b""));
    let differ = EncodeErrorKind::SitesDiffer;
    for ranks in [&[0][..], &[0, 7, 1], &[0, 7, 7, 0]] {
        let ranks = ranks.iter().copied();
        let (mut buffer, mut filled) = ([0; 512], Vec::new());
        let fill = |site: &mut SiteMut<'_>| {
            filled.push(site.rank());
            site.put(&[1.0_f32])
        };
        let encoder = || Encoder::new(VolumeKind::Other, 2, 7);
        let mut writer = VolumeWriter::with_encoder(Vec::new(), &mut buffer, encoder());
        assert_eq!(writer.write_file(&file, ranks.clone()), Err(WriteError::Refused(differ)));
        let mut writer = VolumeWriter::with_encoder(Vec::new(), &mut buffer, encoder());
        writer.write_file(&file, [0, 7]).expect("a file message");
        let answer = writer.write(&field, ranks, Fill::sites(fill)).map_err(refused);
        assert_eq!(answer, Err(CallbackError::Failed(differ)));
        assert_eq!(filled, []);
    }
}

/// In a volume without sites no rank is asked for: one that is given is refused nevertheless.
#[test]
fn ranks_of_a_volume_without_sites_are_surplus() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Multifile);
    let record = PrivateRecord::real_field(Precision::F32);
    let global = PrivateRecord::global(Precision::F32, 1);
    let (file, field) = (OutgoingMessage::file(&file, b""), OutgoingMessage::scidac(&record, b""));
    let global = OutgoingMessage::scidac(&global, b"");
    let fill = |_: &mut SiteMut<'_>| -> Result<(), SiteError> { panic!("there is no site") };
    let differ = EncodeErrorKind::SitesDiffer;
    let mut buffer = [0; 512];
    let encoder = || Encoder::new(VolumeKind::Other, 0, 7);
    let mut writer = VolumeWriter::with_encoder(Vec::new(), &mut buffer, encoder());
    assert_eq!(writer.write_file(&file, [0]), Err(WriteError::Refused(differ)));
    writer.write_file(&file, []).expect("nothing was written before");
    // Global data use no ranks.
    writer.write(&global, [5], Fill::sites(fill)).expect("in the first volume only");
    assert_eq!(
        writer.write(&field, [0], Fill::sites(fill)).map_err(refused),
        Err(CallbackError::Failed(differ))
    );
}

/// Sites outside the lattice are not passed, but counted, so that indices are places in the list and the data.
#[test]
fn an_index_is_the_place_of_a_site_in_the_volume() {
    let lattice = Extents::new(&[4, 2]).expect("a lattice");
    let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    let field = field.layout(&lattice).expect("a field");
    let file = volume(&[1, 8, 0, u32::MAX, 7], &[&[9; 20]]);
    let (mut list, mut buffer, mut found) = ([0; 8], [0; 64], Vec::new());
    let mut reader = VolumeReader::new(disk(file), &mut list, &mut buffer, Decoder::new(Mode::Strict));
    reader.decoder_mut().expect_field(&field);
    while reader.next().expect("valid").expect("a field comes") != Event::Field {}
    let read = reader.for_each_site(|site| found.push((site.rank(), site.index())));
    assert_eq!(read.expect("valid").sites(), 5);
    assert_eq!(found, [(1, 0), (0, 2), (7, 4)]);
}
