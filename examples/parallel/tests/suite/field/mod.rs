//! Lattice fields: single files and file sets, written and read by many ranks.

mod boxes;
mod counts;
mod faults;
mod fixtures;
mod lost;
mod misuse;
mod raw;
mod set_counts;
mod set_faults;
mod set_support;
mod sets;
mod single;
mod support;
