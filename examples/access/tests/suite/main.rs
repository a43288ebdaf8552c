//! The tests of opening, reading and writing.

mod reading;
mod support;
