//! Files of archives.

use linkstream_access::findings::PACKING_DAMAGED;

use super::entry::Verdict;
use super::manifest::Entries;

/// The files of a store, with the files of an archive instead of it. An archive that is itself damaged stays.
#[must_use]
pub fn with_members(entries: Entries) -> Entries {
    let mut all = Entries::new();
    for (name, mut entry) in entries {
        let members = std::mem::take(&mut entry.members);
        let is_damaged = entry.rules.iter().any(|rule| PACKING_DAMAGED.contains(&rule.as_str()));
        if members.is_empty() || is_damaged || entry.members_left_out.is_some() {
            all.insert(name, entry);
        }
        // Of several files with one name the worst counts, so that a good one does not hide a damaged one.
        for member in members {
            let other = all.get(&member.name).map(|other| other.verdict);
            if other.is_none_or(|other| worse(other, member.verdict) == member.verdict) {
                all.insert(member.name.clone(), member);
            }
        }
    }
    all
}

/// The worse of two verdicts on files of an archive. Files of other formats do not count beside checked ones.
pub(super) fn worse(a: Verdict, b: Verdict) -> Verdict {
    match (a, b) {
        (Verdict::Other, other) | (other, Verdict::Other) => other,
        _ => a.max(b),
    }
}
