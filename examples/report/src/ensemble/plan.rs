//! Decides which files of a store are read: all unknown files, and a part of the others.

use std::time::Duration;

use super::entry::{Entry, Verdict};
use super::manifest::Entries;
use super::name::Name;
use super::stamp::Stamp;

/// A file that was modified so shortly before it was read can have been modified again without another time: some file
/// systems have times of two seconds.
const RACE: Duration = Duration::from_secs(2);

/// Properties of a file of a store that the system knows.
#[derive(Debug, Clone)]
pub struct Known {
    pub name: Name,
    pub bytes: u64,
    pub modified: Option<Stamp>,
    pub changed: Option<Stamp>,
}

impl Known {
    /// The entry of the manifest about this file, if size and times say that it is still the same.
    #[must_use]
    pub fn trusted<'e>(&self, entries: &'e Entries) -> Option<&'e Entry> {
        let entry = entries.get(&self.name)?;
        let is_same = entry.bytes == self.bytes
            && entry.modified == self.modified
            && entry.changed == self.changed
            && entry.hash().is_some()
            && entry.verdict != Verdict::Unreadable;
        let modified = self.modified.max(self.changed)?;
        (is_same && modified.is_before(entry.read, RACE)).then_some(entry)
    }
}

/// True for each file that is read. Without `scrub`, those are the ones that no entry is trusted about. With it, it is also
/// one of so many parts of the store, in bytes: the files that were not read for the longest time. Files that were read
/// later than `now` come first: the clock was wrong, so that nobody knows when.
#[must_use]
pub fn to_read(files: &[Known], entries: &Entries, scrub: Option<u32>, now: Stamp) -> Vec<bool> {
    let trusted: Vec<Option<&Entry>> = files.iter().map(|file| file.trusted(entries)).collect();
    let mut read: Vec<bool> = trusted.iter().map(Option::is_none).collect();
    let Some(parts) = scrub else { return read };
    let known = files.iter().zip(&trusted).enumerate();
    let mut oldest: Vec<(Stamp, &Name, u64, usize)> = known
        .filter_map(|(index, (file, entry))| {
            let read = Some(entry.as_ref()?.read).filter(|read| *read <= now).unwrap_or(Stamp::EPOCH);
            Some((read, &file.name, file.bytes, index))
        })
        .collect();
    oldest.sort();
    // Empty files are read too.
    let weight = |bytes: u64| u128::from(bytes).saturating_add(1);
    let all: u128 = oldest.iter().map(|(_, _, bytes, _)| weight(*bytes)).sum();
    let mut rest = all.div_ceil(u128::from(parts.max(1)));
    for (_, _, bytes, index) in oldest {
        if rest == 0 {
            break;
        }
        rest = rest.saturating_sub(weight(bytes));
        if let Some(read) = read.get_mut(index) {
            *read = true;
        }
    }
    read
}

#[cfg(test)]
mod tests {
    use std::time::SystemTime;

    use super::*;

    fn stamp(seconds: u64) -> Stamp {
        Stamp::of(SystemTime::UNIX_EPOCH + Duration::from_secs(seconds)).expect("a time")
    }

    fn known(name: &str, bytes: u64) -> Known {
        let name = Name::new(name.as_bytes().to_vec()).expect("a name");
        Known { name, bytes, modified: Some(stamp(100)), changed: Some(stamp(100)) }
    }

    fn entry(of: &Known, read: u64) -> Entry {
        let mut entry = Entry::new(of.name.clone(), of.bytes, stamp(read), Verdict::Ok);
        (entry.modified, entry.changed) = (of.modified, of.changed);
        entry.sha256 = Some("00".to_owned());
        entry
    }

    #[test]
    fn size_and_times_are_trusted_unless_they_are_too_new() {
        let file = known("a", 5);
        let entries = |entry: Entry| Entries::from([(file.name.clone(), entry)]);
        let is_trusted = |entry: Entry| file.trusted(&entries(entry)).is_some();
        assert!(is_trusted(entry(&file, 103)));
        for read in [90, 100, 102] {
            assert!(!is_trusted(entry(&file, read)), "{read}");
        }
        let altered = |alter: fn(&mut Entry)| {
            let mut entry = entry(&file, 200);
            alter(&mut entry);
            entry
        };
        assert!(!is_trusted(altered(|entry| entry.bytes = 6)));
        assert!(!is_trusted(altered(|entry| entry.modified = Some(stamp(99)))));
        assert!(!is_trusted(altered(|entry| entry.changed = None)));
        assert!(!is_trusted(altered(|entry| entry.sha256 = None)));
        assert!(!is_trusted(altered(|entry| entry.verdict = Verdict::Unreadable)));
        assert!(known("b", 5).trusted(&entries(entry(&file, 200))).is_none());
    }

    #[test]
    fn a_seventh_each_night_is_everything_in_a_week() {
        let files: Vec<Known> = (0..100).map(|i| known(&format!("{i:03}"), i * i % 37)).collect();
        let mut entries: Entries = files.iter().map(|file| (file.name.clone(), entry(file, 1000))).collect();
        assert!(to_read(&files, &entries, None, stamp(3000)).iter().all(|read| !read));
        assert!(to_read(&files, &entries, Some(1), stamp(3000)).iter().all(|read| *read));
        let mut most = 0;
        for night in 0..7 {
            let read = to_read(&files, &entries, Some(7), stamp(3000));
            let mut bytes = 0;
            for (file, _) in files.iter().zip(read).filter(|(_, read)| *read) {
                bytes += file.bytes;
                entries.insert(file.name.clone(), entry(file, 2000 + night));
            }
            most = most.max(bytes);
        }
        let all: u64 = files.iter().map(|file| file.bytes).sum();
        assert!(entries.values().all(|entry| entry.read >= stamp(2000)) && most < all / 5, "{most} of {all}");
    }

    #[test]
    fn what_was_read_in_the_future_is_read_again_first() {
        let files = [known("a", 10), known("b", 10), known("c", 10)];
        let read = [1000, 9000, 1001];
        let entries: Entries =
            files.iter().zip(read).map(|(file, read)| (file.name.clone(), entry(file, read))).collect();
        assert_eq!(to_read(&files, &entries, Some(3), stamp(2000)), [false, true, false]);
        assert_eq!(to_read(&files, &entries, Some(3), stamp(9000)), [true, false, false]);
    }
}
