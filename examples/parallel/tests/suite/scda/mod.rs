//! scda files, written and read by many ranks.

mod faults;
mod fixtures;
pub mod model;
mod parts;
mod round_trip;
