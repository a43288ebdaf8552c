//! Errors of a set that is to be read as one file.

/// Why a set cannot be read as one file.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SetFault {
    /// An error that the report on the set contains too.
    #[error("{message}")]
    Found { rule: &'static str, message: String },
    #[error("the site of rank {rank} is in no volume")]
    Missing { rank: u64 },
    #[error("the site of rank {rank} is in the volumes more than once")]
    Repeated { rank: u64 },
    #[error("the site lists have the rank {rank}, which is outside the lattice")]
    Outside { rank: u64 },
    #[error("the data of volume {volume}, counted from 0, end before those of all its sites")]
    Ended { volume: usize },
    #[error("the site lists are in an order that is too irregular to be merged")]
    Irregular,
    #[error("a site has more bytes than memory can hold")]
    LargeSites,
    #[error("the volumes have changed while they were read")]
    Changed,
}
