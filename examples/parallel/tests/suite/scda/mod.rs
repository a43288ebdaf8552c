//! scda files, written and read by many ranks.

mod faults;
mod fixtures;
mod model;
mod round_trip;
