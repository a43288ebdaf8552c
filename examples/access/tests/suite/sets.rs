//! Tests of sets that are read as the single file with the same fields.

use std::io::{self, Read as _, Seek as _, SeekFrom};
use std::sync::Arc;

use host_tests::fixtures::Fixtures;
use linkstream::lattice::Region;
use linkstream_access::set::{SetAsFile, SetFault, VolumeSource};
use linkstream_access::{Error, File, FileSource, Selection, Verify};

use crate::support::Memory;

type Volume = VolumeSource<'static, io::Error>;

fn files(set: &str, numbers: &[u64]) -> Vec<Arc<Memory>> {
    let file = |number| Memory::new(Fixtures::Ours.read(&format!("{set}.vol{number:04}")));
    numbers.iter().map(file).collect()
}

fn sources(files: &[Arc<Memory>], numbers: &[u64]) -> Vec<Volume> {
    let source = |(file, number): (&Arc<Memory>, &u64)| VolumeSource {
        name: format!("volume {number}"),
        number: Some(*number),
        source: file.clone(),
    };
    files.iter().zip(numbers).map(source).collect()
}

/// With fields, hypercubes and global data, and volumes in any order.
#[test]
fn a_set_is_the_file_that_it_was_made_of() {
    let expected = Fixtures::Ours.read("qio/convert/sci_single.lime");
    for numbers in [[0, 1, 2, 3], [3, 0, 2, 1]] {
        let files = files("qio/convert/sci_part4.lime", &numbers);
        let mut set = SetAsFile::open(&sources(&files, &numbers)).expect("the set is intact");
        assert_eq!(set.length(), expected.len() as u64);
        let mut found = Vec::new();
        set.read_to_end(&mut found).expect("the set is intact");
        assert!(found == expected);
    }
}

#[test]
fn any_place_can_be_moved_to() {
    let expected = Fixtures::Ours.read("qio/convert/sci_single.lime");
    let numbers = [0, 2];
    let files = files("qio/convert/sci_ppfs.lime", &numbers);
    let mut set = SetAsFile::open(&sources(&files, &numbers)).expect("the set is intact");
    let length = expected.len();
    // Seeks backwards, forwards and to the current position, and reads some bytes at each place.
    for step in 0..200 {
        let (at, n) = (step * 1237 % length, step % 40);
        let end = length.min(at + n);
        set.seek(SeekFrom::Start(at as u64)).expect("the offset is in the file");
        let mut bytes = vec![0; end - at];
        set.read_exact(&mut bytes).expect("the file has these bytes");
        assert!(bytes == expected[at..end], "{at}");
        assert_eq!(set.stream_position().expect("the position is known"), end as u64);
    }
    assert_eq!(set.seek(SeekFrom::End(10)).expect("seeking beyond the end is permitted"), length as u64 + 10);
    assert_eq!(set.read(&mut [0; 8]).expect("reading at the end is permitted"), 0);
    assert!(set.seek(SeekFrom::Current(-100_000)).is_err());
}

/// The rule that a refused file set breaks, for both ways to open it.
fn refused(sources: &[Volume]) -> [String; 2] {
    let as_file = match SetAsFile::open(sources).map(|_| ()).expect_err("a broken set").downcast::<SetFault>()
    {
        Ok(SetFault::Found { rule, .. }) => rule.to_owned(),
        other => format!("{other:?}"),
    };
    let opened = match File::open_set(sources).map(|_| ()).expect_err("a broken set") {
        Error::Broken(broken) => broken.rule.to_owned(),
        Error::Set(SetFault::Found { rule, .. }) => rule.to_owned(),
        other => format!("{other:?}"),
    };
    [as_file, opened]
}

/// Errors in sites and volumes are found before the data are read.
#[test]
fn sites_that_are_not_there_once_are_faults() {
    let good = "broken/part/good/p.lime";
    for (set, numbers, expected) in [
        ("broken/part/sitelist-duplicate/p.lime", &[0, 1][..], "volume-site-repeated"),
        ("broken/part/sitelist-overlap/p.lime", &[0, 1], "volume-site-repeated"),
        ("broken/part/sitelist-out-of-range/p.lime", &[0, 1], "volume-site-outside"),
        ("broken/part/sitelist-missing-rank/p.lime", &[0, 1], "volume-site-list-sites"),
        (good, &[1], "volume-first-missing"),
        (good, &[0], "volume-missing"),
    ] {
        let found = refused(&sources(&files(set, numbers), numbers));
        assert_eq!(found, [expected, expected], "{set} {numbers:?}");
    }
    let path = Fixtures::Ours.join(&format!("{good}.vol0001"));
    let twice = [0, 1, 2].map(|number| {
        let path = if number == 0 { Fixtures::Ours.join(&format!("{good}.vol0000")) } else { path.clone() };
        let source = Arc::new(FileSource::open(path).expect("a fixture"));
        VolumeSource { name: format!("volume {number}"), number: Some(number), source: source as _ }
    });
    assert!(File::open_set(&twice[..2]).is_ok());
    // By its identity, not only by the sites that it repeats.
    assert_eq!(refused(&twice), ["volume-file-repeated", "volume-file-repeated"]);
}

/// The offset after this text in a file.
fn after(file: &Memory, text: &str) -> usize {
    let bytes = file.bytes.lock().expect("no panic");
    let at = bytes.windows(text.len()).position(|bytes| bytes == text.as_bytes());
    at.expect("the text is there") + text.len()
}

/// The volumes do not show the errors in the documents of all fields.
#[test]
fn broken_documents_of_a_set_are_refused() {
    let numbers = [0, 1];
    let files = files("broken/part/good/p.lime", &numbers);
    let sources = sources(&files, &numbers);
    assert!(File::open_set(&sources).is_ok());
    files[0].flip(after(&files[0], "</scidacCheck"));
    let error = File::open_set(&sources).map(|_| ()).expect_err("a document that is not XML");
    let Error::Broken(broken) = &error else { panic!("{error:?}") };
    assert_eq!(broken.file.as_deref(), Some("volume 0"), "{error}");
    assert!(File::open_damaged_set(&sources).is_ok());
}

/// The places of sites are found when the first data are read, after the lists have been counted.
#[test]
fn lists_that_change_after_the_opening_are_errors() {
    let numbers = [0, 1, 2, 3];
    let files = files("qio/convert/sci_part4.lime", &numbers);
    let opened = File::open_set(&sources(&files, &numbers)).expect("an intact set");
    let fields = opened.fields().iter().map(|field| (field, field.layout().region));
    let mut cubes = fields.filter_map(|(field, region)| match region {
        Region::Hypercube(cube) => Some((field, cube)),
        Region::Lattice | Region::Global => None,
    });
    let (cube, sites) = cubes.next().expect("a hypercube");
    let lists = files.iter().find_map(|file| {
        // Type and header of the record, and the ranks after them.
        let list = after(file, "scidac-sitelist") - "scidac-sitelist".len() - 16 + 144;
        let mut bytes = file.bytes.lock().expect("no panic");
        let length = u64::from_be_bytes(*bytes[list - 136..].first_chunk().expect("its length")) as usize;
        let ranks = bytes[list..list + length].as_chunks_mut::<4>().0;
        let is_inside = |rank: &[u8; 4]| {
            let site = cube.layout().extents.coordinates(u32::from_be_bytes(*rank).into());
            sites.contains(&site.expect("a site of the lattice"))
        };
        let (inside, outside) =
            (ranks.iter().position(is_inside)?, ranks.iter().position(|rank| !is_inside(rank))?);
        // A site of the hypercube is in no list any more.
        ranks[inside] = ranks[outside];
        Some(())
    });
    lists.expect("a volume with sites inside and outside the hypercube");
    let mut out = vec![0; cube.layout().data_length().expect("small data") as usize];
    let order = linkstream::lattice::ByteOrder::Big;
    let read = cube.read_bytes(&Selection::All, &mut out, order, Verify::No);
    assert!(matches!(read, Err(Error::Changed)), "{read:?}");
}
