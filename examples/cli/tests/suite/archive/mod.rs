//! NERSC archives, MILC files, and formats that are only called by their name.

mod check;
mod convert;
mod damaged;
mod foreign;
mod header;
