//! Files of a store with the same content, or with the same data.

use std::collections::{BTreeMap, HashMap};

use super::entry::{Entry, Verdict};
use super::finding::Finding;
use super::manifest::Entries;
use super::name::Name;

/// Findings on files with the same content, and on files with the same data and other texts. Files that are in one of the
/// findings `known` are not named again.
#[must_use]
pub fn duplicates(entries: &Entries, known: &[&Finding]) -> Vec<Finding> {
    let mut contents: BTreeMap<(u64, &str), Vec<&Entry>> = BTreeMap::new();
    for entry in entries.values().filter(|entry| entry.bytes > 0) {
        if let Some(hash) = entry.hash() {
            contents.entry((entry.bytes, hash)).or_default().push(entry);
        }
    }
    let mut findings = Vec::new();
    let mut data: BTreeMap<Data, Vec<&Entry>> = BTreeMap::new();
    for same in contents.into_values() {
        // Of several with one content, one represents the data.
        if let Some((first, key)) = same.first().and_then(|first| Some((first, Data::of(first)?)))
            && key.cksum.is_some()
        {
            data.entry(key).or_default().push(first);
        }
        if same.len() > 1 {
            let message = format!("{} files have the same content", same.len());
            findings.push(Finding { kind: "same-content", files: names(&same), message });
        }
    }
    // A file is in at most one of them: they are about parts of one history.
    let known: HashMap<&Name, usize> = (0..)
        .zip(known)
        .flat_map(|(index, finding)| finding.files.iter().map(move |name| (name, index)))
        .collect();
    let finding_of = |entry: &Entry| known.get(&entry.name);
    for same in data.into_values().filter(|same| same.len() > 1) {
        let first = same.first().and_then(|first| finding_of(first));
        if first.is_some() && same.iter().all(|entry| finding_of(entry) == first) {
            continue;
        }
        let message = format!("{} files have the same data, with other texts", same.len());
        findings.push(Finding { kind: "same-data", files: names(&same), message });
    }
    findings.sort_by(|a, b| a.files.cmp(&b.files));
    findings
}

/// The names of files without a hash that have the size, or the checksums and observables, of another file: their content
/// may be the same.
#[must_use]
pub fn unhashed(entries: &Entries) -> Vec<Name> {
    let mut alike: HashMap<(Option<Data>, u64), Vec<&Entry>> = HashMap::new();
    // A file set has no hash.
    let is_hashable = |entry: &&Entry| {
        entry.bytes > 0
            && entry.verdict != Verdict::Unreadable
            && (entry.set.is_none() || entry.hash().is_some())
    };
    for entry in entries.values().filter(is_hashable) {
        let data = Data::of(entry).map(|data| Data { cksum: None, ..data });
        let bytes = if data.is_some() { 0 } else { entry.bytes };
        alike.entry((data, bytes)).or_default().push(entry);
    }
    let alike = alike.into_values().filter(|alike| alike.len() > 1).flatten();
    let mut names: Vec<Name> =
        alike.filter(|entry| entry.hash().is_none()).map(|entry| entry.name.clone()).collect();
    names.sort();
    names
}

fn names(entries: &[&Entry]) -> Vec<Name> {
    let mut names: Vec<Name> = entries.iter().map(|entry| entry.name.clone()).collect();
    names.sort();
    names
}

/// Properties of the data of a file with one field. Different data have the same ones by chance only if they agree in
/// a sum of 32 bits and in the observables, or in two sums.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord, Hash)]
struct Data {
    bytes: u64,
    /// `None` if it was not computed.
    cksum: Option<u32>,
    sums: Vec<String>,
    observables: [Option<u64>; 2],
}

impl Data {
    fn of(entry: &Entry) -> Option<Self> {
        let [field] = &entry.fields[..] else { return None };
        if entry.verdict.is_bad() || field.data_bytes == 0 {
            return None;
        }
        let observables = [field.plaquette, field.link_trace].map(|value| value.map(f64::to_bits));
        let sums: Vec<String> = field.checksums.values().cloned().collect();
        let is_certain = observables.iter().all(Option::is_some) || !sums.is_empty();
        is_certain.then_some(Self { bytes: field.data_bytes, cksum: field.cksum, sums, observables })
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Field;
    use super::super::stamp::Stamp;
    use super::*;

    fn entry(name: &str, bytes: u64, hash: Option<&str>, fields: Vec<Field>) -> (Name, Entry) {
        let name = Name::new(name.as_bytes().to_vec()).expect("a name");
        let mut entry = Entry::new(name.clone(), bytes, Stamp::EPOCH, Verdict::Ok);
        entry.sha256 = hash.map(str::to_owned);
        entry.fields = fields;
        (name, entry)
    }

    fn field(plaquette: f64) -> Vec<Field> {
        let measured = Some(plaquette);
        vec![Field { data_bytes: 9, plaquette: measured, link_trace: measured, ..Field::default() }]
    }

    #[test]
    fn files_that_may_be_equal_lack_a_hash() {
        let entries: Entries = [
            // The same data and other texts; one is hashed.
            entry("a", 10, None, field(0.5)),
            entry("b", 11, Some("00"), field(0.5)),
            // Other data of the same size.
            entry("c", 10, None, field(0.6)),
            // Nothing is known but the size.
            entry("d", 20, None, Vec::new()),
            entry("e", 20, None, Vec::new()),
            entry("f", 21, None, Vec::new()),
            entry("g", 0, None, Vec::new()),
            entry("h", 0, None, Vec::new()),
        ]
        .into();
        let names: Vec<String> = unhashed(&entries).iter().map(Name::text).collect();
        assert_eq!(names, ["a", "d", "e"]);
        assert!(duplicates(&entries, &[]).is_empty());
    }
}
