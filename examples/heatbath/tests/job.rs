//! Simulations with threads as ranks: checkpoints, and restarts on other numbers of ranks.

use std::path::Path;

use linkstream_heatbath::job::{Job, Parameters};
use linkstream_parallel::Error;
use linkstream_parallel::comm::{Solo, Threads};
use linkstream_parallel::file::{Direct, IoRanks, SystemDisk};

const PARAMETERS: Parameters = Parameters { extents: [4, 4, 2, 6], beta: 5.8, seed: 7 };

/// Sweeps on this many ranks. The simulation begins with a checkpoint or cold, and ends with one.
fn run(ranks: usize, sweeps: usize, from: Option<&Path>, to: &Path) {
    for outcome in Threads::on_nodes(ranks, 2).run(|comm| -> Result<(), Error> {
        let engine = IoRanks::new(comm, SystemDisk).expect("threads can communicate");
        let mut job = match from {
            Some(from) => Job::restart(comm, &engine, from)?,
            None => Job::cold(comm, PARAMETERS)?,
        };
        for _ in 0..sweeps {
            job.sweep().expect("threads can communicate");
        }
        job.checkpoint(&engine, to)?;
        job.write_configuration(&engine, &to.with_extension("lime"))
    }) {
        outcome.unwrap();
    }
}

#[test]
fn a_restart_on_another_number_of_ranks_gives_the_same_bytes() {
    let folder = tempfile::tempdir().unwrap();
    let path = |name: &str| folder.path().join(name);
    run(1, 4, None, &path("whole.scda"));
    let expected = [std::fs::read(path("whole.scda")).unwrap(), std::fs::read(path("whole.lime")).unwrap()];
    // Seven ranks: one has no time slice.
    for (before, after) in [(1, 2), (2, 3), (3, 1), (4, 7), (7, 4)] {
        run(before, 2, None, &path("half.scda"));
        assert_ne!(std::fs::read(path("half.lime")).unwrap(), expected[1]);
        run(after, 2, Some(&path("half.scda")), &path("again.scda"));
        let found = [std::fs::read(path("again.scda")).unwrap(), std::fs::read(path("again.lime")).unwrap()];
        assert!(found == expected, "{before} ranks, then {after}");
    }
}

#[test]
fn other_and_damaged_files_are_refused_on_all_ranks() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("checkpoint.scda");
    run(2, 1, None, &path);
    let good = std::fs::read(&path).unwrap();
    let mut damaged = good.clone();
    let middle = damaged.len() / 2;
    // Not one of the bytes that end a line, which have no meaning.
    let middle = (middle..).find(|at| good[*at].is_ascii_alphanumeric()).unwrap();
    damaged[middle] ^= 1;
    let other = std::fs::read(path.with_extension("lime")).unwrap();
    for bytes in [&damaged, &good[..good.len() - 64].to_vec(), &other] {
        std::fs::write(&path, bytes).unwrap();
        let outcomes = Threads::new(3).run(|comm| {
            let engine = IoRanks::new(comm, SystemDisk).expect("threads can communicate");
            Job::restart(comm, &engine, &path).map(|job| job.sweeps())
        });
        assert!(
            outcomes[0].is_err() && outcomes.iter().all(|outcome| *outcome == outcomes[0]),
            "{outcomes:?}"
        );
    }
    // Changed parameters are noticed, and no change requests memory for a lattice that the file does not have.
    let engine = Direct::<SystemDisk>::default();
    for at in (0..600).step_by(3) {
        for bit in [1, 8, 64] {
            let mut damaged = good.clone();
            damaged[at] ^= bit;
            std::fs::write(&path, &damaged).unwrap();
            if let Ok(job) = Job::restart(&Solo, &engine, &path) {
                assert_eq!((job.parameters(), job.sweeps()), (PARAMETERS, 1), "byte {at}, {bit}");
            }
        }
    }
    let odd = Parameters { extents: [4, 3, 4, 4], ..PARAMETERS };
    assert!(Job::cold(&Solo, odd).is_err());
    for beta in [f64::NAN, f64::INFINITY, -1.0, 1e300] {
        assert!(Job::cold(&Solo, Parameters { beta, ..PARAMETERS }).is_err(), "{beta}");
    }
    let huge = Parameters { extents: [1 << 31, 1 << 20, 2, 2], ..PARAMETERS };
    assert!(Job::cold(&Solo, huge).unwrap_err().to_string().contains("memory"));
    assert!(Job::restart(&Solo, &Direct::<SystemDisk>::default(), &folder.path().join("absent")).is_err());
}
