//! The tests of opening, reading and writing.

mod order;
mod reading;
mod slices;
mod support;
