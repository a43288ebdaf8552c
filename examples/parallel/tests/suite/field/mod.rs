//! Lattice fields: single files and file sets, written and read by many ranks.

mod counts;
mod faults;
mod single;
mod support;
