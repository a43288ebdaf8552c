//! Writing piece by piece: the calls with which programs write single LIME records.

/// A record of data that a program has opened.
#[derive(Debug, Clone, Copy)]
pub struct Opened;
