//! The commands that report on ILDG files and make them.

pub mod boundaries;
mod make;
mod set_lfn;
