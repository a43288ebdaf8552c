//! Lists that do not grow with the files.

/// Maximum number of ranges of sites, entries or bytes that are kept of a pair of data.
pub(super) const MOST_RANGES: usize = 100;

/// A list of at most [`Kept::MAX`] entries, and the number of the others.
#[derive(Debug, Clone)]
pub struct Kept<T> {
    list: Vec<T>,
    left_out: u64,
    /// Number of bytes that the texts of further entries may have.
    room: usize,
}

impl<T> Default for Kept<T> {
    fn default() -> Self {
        Self { list: Vec::new(), left_out: 0, room: Self::LONGEST }
    }
}

impl<T> Kept<T> {
    /// Maximum number of entries.
    pub const MAX: usize = 10_000;
    /// Maximum number of bytes in the texts of all entries.
    const LONGEST: usize = 32 << 20;

    pub fn as_slice(&self) -> &[T] {
        &self.list
    }

    /// Number of entries that are not listed.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    /// Adds an entry whose texts have so many bytes.
    pub(super) fn push(&mut self, entry: T, bytes: usize) {
        match self.room.checked_sub(bytes) {
            Some(room) if self.list.len() < Self::MAX => {
                self.room = room;
                self.list.push(entry);
            }
            _ => self.left_out = self.left_out.saturating_add(1),
        }
    }
}

impl<T> FromIterator<T> for Kept<T> {
    fn from_iter<I: IntoIterator<Item = T>>(entries: I) -> Self {
        let mut kept = Self::default();
        entries.into_iter().for_each(|entry| kept.push(entry, 0));
        kept
    }
}

#[cfg(test)]
mod tests {
    use super::Kept;

    #[test]
    fn neither_many_nor_long_entries_are_kept() {
        let many: Kept<usize> = (0..Kept::<usize>::MAX + 7).collect();
        assert_eq!((many.as_slice().len(), many.left_out()), (Kept::<usize>::MAX, 7));
        let mut long = Kept::default();
        (0..100).for_each(|entry| long.push(entry, 1 << 20));
        assert_eq!((long.as_slice().len(), long.left_out()), (32, 68));
        // A shorter one still has room.
        long.push(100, 0);
        assert_eq!(long.as_slice().last(), Some(&100));
    }
}
