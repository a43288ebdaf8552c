//! Support of the conformance, property and corruption tests of linkstream.
//!
//! Nothing in these modules but `drive` uses linkstream itself: they are the independent judge, written straight from
//! the format descriptions and proven against the reference fixtures by their own unit tests.

pub mod archives;
pub mod drive;
pub mod fixtures;
pub mod formula;
pub mod manifest;
pub mod matrices;
pub mod oracle;
pub mod packed;
pub mod sections;
