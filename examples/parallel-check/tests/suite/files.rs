//! Every file has the report of one process, whatever the number of ranks.

use std::path::{Path, PathBuf};

use linkstream::field::Form;
use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision};
use linkstream_parallel::comm::{Comm, Solo, Threads};
use linkstream_parallel::field::{FieldWriter, Grid, Layout, Sites};
use linkstream_parallel::file::{Direct, Engine, IoRanks, SystemDisk};
use linkstream_parallel_check::{Settings, file};
use linkstream_report::options::Options;
use linkstream_report::report::Report;

use crate::support::{OPTIONS, fixtures, json, serial};

/// Small windows, and data of any length are divided.
fn settings(options: &Options) -> Settings<'_> {
    Settings { window: 1000, least: 0, ..Settings::new(options) }
}

/// JSON and debug output of the report on rank 0, which has more than the JSON. NaN is not equal to itself.
fn shown(report: &Report) -> (String, String) {
    (json(report), format!("{report:?}"))
}

fn reports<C: Comm>(
    comm: &C,
    engine: &impl Engine<C>,
    paths: &[PathBuf],
    options: &Options,
) -> Vec<(String, String)> {
    let mut reports = Vec::new();
    for path in paths {
        let report = file(comm, engine, path, "file", &settings(options)).expect("the file can be read");
        assert_eq!(report.is_some(), comm.rank() == 0);
        reports.extend(report.as_ref().map(shown));
    }
    reports
}

#[track_caller]
fn assert_reports(paths: &[PathBuf], ranks: &[usize], options: &Options, with_io_ranks: bool) {
    let expected: Vec<_> = paths
        .iter()
        .map(|path| shown(&serial(&std::fs::read(path).expect("the file"), "file", options)))
        .collect();
    let compare = |found: &[(String, String)], what: &str| {
        assert_eq!(found.len(), paths.len());
        for ((found, expected), path) in found.iter().zip(&expected).zip(paths) {
            assert_eq!(found, expected, "{} {what}", path.display());
        }
    };
    for ranks in ranks {
        let found =
            Threads::new(*ranks).run(|comm| reports(comm, &Direct::<SystemDisk>::default(), paths, options));
        compare(&found[0], &format!("on {ranks} ranks"));
        if with_io_ranks {
            let found = Threads::on_nodes(*ranks, 2).run(|comm| {
                let engine = IoRanks::new(comm, SystemDisk).expect("threads communicate");
                reports(comm, &engine, paths, options)
            });
            compare(&found[0], &format!("on {ranks} ranks, two on a node"));
        }
    }
}

#[test]
fn every_fixture_on_every_number_of_ranks() {
    let paths = fixtures();
    assert_reports(&paths, &[1, 2, 3, 4, 7], &OPTIONS, false);
}

#[test]
fn every_fixture_by_io_ranks() {
    let paths = fixtures();
    assert_reports(&paths, &[1, 3], &Options { slices: false, ..OPTIONS }, true);
    assert_reports(&paths, &[4], &Options { observables: false, lenient: true, ..OPTIONS }, true);
}

/// A configuration with enough slices for several ranks.
fn sample() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime")
}

#[test]
fn a_sample_cut_short_and_with_bits_flipped() {
    let content = std::fs::read(sample()).expect("the sample");
    let folder = tempfile::tempdir().expect("a folder");
    let mut paths = vec![sample()];
    let mut add = |name: String, bytes: &[u8]| {
        let path = folder.path().join(name);
        std::fs::write(&path, bytes).expect("the folder takes it");
        paths.push(path);
    };
    let length = content.len();
    for end in [0, 1, 100, 144, 1000, length / 3, length / 2, length - 200, length - 1] {
        add(format!("cut{end}"), &content[..end]);
    }
    for at in (0..length).step_by(length / 40) {
        let mut damaged = content.clone();
        damaged[at] ^= 1 << (at % 8);
        add(format!("flipped{at}"), &damaged);
    }
    // Links that do not exist, where they must and where they need not.
    for at in [length / 2, length - 30_000] {
        let mut damaged = content.clone();
        damaged[at..at + 3000].fill(0);
        add(format!("zeros{at}"), &damaged);
    }
    add("twice".to_owned(), &content.repeat(2));
    assert_reports(&paths, &[1, 2, 5, 8, 9], &OPTIONS, true);
}

/// Writes a gauge field of 12x12x12x8 sites, whose links are 1.
fn large(path: &Path) {
    let lattice = Extents::new(&[12, 12, 12, 8]).expect("a lattice");
    let grid = Grid::new(&lattice, &[1]).expect("a grid");
    let engine = Direct::<SystemDisk>::default();
    let mut file = FieldWriter::create(&Solo, &engine, path, Layout::grid(&grid, 0)).expect("a file");
    let links = Sites::new(|_, numbers: &mut [f32]| {
        // Real parts of the diagonal elements.
        numbers.chunks_mut(18).for_each(|link| link.iter_mut().step_by(8).for_each(|number| *number = 1.0));
        Ok(())
    });
    file.gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, links).expect("the field is written");
    file.finish().expect("the file is written");
}

#[test]
fn data_are_read_by_all_ranks() {
    use linkstream_parallel::file::{Faulty, Request};
    let folder = tempfile::tempdir().expect("a folder");
    let path = folder.path().join("large");
    large(&path);
    let bytes = Threads::new(4).run(|comm| {
        let disk = Faulty::new(SystemDisk, None);
        let engine = Direct { disk: disk.clone() };
        file(comm, &engine, &path, "file", &settings(&OPTIONS)).expect("the file can be read");
        disk.requests().bytes(Request::Read)
    });
    // Each rank reads two of eight time slices and the next one. The first rank reads the documents as well, by a
    // buffer that reads ahead.
    let slice = 12 * 12 * 12 * 4 * 18 * 4;
    assert!(bytes[1..].iter().all(|bytes| *bytes == 3 * slice), "{bytes:?}");
    assert!((3 * slice..5 * slice).contains(&bytes[0]), "{bytes:?}");
}

#[test]
fn files_that_cannot_be_opened() {
    let folder = tempfile::tempdir().expect("a folder");
    let missing = folder.path().join("missing");
    for (path, expected) in
        [(missing.as_path(), "No such file or directory"), (folder.path(), "is a directory")]
    {
        let errors = Threads::new(3).run(|comm| {
            let engine = Direct::<SystemDisk>::default();
            file(comm, &engine, path, "file", &settings(&OPTIONS)).expect_err("no file")
        });
        assert!(errors.iter().all(|error| *error == errors[0] && error.rank == 0), "{errors:?}");
        assert_eq!(linkstream_parallel_check::reason(&errors[0], path), expected);
        let alone = file(&Solo, &Direct::<SystemDisk>::default(), path, "file", &settings(&OPTIONS));
        assert_eq!(alone.expect_err("no file"), errors[0]);
    }
}
