//! The tests of opening, reading and writing.

mod reading;
mod sets;
mod slices;
mod support;
