//! What the commands report of ILDG files, and what makes them.

mod boundaries;
mod make;
mod set_lfn;
