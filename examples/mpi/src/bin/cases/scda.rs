//! Cases of scda files. Sections and their division are the ones of the tests of `linkstream-parallel`.

#[allow(dead_code, unused_imports, reason = "the tests of another package use the rest")]
#[path = "../../../../parallel/tests/suite/scda/model.rs"]
mod model;

use linkstream::scda::Style;
use linkstream_mpi::World;
use linkstream_parallel::comm::{Comm, Message};
use linkstream_parallel::file::Engine;
use linkstream_parallel::scda::{Reader, SectionHeader};
use linkstream_parallel::{ErrorKind, Fault};

use super::support::{Case, Job, ensure, failed, is_error, same_bytes};
use model::{Part, read, sections, serial, write};

pub fn cases<E: Engine<World>>() -> Vec<Case<E>> {
    vec![
        Case { name: "scda-unix", run: |job| every_section(job, Style::Unix) },
        Case { name: "scda-mime", run: |job| every_section(job, Style::Mime) },
        Case { name: "scda-other-partition", run: other_partition },
        Case { name: "scda-skipped", run: skipped },
        Case { name: "scda-damaged", run: damaged },
        Case { name: "scda-truncated", run: truncated },
    ]
}

/// Sections of every type and encoding: the bytes of the serial writer, and the same data with another partition.
fn every_section<E: Engine<World>>(job: &Job<'_, E>, style: Style) -> Result<(), Fault> {
    for seed in 0..3 {
        let (path, sections) = (job.path("sections"), sections(seed));
        write(job.world, &job.small, &path, &sections, style, seed).map_err(failed)?;
        same_bytes(job, &path, &serial(&sections, style))?;
        let reader = Reader::open(job.world, &job.engine, &path, &Default::default()).map_err(failed)?;
        let parts = read(job.world, reader, true, seed + 50, false).map_err(failed)?;
        compare(job, parts, &sections)?;
    }
    Ok(())
}

/// Each rank reads another part of a serial file. Rank 0 puts the elements together.
fn compare<E>(job: &Job<'_, E>, parts: Vec<Part>, sections: &[model::Section]) -> Result<(), Fault> {
    let mut bytes = Vec::new();
    for Part { elements, .. } in &parts {
        let elements = elements.as_deref().unwrap_or_default();
        bytes.extend_from_slice(&(elements.len() as u64).to_le_bytes());
        for element in elements {
            bytes.extend_from_slice(&(element.len() as u64).to_le_bytes());
            bytes.extend_from_slice(element);
        }
    }
    let inbox = job.world.exchange(vec![Message { rank: 0, bytes }])?;
    if job.world.rank() != 0 {
        return Ok(());
    }
    let mut found: Vec<Vec<Vec<u8>>> = vec![Vec::new(); sections.len()];
    for Message { bytes, .. } in &inbox {
        let mut rest = bytes.as_slice();
        let mut next = |length: usize| {
            let part;
            (part, rest) = rest.split_at(length.min(rest.len()));
            part.to_vec()
        };
        let number = |bytes: Vec<u8>| u64::from_le_bytes(bytes.try_into().unwrap_or_default()) as usize;
        for section in &mut found {
            for _ in 0..number(next(8)) {
                let length = number(next(8));
                section.push(next(length));
            }
        }
    }
    for (found, section) in found.iter().zip(sections) {
        ensure(*found == section.elements, || format!("other elements of {section:?}"))?;
    }
    Ok(())
}

fn other_partition<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, sections) = (job.path("serial"), sections(4));
    job.write_alone(&path, &serial(&sections, Style::Unix))?;
    for seed in 0..3 {
        let reader = Reader::open(job.world, &job.engine, &path, &Default::default()).map_err(failed)?;
        compare(job, read(job.world, reader, true, seed, false).map_err(failed)?, &sections)?;
    }
    Ok(())
}

/// Some ranks skip data. A query skips all of them.
fn skipped<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, sections) = (job.path("skipped"), sections(5));
    job.write_alone(&path, &serial(&sections, Style::Unix))?;
    for seed in 0..3 {
        let reader = Reader::open(job.world, &job.engine, &path, &Default::default()).map_err(failed)?;
        let parts = read(job.world, reader, true, seed, true).map_err(failed)?;
        ensure(parts.len() == sections.len(), || format!("{} sections", parts.len()))?;
    }
    let mut reader = Reader::open(job.world, &job.engine, &path, &Default::default()).map_err(failed)?;
    let mut headers: Vec<SectionHeader> = Vec::new();
    reader.query(true, |header| headers.push(header.clone())).map_err(failed)?;
    let is_same = headers
        .iter()
        .map(|header| header.section_type)
        .eq(sections.iter().map(|section| section.section_type));
    ensure(is_same, || format!("{headers:?}"))?;
    reader.close().map_err(failed)
}

/// A changed byte in compressed data is an error with rule and offset on all ranks.
fn damaged<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let (path, sections) = (job.path("damaged"), sections(6));
    let sections: Vec<_> = sections.into_iter().filter(|section| section.encode).collect();
    let mut bytes = serial(&sections, Style::Unix);
    let at = bytes.len() - 100;
    bytes[at] ^= 1;
    job.write_alone(&path, &bytes)?;
    let reader = Reader::open(job.world, &job.engine, &path, &Default::default()).map_err(failed)?;
    let outcome = read(job.world, reader, true, 1, false);
    let has_place = outcome.as_ref().is_err_and(|error| {
        !error.fault.rule.is_empty()
            && error.fault.offset.is_some_and(|offset| offset.abs_diff(at as u64) < 200)
    });
    ensure(has_place, || format!("{outcome:?}, but byte {at} was changed"))?;
    is_error(outcome, ErrorKind::File, "")
}

fn truncated<E: Engine<World>>(job: &Job<'_, E>) -> Result<(), Fault> {
    let path = job.path("truncated");
    let bytes = serial(&sections(7), Style::Unix);
    for end in [100, 130, bytes.len() / 2, bytes.len() - 1] {
        job.write_alone(&path, &bytes[..end])?;
        let reader = Reader::open(job.world, &job.engine, &path, &Default::default());
        let outcome = reader.and_then(|reader| read(job.world, reader, true, 1, false));
        is_error(outcome, ErrorKind::File, "")?;
    }
    Ok(())
}
