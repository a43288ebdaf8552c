//! Files of a store with the same content, or with the same data.

use std::collections::{BTreeMap, HashMap};

use super::entry::Entry;
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
        if let Some((first, key)) = same.first().and_then(|first| Some((first, Data::of(first)?))) {
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

fn names(entries: &[&Entry]) -> Vec<Name> {
    let mut names: Vec<Name> = entries.iter().map(|entry| entry.name.clone()).collect();
    names.sort();
    names
}

/// Properties of the data of a file with one field. Different data have the same ones by chance only if they agree in
/// a sum of 32 bits and in the observables, or in two sums.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Data {
    bytes: u64,
    cksum: u32,
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
        is_certain.then_some(Self { bytes: field.data_bytes, cksum: field.cksum?, sums, observables })
    }
}
