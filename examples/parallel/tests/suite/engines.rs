//! Every engine writes and reads the same bytes, and every fault of the system ends the call on all ranks.

use std::path::Path;

use linkstream_parallel::comm::{Comm, Solo, Threads};
use linkstream_parallel::file::{
    Access, Direct, Engine, Faulty, Injection, IoOptions, IoRanks, Piece, PieceMut, Request, SystemDisk,
};
use linkstream_parallel::{Error, ErrorKind, Fault, Session};

const LENGTH: usize = 5 << 20;

/// Bytes of the whole file.
fn content() -> Vec<u8> {
    (0..LENGTH as u64).map(|i| (i.wrapping_mul(0x9e37_79b9_7f4a_7c15) >> 56) as u8).collect()
}

/// The parts of a rank: every `ranks`-th part of an uneven division. Rank 1 has nothing.
fn parts(rank: usize, ranks: usize) -> Vec<std::ops::Range<usize>> {
    let owner = |i: usize| if i % ranks == 1 { 0 } else { i % ranks };
    let cuts: Vec<_> =
        (0..).map(|i: usize| i * (3001 + i * 7)).take_while(|cut| *cut < LENGTH).chain([LENGTH]).collect();
    cuts.windows(2).enumerate().filter(|(i, _)| owner(*i) == rank).map(|(_, cut)| cut[0]..cut[1]).collect()
}

fn write<C: Comm, E: Engine<C>>(comm: &C, engine: &E, path: &Path) -> Result<(), Error> {
    let content = content();
    let (mut session, ()) = Session::open(comm, engine, path, Access::Write, |_| Ok(()))?;
    session.call(|comm, file| {
        let parts = parts(comm.rank(), comm.size());
        let pieces: Vec<_> = parts
            .into_iter()
            .map(|part| Piece { offset: part.start as u64, bytes: &content[part] })
            .collect();
        linkstream_parallel::file::SharedFile::write_all(file, comm, &pieces)
    })?;
    session.close()
}

fn read<C: Comm, E: Engine<C>>(comm: &C, engine: &E, path: &Path) -> Result<(), Error> {
    let content = content();
    let (mut session, ()) = Session::open(comm, engine, path, Access::Read, |_| Ok(()))?;
    session.call(|comm, file| {
        // All ranks but one read the whole file in two pieces.
        let mut all = vec![0; if comm.rank() == 1 { 0 } else { LENGTH }];
        let (head, tail) = all.split_at_mut(if comm.rank() == 1 { 0 } else { 1_234_567 });
        let mut pieces = [PieceMut { offset: 0, bytes: head }, PieceMut { offset: 1_234_567, bytes: tail }];
        linkstream_parallel::file::SharedFile::read_all(file, comm, &mut pieces)?;
        let is_right = comm.rank() == 1 || all == content;
        if is_right { Ok(()) } else { Err(Fault::usage("other bytes were read")) }
    })?;
    session.close()
}

#[test]
fn every_engine_and_number_of_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    write(&Solo, &Direct::<SystemDisk>::default(), &path).unwrap();
    assert!(std::fs::read(&path).unwrap() == content());
    for (ranks, of_node) in [(1, 1), (2, 2), (3, 1), (4, 2), (7, 3)] {
        std::fs::remove_file(&path).unwrap();
        for outcome in Threads::on_nodes(ranks, of_node).run(|comm| {
            // The smallest buffer, so that there are several rounds.
            let engine = IoRanks::with(comm, SystemDisk, comm.node_leader() == comm.rank(), 0).unwrap();
            assert_eq!(engine.ranks().len(), ranks.div_ceil(of_node));
            write(comm, &engine, &path)?;
            read(comm, &engine, &path)?;
            read(comm, &Direct::<SystemDisk>::default(), &path)
        }) {
            outcome.unwrap();
        }
        assert!(std::fs::read(&path).unwrap() == content(), "{ranks} ranks");
    }
}

#[test]
fn options_change_no_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    for (ranks, of_node) in [(1, 1), (4, 2), (7, 3)] {
        for per_node in [1, 2, 100] {
            for (stripe, direct) in
                [(0, None), (100_000, Some(false)), (1 << 20, None), (3 << 20, None), (0, Some(true))]
            {
                let options = IoOptions { per_node, buffer: 1, stripe, direct };
                let engines = Threads::on_nodes(ranks, of_node).run(|comm| {
                    let engine = IoRanks::with_options(comm, SystemDisk, options).unwrap();
                    write(comm, &engine, &path).unwrap();
                    read(comm, &engine, &path).unwrap();
                    engine.ranks().to_vec()
                });
                assert!(std::fs::read(&path).unwrap() == content(), "{ranks} ranks, {options:?}");
                std::fs::remove_file(&path).unwrap();
                let expected: &[usize] = match (ranks, per_node) {
                    (1, _) => &[0],
                    (4, 1) => &[0, 2],
                    (7, 1) => &[0, 3, 6],
                    (7, 2) => &[0, 2, 3, 5, 6],
                    (4, _) => &[0, 1, 2, 3],
                    _ => &[0, 1, 2, 3, 4, 5, 6],
                };
                assert!(engines.iter().all(|engine| engine == expected), "{engines:?} {options:?}");
            }
        }
    }
}

#[test]
fn io_ranks_take_turns_at_stripes() {
    const STRIPE: u64 = 1 << 20;
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let options = IoOptions { per_node: 1, buffer: STRIPE, stripe: STRIPE, direct: None };
    let requests = Threads::on_nodes(3, 1).run(|comm| {
        let disk = Faulty::new(SystemDisk, None);
        let engine = IoRanks::with_options(comm, disk.clone(), options).unwrap();
        write(comm, &engine, &path).unwrap();
        let written = disk.requests();
        (written.count(Request::Write), written.bytes(Request::Write))
    });
    // Five stripes: 0 and 3, 1 and 4, and 2.
    assert_eq!(requests, [(2, 2 << 20), (2, 2 << 20), (1, 1 << 20)]);
}

/// Runs a job with a disturbed request of one rank. Returns the outcome of each rank.
fn disturbed(
    path: &Path,
    access: Access,
    rank: usize,
    number: usize,
    injection: Injection,
) -> Vec<(Result<(), Error>, usize)> {
    Threads::on_nodes(4, 2).run(|comm| {
        let disk = Faulty::new(SystemDisk, (comm.rank() == rank).then_some((number, injection)));
        let engine = IoRanks::with(comm, disk.clone(), comm.node_leader() == comm.rank(), 0).unwrap();
        let outcome = match access {
            Access::Read => read(comm, &engine, path),
            _ => write(comm, &engine, path),
        };
        (outcome, disk.requests().list.len())
    })
}

#[test]
fn every_fault_of_a_request_ends_the_call_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let (path, whole) = (folder.path().join("file"), folder.path().join("whole"));
    write(&Solo, &Direct::<SystemDisk>::default(), &whole).unwrap();
    let mut faults = 0;
    for access in [Access::Write, Access::Read] {
        let path = if access == Access::Write { &path } else { &whole };
        let requests: Vec<_> =
            disturbed(path, access, 0, usize::MAX, Injection::Short).into_iter().map(|(_, n)| n).collect();
        assert!(requests[0] >= 4 && requests[1] == 0 && requests[2] >= 3 && requests[3] == 0, "{requests:?}");
        for rank in [0, 2] {
            for number in host_tests::long::sample(0..requests[rank], 3) {
                for injection in [Injection::Short, Injection::Interrupted] {
                    for (outcome, _) in disturbed(path, access, rank, number, injection) {
                        assert_eq!(outcome, Ok(()), "{injection:?} of request {number} of rank {rank}");
                    }
                }
                let mut errors = vec![Injection::Error(5), Injection::Error(28)];
                if access == Access::Read && number > 0 && number + 1 < requests[rank] {
                    errors.push(Injection::Ends);
                }
                for injection in errors {
                    let outcomes: Vec<_> = disturbed(path, access, rank, number, injection)
                        .into_iter()
                        .map(|(outcome, _)| outcome.expect_err("a request failed"))
                        .collect();
                    assert!(outcomes.iter().all(|error| *error == outcomes[0]), "{outcomes:?}");
                    assert_eq!(outcomes[0].rank, rank);
                    let kind = if injection == Injection::Ends { ErrorKind::File } else { ErrorKind::System };
                    assert_eq!(outcomes[0].fault.kind, kind, "{outcomes:?}");
                    faults += 1;
                }
            }
        }
    }
    assert!(faults > if host_tests::long::is_wanted() { 30 } else { 10 }, "{faults}");
}

#[test]
fn only_io_ranks_call_the_system_in_large_requests() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    let requests = Threads::on_nodes(6, 3).run(|comm| {
        let disk = Faulty::new(SystemDisk, None);
        let options = IoOptions { per_node: 1, ..IoOptions::default() };
        let engine = IoRanks::with_options(comm, disk.clone(), options).unwrap();
        write(comm, &engine, &path).unwrap();
        let written = disk.requests();
        read(comm, &engine, &path).unwrap();
        (written.count(Request::Write), written.bytes(Request::Write), disk.requests().count(Request::Read))
    });
    // Long pieces are read one by one, however many ranks need them.
    assert_eq!(requests, [(1, 3 << 20, 2), (0, 0, 0), (0, 0, 0), (1, 2 << 20, 1), (0, 0, 0), (0, 0, 0)]);
}

#[test]
fn bytes_that_two_ranks_write_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = Threads::new(2).run(|comm| {
        let engine = IoRanks::new(comm, SystemDisk).unwrap();
        let (mut session, ()) =
            Session::open(comm, &engine, &folder.path().join("file"), Access::Write, |_| Ok(())).unwrap();
        session.call(|comm, file| {
            let piece = Piece { offset: 10 + comm.rank() as u64, bytes: b"ab" };
            linkstream_parallel::file::SharedFile::write_all(file, comm, &[piece])
        })
    });
    for outcome in outcomes {
        assert_eq!(outcome.unwrap_err().fault.kind, ErrorKind::Usage);
    }
}

/// Long pieces far apart, as each rank has if a lattice is divided in its last direction: each I/O rank accesses the
/// pieces of its group, in rounds that do not depend on the size of the file.
#[test]
fn long_pieces_far_apart_take_as_many_rounds_as_they_have_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("file");
    const MIB: u64 = 1 << 20;
    let content = |rank: usize| (0..3 * MIB + 77).map(|i| (i ^ (rank as u64 * 31)) as u8).collect::<Vec<_>>();
    for (ranks, of_node) in [(4, 2), (5, 2), (3, 3)] {
        let outcomes = Threads::on_nodes(ranks, of_node).run(|comm| {
            let engine = IoRanks::with(comm, SystemDisk, comm.node_leader() == comm.rank(), 0).unwrap();
            let data = content(comm.rank());
            let (offset, mut again) = (comm.rank() as u64 * 64 * MIB, vec![0; data.len()]);
            let (mut session, ()) = Session::open(comm, &engine, &path, Access::Write, |_| Ok(())).unwrap();
            let before = comm.traffic().exchanges;
            session.call(|comm, file| {
                linkstream_parallel::file::SharedFile::write_all(
                    file,
                    comm,
                    &[Piece { offset, bytes: &data }],
                )
            })?;
            let written = comm.traffic().exchanges - before;
            session.close()?;
            let (mut session, ()) = Session::open(comm, &engine, &path, Access::Read, |_| Ok(()))?;
            let before = comm.traffic().exchanges;
            session.call(|comm, file| {
                let mut pieces = [PieceMut { offset, bytes: &mut again }];
                linkstream_parallel::file::SharedFile::read_all(file, comm, &mut pieces)
            })?;
            assert!(again == data);
            session.close()?;
            Ok::<_, Error>((written, comm.traffic().exchanges - before))
        });
        // Rounds of 1 MiB of each rank, and one exchange that finds bytes that several ranks write.
        assert!(outcomes.iter().all(|outcome| *outcome == Ok((5, 8))), "{outcomes:?}");
        let bytes = std::fs::read(&path).unwrap();
        for rank in 0..ranks {
            let start = (rank * 64) << 20;
            assert!(bytes[start..][..content(rank).len()] == content(rank));
        }
    }
}

#[test]
fn long_pieces_that_overlap_are_an_error() {
    let folder = tempfile::tempdir().unwrap();
    let outcomes = Threads::on_nodes(4, 2).run(|comm| {
        let engine = IoRanks::with(comm, SystemDisk, comm.node_leader() == comm.rank(), 0).unwrap();
        let (mut session, ()) =
            Session::open(comm, &engine, &folder.path().join("file"), Access::Write, |_| Ok(())).unwrap();
        session.call(|comm, file| {
            // Ranks 0 and 3, which have different I/O ranks, write the same byte.
            let offset = [0, 60 << 20, 30 << 20, (2 << 20) - 1][comm.rank()];
            let bytes = vec![comm.rank() as u8; 2 << 20];
            linkstream_parallel::file::SharedFile::write_all(file, comm, &[Piece { offset, bytes: &bytes }])
        })
    });
    for outcome in outcomes {
        assert_eq!(outcome.unwrap_err().fault.kind, ErrorKind::Usage);
    }
}
