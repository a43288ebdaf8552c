//! Differences between a manifest and the store as it is now.

use std::collections::{BTreeMap, BTreeSet};

use serde::ser::SerializeMap;

use super::entry::{Entry, Verdict, Was};
use super::manifest::Entries;
use super::name::Name;
use super::origins::Origins;
use super::stamp::Stamp;
use crate::json::{Entries as JsonEntries, SCHEMA};

/// Kind of change of a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Kind {
    New,
    Gone,
    /// The content differs, and nothing shows that it is damaged.
    Modified,
    /// The content had another name, which now is gone or has other content.
    Moved,
    /// The content is the same as in another file, which is still there.
    Copied,
    /// The verdict became worse, or the content changed although nobody wrote it.
    Damaged,
    /// The file was damaged in the manifest, and still is.
    StillDamaged,
    /// The file is no longer damaged.
    Repaired,
    /// The file cannot be read, so that nothing is known about it.
    Unreadable,
}

impl Kind {
    /// All kinds, in the order of a summary.
    pub const ALL: [Self; 9] = [
        Self::New,
        Self::Gone,
        Self::Modified,
        Self::Moved,
        Self::Copied,
        Self::Damaged,
        Self::StillDamaged,
        Self::Repaired,
        Self::Unreadable,
    ];

    /// The kind as a word, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::New => "new",
            Self::Gone => "gone",
            Self::Modified => "modified",
            Self::Moved => "moved",
            Self::Copied => "copied",
            Self::Damaged => "damaged",
            Self::StillDamaged => "still-damaged",
            Self::Repaired => "repaired",
            Self::Unreadable => "unreadable",
        }
    }

    /// True if somebody has to do something.
    #[must_use]
    pub const fn is_bad(self) -> bool {
        matches!(self, Self::Gone | Self::Damaged | Self::StillDamaged | Self::Unreadable)
    }
}

/// The part of a file that was modified.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Part {
    Texts,
    Data,
    Both,
}

impl Part {
    /// The part as a word, as in JSON.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Texts => "texts",
            Self::Data => "data",
            Self::Both => "both",
        }
    }
}

/// A file that has changed.
#[derive(Debug)]
pub struct Change {
    pub name: Name,
    pub kind: Kind,
    /// The modified part, if it is known.
    pub part: Option<Part>,
    /// The name that the content has or had in the manifest, if that is another one.
    pub from: Option<Name>,
    pub before: Option<Verdict>,
    pub now: Option<Verdict>,
    /// The content is known to be damaged, although nothing in it shows that: it was in another file, or only the texts were
    /// changed.
    pub keeps_damage: bool,
    /// More about it, as text.
    pub why: Option<String>,
}

impl Change {
    /// True if somebody has to do something: also if a new file is wrong.
    #[must_use]
    pub fn is_bad(&self) -> bool {
        self.kind.is_bad() || self.keeps_damage || self.now.is_some_and(Verdict::is_bad)
    }
}

/// The store as it is now.
#[derive(Debug, Default)]
pub struct Now {
    /// Files that were read.
    pub read: Entries,
    /// Files that were not read, because size and times agree with the manifest.
    pub trusted: BTreeSet<Name>,
    /// Directories that cannot be listed, and entries that cannot be examined: what is in them may still be there.
    pub unknown: Vec<(Name, String)>,
    /// Files and directories that were left out on request: nothing is said about them.
    pub left_out: BTreeSet<Name>,
    /// Links to directories, devices and the like, and why each is left out.
    pub skipped: BTreeMap<Name, &'static str>,
}

impl Now {
    fn leaves_out(&self, name: &Name) -> bool {
        name.and_folders().any(|part| self.left_out.contains(part))
    }
}

/// Result of a comparison.
#[derive(Debug, Default)]
pub struct Changes {
    /// In the order of the names.
    pub list: Vec<Change>,
    /// Number of files that are as in the manifest, including `trusted` files that were not read.
    pub unchanged: u64,
    pub trusted: u64,
    /// When the file that was not read for the longest time was read.
    pub oldest: Option<Stamp>,
    /// The manifest after this comparison.
    pub next: Entries,
}

impl Changes {
    /// Number of changes of each kind.
    #[must_use]
    pub fn counts(&self) -> BTreeMap<Kind, u64> {
        let mut counts = BTreeMap::new();
        for change in &self.list {
            let count: &mut u64 = counts.entry(change.kind).or_default();
            *count = count.saturating_add(1);
        }
        counts
    }

    /// The exit status of a program: 0 without changes, 1 if a file is damaged, gone or wrong, 2 if one cannot be read, and
    /// 3 for other changes.
    #[must_use]
    pub fn status(&self) -> u8 {
        if self.list.iter().any(|change| change.kind == Kind::Unreadable) {
            2
        } else if self.list.iter().any(Change::is_bad) {
            1
        } else if self.list.is_empty() {
            0
        } else {
            3
        }
    }
}

/// Compares a manifest with the store.
#[must_use]
pub fn compare(old: &Entries, now: &Now) -> Changes {
    let mut changes = Changes::default();
    let mut origins = Origins::of(old, |entry| {
        let read = now.read.get(&entry.name);
        now.trusted.contains(&entry.name) || read.is_some_and(|read| read.has_content_of(entry))
    });
    for name in &now.trusted {
        let Some(entry) = old.get(name) else { continue };
        if is_bad(entry) {
            changes.list.push(change(entry, Kind::StillDamaged, Some(entry.verdict), still(entry)));
        } else {
            changes.unchanged = changes.unchanged.saturating_add(1);
        }
        changes.trusted = changes.trusted.saturating_add(1);
        changes.next.insert(name.clone(), entry.clone());
    }
    let mut moved_from = BTreeSet::new();
    // Files under their old names come first, so that a new file is moved from a name only if that is gone.
    for (name, entry) in &now.read {
        if let Some(before) = old.get(name) {
            let (found, next) = known(before, entry, old, &origins);
            match found {
                Some(change) => {
                    if let (Kind::Moved, Some(from)) = (change.kind, &change.from) {
                        moved_from.insert(from.clone());
                    }
                    changes.list.push(change);
                }
                None => changes.unchanged = changes.unchanged.saturating_add(1),
            }
            changes.next.insert(name.clone(), next);
        }
    }
    moved_from.iter().filter_map(|name| old.get(name)).for_each(|entry| origins.take(entry));
    for (name, entry) in now.read.iter().filter(|(name, _)| !old.contains_key(*name)) {
        let (change, next) = unknown(entry, old, &origins);
        if let (Kind::Moved, Some(from)) = (change.kind, &change.from) {
            old.get(from).into_iter().for_each(|entry| origins.take(entry));
            moved_from.insert(from.clone());
        }
        changes.list.push(change);
        changes.next.insert(name.clone(), next);
    }
    let errors: BTreeMap<&[u8], &str> =
        now.unknown.iter().map(|(name, error)| (name.as_bytes(), error.as_str())).collect();
    for (name, entry) in old {
        if now.read.contains_key(name) || now.trusted.contains(name) {
            continue;
        }
        if now.leaves_out(name) {
            changes.next.insert(name.clone(), entry.clone());
            continue;
        }
        let hidden = name.and_folders().find_map(|part| errors.get(part));
        match hidden {
            Some(error) => {
                changes.list.push(change(entry, Kind::Unreadable, None, Some((*error).to_owned())));
                changes.next.insert(name.clone(), entry.clone());
            }
            None if moved_from.contains(name) => {}
            None => {
                let skipped = name.and_folders().find_map(|part| now.skipped.get(part));
                let why = skipped.map(|why| format!("there is {why}"));
                changes.list.push(change(entry, Kind::Gone, None, why));
            }
        }
    }
    let told: BTreeSet<&[u8]> = old.keys().flat_map(Name::and_folders).collect();
    for (name, error) in &now.unknown {
        if !told.contains(name.as_bytes()) {
            changes.list.push(Change {
                name: name.clone(),
                kind: Kind::Unreadable,
                part: None,
                from: None,
                before: None,
                now: None,
                keeps_damage: false,
                why: Some(error.clone()),
            });
        }
    }
    changes.list.sort_by(|a, b| a.name.cmp(&b.name));
    changes.oldest = changes.next.values().map(|entry| entry.read).min();
    changes
}

fn is_bad(entry: &Entry) -> bool {
    entry.verdict.is_bad() || entry.was.is_some()
}

fn still(entry: &Entry) -> Option<String> {
    let rules = reason(entry);
    rules.or_else(|| by_content(entry))
}

/// Why a content is known to be damaged that looks like others.
fn by_content(entry: &Entry) -> Option<String> {
    entry.was.as_ref().map(|_| "its content is not that of an earlier manifest".to_owned())
}

/// Why a file is wrong or unreadable: the error, or the rules that the file, or a file in it, breaks.
#[must_use]
pub fn reason(entry: &Entry) -> Option<String> {
    let rules = |entry: &Entry| (!entry.rules.is_empty()).then(|| entry.rules.join(", "));
    let bad = entry.members.iter().filter(|member| member.verdict.is_bad());
    let of_members = || {
        let first = bad.clone().next()?;
        let why = first.error.clone().or_else(|| rules(first)).unwrap_or_default();
        let more = match bad.clone().count().saturating_sub(1) {
            0 => String::new(),
            more => format!(", and {more} more"),
        };
        Some(format!("{}: {why}{more}", first.name))
    };
    entry.error.clone().or_else(|| rules(entry)).or_else(of_members)
}

/// A change of a file in the manifest.
fn change(before: &Entry, kind: Kind, now: Option<Verdict>, why: Option<String>) -> Change {
    let name = before.name.clone();
    Change { name, kind, part: None, from: None, before: Some(before.verdict), now, keeps_damage: false, why }
}

/// The damage of a content that another name has in the manifest, if it is known to be damaged.
fn inherited(origin: Option<(&Name, bool)>, old: &Entries) -> Option<Was> {
    old.get(origin?.0)?.was.clone()
}

/// The change of a file that is in the manifest, and its next entry.
fn known(before: &Entry, entry: &Entry, old: &Entries, origins: &Origins<'_>) -> (Option<Change>, Entry) {
    let mut next = entry.clone();
    let of = |kind, why| Some(change(before, kind, Some(entry.verdict), why));
    if entry.hash().is_none() {
        return (of(Kind::Unreadable, reason(entry)), unread(before));
    }
    let is_same = entry.has_content_of(before);
    let good = before.was.as_ref().map_or(before.verdict, |was| was.verdict);
    if before.verdict != Verdict::Unreadable
        && !is_same
        && before.hash().is_some()
        && !comparable(before, entry)
    {
        let why = "the manifest has another hash function, so that the content cannot be compared".to_owned();
        return (of(Kind::Unreadable, Some(why)), unread(before));
    }
    if let Some(was) = &before.was {
        if is_same {
            next.was.clone_from(&before.was);
            return (of(Kind::StillDamaged, still(&next)), next);
        }
        if was.hash.is_some() && was.hash.as_deref() == entry.hash() {
            return (of(Kind::Repaired, Some("it is as it was before".to_owned())), next);
        }
    }
    // A file of a known format that has none any more is not repaired, although it is no longer checked.
    let is_lost = before.verdict == Verdict::Wrong && before.format.is_some() && entry.format.is_none();
    let is_worse = entry.verdict > good || is_lost && !is_same && !entry.verdict.is_bad();
    if before.verdict.is_bad() && entry.verdict.is_bad() && (is_same || before.hash().is_none()) {
        return (of(Kind::StillDamaged, still(entry)), next);
    }
    let origin = origins.of_content(entry);
    let damage = inherited(origin, old);
    if before.verdict.is_bad() && !entry.verdict.is_bad() && !is_worse && damage.is_none() {
        // It may be intact because it is another one now.
        let from = origin.map(|(other, _)| other.clone());
        let why = before.was.as_ref().map(|_| "it is not as it was before the damage".to_owned());
        return (of(Kind::Repaired, why).map(|change| Change { from, ..change }), next);
    }
    if is_worse && !(is_same && entry.verdict == before.verdict) {
        if !is_same {
            let hash =
                before.was.as_ref().map_or_else(|| before.hash().map(str::to_owned), |was| was.hash.clone());
            next.was = Some(Was { hash, verdict: good });
        }
        let why = reason(entry)
            .unwrap_or_else(|| format!("it is {} and was {}", entry.verdict.as_str(), good.as_str()));
        let part = part(before, entry).filter(|_| !is_same);
        return (of(Kind::Damaged, Some(why)).map(|change| Change { part, ..change }), next);
    }
    if is_same {
        return (None, next);
    }
    let part = part(before, entry);
    if let Some((other, is_there)) = origin {
        let kind = if is_there { Kind::Copied } else { Kind::Moved };
        next.was = damage;
        let why = is_there.then(|| "its own content was replaced".to_owned());
        let (from, keeps_damage) = (Some(other.clone()), next.was.is_some());
        let change = of(kind, by_content(&next).or(why));
        return (change.map(|change| Change { from, part, keeps_damage, ..change }), next);
    }
    let is_untouched =
        before.bytes == entry.bytes && before.modified.is_some() && before.modified == entry.modified;
    if is_untouched {
        let first = || Was { hash: before.hash().map(str::to_owned), verdict: good };
        next.was = Some(before.was.clone().unwrap_or_else(first));
        let why = "its content changed, but not its size and time of modification".to_owned();
        return (of(Kind::Damaged, Some(why)).map(|change| Change { part, ..change }), next);
    }
    if part == Some(Part::Texts) {
        // New texts do not repair the data.
        next.was.clone_from(&before.was);
    }
    let (why, keeps_damage) = (reason(entry).or_else(|| by_content(&next)), next.was.is_some());
    (of(Kind::Modified, why).map(|change| Change { part, keeps_damage, ..change }), next)
}

/// The entry of a file that cannot be read. It keeps what was known of the content, but is not trusted the next time.
fn unread(before: &Entry) -> Entry {
    let mut entry = before.clone();
    (entry.modified, entry.changed) = (None, None);
    entry
}

/// True if both entries have a hash of the same function.
fn comparable(a: &Entry, b: &Entry) -> bool {
    let both = |a: &Option<String>, b: &Option<String>| a.is_some() && b.is_some();
    both(&a.sha256, &b.sha256) || both(&a.blake3, &b.blake3) || both(&a.md5, &b.md5)
}

fn part(before: &Entry, entry: &Entry) -> Option<Part> {
    let differs = |a: &Option<String>, b: &Option<String>| a.as_ref().zip(b.as_ref()).map(|(a, b)| a != b);
    match (differs(&before.texts, &entry.texts)?, differs(&before.data, &entry.data)?) {
        (true, true) => Some(Part::Both),
        (true, false) => Some(Part::Texts),
        // Something differs, even if the sums of the data do not show it.
        (false, _) => Some(Part::Data),
    }
}

/// The change that made a file that is not in the manifest, and its next entry.
fn unknown(entry: &Entry, old: &Entries, origins: &Origins<'_>) -> (Change, Entry) {
    let origin = origins.of_content(entry);
    let mut next = entry.clone();
    next.was = inherited(origin, old);
    let kind = match origin {
        _ if entry.hash().is_none() => Kind::Unreadable,
        None => Kind::New,
        Some((_, true)) => Kind::Copied,
        Some((_, false)) => Kind::Moved,
    };
    let change = Change {
        name: entry.name.clone(),
        kind,
        part: None,
        from: origin.map(|(other, _)| other.clone()),
        before: None,
        now: Some(entry.verdict),
        keeps_damage: next.was.is_some(),
        why: if entry.verdict.is_bad() { reason(entry) } else { by_content(&next) },
    };
    (change, next)
}

/// A change as an object of JSON.
impl JsonEntries for Change {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("file", &self.name.text())?;
        if let Some(hexadecimal) = self.name.hexadecimal() {
            object.serialize_entry("file_hex", &hexadecimal)?;
        }
        object.serialize_entry("change", self.kind.as_str())?;
        if let Some(part) = self.part {
            object.serialize_entry("part", part.as_str())?;
        }
        if let Some(from) = &self.from {
            object.serialize_entry("from", &from.text())?;
            if let Some(hexadecimal) = from.hexadecimal() {
                object.serialize_entry("from_hex", &hexadecimal)?;
            }
        }
        object.serialize_entry("before", &self.before.map(Verdict::as_str))?;
        object.serialize_entry("verdict", &self.now.map(Verdict::as_str))?;
        object.serialize_entry("why", &self.why)?;
        object.serialize_entry("ok", &!self.is_bad())
    }
}

/// The numbers of a comparison, as the last object of JSON.
impl JsonEntries for Changes {
    fn entries<M: SerializeMap>(&self, object: &mut M) -> Result<(), M::Error> {
        let counts = self.counts();
        object.serialize_entry("schema", &SCHEMA)?;
        object.serialize_entry("files", &self.next.len())?;
        object.serialize_entry("unchanged", &self.unchanged)?;
        object.serialize_entry("trusted", &self.trusted)?;
        object.serialize_entry("oldest_read", &self.oldest)?;
        for kind in Kind::ALL {
            object.serialize_entry(kind.as_str(), &counts.get(&kind).copied().unwrap_or_default())?;
        }
        object.serialize_entry("ok", &!self.list.iter().any(Change::is_bad))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn entries(folder: &str, count: usize) -> Entries {
        let of = |index: usize| {
            let name = Name::new(format!("{folder}/{index:06}.done").into_bytes()).expect("a name");
            let mut entry = Entry::new(name.clone(), 5, Stamp::EPOCH, Verdict::Other);
            entry.sha256 = Some("00".to_owned());
            (name, entry)
        };
        (0..count).map(of).collect()
    }

    /// No step compares each file with each other: this would take many minutes.
    #[test]
    fn many_files_that_are_alike_are_moved() {
        const COUNT: usize = 30_000;
        let old = entries("old", COUNT);
        // Directories that cannot be listed, too.
        let unknown = entries("folders", COUNT).into_keys().map(|name| (name, "why".to_owned())).collect();
        let now = Now { read: entries("new", COUNT + 1), unknown, ..Now::default() };
        let changes = compare(&old, &now);
        let kinds: Vec<Kind> = changes.list.iter().map(|change| change.kind).collect();
        assert_eq!(kinds[..COUNT], vec![Kind::Unreadable; COUNT]);
        assert_eq!(kinds[COUNT..COUNT * 2], vec![Kind::Moved; COUNT]);
        assert_eq!(kinds[COUNT * 2..], [Kind::Copied]);
        for change in &changes.list[COUNT..COUNT * 2] {
            let from = change.from.as_ref().expect("a name");
            assert_eq!(from.parts().1, change.name.parts().1);
        }
    }

    fn name(text: &str) -> Name {
        Name::new(text.as_bytes().to_vec()).expect("a name")
    }

    /// A file with this hash, and these hashes of its texts and data.
    fn file(of: &str, hash: &str, texts: &str, data: &str) -> Entry {
        let mut entry = Entry::new(name(of), 5, Stamp::EPOCH, Verdict::Unverified);
        (entry.sha256, entry.texts, entry.data) =
            (Some(hash.to_owned()), Some(texts.to_owned()), Some(data.to_owned()));
        entry
    }

    fn of(files: impl IntoIterator<Item = Entry>) -> Entries {
        files.into_iter().map(|file| (file.name.clone(), file)).collect()
    }

    /// Name, kind, whether something has to be done, and the earlier name.
    type Found = (String, Kind, bool, Option<String>);

    /// The changes, and the next manifest.
    fn found(old: &Entries, now: Entries) -> (Vec<Found>, Entries) {
        let changes = compare(old, &Now { read: now, ..Now::default() });
        let of = |change: &Change| {
            (change.name.text(), change.kind, change.is_bad(), change.from.as_ref().map(Name::text))
        };
        (changes.list.iter().map(of).collect(), changes.next)
    }

    #[test]
    fn known_damage_goes_with_the_content() {
        let was = Was { hash: Some("good".to_owned()), verdict: Verdict::Unverified };
        let mut damaged = file("a", "bad", "t", "d1");
        damaged.was = Some(was.clone());
        let other = || file("b", "other", "t", "d2");
        let old = of([damaged, other()]);
        let change =
            |name: &str, kind, from: Option<&str>| (name.to_owned(), kind, true, from.map(str::to_owned));
        let is_known = |next: &Entries, at: &str| next[&name(at)].was.as_ref() == Some(&was);

        let (moved, next) = found(&old, of([file("c", "bad", "t", "d1"), other()]));
        assert_eq!(moved, [change("c", Kind::Moved, Some("a"))]);
        assert!(is_known(&next, "c"));

        let (copied, next) =
            found(&old, of([file("a", "bad", "t", "d1"), other(), file("c", "bad", "t", "d1")]));
        assert_eq!(copied, [change("a", Kind::StillDamaged, None), change("c", Kind::Copied, Some("a"))]);
        assert!(is_known(&next, "a") && is_known(&next, "c"));

        let (swapped, next) = found(&old, of([file("a", "other", "t", "d2"), file("b", "bad", "t", "d1")]));
        let good = ("a".to_owned(), Kind::Moved, false, Some("b".to_owned()));
        assert_eq!(swapped, [good, change("b", Kind::Moved, Some("a"))]);
        assert!(is_known(&next, "b") && next[&name("a")].was.is_none());

        let (edited, next) = found(&old, of([file("a", "bad too", "t2", "d1"), other()]));
        assert_eq!(edited, [change("a", Kind::Modified, None)]);
        assert!(is_known(&next, "a"));

        let (written, next) = found(&old, of([file("a", "new", "t2", "d3"), other()]));
        assert!(!written[0].2 && next[&name("a")].was.is_none(), "another content is another file");
    }

    #[test]
    fn damaged_twice_is_repaired_once_the_first_content_is_back() {
        let modified = Stamp::of(std::time::SystemTime::now());
        let with = |hash: &str| {
            let mut entry = file("a", hash, "t", hash);
            entry.modified = modified;
            entry
        };
        let (_, once) = found(&of([with("good")]), of([with("bad")]));
        let (_, twice) = found(&once, of([with("worse")]));
        let (found, next) = found(&twice, of([with("bad")]));
        assert_eq!((found[0].1, found[0].2), (Kind::Damaged, true));
        let (repaired, _) = self::found(&next, of([with("good")]));
        assert_eq!((repaired[0].1, repaired[0].2), (Kind::Repaired, false));
    }

    #[test]
    fn another_file_in_the_place_of_a_damaged_one_is_named() {
        let mut damaged = file("a", "bad", "t", "d1");
        damaged.verdict = Verdict::Wrong;
        let old = of([damaged, file("b", "other", "t", "d2")]);
        let (found, _) = found(&old, of([file("a", "other", "t", "d2"), file("b", "other", "t", "d2")]));
        assert_eq!(found, [("a".to_owned(), Kind::Repaired, false, Some("b".to_owned()))]);
    }

    #[test]
    fn what_is_in_a_folder_without_a_list_is_unreadable() {
        let mut old = entries("a/b", 2);
        old.extend(entries("a/bc", 1));
        let name = |text: &str| Name::new(text.as_bytes().to_vec()).expect("a name");
        let now = Now { unknown: vec![(name("a/b"), "why".to_owned())], ..Now::default() };
        let changes = compare(&old, &now);
        let kinds: Vec<Kind> = changes.list.iter().map(|change| change.kind).collect();
        assert_eq!(kinds, [Kind::Unreadable, Kind::Unreadable, Kind::Gone]);
    }
}
