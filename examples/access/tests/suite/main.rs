//! The tests of opening, reading and writing.

mod foreign;
mod noted;
mod order;
mod reading;
mod refusals;
mod sets;
mod slices;
mod support;
