//! Finds the contents of a manifest in the store.

use std::collections::{BTreeSet, HashMap};

use super::entry::Entry;
use super::manifest::Entries;
use super::name::Name;

/// The names of the manifest by content, except empty files, which are all alike.
pub struct Origins<'e>(HashMap<&'e str, Alike<'e>>);

/// The names of a content.
#[derive(Default)]
struct Alike<'e> {
    /// Names that no longer have it.
    gone: Names<'e>,
    /// Names that still have it, or whose content is accounted for.
    there: Names<'e>,
}

#[derive(Default)]
struct Names<'e> {
    all: BTreeSet<&'e Name>,
    /// By the last part. Many files may be alike, so that no search goes through all.
    by_file: HashMap<&'e [u8], BTreeSet<&'e Name>>,
}

impl<'e> Names<'e> {
    fn add(&mut self, name: &'e Name) {
        self.all.insert(name);
        self.by_file.entry(name.parts().1).or_default().insert(name);
    }

    fn remove(&mut self, name: &Name) -> Option<&'e Name> {
        let found = self.all.take(name)?;
        if let Some(names) = self.by_file.get_mut(name.parts().1) {
            names.remove(name);
        }
        Some(found)
    }

    /// The first other name. Names with the same last part come first.
    fn other(&self, than: &Name) -> Option<&'e Name> {
        let first = |names: &BTreeSet<&'e Name>| names.iter().copied().find(|name| *name != than);
        self.by_file.get(than.parts().1).and_then(first).or_else(|| first(&self.all))
    }
}

impl<'e> Origins<'e> {
    /// `is_there` is true if a name still has the content of its entry.
    pub fn of(old: &'e Entries, is_there: impl Fn(&Entry) -> bool) -> Self {
        let mut alike: HashMap<&str, Alike<'_>> = HashMap::new();
        for entry in old.values().filter(|entry| entry.bytes > 0) {
            let Some(hash) = entry.hash() else { continue };
            let of = alike.entry(hash).or_default();
            if is_there(entry) { of.there.add(&entry.name) } else { of.gone.add(&entry.name) }
        }
        Self(alike)
    }

    /// The other name that has or had this content, and whether it is still there. One that is gone comes before one that
    /// is still there.
    pub fn of_content(&self, entry: &Entry) -> Option<(&'e Name, bool)> {
        let alike = self.0.get(entry.hash()?)?;
        let gone = alike.gone.other(&entry.name).map(|name| (name, false));
        gone.or_else(|| Some((alike.there.other(&entry.name)?, true)))
    }

    /// The content of this name is accounted for: it was moved.
    pub fn take(&mut self, entry: &Entry) {
        let Some(alike) = entry.hash().and_then(|hash| self.0.get_mut(hash)) else { return };
        if let Some(name) = alike.gone.remove(&entry.name) {
            alike.there.add(name);
        }
    }
}
