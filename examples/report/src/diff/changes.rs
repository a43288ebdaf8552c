//! Lists of what differs.

/// One thing that differs. `None`: it is not there.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// What: the path of an element, a record, a property.
    pub path: String,
    pub a: Option<String>,
    pub b: Option<String>,
}

/// What differs: at most [`Changes::MAX`] entries, and the number of the others.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Changes {
    list: Vec<Change>,
    left_out: u64,
}

impl Changes {
    /// Two files can differ in more places than anybody reads.
    pub const MAX: usize = 100;

    pub fn as_slice(&self) -> &[Change] {
        &self.list
    }

    /// How many are not listed.
    pub const fn left_out(&self) -> u64 {
        self.left_out
    }

    pub fn is_empty(&self) -> bool {
        self.list.is_empty()
    }

    pub(super) fn push(&mut self, change: Change) {
        if self.list.len() < Self::MAX {
            self.list.push(change);
        } else {
            self.left_out += 1;
        }
    }

    /// Both have it, and it differs.
    pub(super) fn differ(&mut self, path: impl Into<String>, a: impl ToString, b: impl ToString) {
        self.push(Change { path: path.into(), a: Some(a.to_string()), b: Some(b.to_string()) });
    }

    /// The same if it does differ.
    pub(super) fn unless_equal<T: PartialEq + ToString>(&mut self, path: &str, a: &T, b: &T) {
        if a != b {
            self.differ(path, a.to_string(), b.to_string());
        }
    }
}
