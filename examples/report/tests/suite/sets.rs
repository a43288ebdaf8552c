//! Tests of sets that are read as the single file with the same fields.

use std::io::{Error, Read as _, Result, Seek as _, SeekFrom};
use std::sync::Arc;

use host_tests::fixtures::Fixtures;
use linkstream_access::set::{SetAsFile, SetFault, VolumeSource};
use linkstream_access::source::Source;

/// A file in memory, read a few bytes at a time.
struct Memory(Vec<u8>);

impl Source for Memory {
    type Error = Error;

    fn length(&self) -> Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize> {
        let rest = self.0.get(offset as usize..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(100);
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

fn files(set: &str, numbers: &[u64]) -> Vec<Memory> {
    numbers.iter().map(|number| Memory(Fixtures::Ours.read(&format!("{set}.vol{number:04}")))).collect()
}

fn sources<'f>(files: &'f [Memory], numbers: &[u64]) -> Vec<VolumeSource<'f, Error>> {
    let source = |(file, number): (&'f Memory, &u64)| VolumeSource {
        name: format!("volume {number}"),
        number: Some(*number),
        source: Arc::new(file),
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

/// Errors in the site lists are found before the data are read.
#[test]
fn sites_that_are_not_there_once_are_faults() {
    let numbers = [0, 1];
    for (set, expected) in [
        ("sitelist-duplicate", "volume-site-repeated"),
        ("sitelist-overlap", "volume-site-repeated"),
        ("sitelist-out-of-range", "volume-site-outside"),
    ] {
        let files = files(&format!("broken/part/{set}/p.lime"), &numbers);
        let Err(error) = SetAsFile::open(&sources(&files, &numbers)) else { panic!("{set} is broken") };
        let fault = error.downcast::<SetFault>().expect("the error is a `SetFault`");
        assert!(matches!(fault, SetFault::Found { rule, .. } if rule == expected), "{set}: {fault}");
    }
    let alone = files("broken/part/good/p.lime", &[1]);
    assert!(SetAsFile::open(&sources(&alone, &[1])).is_err());
}
