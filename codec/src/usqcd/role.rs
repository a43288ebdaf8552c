//! What a record of a propagator file is.

use crate::state::saved;

/// What a data record of a propagator file is (QIO 2.3, appendices A.2 and A.3).
///
/// # Example
/// ```
/// use linkstream::usqcd::Role;
///
/// assert_eq!((Role::Source.as_str(), Role::Solution.to_string()), ("source", "solution".to_owned()));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Role {
    /// The source of the solutions that follow.
    Source,
    /// The solution of the Dirac equation for a source; QIO's type names call it a sink.
    Solution,
}

saved!(enum Role: Source, Solution);

impl Role {
    /// The role in a word.
    #[must_use]
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Source => "source",
            Self::Solution => "solution",
        }
    }
}

impl core::fmt::Display for Role {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(self.as_str())
    }
}
