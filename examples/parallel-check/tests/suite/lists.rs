//! Lists of files have the reports of one process, in their order.

use std::path::{Path, PathBuf};

use linkstream_access::set::{Meaning, Meanings, alone, numbered};
use linkstream_parallel::comm::{Comm, Threads};
use linkstream_parallel::file::{Direct, Faulty, Injection, IoRanks, SystemDisk};
use linkstream_parallel_check::{Item, Settings, Volumes, list};
use linkstream_report::report::Report;

use crate::support::{OPTIONS, fixtures, json, serial};

fn size(path: &Path) -> u64 {
    std::fs::metadata(path).map_or(0, |about| about.len())
}

/// All fixtures: single files, file sets as one file, and each volume by itself.
fn items() -> Vec<Item> {
    let (mut meanings, mut seen, mut items) = (Meanings::default(), Vec::new(), Vec::new());
    for path in fixtures() {
        let single = Item { bytes: size(&path), path: path.clone(), volumes: Volumes::None };
        match meanings.of(&path).expect("the folder can be read") {
            Meaning::File => items.push(single),
            Meaning::Volume => items.push(Item { volumes: Volumes::Set(alone(&path)), ..single }),
            Meaning::Set(set) => {
                items.push(Item { volumes: Volumes::Alone(alone(&path)), ..single });
                if !seen.contains(&set.path()) {
                    let volumes = numbered(&set).expect("the folder can be read");
                    let bytes = volumes.iter().map(|(_, path)| size(path)).sum();
                    items.push(Item { path: set.path(), bytes, volumes: Volumes::Set(volumes) });
                    seen.push(set.path());
                }
            }
        }
    }
    assert!(seen.len() > 3, "only {} sets", seen.len());
    items.push(Item { path: PathBuf::from("/does/not/exist"), bytes: 0, volumes: Volumes::None });
    items
}

fn present(_: &Item, report: Result<Report, String>) -> Vec<u8> {
    report.map_or_else(|error| format!("unreadable: {error}"), |report| json(&report)).into_bytes()
}

/// The results on rank 0.
fn results(ranks: usize, items: &[Item], settings: &Settings<'_>, most: usize) -> Vec<(PathBuf, String)> {
    let mut all = Threads::on_nodes(ranks, 2).run(|comm| {
        let engine = IoRanks::new(comm, SystemDisk).expect("threads communicate");
        let mut found = Vec::new();
        let mine = if comm.rank() == 0 { items } else { &[] };
        list(comm, &engine, &SystemDisk, mine, settings, present, |item, result| {
            found.push((item.path.clone(), String::from_utf8(result).expect("text")));
            found.len() < most
        })
        .expect("threads communicate");
        found
    });
    assert!(all[1..].iter().all(Vec::is_empty));
    all.swap_remove(0)
}

#[test]
fn all_fixtures_in_order_on_every_number_of_ranks() {
    let items = items();
    let settings = Settings { window: 5000, least: 0, ..Settings::new(&OPTIONS) };
    let one = results(1, &items, &settings, usize::MAX);
    assert!(one.iter().map(|(path, _)| path).eq(items.iter().map(|item| &item.path)));
    let mut sets = 0;
    for ((_, found), item) in one.iter().zip(&items) {
        if item.volumes != Volumes::None {
            sets += usize::from(found.contains(r#""verdict":"ok""#));
        } else if item.bytes == 0 && !item.path.exists() {
            assert_eq!(found, "unreadable: No such file or directory");
        } else {
            let content = std::fs::read(&item.path).expect("the fixture");
            assert_eq!(*found, json(&serial(&content, &item.path.display().to_string(), &OPTIONS)));
        }
    }
    assert!(sets > 3, "only {sets} sets are intact");
    for ranks in [2, 3, 7] {
        assert_eq!(results(ranks, &items, &settings, usize::MAX), one, "{ranks} ranks");
    }
    assert_eq!(results(3, &items, &settings, 5), one[..5]);
    assert_eq!(results(3, &[], &settings, 5), []);
}

#[test]
fn large_files_are_divided_and_small_ones_queued() {
    use linkstream_parallel::file::Request;
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime");
    let folder = tempfile::tempdir().expect("a folder");
    // The message of the sample many times: a file of 17 MB.
    let large = folder.path().join("large");
    let content = std::fs::read(&sample).expect("the sample");
    std::fs::write(&large, content.repeat((17 << 20) / content.len() + 1)).expect("the folder takes it");
    let item = |path: &Path| Item { path: path.to_owned(), bytes: size(path), volumes: Volumes::None };
    let items = [item(&sample), item(&large), item(&sample)];
    let settings = Settings { least: 0, ..Settings::new(&OPTIONS) };
    let found = Threads::new(3).run(|comm| {
        let (shared, own) = (Faulty::new(SystemDisk, None), Faulty::new(SystemDisk, None));
        let engine = Direct { disk: shared.clone() };
        let mut results = Vec::new();
        list(comm, &engine, &own, &items, &settings, present, |_, result| {
            results.push(String::from_utf8(result).expect("text"));
            true
        })
        .expect("threads communicate");
        (results, shared.requests().bytes(Request::Read), own.requests().count(Request::Open))
    });
    for (result, item) in found[0].0.iter().zip(&items) {
        let content = std::fs::read(&item.path).expect("the file");
        assert_eq!(*result, json(&serial(&content, &item.path.display().to_string(), &OPTIONS)));
    }
    assert!(found.iter().all(|(_, shared, _)| *shared > 4 << 20), "all ranks read the large file");
    assert_eq!(found.iter().map(|(.., opened)| opened).sum::<usize>(), 2);
}

#[test]
fn a_file_that_cannot_be_read_is_one_result() {
    let sample = Path::new(env!("CARGO_MANIFEST_DIR")).join("../su3-4x4x4x8.lime");
    let item = |bytes| Item { path: sample.clone(), bytes, volumes: Volumes::None };
    let items = [item(3), item(2), item(1)];
    let settings = Settings { window: 5000, least: 0, ..Settings::new(&OPTIONS) };
    let mut requests = 3;
    for request in 0..12 {
        let found = Threads::new(2).run(|comm| {
            // Rank 0 reads the first file alone.
            let fault = Some((request, Injection::Error(5))).filter(|_| comm.rank() == 0);
            let disk = Faulty::new(SystemDisk, fault);
            let (engine, mut results) = (Direct { disk: SystemDisk }, Vec::new());
            list(comm, &engine, &disk, &items, &settings, present, |_, result| {
                results.push(result);
                true
            })
            .expect("threads communicate");
            results
        });
        assert!(found[0][0] == b"unreadable: Input/output error", "request {request}");
        assert!(found[0][1..].iter().all(|result| result.starts_with(b"{")), "request {request}");
        requests += 1;
    }
    assert!(requests > 10);
}
