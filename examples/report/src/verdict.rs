//! The verdict on a file: one word that a script can act on.

/// The verdict on a file as a whole.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Verdict {
    /// No errors, and all data are verified by checksums stored in the file.
    Ok,
    /// No errors, but some data have no stored checksum or were not read, or there are no data.
    Unverified,
    /// There are errors.
    Wrong,
    /// The file could not be opened or read.
    Unreadable,
}

impl Verdict {
    /// The verdict as a word, as in JSON.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Ok => "ok",
            Self::Unverified => "unverified",
            Self::Wrong => "wrong",
            Self::Unreadable => "unreadable",
        }
    }
}

/// Number of parts of a file that contain data, and how many of them are verified by a stored checksum. Texts do not
/// count, because no format has checksums for them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Coverage {
    pub parts: usize,
    pub verified: usize,
}

impl Coverage {
    /// The coverage of parts, given whether each of them is verified.
    pub fn of(parts: impl Iterator<Item = bool>) -> Self {
        parts.fold(Self::default(), |all, verified| Self {
            parts: all.parts.saturating_add(1),
            verified: all.verified.saturating_add(usize::from(verified)),
        })
    }

    /// The coverage of these parts and others.
    #[must_use]
    pub const fn and(self, others: Self) -> Self {
        Self {
            parts: self.parts.saturating_add(others.parts),
            verified: self.verified.saturating_add(others.verified),
        }
    }

    /// True if there are data and all of them are verified.
    pub const fn is_complete(self) -> bool {
        self.parts > 0 && self.verified == self.parts
    }
}

#[cfg(test)]
mod tests {
    use super::Coverage;

    #[test]
    fn a_file_without_data_is_not_verified() {
        assert!(!Coverage::of([].into_iter()).is_complete());
        assert!(!Coverage::of([true, false].into_iter()).is_complete());
        assert!(Coverage::of([true, true].into_iter()).is_complete());
    }
}
