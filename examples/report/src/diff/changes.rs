//! Lists of differences.

/// A difference between two values. One of them is `None` if only the other file has it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// Path of the element, record or property that differs.
    pub path: String,
    pub a: Option<String>,
    pub b: Option<String>,
}

/// A list of differences: at most [`Changes::MAX`] entries, and the number of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    list: Vec<Change>,
    left_out: u64,
}

impl Changes {
    /// Maximum number of entries. Two files can have more differences than anyone would read.
    pub const MAX: usize = 100;

    pub fn as_slice(&self) -> &[Change] {
        &self.list
    }

    /// Number of differences that are not listed.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    /// Number of bytes in the texts of the list.
    pub(super) fn bytes(&self) -> usize {
        let text = |text: &Option<String>| text.as_ref().map_or(0, String::len);
        let of = |change: &Change| {
            change.path.len().saturating_add(text(&change.a)).saturating_add(text(&change.b))
        };
        self.list.iter().map(of).fold(0, usize::saturating_add)
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn push(&mut self, change: Change) {
        if self.list.len() < Self::MAX {
            self.list.push(change);
        } else {
            self.left_out = self.left_out.saturating_add(1);
        }
    }

    /// Adds a difference between values that both files have.
    pub(super) fn differ(&mut self, path: impl Into<String>, a: impl ToString, b: impl ToString) {
        self.push(Change { path: path.into(), a: Some(a.to_string()), b: Some(b.to_string()) });
    }

    /// Adds a difference if the values are not equal.
    pub fn unless_equal<T: PartialEq + ToString>(&mut self, path: &str, a: &T, b: &T) {
        if a != b {
            self.differ(path, a.to_string(), b.to_string());
        }
    }
}
