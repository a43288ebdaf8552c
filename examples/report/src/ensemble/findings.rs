//! Findings on an ensemble as a whole: files that are missing, there twice, or do not fit to the others.

use std::collections::BTreeSet;

use serde::ser::SerializeMap;

use super::duplicates::duplicates;
use super::entry::{Entry, Verdict};
pub use super::finding::Finding;
use super::fit::{others, relation};
use super::groups::{Group, Member, has_large_number};
use super::manifest::Entries;
use super::name::Name;
use super::statistics::{outliers, spread};
use crate::json::{Entries as JsonEntries, Object, SCHEMA};
use crate::json_line::line_of;

/// Maximum number of missing files that a message names.
const MOST_NAMED: usize = 10;

/// A group and the findings on it.
#[derive(Debug)]
pub struct Judged<'e> {
    pub group: Group<'e>,
    /// The usual distance of two numbers.
    pub step: Option<u64>,
    /// Median of the plaquette, and its standard deviation as estimated from the median absolute deviation.
    pub plaquette: Option<(f64, f64)>,
    pub findings: Vec<Finding>,
}

/// All findings on a store.
#[derive(Debug)]
pub struct Ensembles<'e> {
    pub groups: Vec<Judged<'e>>,
    /// Findings on files of several groups, or of none.
    pub findings: Vec<Finding>,
}

impl Ensembles<'_> {
    /// The names of the files that are in an ensemble.
    #[must_use]
    pub fn names(&self) -> BTreeSet<&Name> {
        grouped(&self.groups)
    }

    /// Number of findings.
    #[must_use]
    pub fn count(&self) -> usize {
        self.groups
            .iter()
            .map(|group| group.findings.len())
            .sum::<usize>()
            .saturating_add(self.findings.len())
    }

    /// The findings as lines of JSON: an object for each ensemble, and one for the store. `are_all` is false if the store
    /// was not read completely.
    ///
    /// # Errors
    /// None is known.
    pub fn lines(&self, are_all: bool) -> serde_json::Result<Vec<u8>> {
        let mut lines = Vec::new();
        for group in &self.groups {
            lines.extend(line_of(&Object(group))?);
        }
        lines.extend(line_of(&Object(Store { ensembles: self, are_all }))?);
        Ok(lines)
    }
}

/// The findings on the store as a whole.
struct Store<'a> {
    ensembles: &'a Ensembles<'a>,
    are_all: bool,
}

impl JsonEntries for Store<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self { ensembles, are_all } = self;
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("ensembles", &ensembles.groups.len())?;
        object.serialize_entry("findings", &crate::json::objects(&ensembles.findings))?;
        object.serialize_entry("ok", &(*are_all && ensembles.count() == 0))
    }
}

/// Judges the groups of a store.
#[must_use]
pub fn judge<'e>(entries: &'e Entries, groups: Vec<Group<'e>>) -> Ensembles<'e> {
    let groups: Vec<Judged<'e>> = groups.into_iter().map(judge_group).collect();
    let still =
        groups.iter().flat_map(|group| &group.findings).filter(|finding| finding.kind == "stands-still");
    let still: Vec<&Finding> = still.collect();
    let mut findings = duplicates(entries, &still);
    findings.extend(numbers_too_large(entries, &groups));
    Ensembles { groups, findings }
}

fn grouped<'g>(groups: &'g [Judged<'_>]) -> BTreeSet<&'g Name> {
    groups.iter().flat_map(|judged| &judged.group.members).map(|member| &member.entry.name).collect()
}

/// Files in no group, because the number in the name has more than 64 bits.
fn numbers_too_large(entries: &Entries, groups: &[Judged<'_>]) -> Option<Finding> {
    let grouped = grouped(groups);
    let is_large = |entry: &&Entry| {
        entry.format.is_some() && !grouped.contains(&entry.name) && has_large_number(&entry.name)
    };
    let files: Vec<Name> = entries.values().filter(is_large).map(|entry| entry.name.clone()).collect();
    let message = "a number in the name is larger than 2^64: it is in no ensemble".to_owned();
    (!files.is_empty()).then_some(Finding { kind: "number-too-large", files, message })
}

fn judge_group(group: Group<'_>) -> Judged<'_> {
    let mut findings = Vec::new();
    unusable(&group, &mut findings);
    let step = gaps(&group, &mut findings);
    let sound: Vec<Member<'_>> =
        group.members.iter().copied().filter(|member| is_sound(member.entry)).collect();
    repeats(&group, &mut findings);
    properties(&sound, &mut findings);
    let of_update = |entry: &Entry| entry.fields.first()?.update.as_ref()?.trim().parse().ok();
    numbers(&sound, "number-update", "the update in the file", of_update, &mut findings);
    let of_lfn = |entry: &Entry| last_number(entry.fields.first()?.lfn.as_ref()?);
    numbers(&sound, "number-lfn", "the number in the logical file name", of_lfn, &mut findings);
    lfns(&sound, &mut findings);
    let plaquette = history(&sound, &mut findings);
    Judged { group, step, plaquette, findings }
}

/// True if the file can be compared with others.
fn is_sound(entry: &Entry) -> bool {
    !entry.verdict.is_bad() && entry.verdict != Verdict::Other
}

fn names<'e>(members: impl IntoIterator<Item = &'e Member<'e>>) -> Vec<Name> {
    members.into_iter().map(|member| member.entry.name.clone()).collect()
}

fn unusable(group: &Group<'_>, findings: &mut Vec<Finding>) {
    for member in &group.members {
        let entry = member.entry;
        let (kind, message) = match entry.verdict {
            Verdict::Ok | Verdict::Unverified => continue,
            Verdict::Other => (
                "not-recognised",
                "linkstream does not read its format, but that of other files with such a name".to_owned(),
            ),
            Verdict::Wrong => ("wrong", entry.rules.join(", ")),
            Verdict::Unreadable => ("unreadable", entry.error.clone().unwrap_or_default()),
        };
        findings.push(Finding { kind, files: vec![entry.name.clone()], message });
    }
}

/// Finds numbers that are missing in the sequence. Returns its step.
fn gaps(group: &Group<'_>, findings: &mut Vec<Finding>) -> Option<u64> {
    let mut numbers: Vec<u64> = group.members.iter().map(|member| member.number).collect();
    numbers.dedup();
    let pairs = || numbers.iter().zip(numbers.iter().skip(1));
    let mut steps: Vec<u64> = pairs().map(|(a, b)| b.saturating_sub(*a)).collect();
    steps.sort_unstable();
    // The smallest of the most common ones.
    let counts = steps.chunk_by(|a, b| a == b).filter_map(|same| Some((same.len(), *same.first()?)));
    let (count, step) = counts.max_by_key(|(count, step)| (*count, u64::MAX.saturating_sub(*step)))?;
    if numbers.len() < 3 || count.saturating_mul(2) < steps.len() {
        return None;
    }
    for (a, b) in pairs() {
        let distance = b.saturating_sub(*a);
        if distance == step {
            continue;
        }
        let times = distance.checked_div(step).unwrap_or_default();
        if times.checked_mul(step) != Some(distance) {
            let message =
                format!("after {a} follows {b}: the difference is not a multiple of the usual step {step}");
            let first = group.members.partition_point(|member| member.number < *b);
            let files = group.members.iter().skip(first).take_while(|member| member.number == *b);
            findings.push(Finding { kind: "irregular-step", files: names(files), message });
            continue;
        }
        let missing = times.saturating_sub(1);
        let named: Vec<String> = (1..=missing)
            .take(MOST_NAMED)
            .map(|i| named(group, a.saturating_add(step.saturating_mul(i))))
            .collect();
        let more = missing.saturating_sub(named.len() as u64);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        let message = format!("between {a} and {b}, {} missing: {}{more}", are(missing), named.join(", "));
        findings.push(Finding { kind: "gap", files: Vec::new(), message });
    }
    Some(step)
}

fn are(count: u64) -> String {
    if count == 1 { "1 file is".to_owned() } else { format!("{count} files are") }
}

/// The name that a file with this number would have, with as many digits as the others.
fn named(group: &Group<'_>, number: u64) -> String {
    let last = group.members.last().map(|member| member.entry.name.text()).unwrap_or_default();
    let first = group.members.first().map(|member| (member.number, member.entry.name.text()));
    let digits = |text: &str, number: u64| {
        let run = text.split(|c: char| !c.is_ascii_digit()).rfind(|run| run.parse() == Ok(number));
        run.map_or(0, str::len)
    };
    let width = first.map_or(0, |(number, text)| digits(&text, number));
    let is_padded = group.members.last().is_some_and(|member| digits(&last, member.number) == width);
    let width = if is_padded { width } else { 0 };
    group.pattern.replacen("{n}", &format!("{number:0width$}"), 1)
}

/// Numbers that several files have.
fn repeats(group: &Group<'_>, findings: &mut Vec<Finding>) {
    for same in group.members.chunk_by(|a, b| a.number == b.number).filter(|same| same.len() > 1) {
        let message =
            format!("{} files have the number {}", same.len(), same.first().map_or(0, |m| m.number));
        findings.push(Finding { kind: "same-number", files: names(same), message });
    }
}

/// A property that all files of an ensemble share.
type Property = (&'static str, &'static str, fn(&Entry) -> Option<String>);

const PROPERTIES: [Property; 9] = [
    ("other-format", "format", |entry| entry.format.clone()),
    ("other-lattice", "lattice", |entry| {
        let extents: Vec<String> = entry.fields.first()?.extents.iter().map(u64::to_string).collect();
        Some(extents.join("x"))
    }),
    ("other-precision", "precision", |entry| Some(entry.fields.first()?.precision?.to_string())),
    ("other-group", "gauge group", |entry| entry.fields.first()?.group.clone()),
    ("other-datatype", "datatype", |entry| entry.fields.first()?.datatype.clone()),
    ("other-boundary", "boundary", |entry| entry.fields.first()?.boundary.clone()),
    ("other-checksum", "checksum in the file", |entry| entry.fields.first()?.checksum.clone()),
    ("other-beta", "beta", |entry| {
        let keys = ["beta", "BETA", "Beta"];
        let of = |key: &&str| entry.xml.get(*key).or_else(|| entry.header.get(*key));
        let beta = keys.iter().find_map(of)?;
        // 6.3 and 6.30 are the same.
        Some(beta.parse::<f64>().map_or_else(|_| beta.clone(), |beta| beta.to_string()))
    }),
    ("other-ensemble", "ENSEMBLE_ID", |entry| entry.header.get("ENSEMBLE_ID").cloned()),
];

fn properties(sound: &[Member<'_>], findings: &mut Vec<Finding>) {
    for (kind, what, of) in PROPERTIES {
        let values: Vec<Option<String>> = sound.iter().map(|member| of(member.entry)).collect();
        let Some((usual, other)) = others(&values) else { continue };
        let count = values.iter().filter(|value| value.as_ref() == Some(&usual)).count();
        let most = if count.saturating_mul(2) > values.len() { "most" } else { "other" };
        for (value, indices) in other {
            let files = indices.iter().filter_map(|index| sound.get(*index));
            let value = value.unwrap_or_else(|| "none".to_owned());
            let message = format!("{what} {value}; {most} files have {usual}");
            findings.push(Finding { kind, files: names(files), message });
        }
    }
}

/// Compares the numbers in the names with numbers in the files. They may differ by a constant, or by a factor.
fn numbers(
    sound: &[Member<'_>],
    kind: &'static str,
    what: &str,
    of: impl Fn(&Entry) -> Option<u64>,
    findings: &mut Vec<Finding>,
) {
    let pairs: Vec<(u64, u64, &Member<'_>)> =
        sound.iter().filter_map(|member| Some((member.number, of(member.entry)?, member))).collect();
    let known: Vec<(u64, u64)> = pairs.iter().map(|(number, value, _)| (*number, *value)).collect();
    match relation(&known) {
        Some(relation) => {
            for (number, value, member) in pairs {
                if !relation.holds(number, value) {
                    let expected = relation.expected(number);
                    let expected = expected.map(|value| format!(", not {value}")).unwrap_or_default();
                    let message = format!("{what} is {value}{expected} as its name says");
                    findings.push(Finding { kind, files: vec![member.entry.name.clone()], message });
                }
            }
        }
        // Archives without a known number have 0.
        None if known.len() >= 3 && known.iter().any(|(_, value)| *value > 0) => {
            let message = format!("{what} has nothing to do with the number in the name");
            findings.push(Finding {
                kind,
                files: names(pairs.iter().map(|(_, _, member)| *member)),
                message,
            });
        }
        None => {}
    }
}

fn last_number(text: &str) -> Option<u64> {
    text.split(|c: char| !c.is_ascii_digit()).rfind(|run| !run.is_empty())?.parse().ok()
}

/// Logical file names that several files with different content have.
fn lfns(sound: &[Member<'_>], findings: &mut Vec<Finding>) {
    let mut named: Vec<(&str, &Member<'_>)> = sound
        .iter()
        .filter_map(|member| Some((member.entry.fields.first()?.lfn.as_deref()?, member)))
        .collect();
    named.sort_by_key(|(lfn, member)| (*lfn, &member.entry.name));
    for same in named.chunk_by(|a, b| a.0 == b.0).filter(|same| same.len() > 1) {
        let Some((lfn, first)) = same.first() else { continue };
        if same.iter().all(|(_, member)| member.entry.has_content_of(first.entry)) {
            continue;
        }
        let message = format!("{} files have the logical file name {lfn}", same.len());
        findings.push(Finding {
            kind: "same-lfn",
            files: names(same.iter().map(|(_, member)| *member)),
            message,
        });
    }
}

/// Finds outliers and pauses in the history of the plaquette. Returns its median and spread.
fn history(sound: &[Member<'_>], findings: &mut Vec<Finding>) -> Option<(f64, f64)> {
    let of = |member: &Member<'_>| member.entry.fields.first().and_then(|field| field.plaquette);
    let measured: Vec<(&Member<'_>, f64)> =
        sound.iter().filter_map(|member| Some((member, of(member)?))).collect();
    let series: Vec<f64> = measured.iter().map(|(_, plaquette)| *plaquette).collect();
    for outlier in outliers(&series) {
        let Some((member, plaquette)) = measured.get(outlier.index) else { continue };
        let message = format!(
            "the plaquette {plaquette} is {:.0} standard deviations from its neighbours, and {:.0} from the median",
            outlier.from_neighbours, outlier.from_all
        );
        findings.push(Finding { kind: "plaquette-outlier", files: vec![member.entry.name.clone()], message });
    }
    let trace = |member: &Member<'_>| member.entry.fields.first().and_then(|field| field.link_trace);
    let is_same = |a: &(&Member<'_>, f64), b: &(&Member<'_>, f64)| {
        let near = |a: f64, b: f64| (a - b).abs() <= 1e-13 * a.abs().max(1e-3);
        near(a.1, b.1) && trace(a.0).zip(trace(b.0)).is_none_or(|(a, b)| near(a, b))
    };
    for same in measured.chunk_by(is_same).filter(|same| same.len() > 1) {
        let Some(((first, plaquette), (last, _))) = same.first().zip(same.last()) else { continue };
        if same.iter().all(|(member, _)| member.entry.has_content_of(first.entry)) {
            continue;
        }
        let (from, to) = (first.number, last.number);
        let message = format!("from {from} to {to}, the history does not move: the plaquette is {plaquette}");
        findings.push(Finding { kind: "stands-still", files: names(same.iter().map(|(m, _)| *m)), message });
    }
    spread(&series)
}

/// A group as an object of JSON.
impl JsonEntries for Judged<'_> {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let Self { group, step, plaquette, findings } = self;
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("ensemble", &group.name())?;
        object.serialize_entry("files", &group.members.len())?;
        object.serialize_entry("first", &group.members.first().map(|member| member.number))?;
        object.serialize_entry("last", &group.members.last().map(|member| member.number))?;
        object.serialize_entry("step", step)?;
        object.serialize_entry("plaquette_median", &plaquette.map(|(median, _)| median))?;
        object.serialize_entry("plaquette_spread", &plaquette.map(|(_, spread)| spread))?;
        object.serialize_entry("findings", &crate::json::objects(findings))?;
        object.serialize_entry("ok", &findings.is_empty())
    }
}

#[cfg(test)]
mod tests {
    use super::super::entry::Field;
    use super::super::groups::groups;
    use super::super::stamp::Stamp;
    use super::*;

    /// No step compares each file with each other: this would take many minutes.
    #[test]
    fn many_files_with_as_many_findings() {
        const COUNT: u64 = 60_000;
        let mut number = 0;
        let mut entries = Entries::new();
        for index in 0..COUNT {
            // Half of the steps are 2, the others are odd and differ.
            number += if index % 2 == 1 { 2 } else { 2 * index + 1 };
            let name = Name::new(format!("lat.{number:012}").into_bytes()).expect("a name");
            let mut entry = Entry::new(name.clone(), 10, Stamp::EPOCH, Verdict::Ok);
            entry.format = Some("lime".to_owned());
            entry.sha256 = Some(format!("{index:064x}"));
            // Each two have the same data.
            let plaquette = 0.5 + (index / 2 * 7919 % 1000) as f64 * 1e-5;
            let update = (index * index % 1_000_003).to_string();
            entry.fields.push(Field {
                data_bytes: 5,
                cksum: Some((index / 2) as u32),
                plaquette: Some(plaquette),
                link_trace: Some(plaquette),
                update: Some(update),
                ..Field::default()
            });
            entries.insert(name, entry);
        }
        let ensembles = judge(&entries, groups(&entries, None));
        let count = |kind: &str| ensembles.groups[0].findings.iter().filter(|of| of.kind == kind).count();
        assert_eq!(ensembles.groups[0].step, Some(2));
        assert_eq!(count("irregular-step") as u64, COUNT / 2 - 1);
        assert_eq!((count("stands-still") as u64, count("number-update")), (COUNT / 2, 1));
        assert!(ensembles.findings.is_empty(), "they are named once");
    }
}
