//! Places of sites by arithmetic, and volumes that the nodes of a mesh write in parts.

use std::cell::Cell;
use std::convert::Infallible;

use embedded_io::{ErrorType, Seek, SeekFrom, Write};
use linkstream::field::{OutgoingMessage, SiteError, SiteMut};
use linkstream::io::{Positioned, ReadError, VolumeReader, VolumeWriter};
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{
    BoxSites, Decoder, Encoder, Event, IndexedSite, Mesh, NodeOrder, SitePlace, SitesRead, Tally, VolumeKind,
};
use linkstream::{Diagnostic as _, Mode};
use proptest::prelude::*;

use crate::sinks::disk;
use crate::volume::parts::Shared;

const ORDERS: [(NodeOrder, VolumeFormat); 2] =
    [(NodeOrder::Lexicographic, VolumeFormat::Partition), (NodeOrder::EvenOdd, VolumeFormat::Multifile)];

/// For each dimension: sites of a node, nodes of a volume, and volumes.
fn any_mesh() -> impl Strategy<Value = (Extents, Mesh)> {
    prop::collection::vec((1_u32..=3, 1_u32..=3, 1_u32..=2), 1..=4).prop_map(|dimensions| {
        let product = |of: fn(&(u32, u32, u32)) -> u32| dimensions.iter().map(of).collect::<Vec<_>>();
        let lattice = Extents::new(&product(|(a, b, c)| a * b * c)).expect("small");
        let mesh = Mesh::new(&lattice, &product(|(_, b, c)| b * c), &product(|(_, _, c)| *c));
        (lattice, mesh.expect("it divides the lattice"))
    })
}

/// The site list by its definition.
fn list(lattice: &Extents, mesh: &Mesh, volume: u64, order: NodeOrder) -> Vec<u64> {
    let mut ranks: Vec<_> =
        (0..lattice.sites()).filter(|rank| mesh.volume_of(*rank) == Some(volume)).collect();
    if order == NodeOrder::EvenOdd {
        let sum = |rank: u64| lattice.coordinates(rank).expect("inside").as_slice().iter().sum::<u32>();
        ranks.sort_by_key(|rank| sum(*rank) % 2);
    }
    ranks
}

/// The documents of a set with a field on the lattice, a field on a hypercube, and global data.
struct Documents {
    file: PrivateFile,
    records: [(PrivateRecord, Region); 3],
}

impl Documents {
    fn new(lattice: &Extents, cube: Hypercube, format: VolumeFormat) -> Self {
        let field = PrivateRecord::real_field(Precision::F32);
        let regions = [Region::Lattice, Region::Hypercube(cube), Region::Global];
        let global = PrivateRecord::global(Precision::F32, 1);
        let records = [field.clone(), field.covering(&regions[1]), global];
        let [a, b, c] = records;
        let records = [(a, regions[0]), (b, regions[1]), (c, regions[2])];
        Self { file: PrivateFile::new(lattice).with_volume_format(format), records }
    }
}

fn fill(site: &mut SiteMut<'_>) -> Result<(), SiteError> {
    site.put(&[site.rank() as f32 + 0.5])
}

const fn kind(volume: u64) -> VolumeKind {
    if volume == 0 { VolumeKind::First } else { VolumeKind::Other }
}

/// The sites of a volume that have data of a region.
fn with_data(sites: &BoxSites, region: &Region) -> Option<BoxSites> {
    match region {
        Region::Hypercube(cube) => sites.within(cube),
        Region::Lattice | Region::Global => Some(*sites),
    }
}

/// Writes all volumes, each by one process.
fn serial(mesh: &Mesh, order: NodeOrder, documents: &Documents, size: usize) -> Vec<Vec<u8>> {
    let mut others = [Checksum::default(); 3];
    let mut volumes = Vec::new();
    for volume in (0..mesh.volumes()).rev() {
        let sites = mesh.sites(volume, order).expect("a volume");
        let encoder = Encoder::new(kind(volume), sites.sites(), sites.largest_rank());
        let mut writer = VolumeWriter::new(Vec::new(), vec![0; size], encoder);
        writer.file(&OutgoingMessage::file(&documents.file, b"file"), sites.ranks_from(0)).expect("legal");
        for ((record, region), others) in documents.records.iter().zip(&mut others) {
            let message = OutgoingMessage::scidac(record, b"record");
            let ranks = with_data(&sites, region).into_iter().flat_map(|sites| sites.ranks_from(0));
            let sum = writer.field(&message, ranks, fill).expect("legal");
            if volume == 0 {
                writer.checksum(&message, *others).expect("due");
            } else if *region != Region::Global {
                *others = others.combine(sum);
            }
        }
        volumes.push(writer.finish().expect("complete"));
    }
    volumes.reverse();
    volumes
}

/// Writes all volumes, each by its nodes. The last node of a volume is its root, and the nodes come in descending
/// order. Each calls all steps of one message before the next node begins.
fn parallel(mesh: &Mesh, order: NodeOrder, documents: &Documents, size: usize) -> Vec<Vec<u8>> {
    let files = vec![(); mesh.volumes() as usize].into_iter().map(|()| Shared::default()).collect::<Vec<_>>();
    let mut nodes = Vec::new();
    let mut roots = vec![None; files.len()];
    for node in (0..mesh.nodes()).rev() {
        let volume = mesh.volume_of_node(node).expect("a volume");
        let is_root = roots[volume as usize].replace(node).is_none();
        let sites = mesh.sites(volume, order).expect("a volume");
        let encoder = Encoder::new(kind(volume), sites.sites(), sites.largest_rank());
        let sink = Positioned::new(files[volume as usize].clone());
        let mut writer = VolumeWriter::part(sink, vec![0; size], encoder, is_root);
        let cube = mesh.node(node).expect("a node");
        writer.file_part(&OutgoingMessage::file(&documents.file, b"file"), sites.part(&cube)).expect("legal");
        assert_eq!(writer.encoder().sites_written().sites(), cube.sites());
        nodes.push((writer, volume, sites, cube));
    }
    for (record, region) in &documents.records {
        let message = OutgoingMessage::scidac(record, b"record");
        let mut sums = Vec::new();
        let mut written = SitesRead::default();
        for (writer, volume, sites, cube) in &mut nodes {
            let data = with_data(sites, region);
            let count = data.map_or(0, |data| data.sites());
            let own = data.into_iter().flat_map(|data| data.part(cube));
            let sum = writer.field_part(&message, count, own, fill).expect("legal");
            let is_written = *volume == 0 || *region != Region::Global;
            sums.push(if is_written { sum } else { Checksum::default() });
            if is_written {
                written = written.combine(writer.encoder().sites_written());
            }
        }
        let field = nodes[0].0.encoder().field().copied().expect("a field");
        let mut tally = Tally::new(&field);
        tally.add(written);
        assert!(tally.is_complete(), "{region:?}");
        let whole = sums.iter().copied().fold(Checksum::default(), Checksum::combine);
        for ((writer, volume, _, _), own) in nodes.iter_mut().zip(sums) {
            if *volume == 0 {
                writer.checksum(&message, whole.combine(own)).expect("due");
            }
        }
    }
    for (writer, volume, _, _) in nodes {
        assert_eq!(writer.encoder().position(), files[volume as usize].bytes().len() as u64);
        writer.finish().expect("complete");
    }
    files.iter().map(Shared::bytes).collect()
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 64, ..ProptestConfig::default() })]

    #[test]
    fn places_are_those_of_a_walk((lattice, mesh) in any_mesh()) {
        for (order, _) in ORDERS {
            for volume in 0..mesh.volumes() {
                let expected = list(&lattice, &mesh, volume, order);
                prop_assert_eq!(mesh.ranks(volume, order).collect::<Vec<_>>(), expected.clone());
                for (index, rank) in (0..).zip(&expected) {
                    let place = SitePlace { volume, index };
                    prop_assert_eq!(mesh.place_of(*rank, order), Some(place));
                    prop_assert_eq!(mesh.rank_at(place, order), Some(*rank));
                }
                for first in [0, 1, expected.len() / 2, expected.len()] {
                    let rest = mesh.ranks_from(volume, first as u64, order).collect::<Vec<_>>();
                    prop_assert_eq!(&rest[..], expected.get(first..).unwrap_or_default());
                }
                let beyond = SitePlace { volume, index: expected.len() as u64 };
                prop_assert_eq!(mesh.rank_at(beyond, order), None);
            }
            prop_assert_eq!(mesh.place_of(lattice.sites(), order), None);
        }
        let owners = (0..mesh.nodes()).map(|node| mesh.node(node).expect("a node").sites()).sum::<u64>();
        prop_assert_eq!((owners, mesh.node(mesh.nodes())), (lattice.sites(), None));
    }

    /// Buffers that hold one document, and buffers that hold whole volumes.
    #[test]
    fn nodes_write_the_volumes_of_a_serial_writer(
        (lattice, mesh) in any_mesh(),
        corners in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        cuts in any::<[prop::sample::Index; 2]>(),
        size in prop_oneof![Just(512_usize), 513_usize..3000, Just(1 << 16)],
    ) {
        let site = |index: prop::sample::Index| {
            lattice.coordinates(index.index(lattice.sites() as usize) as u64).expect("inside")
        };
        let (a, b) = (site(corners.0), site(corners.1));
        let pairs = || a.as_slice().iter().zip(b.as_slice());
        let lower: Vec<_> = pairs().map(|(a, b)| *a.min(b)).collect();
        let upper: Vec<_> = pairs().map(|(a, b)| *a.max(b)).collect();
        let corner = |values: &[u32]| Coordinates::new(values).expect("few dimensions");
        let cube = Hypercube::new(corner(&lower), corner(&upper), &lattice).expect("inside");
        for (order, format) in ORDERS {
            let documents = Documents::new(&lattice, cube, format);
            let expected = serial(&mesh, order, &documents, 1024);
            prop_assert!(serial(&mesh, order, &documents, size) == expected);
            prop_assert!(parallel(&mesh, order, &documents, size) == expected, "{:?}", order);
            read_in_parts(&mesh, order, &expected, cuts);
        }
    }
}

/// Each volume is read in parts of its list, in descending order: the sites equal the sites of the whole volume, and all parts
/// of all volumes together are verified.
fn read_in_parts(mesh: &Mesh, order: NodeOrder, files: &[Vec<u8>], cuts: [prop::sample::Index; 2]) {
    let mut described = Vec::new();
    let mut parts = Vec::new();
    for (volume, file) in (0..).zip(files) {
        let (mut list, mut buffer) = ([0; 20], [0; 64]);
        let mut reader =
            VolumeReader::new(disk(file.clone()), &mut list, &mut buffer, Decoder::new(Mode::Strict));
        if let Some((field, _)) = described.first() {
            reader.decoder_mut().expect_field(field);
        }
        let mut fields = Vec::new();
        while let Some(event) = reader.next().expect("valid") {
            match event {
                Event::Field => fields.extend(reader.decoder().field().copied()),
                Event::Checksum => {
                    described
                        .extend(fields.last().copied().zip(Some(reader.decoder().stored_checksum().clone())));
                }
                Event::End if volume > 0 => match described.get(fields.len()) {
                    Some((field, _)) if field.region != Region::Global => {
                        reader.decoder_mut().expect_field(field)
                    }
                    _ => reader.decoder_mut().expect_no_field(),
                },
                _ => {}
            }
        }
        let sites = mesh.sites(volume, order).expect("a volume");
        for (number, field) in fields.iter().enumerate().filter(|(_, field)| field.region != Region::Global) {
            let mut whole = Vec::new();
            let all =
                reader.sites_of(field, |site| whole.push((site.index(), site.rank(), site.bytes().to_vec())));
            let mut ends = cuts.map(|cut| cut.index(sites.sites() as usize + 1) as u64);
            ends.sort_unstable();
            let [a, b] = ends;
            let data = with_data(&sites, &field.region);
            let (mut found, mut read) = (Vec::new(), SitesRead::default());
            for entries in [b..sites.sites(), a..b, 0..a] {
                let mut part = Vec::new();
                let has_data = |rank: &u64| data.is_some_and(|data| data.index_of(*rank).is_some());
                let first = sites.ranks_from(0).take(entries.start as usize).filter(has_data).count() as u64;
                let call = reader.part_of(field, entries, first, |site| {
                    part.push((site.index(), site.rank(), site.bytes().to_vec()));
                });
                read = read.combine(call.expect("valid"));
                found.splice(0..0, part);
            }
            assert_eq!((found, read), (whole, all.expect("valid")));
            parts.push((number, read));
            let stored = field.record.length / 4;
            for (entries, first) in [(0..sites.sites() + 1, 0), (0..0, stored + 1), (u64::MAX..u64::MAX, 0)] {
                let call = reader.part_of(field, entries, first, |_| ());
                let Err(linkstream::CallbackError::Failed(ReadError::Format(error))) = call else {
                    panic!("{call:?}");
                };
                assert_eq!(error.kind.rule(), "misuse");
            }
        }
    }
    for (number, (field, stored)) in described.iter().enumerate().take(2) {
        let mut tally = Tally::new(field);
        parts.iter().filter(|part| part.0 == number).for_each(|part| tally.add(part.1));
        assert!(tally.verdict(stored).is_match());
    }
}

/// A sink that counts writes and their bytes.
#[derive(Default)]
struct Counting {
    writes: u64,
    bytes: u64,
}

impl ErrorType for Counting {
    type Error = Infallible;
}

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.writes += 1;
        self.bytes += bytes.len() as u64;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Seek for Counting {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Infallible> {
        let SeekFrom::Start(at) = to else { panic!("{to:?}") };
        Ok(at)
    }
}

/// A lattice of 2.7 * 10^9 sites: a process that has 12 x 12 x 24 x 48 of them, in a volume of 8 files, takes each of
/// its own sites twice per call, once to check it and once to write it, and no other.
#[test]
fn a_process_walks_only_its_own_sites_of_a_large_lattice() {
    let lattice = Extents::new(&[192, 192, 192, 384]).expect("legal");
    let mesh = Mesh::new(&lattice, &[16, 16, 8, 8], &[1, 1, 1, 8]).expect("it divides the lattice");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    let node = 16_000;
    let volume = mesh.volume_of_node(node).expect("a volume");
    let sites = mesh.sites(volume, NodeOrder::Lexicographic).expect("a volume");
    let cube = mesh.node(node).expect("a node");
    assert_eq!((volume, sites.sites(), cube.sites()), (7, 339_738_624, 165_888));
    let steps = Cell::new(0);
    let own = || sites.part(&cube).inspect(|_| steps.set(steps.get() + 1));
    let encoder = Encoder::new(kind(volume), sites.sites(), sites.largest_rank());
    let mut buffer = [0; 1 << 16];
    let mut writer = VolumeWriter::part(Positioned::new(Counting::default()), &mut buffer, encoder, false);
    writer.file_part(&OutgoingMessage::file(&file, b""), own()).expect("legal");
    assert_eq!(steps.replace(0), 2 * 165_888);
    let message = OutgoingMessage::scidac(&record, b"");
    let sum = writer.field_part(&message, 0, own(), |site| site.bytes_mut()[0] = 1).expect("legal");
    assert_eq!((steps.get(), sum != Checksum::default()), (2 * 165_888, true));
    // Rows of 12 sites are the stretches of this process.
    let (sink, encoder) = writer.into_parts();
    let Counting { writes, bytes } = sink.into_inner();
    assert_eq!((writes, bytes), (2 * 13_824, 165_888 * (4 + 288)));
    encoder.finish().expect("complete");
    assert_eq!(encoder.position(), 144 + 4 * sites.sites() + 144 + 288 * sites.sites());
}

/// A thousand places in the middle of 10^9 sites, each by arithmetic: a walk to one of them takes a second.
#[test]
fn places_in_a_large_lattice_need_no_walk() {
    let lattice = Extents::new(&[192, 192, 192, 384]).expect("legal");
    let mesh = Mesh::new(&lattice, &[1, 1, 1, 2], &[1, 1, 1, 2]).expect("it divides the lattice");
    for (order, _) in ORDERS {
        for rank in (0..lattice.sites()).step_by(2_718_281) {
            let place = mesh.place_of(rank, order).expect("inside");
            assert_eq!(mesh.rank_at(place, order), Some(rank));
            let mut from = mesh.ranks_from(place.volume, place.index, order);
            assert_eq!(from.next(), Some(rank));
            let next = from.next().and_then(|rank| mesh.place_of(rank, order));
            let beyond = SitePlace { index: place.index + 1, ..place };
            assert_eq!(next, mesh.rank_at(beyond, order).map(|_| beyond));
        }
    }
}

/// A whole volume is written in as many calls as the buffer requires.
#[test]
fn a_volume_takes_few_writes() {
    let lattice = Extents::new(&[8, 8, 8, 8]).expect("legal");
    let sites = Mesh::new(&lattice, &[1], &[1]).expect("legal").sites(0, NodeOrder::Lexicographic);
    let sites = sites.expect("one volume");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    let message = OutgoingMessage::scidac(&record, b"record");
    let mut counts = Vec::new();
    for size in [512, 4096, 1 << 16] {
        let encoder = Encoder::new(VolumeKind::First, sites.sites(), sites.largest_rank());
        let mut writer = VolumeWriter::new(Counting::default(), vec![0; size], encoder);
        writer.file(&OutgoingMessage::file(&file, b"file"), sites.ranks_from(0)).expect("legal");
        writer.field(&message, sites.ranks_from(0), |site| site.bytes_mut()[0] = 1).expect("legal");
        writer.checksum(&message, Checksum::default()).expect("due");
        counts.push(writer.finish().expect("complete").writes);
    }
    // 16 KiB of entries, 1.1 MiB of sites, and the documents before, between and after them.
    assert_eq!(counts, [32 + 4096 + 10, 16 / 4 + 4096_u64.div_ceil(14) + 4, 1 + 4096_u64.div_ceil(227) + 4]);
}

/// Sites that differ between list and data, that the volume does not have, or that break the order of a partition.
#[test]
fn parts_that_are_impossible_are_refused() {
    use linkstream::field::EncodeErrorKind as Field;
    use linkstream::io::WriteError;
    use linkstream::volume::EncodeErrorKind;
    let lattice = Extents::new(&[4, 2]).expect("legal");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let record = PrivateRecord::real_field(Precision::F32);
    let (file, field) = (OutgoingMessage::file(&file, b""), OutgoingMessage::scidac(&record, b""));
    let own = |sites: &[(u64, u64)]| {
        sites.iter().map(|(index, rank)| IndexedSite { index: *index, rank: *rank }).collect::<Vec<_>>()
    };
    let mut buffer = [0; 512];
    let encoder = Encoder::new(VolumeKind::Other, 4, 7);
    let mut writer = VolumeWriter::part(Positioned::new(Counting::default()), &mut buffer, encoder, true);
    let outside = Field::NoSuchSite { index: 4, sites: 4 }.into();
    for (sites, expected) in [
        (&[(4, 7)][..], outside),
        (&[(1, 8)], EncodeErrorKind::Rank { rank: 8 }),
        (&[(1, 5), (3, 5)], EncodeErrorKind::Rank { rank: 5 }),
        (&[(1, 5), (2, 1)], EncodeErrorKind::Rank { rank: 1 }),
    ] {
        assert_eq!(writer.file_part(&file, own(sites)), Err(WriteError::Refused(expected)), "{sites:?}");
        assert_eq!(writer.encoder().position(), 0);
    }
    writer.file_part(&file, own(&[(2, 5), (3, 7), (0, 1)])).expect("legal");
    let before = writer.encoder().clone();
    for sites in [&[(2, 5), (3, 7)][..], &[(2, 5), (3, 7), (1, 1)], &[(2, 5), (3, 7), (0, 2)], &[]] {
        let answer = writer.field_part(&field, 4, own(sites), fill);
        assert!(
            matches!(
                answer,
                Err(linkstream::CallbackError::Failed(WriteError::Refused(EncodeErrorKind::SitesDiffer)))
            ),
            "{sites:?}"
        );
        assert_eq!(writer.encoder(), &before);
    }
    // In another order, the same sites are the same part.
    writer.field_part(&field, 4, own(&[(0, 1), (2, 5), (3, 7)]), fill).expect("legal");
    let mut encoder = before;
    assert_eq!(encoder.seek_entry(0), Err(EncodeErrorKind::NoList));
    assert_eq!(encoder.seek_site(0), Err(Field::NoData.into()));
    writer.finish().expect("complete");
}

/// After a seek, a state can be saved and restored between any two sites.
#[test]
fn the_state_of_a_part_is_restored() {
    use linkstream::volume::Want;
    let lattice = Extents::new(&[4, 2]).expect("legal");
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let record = PrivateRecord::real_field(Precision::F32);
    let mut encoder = Encoder::new(VolumeKind::Other, 8, 7);
    let mut scratch = [0; 512];
    let own = [6, 7, 2];
    for message in [OutgoingMessage::file(&file, b""), OutgoingMessage::scidac(&record, b"")] {
        let begun = encoder.begin(&message, 0, &mut scratch).expect("legal");
        while let Want::Bytes(_) = encoder.next(&begun, &mut scratch).expect("legal") {}
        for rank in own {
            if encoder.field().is_some() {
                encoder.seek_site(rank).expect("there");
                encoder.site(rank, &[0; 4]).expect("legal");
            } else {
                encoder.seek_entry(rank).expect("there");
                encoder.entry(rank).expect("legal");
            }
            let saved = encoder.save();
            let restored = Encoder::load(&saved).expect("as it was saved");
            assert_eq!(restored, encoder);
            encoder = restored;
        }
        let end = if encoder.field().is_some() { encoder.seek_site(8) } else { encoder.seek_entry(8) };
        end.expect("the end");
        while let Want::Bytes(_) = encoder.next(&begun, &mut scratch).expect("legal") {}
    }
    encoder.finish().expect("complete");
}
