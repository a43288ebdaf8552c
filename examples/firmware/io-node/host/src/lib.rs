//! What the tests of the I/O node need: images of cards, emulated nodes, and clients.

pub mod card;
pub mod client;
pub mod files;
pub mod log;
pub mod machine;
pub mod random;
