//! QIO's file sets.

mod as_one_file;
mod check;
mod convert;
mod copy;
mod damaged;
mod diff;
mod from_table;
mod names;
mod refused;
mod support;
