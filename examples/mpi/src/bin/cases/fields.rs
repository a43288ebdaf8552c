//! Cases of lattice fields. Fields and grids are the ones of the tests of `linkstream-parallel`.

use linkstream::field::Form;
use linkstream::lattice::Precision;
use linkstream_heatbath::job::{Job as Simulation, Parameters};
use linkstream_mpi::World;
use linkstream_parallel::comm::Comm;
use linkstream_parallel::field::Grid;
use linkstream_parallel::file::Engine;
use linkstream_parallel::{ErrorKind, Fault};

use super::model::support::{GRIDS, Memory, What, lattice, mixed, read, serial, write};
use super::support::{Case, Job, ensure, failed, is_error, same_bytes};

pub fn cases<E: Engine<World>>() -> Vec<Case<E>> {
    vec![
        Case { name: "fields-one-round", run: |job| every_grid(job, Memory::F32, 8 << 20) },
        Case { name: "fields-rounds-verified", run: |job| every_grid(job, Memory::F64, 12_000) },
        Case { name: "fields-any-order", run: |job| every_grid(job, Memory::Shuffled, 20_000) },
        Case { name: "fields-by-function", run: |job| every_grid(job, Memory::Function, 20_000) },
        Case { name: "field-forms", run: forms },
        Case { name: "field-damaged", run: damaged },
        Case { name: "field-truncated", run: truncated },
        Case { name: "heatbath-restart", run: restart },
    ]
}

/// Grids of at most this many ranks: boxes that do not divide the lattice, ranks without sites, surplus ranks.
pub fn grids<E: Engine<World>>(job: &Job<'_, E>) -> Result<Vec<Grid>, Fault> {
    let grids: Result<Vec<_>, _> =
        GRIDS.iter().map(|(_, _, extents)| Grid::new(&lattice(), extents)).collect();
    Ok(grids?.into_iter().filter(|grid| grid.ranks() <= job.world.size()).collect())
}

fn every_grid<E: Engine<World>>(job: &Job<'_, E>, held: Memory, memory: usize) -> Result<(), Fault> {
    let (path, fields) = (job.path("fields"), mixed());
    let (expected, grids) = (serial(&fields), grids(job)?);
    for (n, grid) in grids.iter().enumerate() {
        write(job.world, &job.small, &path, grid, &fields, held, memory).map_err(failed)?;
        same_bytes(job, &path, &expected)?;
        let other = &grids[(n + 1) % grids.len()];
        let verdicts = read(job.world, &job.engine, &path, other, &fields, held, memory).map_err(failed)?;
        ensure(verdicts.iter().all(|verdict| verdict.is_match()), || format!("{verdicts:?}"))?;
    }
    Ok(())
}

fn forms<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("form");
    let grid = grids(job)?.pop().ok_or_else(|| Fault::usage("there is a grid for one rank"))?;
    for form in [Form::Scidac, Form::Ildg, Form::Both] {
        for precision in [Precision::F32, Precision::F64] {
            let fields = [What::Gauge(precision, form)];
            write(job.world, &job.engine, &path, &grid, &fields, Memory::F32, 30_000).map_err(failed)?;
            same_bytes(job, &path, &serial(&fields))?;
        }
    }
    Ok(())
}

/// A changed bit of the data is a checksum mismatch on all ranks.
fn damaged<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, fields) = (job.path("damaged-field"), [What::Gauge(Precision::F32, Form::Both)]);
    let mut bytes = serial(&fields);
    let middle = bytes.len() / 2;
    bytes[middle] ^= 4;
    job.write_alone(&path, &bytes)?;
    let grid = Grid::new(&lattice(), &[1, 1, 1, 1])?;
    let mut file =
        linkstream_parallel::field::FieldReader::open(job.world, &job.engine, &path).map_err(failed)?;
    let layout = linkstream_parallel::field::Layout::grid(&grid, job.world.rank());
    let mut numbers = vec![0.0_f64; layout.sites() as usize * 72];
    let outcome = file.read(0, &layout, &mut numbers[..]);
    let rule = outcome.as_ref().err().map(|error| error.fault.rule.clone()).unwrap_or_default();
    ensure(rule.contains("checksum"), || format!("{outcome:?}"))?;
    is_error(outcome, ErrorKind::File, "")
}

fn truncated<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, fields) = (job.path("truncated-field"), [What::Gauge(Precision::F32, Form::Both)]);
    let bytes = serial(&fields);
    for end in [0, 100, bytes.len() / 2, bytes.len() - 1] {
        job.write_alone(&path, &bytes[..end])?;
        let opened = linkstream_parallel::field::FieldReader::open(job.world, &job.engine, &path);
        is_error(opened, ErrorKind::File, "")?;
    }
    Ok(())
}

/// A simulation that is restarted from a checkpoint has the same links as one without an interruption. The expected
/// bytes were written by one rank: by rank 0, alone.
fn restart<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    use linkstream_parallel::comm::Solo;
    use linkstream_parallel::file::{Direct, SystemDisk};

    let parameters = Parameters { extents: [4, 2, 4, 6], beta: 5.7, seed: 11 };
    let [half, whole, alone] = ["half.scda", "whole.scda", "alone.scda"].map(|name| job.path(name));
    let mut simulation = Simulation::cold(job.world, parameters).map_err(failed)?;
    simulation.sweep()?;
    simulation.checkpoint(&job.engine, &half).map_err(failed)?;
    let mut simulation = Simulation::restart(job.world, &job.engine, &half).map_err(failed)?;
    simulation.sweep()?;
    simulation.checkpoint(&job.engine, &whole).map_err(failed)?;
    let configuration = job.path("configuration.lime");
    simulation.write_configuration(&job.engine, &configuration).map_err(failed)?;
    if job.world.rank() != 0 {
        return Ok(());
    }
    let engine = Direct::<SystemDisk>::default();
    let mut serial = Simulation::cold(&Solo, parameters).map_err(failed)?;
    (0..2).try_for_each(|_| serial.sweep())?;
    serial.checkpoint(&engine, &alone).map_err(failed)?;
    serial.write_configuration(&engine, &job.path("alone.lime")).map_err(failed)?;
    for (one, other) in [(whole, alone), (configuration, job.path("alone.lime"))] {
        let read = |path| std::fs::read(path).map_err(|error| Fault::system(None, &error));
        ensure(read(&one)? == read(&other)?, || format!("{} differs", one.display()))?;
    }
    Ok(())
}
