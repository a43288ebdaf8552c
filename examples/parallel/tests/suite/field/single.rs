//! Single files: the bytes of the serial writer from any grid, and the same numbers on any other grid.

use linkstream::field::Form;
use linkstream::lattice::{Coordinates, Precision};
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::comm::{Comm, ThreadComm, Threads};
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout};
use linkstream_parallel::file::{Direct, IoRanks, SystemDisk};
use linkstream_parallel::{Error, ErrorKind};

use super::support::{GRIDS, Memory, What, lattice, mixed, number, numbers, read, serial, write};

#[test]
fn every_grid_writes_the_bytes_of_the_serial_writer_and_reads_the_others() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let fields = mixed();
    let expected = serial(&fields);
    let held = [Memory::F64, Memory::F32, Memory::Shuffled, Memory::Function];
    for (n, (ranks, of_node, extents)) in GRIDS.into_iter().enumerate() {
        let grid = Grid::new(&lattice(), extents).unwrap();
        let (_, _, other) = GRIDS[(n + 3) % GRIDS.len()];
        let other = Grid::new(&lattice(), other).unwrap();
        // Rounds of all data, of a few sites, and of one site.
        for (held, memory) in held.into_iter().zip([8 << 20, 20_000, 7_000, 1]) {
            let fields = if memory == 1 { &fields[..2] } else { &fields };
            let expected = if memory == 1 { &serial(fields) } else { &expected };
            for outcome in Threads::on_nodes(ranks, of_node).run(|comm| -> Result<(), Error> {
                let io = IoRanks::with(comm, SystemDisk, comm.node_leader() == comm.rank(), 0).unwrap();
                if n % 2 == 0 {
                    write(comm, &io, &path, &grid, fields, held, memory)?;
                } else {
                    write(comm, &Direct::<SystemDisk>::default(), &path, &grid, fields, held, memory)?;
                }
                let verdicts = if other.ranks() <= ranks {
                    read(comm, &io, &path, &other, fields, held, memory)?
                } else {
                    read(comm, &io, &path, &grid, fields, held, memory)?
                };
                assert!(verdicts.iter().all(|verdict| verdict.is_match()), "{verdicts:?}");
                Ok(())
            }) {
                outcome.unwrap_or_else(|error| panic!("{error}: {extents:?}, {held:?}"));
            }
            assert!(std::fs::read(&path).unwrap() == *expected, "{extents:?}, {held:?}");
        }
    }
}

#[test]
fn every_form_and_precision_has_the_bytes_of_the_serial_writer() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    for form in [Form::Scidac, Form::Ildg, Form::Both] {
        for precision in [Precision::F32, Precision::F64] {
            for held in [Memory::F32, Memory::F64] {
                let fields = [What::Gauge(precision, form)];
                for outcome in Threads::on_nodes(4, 2).run(|comm| {
                    let engine = IoRanks::new(comm, SystemDisk).unwrap();
                    write(comm, &engine, &path, &grid, &fields, held, 30_000)?;
                    read(comm, &Direct::<SystemDisk>::default(), &path, &grid, &fields, held, 30_000)
                }) {
                    assert!(outcome.unwrap()[0].is_match());
                }
                assert!(
                    std::fs::read(&path).unwrap() == serial(&fields),
                    "{form:?}, {precision:?}, {held:?}"
                );
            }
        }
    }
}

/// Sites of a rank that are not a box: the parity of the sum of x and t, and a rank without any.
#[test]
fn sites_in_any_distribution_and_order_as_qio_describes_them() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let lattice = lattice();
    let number_of = |site: &Coordinates| (site.as_slice()[0] + site.as_slice()[3]) as usize % 2 * 2;
    // Descending ranks.
    let index_of = |site: &Coordinates| (lattice.sites() - 1 - lattice.rank(site).unwrap()) as usize / 2;
    let fields = mixed();
    let expected = serial(&fields);
    for outcome in Threads::new(3).run(|comm| -> Result<(), Error> {
        let layout = || Layout::functions(&lattice, comm.rank(), number_of, index_of);
        let own: Vec<u64> = (0..lattice.sites())
            .filter(|rank| number_of(&lattice.coordinates(*rank).unwrap()) == comm.rank())
            .collect();
        let in_memory = |count: usize| {
            let mut all = vec![0.0; own.len() * count];
            for rank in &own {
                let at = index_of(&lattice.coordinates(*rank).unwrap()) * count;
                (0..count).for_each(|i| all[at + i] = number(*rank, i));
            }
            all
        };
        let engine = IoRanks::new(comm, SystemDisk).unwrap();
        let file = FieldWriter::create(comm, &engine, &path, layout())?;
        let mut file = file.with_memory(9_000);
        file.set_title("<title>many ranks</title>");
        file.next_text("<info>thermalised</info>");
        file.next_lfn("lfn://example/many.ranks");
        for field in &fields {
            let count = field.numbers();
            let numbers = in_memory(count);
            match field.clone() {
                What::Gauge(precision, form) => {
                    file.gauge_field(linkstream::ildg::GaugeKind::SU3, precision, form, &numbers[..])?
                }
                What::Record(record) if record.datatype.as_str().contains("QLA") || count == 5 => {
                    let global: Vec<f64> = (0..count).map(|i| number(0, i)).collect();
                    let is_root = comm.rank() == 0;
                    file.scidac_field(record, if is_root { &global[..] } else { &[] })?
                }
                What::Record(record) => file.scidac_field(record, &numbers[..])?,
            };
        }
        file.finish()?;
        let mut file = FieldReader::open(comm, &engine, &path)?.with_memory(9_000);
        let mut found = vec![0.0; own.len() * 72];
        let places: Vec<Coordinates> =
            own.iter().rev().map(|rank| lattice.coordinates(*rank).unwrap()).collect();
        let listed = Layout::listed(&lattice, own.len(), |place| places[place], number_of);
        assert!(file.read(0, &listed, &mut found[..])?.is_match());
        let expected: Vec<f64> =
            own.iter().rev().flat_map(|rank| (0..72).map(|i| number(*rank, i))).collect();
        assert!(found == expected);
        file.close()
    }) {
        outcome.unwrap();
    }
    assert!(std::fs::read(&path).unwrap() == expected);
}

/// Without a stored checksum, data are never called good; a wrong byte, or a file that ends too early, is the same
/// error on all ranks as for the serial reader.
#[test]
fn damage_is_reported_on_all_ranks_with_rule_and_offset() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let fields =
        [What::Gauge(Precision::F32, Form::Both), What::Record(PrivateRecord::real_field(Precision::F64))];
    let file = serial(&fields);
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    let outcomes = |bytes: &[u8]| {
        std::fs::write(&path, bytes).unwrap();
        let outcomes = Threads::on_nodes(4, 2).run(|comm| {
            let engine = IoRanks::new(comm, SystemDisk).unwrap();
            let mut file = FieldReader::open(comm, &engine, &path)?;
            let mut numbers = vec![0.0_f32; 48 * 72];
            let verdict = file.read(0, &Layout::grid(&grid, comm.rank()), &mut numbers[..])?;
            file.close().map(|()| verdict)
        });
        assert!(outcomes.iter().all(|outcome| *outcome == outcomes[0]), "{outcomes:?}");
        outcomes[0].clone()
    };
    let by_serial_reader = |bytes: &[u8]| {
        let mut buffer = vec![0; 8192];
        let mut reader = linkstream::io::FieldReader::new(bytes, &mut buffer);
        loop {
            match reader.next_field() {
                Ok(Some(_)) => {}
                Ok(None) => return None,
                Err(linkstream::io::ReadError::Format(error)) => {
                    return Some((error.at, linkstream::Diagnostic::rule(&error.kind)));
                }
                Err(error) => panic!("{error:?}"),
            }
        }
    };
    assert!(outcomes(&file).unwrap().is_match());
    let data = file.windows(18).position(|bytes| bytes == b"ildg-binary-data\0\0").unwrap() + 128;
    let mut checked = 0;
    // A byte of the data, of their header, of the checksum, of the file message.
    for at in [data, data + 27_648, data + 55_295, data - 140, data + 55_296 + 8 + 144 + 90, 9, 200] {
        let mut damaged = file.clone();
        damaged[at] ^= 4;
        let Some((offset, rule)) = by_serial_reader(&damaged) else { continue };
        let error = outcomes(&damaged).expect_err("a byte is wrong");
        assert_eq!((error.fault.offset, error.fault.rule.as_str()), (Some(offset), rule), "{error}");
        assert_eq!((error.fault.kind, error.rank), (ErrorKind::File, 0));
        checked += 1;
    }
    assert!(checked > 4, "{checked}");
    // Every rank is refused before data are read, even if the file ends in another field.
    for length in [50, 1000, data + 100, data + 55_000, file.len() - 400, file.len() - 1] {
        let error = outcomes(&file[..length]).expect_err("the file is truncated");
        let (offset, rule) = by_serial_reader(&file[..length]).unwrap();
        assert_eq!((error.fault.offset, error.fault.rule.as_str()), (Some(offset), rule), "{error}");
    }
    // The checksum record is renamed: unverified.
    let mut unverified = file.clone();
    let checksum = file.windows(15).position(|bytes| bytes == b"scidac-checksum").unwrap();
    unverified[checksum] = b'x';
    let verdict = outcomes(&unverified).unwrap();
    assert!(verdict.is_absent() && verdict.require_match().is_err());
}

#[test]
fn mistakes_of_the_caller_are_errors_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("file");
    let grid = Grid::new(&lattice(), &[2, 1, 1, 2]).unwrap();
    let field = What::Gauge(Precision::F32, Form::Scidac);
    let refused = |call: &(dyn Fn(&ThreadComm) -> Result<(), Error> + Sync)| {
        let outcomes = Threads::new(4).run(|comm| call(comm).expect_err("refused"));
        assert!(outcomes.iter().all(|error| *error == outcomes[0]), "{outcomes:?}");
        assert_eq!(outcomes[0].fault.kind, ErrorKind::Usage);
        outcomes[0].fault.message.clone()
    };
    let engine = Direct::<SystemDisk>::default();
    // Boxes that overlap: nothing is created.
    let message = refused(&|comm| {
        let layout = Layout::grid(&grid, if comm.rank() == 2 { 1 } else { comm.rank() });
        FieldWriter::create(comm, &engine, &path, layout).map(drop)
    });
    assert!(message.contains("belong to several ranks") && !path.exists(), "{message}");
    let write = |comm: &ThreadComm, precision, scale: f64, short: usize| {
        let mut file = FieldWriter::create(comm, &engine, &path, Layout::grid(&grid, comm.rank()))?;
        let mut numbers = numbers(&grid, comm.rank(), &field, Memory::F64);
        if comm.rank() == 3 {
            numbers.truncate(numbers.len() - short);
            numbers[100] *= scale;
        }
        file.gauge_field(linkstream::ildg::GaugeKind::SU3, precision, Form::Scidac, &numbers[..])?;
        file.finish()
    };
    let message = refused(&|comm| write(comm, Precision::F32, 1.0, 1));
    assert_eq!(message, "48 sites of 72 numbers were expected, but there are 3455 numbers");
    assert!(refused(&|comm| write(comm, Precision::F32, 1e300, 0)).contains("single precision"));
    let message = refused(&|comm| {
        let precision = if comm.rank() == 1 { Precision::F64 } else { Precision::F32 };
        write(comm, precision, 1.0, 0)
    });
    assert!(
        message.contains("F64, Scidac) on rank 1, but Gauge") && message.contains("F32, Scidac) on rank 0"),
        "{message}"
    );
    // A title that is set too late, and one that no field follows.
    refused(&|comm| {
        let mut file = FieldWriter::create(comm, &engine, &path, Layout::grid(&grid, comm.rank()))?;
        file.set_title("title");
        file.finish()
    });
    for outcome in Threads::new(4).run(|comm| write(comm, Precision::F32, 1.0, 0)) {
        outcome.unwrap();
    }
    let message = refused(&|comm| {
        let mut file = FieldReader::open(comm, &engine, &path)?;
        file.read(1, &Layout::grid(&grid, comm.rank()), &mut [0.0_f32; 48 * 72][..]).map(drop)
    });
    assert_eq!(message, "there is no field 1: the file has 1");
    let short = Grid::new(&lattice(), &[1, 1, 1, 6]).unwrap();
    let message = refused(&|comm| {
        let mut file = FieldReader::open(comm, &engine, &path)?;
        file.read(0, &Layout::grid(&short, comm.rank()), &mut [0.0_f32; 32 * 72][..]).map(drop)
    });
    assert_eq!(message, "the ranks have 128 sites together, but the lattice 4x4x2x6 has 192");
}
