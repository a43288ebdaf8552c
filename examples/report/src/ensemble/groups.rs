//! The files of a store by ensemble: the files in one directory whose names differ in a number.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;

use super::entry::{Entry, Verdict};
use super::manifest::Entries;
use super::name::Name;

/// Files whose names differ in a number, in its order: the Monte-Carlo time.
#[derive(Debug)]
pub struct Group<'e> {
    pub folder: String,
    /// The name of the files, with `{n}` for the number and `#` for other digits.
    pub pattern: String,
    pub members: Vec<Member<'e>>,
}

/// A file of a group.
#[derive(Debug, Clone, Copy)]
pub struct Member<'e> {
    pub number: u64,
    pub entry: &'e Entry,
}

impl Group<'_> {
    /// Directory and pattern.
    #[must_use]
    pub fn name(&self) -> String {
        if self.folder.is_empty() {
            self.pattern.clone()
        } else {
            format!("{}/{}", self.folder, self.pattern)
        }
    }
}

/// A pattern for names, such as `lat.{n}.ildg`: `{n}` is the number, `*` is any text. A pattern with directories, such as
/// `cfg_{n}/lat.ildg`, is for the end of paths.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Template {
    before: String,
    after: String,
}

/// Reason why a text is no template.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error("a pattern has {{n}} once, in place of the number, as in lat.{{n}}.ildg or cfg_{{n}}/lat.ildg")]
pub struct TemplateError;

impl std::str::FromStr for Template {
    type Err = TemplateError;

    fn from_str(text: &str) -> Result<Self, TemplateError> {
        let (before, after) = text.split_once("{n}").ok_or(TemplateError)?;
        if after.contains("{n}") || text.starts_with('/') || text.ends_with('/') {
            return Err(TemplateError);
        }
        Ok(Self { before: before.to_owned(), after: after.to_owned() })
    }
}

impl Template {
    /// The number of directories in the pattern.
    fn directories(&self) -> usize {
        [&self.before, &self.after].map(|part| part.matches('/').count()).into_iter().sum()
    }

    /// The number in a name that has this pattern.
    fn number(&self, name: &str) -> Option<u64> {
        digits(name).into_iter().find_map(|range| {
            let (before, after) = (name.get(..range.start)?, name.get(range.end..)?);
            let is_this = matches(&self.before, before) && matches(&self.after, after);
            is_this.then(|| name.get(range)?.parse().ok()).flatten()
        })
    }
}

/// True if a name has a pattern; `*` is any text.
fn matches(pattern: &str, name: &str) -> bool {
    let Some((first, rest)) = pattern.split_once('*') else { return pattern == name };
    let Some(mut name) = name.strip_prefix(first) else { return false };
    let mut parts: Vec<&str> = rest.split('*').collect();
    let last = parts.pop().unwrap_or_default();
    for part in parts {
        let Some(at) = name.find(part) else { return false };
        name = name.get(at.saturating_add(part.len())..).unwrap_or_default();
    }
    name.ends_with(last)
}

/// The runs of digits of a name.
fn digits(name: &str) -> Vec<Range<usize>> {
    let mut runs: Vec<Range<usize>> = Vec::new();
    for (at, _) in name.char_indices().filter(|(_, c)| c.is_ascii_digit()) {
        let end = at.saturating_add(1);
        match runs.last_mut() {
            Some(run) if run.end == at => run.end = end,
            _ => runs.push(at..end),
        }
    }
    runs
}

/// True if a run of digits in the last part of a name is no number of 64 bits.
pub(super) fn has_large_number(name: &Name) -> bool {
    let file = String::from_utf8_lossy(name.parts().1);
    digits(&file).into_iter().any(|run| file.get(run).is_some_and(|run| run.parse::<u64>().is_err()))
}

/// A name with `#` for each of its runs of digits, except one, which becomes `{n}`.
fn pattern(name: &str, number: Option<usize>) -> String {
    let (mut out, mut end) = (String::new(), 0);
    for (index, run) in digits(name).into_iter().enumerate() {
        out += name.get(end..run.start).unwrap_or_default();
        out += if number == Some(index) { "{n}" } else { "#" };
        end = run.end;
    }
    out + name.get(end..).unwrap_or_default()
}

/// Directory and pattern.
type Key<'n> = (&'n [u8], String);

/// The groups of a store with at least two files and at least one file of a known format. Volumes of a file set count as
/// one file.
#[must_use]
pub fn groups<'e>(entries: &'e Entries, template: Option<&Template>) -> Vec<Group<'e>> {
    let mut alike: BTreeMap<Key<'_>, Vec<(String, &Entry)>> = BTreeMap::new();
    let mut sets = BTreeSet::new();
    for entry in entries.values() {
        let (folder, file) = entry.name.split(template.map_or(0, Template::directories));
        let mut file = String::from_utf8_lossy(file).into_owned();
        if let Some(set) = &entry.set {
            file.replace_range(file.rfind('/').map_or(0, |at| at.saturating_add(1)).., set);
            if !sets.insert((entry.name.parts().0, set)) {
                continue;
            }
        }
        let key = if template.is_some() { String::new() } else { pattern(&file, None) };
        alike.entry((folder, key)).or_default().push((file, entry));
    }
    let mut groups = Vec::new();
    for ((folder, _), files) in alike {
        let folder = Name::new(folder.to_vec()).map(|name| name.text()).unwrap_or_default();
        match template {
            Some(template) => {
                let numbered = files
                    .iter()
                    .filter_map(|(file, entry)| Some(Member { number: template.number(file)?, entry }));
                let pattern = format!("{}{{n}}{}", template.before, template.after);
                groups.extend(group(&folder, pattern, numbered.collect()));
            }
            None => by_varying_number(&folder, &files, &mut groups),
        }
    }
    groups
}

/// Groups files whose names have the same pattern. The number is the run of digits that has most values; the others tell
/// groups apart, unless almost every file then is a group of its own.
fn by_varying_number<'e>(folder: &str, files: &[(String, &'e Entry)], groups: &mut Vec<Group<'e>>) {
    let runs: Vec<Vec<&str>> = files
        .iter()
        .map(|(file, _)| digits(file).into_iter().filter_map(|run| file.get(run)).collect())
        .collect();
    let Some(first) = runs.first() else { return };
    let values = |index: usize| runs.iter().filter_map(|of| of.get(index)).collect::<BTreeSet<_>>().len();
    // Of several with as many values, the last one: numbers stand at the end.
    let Some(number) = (0..first.len()).max_by_key(|index| (values(*index), *index)) else { return };
    let others = |of: &[&str]| -> Vec<String> {
        let others = of.iter().enumerate().filter(|(index, _)| *index != number);
        others.map(|(_, value)| (*value).to_owned()).collect()
    };
    let kinds: BTreeSet<Vec<String>> = runs.iter().map(|of| others(of)).collect();
    let is_told_apart = kinds.len() > 1 && kinds.len().saturating_mul(2) <= files.len();
    let mut told: BTreeMap<Vec<String>, (String, Vec<Member<'e>>)> = BTreeMap::new();
    for ((file, entry), of) in files.iter().zip(&runs) {
        let Some(value) = of.get(number).and_then(|value| value.parse().ok()) else { continue };
        let key = if is_told_apart { others(of) } else { Vec::new() };
        let mut shown = pattern(file, Some(number));
        // Digits that all files of the group have in common are shown.
        if is_told_apart || kinds.len() == 1 {
            for value in others(of) {
                shown = shown.replacen('#', &value, 1);
            }
        }
        told.entry(key).or_insert_with(|| (shown, Vec::new())).1.push(Member { number: value, entry });
    }
    groups.extend(told.into_values().filter_map(|(pattern, members)| group(folder, pattern, members)));
}

fn group<'e>(folder: &str, pattern: String, mut members: Vec<Member<'e>>) -> Option<Group<'e>> {
    let is_known =
        members.iter().any(|member| member.entry.verdict != Verdict::Other && member.entry.format.is_some());
    if members.len() < 2 || !is_known {
        return None;
    }
    members.sort_by(|a, b| (a.number, &a.entry.name).cmp(&(b.number, &b.entry.name)));
    Some(Group { folder: folder.to_owned(), pattern, members })
}

#[cfg(test)]
mod tests {
    use super::super::stamp::Stamp;
    use super::*;

    fn store(names: &[&str]) -> Entries {
        let entry = |name: &&str| {
            let name = Name::new(name.as_bytes().to_vec()).expect("a name");
            let mut entry = Entry::new(name.clone(), 1, Stamp::EPOCH, Verdict::Ok);
            entry.format = Some("lime".to_owned());
            (name, entry)
        };
        names.iter().map(entry).collect()
    }

    fn found(names: &[&str], template: Option<&str>) -> Vec<(String, Vec<u64>)> {
        let entries = store(names);
        let template = template.map(|text| text.parse().expect("a template"));
        let groups = groups(&entries, template.as_ref());
        groups.iter().map(|of| (of.name(), of.members.iter().map(|m| m.number).collect())).collect()
    }

    #[test]
    fn files_are_grouped_by_what_varies() {
        let names =
            ["24c/b6.3.lat.010", "24c/b6.3.lat.020", "24c/b6.3.lat.9", "24c/notes", "a/lat.1", "b/lat.1"];
        assert_eq!(found(&names, None), [("24c/b6.3.lat.{n}".to_owned(), vec![9, 10, 20])]);
        let replicas = ["l_r1.1", "l_r1.2", "l_r2.1", "l_r2.2", "l_r2.3"];
        let of = |name: &str, numbers: &[u64]| (name.to_owned(), numbers.to_vec());
        assert_eq!(found(&replicas, None), [of("l_r1.{n}", &[1, 2]), of("l_r2.{n}", &[1, 2, 3])]);
        // Each has another date.
        let dated = ["lat.1.0905", "lat.2.1006", "lat.3.1107"];
        assert_eq!(found(&dated, None)[0].1.len(), 3);
    }

    #[test]
    fn a_template_selects_files() {
        let names = ["lat.1.ildg", "lat.2.ildg", "lat.2.lime", "old_lat.3.ildg", "x/lat.1.ildg"];
        assert_eq!(found(&names, Some("lat.{n}.ildg")), [("lat.{n}.ildg".to_owned(), vec![1, 2])]);
        assert_eq!(found(&names, Some("*lat.{n}.*"))[0].1, [1, 2, 2, 3]);
        let names = [
            "24c/r1/cfg_10/lat",
            "24c/r1/cfg_20/lat",
            "24c/r1/30/lat",
            "24c/r2/cfg_1/lat",
            "cfg_40/lat",
            "lat",
        ];
        let of = |name: &str, numbers: &[u64]| (name.to_owned(), numbers.to_vec());
        assert_eq!(found(&names, Some("cfg_{n}/lat")), [of("24c/r1/cfg_{n}/lat", &[10, 20])]);
        assert_eq!(found(&names, Some("r*/*{n}/lat")), [of("24c/r*/*{n}/lat", &[1, 10, 20, 30])]);
        for wrong in ["lat", "{n}{n}", "/{n}", "{n}/"] {
            assert!(wrong.parse::<Template>().is_err(), "{wrong}");
        }
    }
}
