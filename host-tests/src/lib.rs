//! Support for the conformance, property and corruption tests of linkstream.
//!
//! Only the modules `cases` and `drive` use linkstream. The others are an independent reference, written from the format
//! descriptions and verified against the reference fixtures by their own unit tests.

pub mod archives;
pub mod cases;
pub mod drive;
pub mod fixtures;
pub mod formula;
pub mod hostile;
pub mod long;
pub mod manifest;
pub mod matrices;
pub mod oracle;
pub mod packed;
pub mod sections;
pub mod stores;
pub mod troubles;

/// The example in the README of the firmware compiles.
#[cfg(doctest)]
#[doc = include_str!("../../examples/firmware/README.md")]
struct FirmwareReadme;
