//! From any bytes to the verdict: the packages that read files on a host, with several options. Nothing panics, and what
//! must be equal is equal. Targets: [`report`] for `check`, `inspect` and `diff`, [`access`] for opening, reading and
//! converting, [`archives`] for both with archives, and [`sets`] for both with file sets.

pub mod access;
pub mod archives;
pub mod report;
mod seeds;
pub mod sets;
