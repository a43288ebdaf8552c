//! The compiled part of the npm package `linkstream`.
//!
//! Everything here is synchronous and runs in a worker; JavaScript reads the sources (see [`source`]). Results that can
//! be large go to a JavaScript object piece by piece, so that the memory of the module stays small.

mod failure;
mod push;
mod read_field;
mod read_matrix;
mod read_section;
mod sink;
mod source;
mod survey;
mod task;
mod wanted;
