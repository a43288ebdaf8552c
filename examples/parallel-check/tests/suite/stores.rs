//! The manifest of a store is the same on any number of ranks.

use std::fs;
use std::path::Path;
use std::time::SystemTime;

use host_tests::stores;
use host_tests::troubles;
use linkstream_access::store::walk;
use linkstream_parallel::comm::Threads;
use linkstream_parallel_check::store;
use linkstream_report::ensemble::changes::{Kind, Now, compare};
use linkstream_report::ensemble::manifest::{Entries, write};
use linkstream_report::ensemble::read::{Reader, units};
use linkstream_report::ensemble::stamp::Stamp;
use linkstream_report::ensemble::store::LeftOut;

const NOTHING: LeftOut<'_> = LeftOut { by_name: &|_| false, own: &[], min_age: None };

fn put(root: &Path, files: &stores::Store) {
    for (name, bytes) in files {
        let path = root.join(name);
        fs::create_dir_all(path.parent().expect("a directory")).expect("writable");
        if fs::read(&path).ok().as_ref() != Some(bytes) {
            fs::write(path, bytes).expect("writable");
        }
    }
}

fn reader() -> Reader {
    Reader::like(&Entries::new(), Vec::new(), true)
}

/// The store as many ranks read it; rank 0 has it.
fn read(ranks: usize, root: &Path, old: &Entries, scrub: Option<u32>, present: Stamp) -> Now {
    let mut all = Threads::new(ranks).run(|comm| {
        let (none, left_out) = (Entries::new(), NOTHING);
        let old = if linkstream_parallel::comm::Comm::rank(comm) == 0 { old } else { &none };
        store(comm, root, &reader(), old, scrub, left_out, present).expect("threads communicate")
    });
    assert!(all[1..].iter().all(Option::is_none));
    all.swap_remove(0).expect("rank 0 has the entries")
}

fn manifest(entries: &Entries) -> String {
    let mut bytes = Vec::new();
    write(entries.values(), &mut bytes).expect("memory takes it");
    String::from_utf8(bytes).expect("text")
}

#[test]
fn the_manifest_has_the_same_bytes_on_every_number_of_ranks() {
    let folder = tempfile::tempdir().expect("a temporary directory");
    let root = folder.path();
    let mut files = stores::store(7);
    put(root, &files);
    // A file set, which one rank reads.
    let sets = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../host-tests/fixtures/qio");
    let mut volumes = 0;
    for entry in fs::read_dir(sets.join("multi")).expect("a directory of the fixtures") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").to_string_lossy().into_owned();
        if name.contains(".vol0") {
            fs::copy(&path, root.join(name)).expect("writable");
            volumes += 1;
        }
    }
    assert!(volumes > 3, "{volumes}");
    let present = Stamp::of(SystemTime::now()).expect("a time");
    let found = walk(root, |_| false).expect("a directory");
    let serial: Entries = units(&found.files)
        .iter()
        .flat_map(|unit| reader().read_at(unit, present))
        .map(|entry| (entry.name.clone(), entry))
        .collect();
    let serial = manifest(&serial);
    assert!(serial.lines().count() > 85 && serial.contains("\"set\":"), "{serial}");
    let mut first = Now::default();
    for ranks in [1, 2, 3, 7] {
        first = read(ranks, root, &Entries::new(), None, present);
        assert!(manifest(&first.read) == serial, "{ranks} ranks");
    }
    // Changes, too. Files that were modified within the last two seconds are not trusted.
    troubles::change(&mut files, 7);
    for name in stores::store(7).keys().filter(|name| !files.contains_key(*name)) {
        fs::remove_file(root.join(name)).expect("writable");
    }
    put(root, &files);
    let changes = |ranks| {
        let changes = compare(&first.read, &read(ranks, root, &first.read, Some(1), present));
        let list =
            changes.list.iter().map(|change| format!("{} {:?} {:?}", change.name, change.kind, change.part));
        (list.collect::<Vec<_>>(), changes.list.iter().filter(|change| change.kind == Kind::Gone).count())
    };
    let (list, gone) = changes(1);
    assert!(list.len() > 35 && gone == 4, "{list:?}");
    for ranks in [2, 5] {
        assert_eq!(changes(ranks), (list.clone(), gone), "{ranks} ranks");
    }
}

#[test]
fn all_ranks_get_the_error_of_a_directory_that_is_not_there() {
    let errors = Threads::new(3).run(|comm| {
        let present = Stamp::EPOCH;
        let read =
            store(comm, Path::new("/does/not/exist"), &reader(), &Entries::new(), None, NOTHING, present);
        read.err().map(|error| error.fault.message)
    });
    let [first, others @ ..] = &errors[..] else { panic!("no rank") };
    assert_eq!(first.as_deref(), Some("/does/not/exist: No such file or directory"));
    assert!(others.iter().all(|other| other == first));
}
