//! NERSC archives, MILC files, and formats that are only recognised.

mod check;
mod convert;
mod damaged;
mod foreign;
mod groups;
mod header;
