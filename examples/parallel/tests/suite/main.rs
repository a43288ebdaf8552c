//! Tests of collective reading and writing, with threads as ranks.

mod comm;
mod differ;
mod engines;
mod faults;
mod field;
mod kill;
mod scale;
mod scda;
