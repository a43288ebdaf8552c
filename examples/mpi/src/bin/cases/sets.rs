//! Cases of QIO file sets. Their volumes are files of the system with every engine.

use std::collections::BTreeMap;
use std::path::Path;

use linkstream::scidac::VolumeFormat;
use linkstream_mpi::World;
use linkstream_parallel::Fault;
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::field::Volumes;
use linkstream_parallel::file::{Engine, SystemDisk};

use super::fields::grids;
use super::model::set_support::{List, path_of, read, serial, write};
use super::model::support::{Memory, lattice, layout, mixed, numbers};
use super::support::{Case, Job, ensure, failed};

pub fn cases<E: Engine<World>>() -> Vec<Case<E>> {
    vec![
        Case {
            name: "set-each-rank",
            run: |job| every_grid(job, "rank", &|job| Volumes::each_rank(job.world), 20_000),
        },
        Case {
            name: "set-each-node",
            run: |job| every_grid(job, "node", &|job| Volumes::each_node(job.world), 7_000),
        },
        Case {
            name: "set-families",
            run: |job| {
                let last = |job: &Job<'_, E>| (job.rank() / 3 * 3 + 2).min(job.size() - 1);
                every_grid(job, "family", &|job| Volumes::of_family(last(job)).in_directories(), 8 << 20)
            },
        },
    ]
}

/// Writes a set from each grid, compares it with the one of the serial writer, and reads it on another grid.
fn every_grid<E: Engine<World>>(
    job: &Job<'_, E>,
    case: &str,
    volumes: &dyn Fn(&Job<'_, E>) -> Volumes,
    memory: usize,
) -> Result<(), Fault> {
    let (fields, grids, rank) = (mixed(), grids(job)?, job.rank());
    let volumes = volumes(job);
    // The rank that writes for each rank.
    let mut writers = vec![0; job.size()];
    writers[rank] = volumes.io_rank() as u64;
    job.world.combine(linkstream_parallel::comm::Op::Max, &mut writers)?;
    for (n, grid) in grids.iter().enumerate() {
        let [own, expected] = ["ranks", "alone"].map(|name| job.path(&format!("{case}-{name}-{n}")));
        let [path, alone] = [&own, &expected].map(|directory| directory.join("set.lime"));
        let mut lists = BTreeMap::<u64, Vec<u64>>::new();
        for site in 0..lattice().sites() {
            let owner = lattice().coordinates(site).map_or(0, |site| grid.rank_of(&site));
            lists.entry(writers[owner]).or_default().push(site);
        }
        let lists: Vec<List> = lists.into_iter().collect();
        let made = if rank == 0 { std::fs::create_dir_all(&own) } else { Ok(()) };
        agree(job.world, made.map_err(|error| Fault::system(None, &error))).map_err(failed)?;
        if rank == 0 {
            serial(&alone, &fields, &lists, volumes.format());
        }
        let held = if n % 2 == 0 { Memory::F64 } else { Memory::Shuffled };
        let data = |field: &_| numbers(grid, rank, field, held);
        let how = (volumes, memory, n % 2 == 0);
        write(job.world, SystemDisk, &path, layout(grid, rank, held), data, &fields, how).map_err(failed)?;
        let same = if rank == 0 { same_volumes(&path, &alone, &lists, volumes.format()) } else { Ok(()) };
        agree(job.world, same).map_err(failed)?;
        let other = &grids[(n + 1) % grids.len()];
        let verdicts = read(job.world, SystemDisk, &path, other, &fields, held, memory).map_err(failed)?;
        ensure(verdicts.iter().all(|verdict| verdict.is_match()), || format!("{verdicts:?}"))?;
    }
    Ok(())
}

/// Compares all volumes of two sets, and that there are no others.
fn same_volumes(path: &Path, alone: &Path, lists: &[List], format: VolumeFormat) -> Result<(), Fault> {
    let system = |error| Fault::system(None, &error);
    for (number, _) in lists {
        let [found, expected] = [path, alone].map(|set| std::fs::read(path_of(set, format, *number)));
        ensure(found.map_err(system)? == expected.map_err(system)?, || format!("volume {number} differs"))?;
    }
    let [found, expected] = [path, alone]
        .map(|set| set.parent().map_or(0, |parent| std::fs::read_dir(parent).map_or(0, Iterator::count)));
    ensure(found == expected, || format!("{found} files instead of {expected}"))
}
