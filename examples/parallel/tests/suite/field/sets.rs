//! File sets: the bytes of the serial writer from any grid and family, and the same numbers on any other grid.

use std::path::Path;

use linkstream::field::Form;
use linkstream::io::VolumeReader;
use linkstream::lattice::{Coordinates, Precision};
use linkstream::scidac::{PrivateRecord, VolumeFormat};
use linkstream::volume::{Decoder, Mesh, NodeOrder};
use linkstream::{Diagnostic as _, Mode};
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{Grid, Layout, SetReader, SetWriter, Volumes};
use linkstream_parallel::file::SystemDisk;
use linkstream_parallel::{Error, ErrorKind};

use super::set_support::{List, path_of, read, serial, write};
use super::support::{GRIDS, Memory, What, lattice, layout, mixed, number, numbers, shuffled};

/// The site lists of a partition. `io_rank` is the rank that writes for a rank.
fn lists(rank_of: impl Fn(&Coordinates) -> usize, io_rank: impl Fn(usize) -> usize) -> Vec<List> {
    let mut lists = std::collections::BTreeMap::<u64, Vec<u64>>::new();
    for site in 0..lattice().sites() {
        let rank = rank_of(&lattice().coordinates(site).unwrap());
        lists.entry(io_rank(rank) as u64).or_default().push(site);
    }
    lists.into_iter().collect()
}

/// Compares all volumes of two sets, and that there are no others.
fn assert_equal(found: &Path, expected: &Path, lists: &[List], format: VolumeFormat, context: &str) {
    for (number, _) in lists {
        let [found, expected] =
            [found, expected].map(|set| std::fs::read(path_of(set, format, *number)).unwrap());
        assert!(found == expected, "volume {number}: {context}");
    }
    let entries = |set: &Path| std::fs::read_dir(set.parent().unwrap()).unwrap().count();
    assert_eq!(entries(found), entries(expected), "{context}");
}

#[test]
fn every_grid_and_family_writes_the_bytes_of_the_serial_writer_and_reads_the_others() {
    let fields = mixed();
    for (n, (ranks, of_node, extents)) in GRIDS.into_iter().enumerate() {
        let grid = Grid::new(&lattice(), extents).unwrap();
        let other = Grid::new(&lattice(), GRIDS[(n + 3) % GRIDS.len()].2).unwrap();
        let other = if other.ranks() <= ranks { other } else { grid };
        // A volume for each rank, each node, and each family: one rank of each family is its last.
        let node = |rank: usize| rank / of_node * of_node;
        let family = |rank: usize| (rank / 3 * 3 + 2).min(ranks - 1);
        type IoRank<'f> = &'f (dyn Fn(usize) -> usize + Sync);
        let families: [(IoRank<'_>, usize); 3] = [(&|rank| rank, 20_000), (&node, 7_000), (&family, 8 << 20)];
        for (k, (io_rank, memory)) in families.into_iter().enumerate() {
            let [directory, of_serial] = [0, 1].map(|_| tempfile::tempdir().unwrap());
            let [path, expected] =
                [&directory, &of_serial].map(|directory| directory.path().join("set.lime"));
            let (format, held) = match (k + n) % 3 {
                0 => (VolumeFormat::PartitionDirectory, Memory::F64),
                _ => (VolumeFormat::Partition, Memory::Shuffled),
            };
            let lists = lists(|site| grid.rank_of(site), io_rank);
            serial(&expected, &fields, &lists, format);
            for outcome in Threads::on_nodes(ranks, of_node).run(|comm| -> Result<(), Error> {
                let volumes = match k {
                    0 => Volumes::each_rank(comm),
                    1 => Volumes::each_node(comm),
                    _ => Volumes::of_family(io_rank(comm.rank())),
                };
                let volumes =
                    if format == VolumeFormat::Partition { volumes } else { volumes.in_directories() };
                let layout = layout(&grid, comm.rank(), held);
                let data = |field: &What| numbers(&grid, comm.rank(), field, held);
                write(comm, SystemDisk, &path, layout, data, &fields, (volumes, memory, k == 0))?;
                let verdicts = read(comm, SystemDisk, &path, &other, &fields, held, memory)?;
                assert!(verdicts.iter().all(|verdict| verdict.is_match()), "{verdicts:?}");
                Ok(())
            }) {
                outcome.unwrap_or_else(|error| panic!("{error}: {extents:?}, {k}"));
            }
            assert_equal(&path, &expected, &lists, format, &format!("{extents:?}, {k}"));
        }
    }
}

/// Sites of a family that are not boxes, and a volume without sites, which is not written.
#[test]
fn sites_in_any_distribution_as_qio_describes_them() {
    let [directory, of_serial] = [0, 1].map(|_| tempfile::tempdir().unwrap());
    let [path, expected] = [&directory, &of_serial].map(|directory| directory.path().join("set.lime"));
    let fields = [
        What::Gauge(Precision::F32, Form::Both),
        What::Record(PrivateRecord::real_field(Precision::F64)),
        // Rank 0 has global data, and rank 1 writes the first volume.
        What::Record(PrivateRecord::global(Precision::F64, 5)),
    ];
    let number_of = |site: &Coordinates| 1 + (site.as_slice()[0] + site.as_slice()[3]) as usize % 3;
    let io_rank = |rank: usize| [0, 1, 3, 3][rank];
    let lists = lists(number_of, io_rank);
    serial(&expected, &fields, &lists, VolumeFormat::Partition);
    for outcome in Threads::new(4).run(|comm| {
        let lattice = lattice();
        let own: Vec<u64> = (0..lattice.sites())
            .filter(|rank| number_of(&lattice.coordinates(*rank).unwrap()) == comm.rank())
            .collect();
        // Descending ranks in memory.
        let index_of = |site: &Coordinates| {
            let rank = lattice.rank(site).unwrap();
            own.len() - 1 - own.iter().position(|own| *own == rank).unwrap()
        };
        let layout = Layout::functions(&lattice, comm.rank(), number_of, index_of);
        let data = |field: &What| {
            let site = |rank: &u64| (0..field.numbers()).map(|i| number(*rank, i)).collect::<Vec<_>>();
            if field.documents().layout(&lattice).unwrap().region == linkstream::lattice::Region::Global {
                return if comm.rank() == 0 { site(&0) } else { Vec::new() };
            }
            own.iter().rev().flat_map(site).collect()
        };
        let volumes = Volumes::of_family(io_rank(comm.rank()));
        write(comm, SystemDisk, &path, layout, data, &fields, (volumes, 9_000, false))?;
        let grid = Grid::new(&lattice, &[1, 2]).unwrap();
        read(comm, SystemDisk, &path, &grid, &fields, Memory::F64, 9_000)
    }) {
        assert!(outcome.unwrap().iter().all(|verdict| verdict.is_match()));
    }
    assert_equal(&path, &expected, &lists, VolumeFormat::Partition, "functions");
}

/// Multifile sets have the order of the memory: here even sites first, and an order with gaps.
#[test]
fn multifile_sets_have_the_order_of_the_memory_of_each_rank() {
    let fields = mixed();
    for (n, (ranks, of_node, extents)) in GRIDS.into_iter().enumerate() {
        let grid = Grid::new(&lattice(), extents).unwrap();
        let mesh = Mesh::new(&lattice(), extents, extents).ok().filter(|_| n % 2 == 1);
        let [directory, of_serial] = [0, 1].map(|_| tempfile::tempdir().unwrap());
        let [path, expected] = [&directory, &of_serial].map(|directory| directory.path().join("set.lime"));
        let mut lists = lists(|site| grid.rank_of(site), |rank| rank);
        for (rank, list) in &mut lists {
            match &mesh {
                Some(mesh) => *list = mesh.ranks(*rank, NodeOrder::EvenOdd).collect(),
                None => {
                    let place = shuffled(&grid, *rank as usize);
                    list.sort_by_key(|site| place(&lattice().coordinates(*site).unwrap()));
                }
            }
        }
        serial(&expected, &fields, &lists, VolumeFormat::Multifile);
        for outcome in Threads::on_nodes(ranks, of_node).run(|comm| {
            let rank = comm.rank();
            let volumes = Volumes::each_rank(comm).in_order_of_memory();
            let list = lists.iter().find(|(number, _)| *number == rank as u64);
            let list = list.map_or(&[][..], |(_, list)| &list[..]);
            let place =
                |site: &Coordinates| list.iter().position(|own| Some(*own) == lattice().rank(site)).unwrap();
            let (layout, held) = match &mesh {
                Some(_) => (Layout::grid(&grid, rank).in_order(place), Memory::F64),
                None => (layout(&grid, rank, Memory::Shuffled), Memory::Shuffled),
            };
            let data = |field: &What| {
                let layout = field.documents().layout(&lattice()).unwrap();
                if mesh.is_none() || layout.region == linkstream::lattice::Region::Global {
                    return numbers(&grid, rank, field, held);
                }
                list.iter().flat_map(|site| (0..field.numbers()).map(|i| number(*site, i))).collect()
            };
            write(comm, SystemDisk, &path, layout, data, &fields, (volumes, 20_000, false))?;
            read(comm, SystemDisk, &path, &grid, &fields, Memory::Shuffled, 11_000)
        }) {
            let verdicts = outcome.unwrap_or_else(|error| panic!("{error}: {extents:?}"));
            assert!(verdicts.iter().all(|verdict| verdict.is_match()));
        }
        assert_equal(&path, &expected, &lists, VolumeFormat::Multifile, &format!("{extents:?}"));
    }
}

/// The error of the strict serial reader of one volume; the others are described by `fields`.
fn of_serial_reader(volume: &[u8], first: Option<&[u8]>) -> Option<(u64, &'static str)> {
    let mut expected = Vec::new();
    for (bytes, is_last) in first.map(|first| (first, false)).into_iter().chain([(volume, true)]) {
        let source = linkstream::io::FromStd(std::io::Cursor::new(bytes));
        let (mut list, mut buffer) = ([0; 64], [0; 8192]);
        let mut reader = VolumeReader::new(source, &mut list, &mut buffer, Decoder::new(Mode::Strict));
        let is_first = expected.is_empty();
        let mut left = expected.clone().into_iter();
        let mut expect = |decoder: &mut Decoder| match left.next() {
            Some(field) => decoder.expect_field(&field),
            None => decoder.expect_no_field(),
        };
        if !is_first {
            expect(reader.decoder_mut());
        }
        loop {
            match reader.next() {
                Ok(Some(linkstream::volume::Event::Field)) if is_first => {
                    expected.push(*reader.decoder().field().unwrap());
                }
                Ok(Some(linkstream::volume::Event::Field)) => expect(reader.decoder_mut()),
                Ok(Some(_)) => {}
                Ok(None) if is_last => return None,
                Ok(None) => break,
                Err(linkstream::io::ReadError::Format(error)) => return Some((error.at, error.kind.rule())),
                Err(error) => panic!("{error:?}"),
            }
        }
    }
    None
}

#[test]
fn broken_sets_are_the_same_error_on_all_ranks_with_rule_and_offset() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set.lime");
    let fields =
        [What::Gauge(Precision::F32, Form::Both), What::Record(PrivateRecord::real_field(Precision::F64))];
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    let lists = lists(|site| grid.rank_of(site), |rank| rank);
    let volume = |number| path_of(&path, VolumeFormat::Partition, number);
    let whole = || {
        for number in 0..9 {
            let _ = std::fs::remove_file(volume(number));
        }
        serial(&path, &fields, &lists, VolumeFormat::Partition);
    };
    let outcomes = |context: &str| {
        let outcomes = Threads::on_nodes(4, 2).run(|comm| {
            let mut set = SetReader::open(comm, SystemDisk, &path)?;
            let mut verdicts = Vec::new();
            for (n, numbers) in [72, 1].into_iter().enumerate() {
                let mut room = vec![0.0_f32; 48 * numbers];
                verdicts.push(set.read(n, &Layout::grid(&grid, comm.rank()), &mut room[..])?);
            }
            set.close().map(|()| verdicts)
        });
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{context}: {outcomes:?}");
        outcomes[0].clone()
    };
    let fails = |context: &str| {
        let error = outcomes(context).expect_err(context);
        assert_eq!(error.fault.kind, ErrorKind::File, "{context}: {error}");
        (error.fault.offset, error.fault.rule.clone(), error.fault.message)
    };
    whole();
    assert!(outcomes("whole").unwrap().iter().all(|verdict| verdict.is_match()));
    for number in 1..4 {
        whole();
        std::fs::remove_file(volume(number)).unwrap();
        let (offset, rule, _) = fails("a missing volume");
        assert_eq!((offset, rule.as_str()), (None, "volume-missing"));
    }
    whole();
    std::fs::remove_file(volume(0)).unwrap();
    assert_eq!(fails("no first volume").1, "volume-first-missing");
    whole();
    std::fs::copy(volume(2), volume(7)).unwrap();
    assert_eq!(fails("a volume twice").1, "volume-site-repeated");
    whole();
    std::fs::copy(volume(0), volume(7)).unwrap();
    let (offset, rule, message) = fails("two first volumes");
    assert_eq!((offset, rule.as_str()), (Some(0), "volume-first-repeated"));
    assert!(message.starts_with("set.lime.vol0007: "), "{message}");
    // A byte of the data of each volume.
    let sums = std::fs::read(volume(0)).unwrap();
    let checksum = sums.windows(16).position(|bytes| bytes == b"scidac-checksum\0").unwrap() as u64 + 128;
    for number in 0..4 {
        whole();
        let mut bytes = std::fs::read(volume(number)).unwrap();
        let data = bytes.windows(17).position(|bytes| bytes == b"ildg-binary-data\0").unwrap() + 128;
        bytes[data + 1000] ^= 4;
        std::fs::write(volume(number), bytes).unwrap();
        let (offset, rule, _) = fails("a wrong byte");
        assert_eq!((offset, rule.as_str()), (Some(checksum), "checksum-mismatch"), "volume {number}");
    }
    // Truncation and damage, as the serial reader reports them, before any data are read.
    for number in [0, 3] {
        whole();
        let (first, bytes) = (std::fs::read(volume(0)).unwrap(), std::fs::read(volume(number)).unwrap());
        let first = (number != 0).then_some(&first[..]);
        let list = bytes.windows(16).position(|bytes| bytes == b"scidac-sitelist\0").unwrap();
        let mut cases: Vec<Vec<u8>> =
            [100, 300, 1200, 5000, bytes.len() - 1].map(|length| bytes[..length].to_vec()).into();
        for at in [0, list, list + 20] {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            cases.push(damaged);
        }
        for damaged in cases {
            std::fs::write(volume(number), &damaged).unwrap();
            let expected = of_serial_reader(&damaged, first);
            let (offset, rule, message) = fails("damage");
            match expected {
                Some((at, of_serial)) if number == 0 && damaged.starts_with(&bytes[..40]) || number == 3 => {
                    assert_eq!((offset, rule.as_str()), (Some(at), of_serial), "{message}");
                }
                // Without its type, the first volume is no first volume.
                _ => assert!(!rule.is_empty(), "{message}"),
            }
        }
    }
    // An entry of a list outside the lattice, and one that is another site's.
    whole();
    let bytes = std::fs::read(volume(1)).unwrap();
    let list = bytes.windows(16).position(|bytes| bytes == b"scidac-sitelist\0").unwrap() + 128;
    for (entry, rank, expected) in [(47, 192_u32, "volume-site-outside"), (47, 191, "volume-sites-missing")] {
        let mut damaged = bytes.clone();
        damaged[list + 4 * entry..][..4].copy_from_slice(&rank.to_be_bytes());
        std::fs::write(volume(1), damaged).unwrap();
        let (offset, rule, _) = fails("a wrong entry");
        assert_eq!(rule, expected);
        assert_eq!(offset, (rank == 192).then_some((list + 4 * entry) as u64));
    }
    // Without a stored checksum, data are never called good.
    whole();
    let mut bytes = std::fs::read(volume(0)).unwrap();
    for at in 0..bytes.len() - 16 {
        if bytes[at..].starts_with(b"scidac-checksum\0") {
            bytes[at] = b'x';
        }
    }
    std::fs::write(volume(0), bytes).unwrap();
    let verdicts = outcomes("no checksum").unwrap();
    assert!(verdicts.iter().all(|verdict| verdict.is_absent() && verdict.require_match().is_err()));
}

#[test]
fn mistakes_of_the_caller_are_errors_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set.lime");
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    let refused = |call: &(dyn Fn(&ThreadComm) -> Result<(), Error> + Sync)| {
        let outcomes = Threads::on_nodes(4, 2).run(|comm| call(comm).expect_err("refused"));
        assert!(outcomes.iter().all(|error| *error == outcomes[0]), "{outcomes:?}");
        assert_eq!(outcomes[0].fault.kind, ErrorKind::Usage);
        outcomes[0].fault.message.clone()
    };
    let create = |comm: &ThreadComm, volumes| {
        SetWriter::create(comm, SystemDisk, &path, Layout::grid(&grid, comm.rank()), volumes).map(drop)
    };
    let message = refused(&|comm| create(comm, Volumes::of_family(4)));
    assert_eq!(message, "there is no rank 4 to write a volume");
    let message = refused(&|comm| create(comm, Volumes::of_family((comm.rank() + 1) % 4)));
    assert_eq!(message, "rank 0 writes for others, but rank 1 writes for it");
    let message = refused(&|comm| create(comm, Volumes::each_node(comm).in_order_of_memory()));
    assert_eq!(message, "each volume of a multifile set has the sites of one rank");
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    let message = refused(&|comm| {
        let volumes = Volumes::each_rank(comm);
        create(comm, if comm.rank() == 1 { volumes.in_directories() } else { volumes })
    });
    assert!(
        message.ends_with("format is PartitionDirectory on rank 1, but Partition on rank 0"),
        "{message}"
    );
    assert_eq!(std::fs::read_dir(directory.path()).unwrap().count(), 0);
    // Only the volumes 0 and 2 are replaced: 1 and 3 would look like a part of the set.
    for outcome in Threads::on_nodes(4, 2).run(|comm| create(comm, Volumes::each_rank(comm))) {
        outcome.unwrap();
    }
    let message = refused(&|comm| create(comm, Volumes::each_node(comm)));
    assert_eq!(message, "there is another volume of this name: 1");
    let message = refused(&|comm| create(comm, Volumes::each_rank(comm).in_directories()));
    assert!(message.contains("another arrangement"), "{message}");
    // Forms without a SciDAC record, texts without a field.
    let kind = linkstream::ildg::GaugeKind::SU3;
    refused(&|comm| {
        let layout = Layout::grid(&grid, comm.rank());
        let mut set = SetWriter::create(comm, SystemDisk, &path, layout, Volumes::each_rank(comm))?;
        set.gauge_field(kind, Precision::F32, Form::Ildg, &[0.0_f32; 48 * 72][..]).map(drop)
    });
    let message = refused(&|comm| {
        let layout = Layout::grid(&grid, comm.rank());
        let mut set = SetWriter::create(comm, SystemDisk, &path, layout, Volumes::each_rank(comm))?;
        set.next_lfn("lfn://a/b");
        set.finish()
    });
    assert_eq!(message, "the logical file name was set, but has not been written: no field followed");
    for outcome in Threads::on_nodes(4, 2).run(|comm| {
        let layout = Layout::grid(&grid, comm.rank());
        let mut set = SetWriter::create(comm, SystemDisk, &path, layout, Volumes::each_rank(comm))?;
        set.gauge_field(kind, Precision::F32, Form::Both, &[1.0_f32; 48 * 72][..])?;
        set.finish()
    }) {
        outcome.unwrap();
    }
    // A layout that does not know the owners of sites, and owners that other ranks deny.
    let message = refused(&|comm| {
        let mut set = SetReader::open(comm, SystemDisk, &path)?;
        let layout = Layout::part(&lattice(), grid.part(comm.rank()));
        set.read(0, &layout, &mut [0.0_f32; 48 * 72][..]).map(drop)
    });
    assert!(message.contains("does not know which rank"), "{message}");
    let message = refused(&|comm| {
        let mut set = SetReader::open(comm, SystemDisk, &path)?;
        let own: Vec<_> = (0..192)
            .map(|rank| lattice().coordinates(rank).unwrap())
            .filter(|site| grid.rank_of(site) == comm.rank())
            .collect();
        let owner = |site: &Coordinates| if comm.rank() == 2 { 1 } else { grid.rank_of(site) };
        let layout = Layout::listed(&lattice(), own.len(), |place| own[place], owner);
        set.read(0, &layout, &mut [0.0_f32; 48 * 72][..]).map(drop)
    });
    assert!(message.contains("by the layout of another one"), "{message}");
}
