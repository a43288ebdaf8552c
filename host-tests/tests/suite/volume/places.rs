//! The site lists of meshes, volumes read in parts, and how often a volume is written.

use std::convert::Infallible;

use embedded_io::{ErrorType, Write};
use linkstream::field::{OutgoingMessage, SiteError, SiteMut};
use linkstream::io::{Fill, ReadError, VolumeReader, VolumeWriter};
use linkstream::lattice::{Checksum, Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
use linkstream::volume::{Decoder, Encoder, Event, Mesh, NodeOrder, SitesRead, Tally, VolumeKind};
use linkstream::{Diagnostic as _, Mode};
use proptest::prelude::*;

use crate::sinks::disk;

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

/// The ranks of a volume that have data of a region, in the order of its list.
fn with_data(lattice: &Extents, ranks: &[u64], region: &Region) -> Vec<u64> {
    let inside = |rank: &u64| match region {
        Region::Hypercube(cube) => cube.contains(&lattice.coordinates(*rank).expect("inside")),
        Region::Lattice | Region::Global => true,
    };
    ranks.iter().copied().filter(inside).collect()
}

/// Writes all volumes.
fn written(lattice: &Extents, mesh: &Mesh, order: NodeOrder, documents: &Documents) -> Vec<Vec<u8>> {
    let mut others = [Checksum::default(); 3];
    let mut volumes = Vec::new();
    for volume in (0..mesh.volumes()).rev() {
        let ranks: Vec<u64> = mesh.ranks(volume, order).collect();
        let largest = *ranks.iter().max().expect("a volume has sites");
        let encoder = Encoder::new(kind(volume), ranks.len() as u64, largest);
        let mut writer = VolumeWriter::with_encoder(Vec::new(), vec![0; 1024], encoder);
        writer
            .write_file(&OutgoingMessage::file(&documents.file, b"file"), ranks.iter().copied())
            .expect("legal");
        for ((record, region), others) in documents.records.iter().zip(&mut others) {
            let message = OutgoingMessage::scidac(record, b"record");
            let ranks = with_data(lattice, &ranks, region).into_iter();
            let sum = writer.write(&message, ranks, Fill::sites(fill)).expect("legal");
            if volume == 0 {
                writer.write_checksum(&message, *others).expect("due");
            } else if *region != Region::Global {
                *others = others.combine(sum);
            }
        }
        volumes.push(writer.finish().expect("complete"));
    }
    volumes.reverse();
    volumes
}

/// Each volume is read in parts of its list, in descending order: the sites equal the sites of the whole volume, and all parts
/// of all volumes together are verified.
fn read_in_parts(
    lattice: &Extents,
    mesh: &Mesh,
    order: NodeOrder,
    files: &[Vec<u8>],
    cuts: [prop::sample::Index; 2],
) {
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
                    described.extend(
                        fields
                            .last()
                            .copied()
                            .zip(Some(reader.decoder().content().stored_checksum().clone())),
                    );
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
        let ranks: Vec<u64> = mesh.ranks(volume, order).collect();
        let sites = ranks.len() as u64;
        for (number, field) in fields.iter().enumerate().filter(|(_, field)| field.region != Region::Global) {
            let mut whole = Vec::new();
            let all = reader.for_each_site_of(field, |site| {
                whole.push((site.index(), site.rank(), site.bytes().to_vec()))
            });
            let mut ends = cuts.map(|cut| cut.index(sites as usize + 1) as u64);
            ends.sort_unstable();
            let [a, b] = ends;
            let (mut found, mut read) = (Vec::new(), SitesRead::default());
            for entries in [b..sites, a..b, 0..a] {
                let mut part = Vec::new();
                let before = &ranks[..entries.start as usize];
                let first = with_data(lattice, before, &field.region).len() as u64;
                let call = reader.for_each_site_in(field, entries, first, |site| {
                    part.push((site.index(), site.rank(), site.bytes().to_vec()));
                });
                read = read.combine(call.expect("valid"));
                found.splice(0..0, part);
            }
            assert_eq!((found, read), (whole, all.expect("valid")));
            parts.push((number, read));
            let stored = field.record.length / 4;
            for (entries, first) in [(0..sites + 1, 0), (0..0, stored + 1), (u64::MAX..u64::MAX, 0)] {
                let call = reader.for_each_site_in(field, entries, first, |_| ());
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

proptest! {
    #[test]
    fn site_lists_equal_their_definition((lattice, mesh) in any_mesh()) {
        for order in [NodeOrder::Lexicographic, NodeOrder::EvenOdd] {
            for volume in 0..mesh.volumes() {
                let ranks: Vec<u64> = mesh.ranks(volume, order).collect();
                prop_assert_eq!(&ranks, &list(&lattice, &mesh, volume, order));
                let cube = mesh.volume(volume).expect("a volume").cube;
                prop_assert_eq!(cube.sites(), ranks.len() as u64);
            }
            prop_assert_eq!(mesh.ranks(mesh.volumes(), order).next(), None);
        }
    }

    #[test]
    fn volumes_are_read_in_parts(
        (lattice, mesh) in any_mesh(),
        corners in (any::<prop::sample::Index>(), any::<prop::sample::Index>()),
        cuts in any::<[prop::sample::Index; 2]>(),
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
            let files = written(&lattice, &mesh, order, &documents);
            read_in_parts(&lattice, &mesh, order, &files, cuts);
        }
    }
}

/// A sink that counts writes.
#[derive(Default)]
struct Counting {
    writes: u64,
}

impl ErrorType for Counting {
    type Error = Infallible;
}

impl Write for Counting {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        self.writes += 1;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

/// A whole volume is written in as many calls as the buffer requires.
#[test]
fn a_volume_takes_few_writes() {
    let lattice = Extents::new(&[8, 8, 8, 8]).expect("legal");
    let mesh = Mesh::new(&lattice, &[1], &[1]).expect("legal");
    let ranks = || mesh.ranks(0, NodeOrder::Lexicographic);
    let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
    let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    let message = OutgoingMessage::scidac(&record, b"record");
    let mut counts = Vec::new();
    for size in [512, 4096, 1 << 16] {
        let encoder = Encoder::new(VolumeKind::First, 4096, 4095);
        let mut writer = VolumeWriter::with_encoder(Counting::default(), vec![0; size], encoder);
        writer.write_file(&OutgoingMessage::file(&file, b"file"), ranks()).expect("legal");
        writer.write(&message, ranks(), Fill::sites(|site| site.bytes_mut()[0] = 1)).expect("legal");
        writer.write_checksum(&message, Checksum::default()).expect("due");
        counts.push(writer.finish().expect("complete").writes);
    }
    // 16 KiB of entries, 1.1 MiB of sites, and the documents before, between and after them.
    assert_eq!(counts, [32 + 4096 + 10, 16 / 4 + 4096_u64.div_ceil(14) + 4, 1 + 4096_u64.div_ceil(227) + 4]);
}
