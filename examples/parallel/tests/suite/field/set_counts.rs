//! The numbers of requests and of small collective calls for file sets do not depend on the number of ranks.

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::Precision;
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::field::{Grid, Layout, SetReader, SetWriter, Volumes};
use linkstream_parallel::file::{Faulty, Request, SystemDisk};

use super::support::{Memory, What, lattice, numbers};

#[test]
fn small_collective_calls_and_requests_at_4_and_100_ranks() {
    // Families of half of the ranks, and of one.
    for is_shared in [true, false] {
        for (ranks, extents) in [(4, &[2, 1, 1, 2]), (100, &[4, 4, 1, 6])] {
            let directory = tempfile::tempdir().unwrap();
            let path = directory.path().join("set");
            let grid = Grid::new(&lattice(), extents).unwrap();
            let counts = Threads::on_nodes(ranks, ranks / 2).run(|comm| {
                let disk = Faulty::new(SystemDisk, None);
                let mut before = comm.traffic();
                let mut step = || {
                    let now = comm.traffic();
                    let before = std::mem::replace(&mut before, now);
                    (now.small - before.small, now.exchanges - before.exchanges)
                };
                let layout = || Layout::grid(&grid, comm.rank());
                let mut links =
                    numbers(&grid, comm.rank(), &What::Gauge(Precision::F64, Form::Both), Memory::F64);
                let volumes = if is_shared { Volumes::each_node(comm) } else { Volumes::each_rank(comm) };
                let mut set = SetWriter::create(comm, disk.clone(), &path, layout(), volumes).unwrap();
                let mut steps = vec![step()];
                set.gauge_field(GaugeKind::SU3, Precision::F64, Form::Both, &links[..]).unwrap();
                steps.push(step());
                set.gauge_field(GaugeKind::SU3, Precision::F64, Form::Scidac, &links[..]).unwrap();
                steps.push(step());
                set.finish().unwrap();
                steps.push(step());
                let written = disk.requests();
                let mut set = SetReader::open(comm, disk.clone(), &path).unwrap();
                steps.push(step());
                assert!(set.read(0, &layout(), &mut links[..]).unwrap().is_match());
                steps.push(step());
                set.close().unwrap();
                steps.push(step());
                let all = disk.requests();
                let requests = [Request::Open, Request::Write, Request::Read, Request::Size, Request::Sync];
                let counted = requests.map(|request| (written.count(request), all.count(request)));
                (steps, counted)
            });
            for (rank, (steps, counted)) in counts.into_iter().enumerate() {
                // Create, field with file message, field, finish; open, read, close: small calls and exchanges. Ranks
                // that write only for themselves exchange nothing. Reading has one exchange a round.
                let (list, field) = if is_shared { (2, 1) } else { (0, 0) };
                let expected = [(5, 2), (5, list), (5, field), (3, 0), (5, 0), (6, 1), (2, 0)];
                assert_eq!(steps, expected, "rank {rank} of {ranks}");
                // Requests of writing, and of both. Rank 0 lists the directory; the first volume has its checksum in a
                // request of its own, and each volume its beginning, which is synchronised after the rest. The window of the reader ends in the data of a volume of half of the sites.
                let volumes = if is_shared { 2 } else { grid.ranks() };
                let writes = if is_shared { rank.is_multiple_of(ranks / 2) } else { rank < volumes };
                let reads = (0..volumes).any(|volume| volume * ranks / volumes == rank);
                let expected = match (writes, reads) {
                    _ if rank == 0 => [(2, 5), (5, 5), (0, if is_shared { 6 } else { 5 }), (0, 4), (2, 2)],
                    (true, true) => [(1, 2), (3, 3), (0, 4), (0, 3), (2, 2)],
                    (true, false) => [(1, 1), (3, 3), (0, 0), (0, 0), (2, 2)],
                    (false, true) => [(0, 1), (0, 0), (0, 4), (0, 3), (0, 0)],
                    (false, false) => [(0, 0); 5],
                };
                assert_eq!(counted, expected, "rank {rank} of {ranks}");
            }
        }
    }
}

/// A family whose sites are far apart does not have a round for each stretch of the lattice between them.
#[test]
fn stretches_without_sites_of_a_family_are_no_rounds() {
    let directory = tempfile::tempdir().unwrap();
    let path = directory.path().join("set");
    // The ranks 0 and 1 have z = 0, the others z = 1.
    let grid = Grid::new(&lattice(), &[2, 1, 2, 1]).unwrap();
    let exchanges = Threads::on_nodes(4, 2).run(|comm| {
        let links = numbers(&grid, comm.rank(), &What::Gauge(Precision::F32, Form::Both), Memory::F64);
        let layout = Layout::grid(&grid, comm.rank());
        let set = SetWriter::create(comm, SystemDisk, &path, layout, Volumes::each_node(comm)).unwrap();
        // One site of each rank in a round.
        let mut set = set.with_memory(1);
        set.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &links[..]).unwrap();
        let before = comm.traffic().exchanges;
        set.gauge_field(GaugeKind::SU3, Precision::F32, Form::Scidac, &links[..]).unwrap();
        let exchanges = comm.traffic().exchanges - before;
        set.finish().unwrap();
        let mut set = SetReader::open(comm, SystemDisk, &path).unwrap();
        let (layout, mut again) = (Layout::grid(&grid, comm.rank()), vec![0.0_f64; links.len()]);
        for index in 0..2 {
            assert!(set.read(index, &layout, &mut again[..]).unwrap().is_match());
            assert!(again == links);
        }
        exchanges
    });
    // A family has 96 of the 176 sites from its first to its last.
    assert_eq!(exchanges, [2 + 96; 4]);
}
