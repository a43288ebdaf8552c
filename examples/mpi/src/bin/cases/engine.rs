//! Collective and independent access to a file, below the formats.

use std::path::Path;

use linkstream_mpi::World;
use linkstream_parallel::error::agree;
use linkstream_parallel::file::{Access, Engine, Piece, PieceMut, SharedFile};
use linkstream_parallel::{Error, ErrorKind, Fault, Session};

use super::support::{Case, Job, content, ensure, failed, is_error, parts, pieces};

pub fn cases<E: Engine<World>>() -> Vec<Case<E>> {
    vec![
        Case { name: "one-piece-a-rank", run: one_piece },
        Case { name: "random-pieces", run: |job| random_pieces(job, &job.engine) },
        Case { name: "several-rounds", run: |job| random_pieces(job, &job.small) },
        Case { name: "far-apart", run: far_apart },
        Case { name: "nothing-to-write", run: nothing },
        Case { name: "one-rank-writes", run: one_rank_writes },
        Case { name: "independent", run: independent },
        Case { name: "overlap", run: overlap },
        Case { name: "wrong-order", run: wrong_order },
        Case { name: "end-of-file", run: end_of_file },
        Case { name: "no-such-file", run: no_such_file },
        Case { name: "closed-after-error", run: closed_after_error },
    ]
}

type Opened<'w, E> = Session<'w, World, <E as Engine<World>>::File>;

fn open<'w, E: Engine<World>>(
    job: &Job<'w, E>,
    engine: &E,
    path: &Path,
    access: Access,
) -> Result<Opened<'w, E>, Error> {
    Session::open(job.world, engine, path, access, |_| Ok(())).map(|(session, ())| session)
}

/// Checks on rank 0 that a file has these bytes.
fn has_bytes<E: Engine<World>>(job: &Job<'_, E>, path: &Path, expected: &[u8]) -> Result<(), Fault> {
    if job.rank() > 0 {
        return Ok(());
    }
    let found = std::fs::read(path).map_err(|error| Fault::system(None, &error))?;
    ensure(found == expected, || {
        let at = found.iter().zip(expected).position(|(a, b)| a != b);
        format!("{} bytes instead of {}, the first difference at {at:?}", found.len(), expected.len())
    })
}

/// An array. Each rank has one range of it, and one rank has nothing.
/// Long pieces far apart, with a hole before each, and a file that is too short for the last one.
fn far_apart<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    const DISTANCE: u64 = 64 << 20;
    let path = job.path("far-apart");
    let part = |rank: usize| content(rank as u64, (2 << 20) + 77 * rank);
    let (own, offset) = (part(job.rank()), (job.rank() as u64 + 1) * DISTANCE);
    let mut session = open(job, &job.small, &path, Access::Write).map_err(failed)?;
    session
        .call(|comm, file| file.write_all(comm, &[Piece { offset, bytes: &own }]))
        .and_then(|()| session.close())
        .map_err(failed)?;
    let read = |bytes: &mut [u8]| {
        let mut session = open(job, &job.small, &path, Access::Read)?;
        session.call(|comm, file| file.read_all(comm, &mut [PieceMut { offset, bytes }]))?;
        session.close()
    };
    let mut again = vec![0; own.len()];
    read(&mut again).map_err(failed)?;
    ensure(again == own, || "other bytes were read".into())?;
    let (last, length) = (job.size(), part(job.size() - 1).len() as u64);
    let shortened = if job.rank() == 0 {
        let file = std::fs::OpenOptions::new().write(true).open(&path);
        file.and_then(|file| {
            let size = file.metadata()?.len();
            file.set_len(size - 1)?;
            Ok(size)
        })
        .map_err(|error| Fault::system(None, &error))
        .and_then(|size| ensure(size == last as u64 * DISTANCE + length, || format!("the size is {size}")))
    } else {
        Ok(())
    };
    agree(job.world, shortened).map_err(failed)?;
    is_error(read(&mut again), ErrorKind::File, "")
}

fn one_piece<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, length) = (job.path("one-piece"), 3_000_000);
    let content = content(1, length);
    // The old contents are longer and must vanish.
    if job.rank() == 0 {
        std::fs::write(&path, vec![7; length + 5]).map_err(|error| Fault::system(None, &error))?;
    }
    let cut = |rank: usize| match (rank, job.size()) {
        (0, _) => 0,
        (rank, size) if rank == size => length,
        // Rank 1 has nothing.
        (rank, size) => {
            if rank == 2 {
                length / size
            } else {
                length / size * rank
            }
        }
    };
    let own = cut(job.rank())..cut(job.rank() + 1);
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    session
        .call(|comm, file| {
            file.write_all(comm, &[Piece { offset: own.start as u64, bytes: &content[own.clone()] }])
        })
        .map_err(failed)?;
    session.close().map_err(failed)?;
    has_bytes(job, &path, &content)?;
    // All ranks read all bytes.
    let mut session = open(job, &job.engine, &path, Access::Read).map_err(failed)?;
    let mut bytes = vec![0; length];
    session
        .call(|comm, file| file.read_all(comm, &mut [PieceMut { offset: 0, bytes: &mut bytes }]))
        .map_err(failed)?;
    session.close().map_err(failed)?;
    ensure(bytes == content, || "other bytes were read".into())
}

/// Pieces of random lengths in random order, written and read under different divisions.
fn random_pieces<E: Engine<World>>(job: &Job<'_, E>, engine: &E) -> Result<(), Fault> {
    let path = job.path("random-pieces");
    for (seed, length, longest) in [(2, 3_500_000, 4000), (3, 70_000, 20), (4, 4_000_000, 1_500_000)] {
        let content = content(seed, length);
        let mut session = open(job, engine, &path, Access::Write).map_err(failed)?;
        // In two calls, the second half first.
        for half in [length / 2..length, 0..length / 2] {
            let parts = parts(seed, half.len(), longest, job.rank(), job.size());
            let pieces = pieces(&content[half.clone()], &parts, half.start as u64);
            session.call(|comm, file| file.write_all(comm, &pieces)).map_err(failed)?;
        }
        session.close().map_err(failed)?;
        has_bytes(job, &path, &content)?;
        let mut session = open(job, engine, &path, Access::Read).map_err(failed)?;
        let parts = parts(seed + 100, length, longest * 2, job.rank(), job.size());
        let mut room: Vec<_> = parts.iter().map(|part| vec![0; part.len()]).collect();
        session
            .call(|comm, file| {
                let mut pieces: Vec<_> = parts
                    .iter()
                    .zip(&mut room)
                    .map(|(part, bytes)| PieceMut { offset: part.start as u64, bytes })
                    .collect();
                file.read_all(comm, &mut pieces)
            })
            .map_err(failed)?;
        session.close().map_err(failed)?;
        for (part, bytes) in parts.iter().zip(&room) {
            ensure(content[part.clone()] == **bytes, || format!("other bytes were read at {}", part.start))?;
        }
    }
    Ok(())
}

fn nothing<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("nothing");
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    let pieces = [Piece { offset: 5, bytes: &[] }, Piece { offset: 9, bytes: &[] }];
    let own = &pieces[..job.rank() % 3];
    session.call(|comm, file| file.write_all(comm, own)).map_err(failed)?;
    session.close().map_err(failed)?;
    has_bytes(job, &path, &[])
}

fn one_rank_writes<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("one-rank");
    let content = content(5, 2_500_000);
    for writer in 0..job.size() {
        let mut session = open(job, &job.small, &path, Access::Write).map_err(failed)?;
        let all = [Piece { offset: 0, bytes: &content }];
        let own = if job.rank() == writer { &all[..] } else { &[] };
        session.call(|comm, file| file.write_all(comm, own)).map_err(failed)?;
        session.close().map_err(failed)?;
        has_bytes(job, &path, &content)?;
    }
    Ok(())
}

/// Each rank writes and reads alone.
fn independent<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, each) = (job.path("independent"), 10_000);
    let content = content(6, each * job.size());
    let own = job.rank() * each..(job.rank() + 1) * each;
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    session
        .call(|_, file| file.write_at(Piece { offset: own.start as u64, bytes: &content[own.clone()] }))
        .map_err(failed)?;
    session.close().map_err(failed)?;
    has_bytes(job, &path, &content)?;
    let mut session = open(job, &job.engine, &path, Access::Read).map_err(failed)?;
    session
        .call(|_, file| {
            let size = file.size()?;
            ensure(size == content.len() as u64, || format!("the size is {size}"))?;
            let mut bytes = vec![0; each];
            let number = file.read_at(PieceMut { offset: own.start as u64, bytes: &mut bytes })?;
            ensure((number, &bytes[..]) == (each, &content[own.clone()]), || "other bytes were read".into())?;
            // At the end of the file, and beyond it.
            let number = file.read_at(PieceMut { offset: size - 3, bytes: &mut bytes })?;
            ensure((number, &bytes[..3]) == (3, &content[content.len() - 3..]), || format!("{number} of 3"))?;
            let number = file.read_at(PieceMut { offset: size + 3, bytes: &mut bytes })?;
            ensure(number == 0, || format!("{number} bytes beyond the end of the file"))
        })
        .map_err(failed)?;
    session.close().map_err(failed)
}

/// Bytes that two ranks write, or one rank twice.
fn overlap<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("overlap");
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    let twice = [Piece { offset: 10, bytes: b"ab" }, Piece { offset: 11, bytes: b"ab" }];
    let own = if job.rank() + 1 == job.size() { &twice[..] } else { &[] };
    let outcome = session.call(|comm, file| file.write_all(comm, own));
    is_error(outcome, ErrorKind::Usage, "overlap")?;
    if job.size() > 1 && job.sees_overlaps {
        let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
        let own = if job.rank() < 2 { &twice[job.rank()..=job.rank()] } else { &[] };
        let outcome = session.call(|comm, file| file.write_all(comm, own));
        is_error(outcome, ErrorKind::Usage, "overlap")?;
    }
    Ok(())
}

fn wrong_order<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("wrong-order");
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    let pieces = if job.rank() == 0 {
        [Piece { offset: 90, bytes: b"ab" }, Piece { offset: 10, bytes: b"ab" }]
    } else {
        // The other ranks have bytes to write, and are not kept waiting.
        [Piece { offset: 100 + 4 * job.rank() as u64, bytes: b"ab" }, Piece { offset: 1 << 22, bytes: &[] }]
    };
    let outcome = session.call(|comm, file| file.write_all(comm, &pieces));
    is_error(outcome, ErrorKind::Usage, "order")?;
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    let beyond = [Piece { offset: (1 << 63) - 1, bytes: b"ab" }];
    let own = if job.rank() + 1 == job.size() { &beyond[..] } else { &[] };
    let outcome = session.call(|comm, file| file.write_all(comm, own));
    is_error(outcome, ErrorKind::Usage, "largest offset")
}

/// Reading beyond the end of the file, on one rank or all, in one piece or several.
fn end_of_file<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, length) = (job.path("end-of-file"), 1_500_000);
    if job.rank() == 0 {
        std::fs::write(&path, content(8, length)).map_err(|error| Fault::system(None, &error))?;
    }
    for (one, number) in [(true, 1), (false, 1), (true, 2), (false, 2)] {
        let mut session = open(job, &job.small, &path, Access::Read).map_err(failed)?;
        let mut room = vec![vec![0; 1000]; number];
        let outcome = session.call(|comm, file| {
            let has = !one || job.rank() + 1 == job.size();
            let mut pieces: Vec<_> = room
                .iter_mut()
                .enumerate()
                .map(|(i, bytes)| PieceMut {
                    offset: (length + 1001 + 2000 * i - 2000 * number) as u64,
                    bytes,
                })
                .filter(|_| has)
                .collect();
            file.read_all(comm, &mut pieces)
        });
        is_error(outcome, ErrorKind::File, "bytes are missing (at byte 1500000)")?;
    }
    Ok(())
}

fn no_such_file<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("none/none");
    is_error(open(job, &job.engine, &path, Access::Read), ErrorKind::System, "none/none")?;
    is_error(open(job, &job.engine, &path, Access::Write), ErrorKind::System, "none/none")
}

fn closed_after_error<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("closed");
    let mut session = open(job, &job.engine, &path, Access::Write).map_err(failed)?;
    let last = job.size() - 1;
    let outcome: Result<(), _> = session.call(|comm, file| {
        file.write_all(comm, &[])?;
        if job.rank() == last { Err(Fault::usage("a reason")) } else { Ok(()) }
    });
    is_error(outcome, ErrorKind::Usage, &format!("rank {last}: a reason"))?;
    let outcome = session.call(|comm, file| file.write_all(comm, &[]));
    is_error(outcome, ErrorKind::Usage, "a reason")?;
    is_error(session.close(), ErrorKind::Usage, "a reason")
}
