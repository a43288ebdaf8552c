//! What the commands report of ILDG files, and what makes them.

pub mod boundaries;
mod make;
mod set_lfn;
