//! scda files, written and read by many ranks.

mod faults;
mod fixtures;
pub mod model;
mod round_trip;
