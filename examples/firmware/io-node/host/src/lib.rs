//! Tools for the tests of the I/O node: images of cards, emulated nodes, and clients.

pub mod card;
pub mod client;
pub mod failures;
pub mod figures;
pub mod files;
pub mod lan;
pub mod local;
pub mod log;
pub mod machine;
pub mod peer;
pub mod random;
pub mod wire;
pub mod wired;
