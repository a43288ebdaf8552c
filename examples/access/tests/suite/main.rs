//! The tests of opening, reading and writing.

mod reading;
mod slices;
mod support;
