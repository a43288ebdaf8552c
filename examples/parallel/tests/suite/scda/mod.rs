//! scda files, written and read by many ranks.

mod fixtures;
mod model;
mod round_trip;
