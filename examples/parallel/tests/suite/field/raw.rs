//! Copies of the bytes of each site: from single files to file sets and back, with all ranks.

use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Precision, Region, SiteOrder};
use linkstream::scidac::PrivateRecord;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::{
    Bytes, FieldReader, FieldWriter, FoundField, Grid, Layout, Raw, SetReader, SetWriter, Volumes,
};
use linkstream_parallel::file::{Direct, SystemDisk};
use linkstream_parallel::{Error, ErrorKind, Fault};

use super::support::{LFN, Memory, TEXT, TITLE, What, lattice, layout, mixed, serial};

/// Ranks, grid, and grid of the copy.
const GRIDS: [(usize, &[u32], &[u32]); 4] = [
    (1, &[1, 1, 1, 1], &[1, 1, 1, 1]),
    (4, &[2, 1, 1, 2], &[1, 1, 1, 3]),
    (7, &[1, 1, 1, 7], &[3, 1, 1, 2]),
    (5, &[1, 3, 1, 1], &[2, 1, 2, 1]),
];

/// Room for the sites of a rank, some more if they have places of their own.
fn room(found: &FoundField, layout: &Layout<'_>, held: Memory, rank: usize) -> Vec<u8> {
    let sites = match held {
        Memory::Shuffled if found.sites_of(layout, rank).unwrap() > 0 => layout.sites() + 5,
        _ => found.sites_of(layout, rank).unwrap(),
    };
    vec![0xa5; (sites * found.layout().bytes_per_site) as usize]
}

/// Global data have no place.
fn of_field(field: &What, held: Memory) -> Memory {
    let region = field.documents().layout(&lattice()).unwrap().region;
    if region == Region::Global { Memory::F64 } else { held }
}

/// Copies all fields from a reader to a writer: both kinds of readers and writers have the same calls.
macro_rules! copy_all {
    ($fields:expr, $input:expr, $output:expr, $found:expr, $own:expr, $held:expr, $rank:expr) => {
        $output.set_title(TITLE);
        for (n, field) in $fields.iter().enumerate() {
            let mut data = room(&$found[n], &$own, of_field(field, $held), $rank);
            assert!($input.read(n, &$own, Raw(&mut data[..]))?.is_match());
            if n == 0 {
                $output.next_text(TEXT);
                $output.next_lfn(LFN);
            }
            match field.clone() {
                What::Gauge(precision, form) => {
                    $output.gauge_field(GaugeKind::SU3, precision, form, Raw(&data[..]))?;
                }
                What::Record(record) => {
                    $output.scidac_field(record, Raw(&data[..]))?;
                }
            }
        }
    };
}

#[test]
fn a_file_copied_to_a_set_and_back_has_the_same_bytes() {
    let fields = mixed();
    let expected = serial(&fields);
    for (ranks, from, to) in GRIDS {
        for (held, memory) in [(Memory::F64, 8 << 20), (Memory::F64, 9_000), (Memory::Shuffled, 9_000)] {
            let directory = tempfile::tempdir().unwrap();
            let [single, set, again] =
                ["single.lime", "set.lime", "again.lime"].map(|name| directory.path().join(name));
            std::fs::write(&single, &expected).unwrap();
            let engine = Direct::<SystemDisk>::default();
            let outcomes = Threads::new(ranks).run(|comm| -> Result<(), Error> {
                let rank = comm.rank();
                let [from, to] = [from, to].map(|grid| Grid::new(&lattice(), grid).unwrap());
                let mut input = FieldReader::open(comm, &engine, &single)?.with_memory(memory);
                let found = input.fields().to_vec();
                let own = layout(&from, rank, held);
                let output = SetWriter::create(
                    comm,
                    SystemDisk,
                    &set,
                    layout(&from, rank, held),
                    Volumes::each_rank(comm),
                )?;
                let mut output = output.with_memory(memory);
                copy_all!(fields, input, output, found, own, held, rank);
                output.finish()?;

                // The volumes are read in rounds: sites of a rank come from several volumes, in turn.
                let mut input = SetReader::open(comm, SystemDisk, &set)?.with_memory(memory);
                let found = input.fields().to_vec();
                let own = layout(&to, rank, held);
                let output = FieldWriter::create(comm, &engine, &again, layout(&to, rank, held))?;
                let mut output = output.with_memory(memory);
                copy_all!(fields, input, output, found, own, held, rank);
                output.finish()
            });
            for outcome in outcomes {
                outcome.unwrap_or_else(|error| panic!("{error}: {from:?}, {to:?}, {held:?}"));
            }
            let again = std::fs::read(&again).unwrap();
            assert!(again == expected, "{from:?}, {to:?}, {held:?}, {memory}");
        }
    }
}

/// A function that takes sites must look where they belong: a set is read volume by volume.
#[test]
fn the_sites_of_a_set_come_in_the_order_of_its_volumes() {
    let directory = tempfile::tempdir().unwrap();
    let set = directory.path().join("set.lime");
    let record = PrivateRecord::real_field(Precision::F64);
    let outcomes = Threads::new(2).run(|comm| {
        let rank = comm.rank();
        let [from, to] = [[1, 1, 1, 2], [1, 1, 1, 1]].map(|grid| Grid::new(&lattice(), &grid).unwrap());
        let own = Layout::grid(&from, rank);
        let mut output = SetWriter::create(comm, SystemDisk, &set, own, Volumes::each_rank(comm))?;
        let number = |site: &SiteOrder, bytes: &mut [u8]| {
            bytes.copy_from_slice(&(site.rank() as f64).to_be_bytes());
            Ok(())
        };
        output.scidac_field(record.clone(), Bytes::new(number))?;
        output.finish()?;
        let mut calls = Vec::new();
        let mut input = SetReader::open(comm, SystemDisk, &set)?.with_memory(80);
        let verdict = input.read(
            0,
            &Layout::grid(&to, rank),
            Bytes::taken(|site, bytes: &[u8]| {
                calls.push(site.rank());
                let is_own = bytes == (site.rank() as f64).to_be_bytes();
                if is_own { Ok(()) } else { Err(Fault::usage("the number of another site")) }
            }),
        )?;
        assert!(verdict.is_match());
        Ok::<_, Error>(calls)
    });
    let calls = outcomes[0].clone().unwrap();
    assert_eq!(calls[..21], [(0..10).collect::<Vec<_>>(), (96..106).collect(), vec![10]].concat());
    assert!(outcomes[1].as_ref().unwrap().is_empty());
    let mut sorted = calls;
    sorted.sort_unstable();
    assert!(sorted.into_iter().eq(0..lattice().sites()));
}

#[test]
fn memory_of_another_length_is_refused_on_all_ranks() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("single.lime");
    std::fs::write(&path, serial(&mixed()[..1])).unwrap();
    let engine = Direct::<SystemDisk>::default();
    for surplus in [-1_i64, 1, 288] {
        let outcomes = Threads::new(3).run(|comm| {
            let grid = Grid::new(&lattice(), &[1, 1, 1, 3]).unwrap();
            let own = Layout::grid(&grid, comm.rank());
            let mut input = FieldReader::open(comm, &engine, &path)?;
            let length =
                i64::try_from(own.sites() * 288).unwrap() + if comm.rank() == 2 { surplus } else { 0 };
            let mut data = vec![0; length as usize];
            input.read(0, &own, Raw(&mut data[..]))
        });
        for outcome in outcomes {
            let error = outcome.unwrap_err();
            assert_eq!((error.rank, error.fault.kind), (2, ErrorKind::Usage), "{error}");
            assert!(error.to_string().contains("64 sites of 288 bytes"), "{error}");
        }
    }
    // A place beyond the memory.
    let outcome = Threads::new(1).run(|comm| {
        let grid = Grid::new(&lattice(), &[1]).unwrap();
        let own = Layout::grid(&grid, 0).in_order(|_| 192);
        let mut data = vec![0; 192 * 288];
        FieldReader::open(comm, &engine, &path)?.read(0, &own, Raw(&mut data[..]))
    });
    assert_eq!(outcome[0].as_ref().unwrap_err().fault, Fault::usage("the memory has no place for a site"));
}
