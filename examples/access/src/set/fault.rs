//! Errors of a set that is to be read as one file.

/// Why a set cannot be read as one file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetFault {
    /// An error that the report on the set contains too.
    #[error("{message}")]
    Found { rule: &'static str, message: String },
    #[error("a site has more bytes than memory can hold")]
    LargeSites,
    #[error("the volumes have changed while they were read")]
    Changed,
}
