//! Time slices that are compared with the slices of an earlier pass over all data.

use std::sync::Arc;

use host_tests::fixtures::Fixtures;
use linkstream_access::{Error, Field, File, Selection, SliceSums, Sum, Unverified, Verdict, Verify};

use crate::support::{Memory, paths};

/// The sums of the time slices, found by adding the sites in pieces, the last piece first.
fn sums(field: &Field, data: &[u8]) -> Vec<Sum> {
    let sums = SliceSums::of_slices(field.layout());
    let size = field.layout().bytes_per_site as usize;
    let piece = 7 * size;
    for (index, sites) in data.chunks(piece).enumerate().rev() {
        sums.add_sites(7 * index as u64, sites);
    }
    sums.finish()
}

fn data(field: &Field, memory: &Memory) -> Vec<u8> {
    let (at, length, _) = field.contiguous().expect("in one place");
    memory.bytes.lock().expect("no panic")[at as usize..][..length as usize].to_vec()
}

fn slice(field: &Field, t: u64) -> Result<Verdict, Error> {
    field.stream(&Selection::slice(t), linkstream::lattice::ByteOrder::Big, Verify::Yes, &mut |_| Ok(()))
}

/// A fixture with several time slices, and its field. `with_checksum` chooses one that has a checksum, or none.
fn fixture(with_checksum: bool) -> (Arc<Memory>, Field) {
    let mut opened = ["qio", "lime"].into_iter().flat_map(paths).filter_map(|path| {
        let memory = Memory::new(std::fs::read(path).ok()?);
        let file = File::open(memory.clone()).ok()?;
        let [field] = file.fields() else { return None };
        let is_chosen = field.contiguous().is_some()
            && field.array().sites().first().is_some_and(|times| *times > 2)
            && field.verify().ok()?.is_verified() == with_checksum;
        // A field that is not verified yet.
        is_chosen.then(|| (memory.clone(), File::open(memory).expect("opened before").fields()[0].clone()))
    });
    opened.next().unwrap_or_else(|| panic!("no such fixture in {:?}", Fixtures::Ours.folder()))
}

#[test]
fn slices_are_compared_with_the_sums_of_another_pass() {
    for with_checksum in [true, false] {
        let (memory, field) = fixture(with_checksum);
        let known = sums(&field, &data(&field, &memory));
        assert_eq!(known.len() as u64, field.array().sites()[0]);
        let no_checksum = Verdict::Unverified(Unverified::NoChecksum);
        let expected = if with_checksum { Verdict::Verified } else { no_checksum };
        assert_eq!(field.verified_slices(), None);
        assert_eq!(field.verify_by(known.clone()).expect("intact data"), expected);
        assert_eq!(field.verified_slices(), Some(known));
        assert_eq!(slice(&field, 1).expect("intact data"), expected);
        let (at, length, _) = field.contiguous().expect("in one place");
        let times = field.array().sites()[0];
        memory.flip((at + length / times) as usize);
        assert_eq!(slice(&field, 0).expect("intact data"), expected);
        let changed = slice(&field, 1);
        assert!(matches!(changed, Err(Error::SliceMismatch { slice: 1, .. })), "{changed:?}");
        // Without a checksum, this comparison is the only one that all data have.
        let whole = field.verify();
        if with_checksum {
            assert!(matches!(whole, Err(Error::ChecksumMismatch { .. })), "{whole:?}");
        } else {
            assert!(matches!(whole, Err(Error::SliceMismatch { slice: 1, .. })), "{whole:?}");
        }
    }
}

#[test]
fn sums_of_other_data_are_refused() {
    let (memory, field) = fixture(true);
    let mut other = data(&field, &memory);
    other[5] ^= 1;
    let refused = field.verify_by(sums(&field, &other));
    assert!(matches!(refused, Err(Error::ChecksumMismatch { .. })), "{refused:?}");
    let mut fewer = sums(&field, &data(&field, &memory));
    fewer.pop();
    assert!(matches!(field.verify_by(fewer), Err(Error::Changed)));
    // Nothing of this is kept.
    assert_eq!(slice(&field, 1).expect("intact data"), Verdict::Unverified(Unverified::NoFullPass));
}

#[test]
fn the_sum_of_all_sites_is_that_of_the_slices() {
    let (memory, field) = fixture(true);
    let data = data(&field, &memory);
    let all = SliceSums::of_all(field.layout());
    all.add_sites(0, &data);
    let [Sum(all)] = all.finish()[..] else { panic!("one sum") };
    let slices = sums(&field, &data);
    assert_eq!(slices.iter().fold([0; 2], |[a, b], Sum([c, d])| [a ^ c, b ^ d]), all);
    assert!(slices.iter().all(|Sum(slice)| *slice != all));
}
