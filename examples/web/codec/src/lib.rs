//! The compiled part of the npm package `linkstream`.
//!
//! Everything here is synchronous and runs in a worker. A source of bytes is a JavaScript object that reads synchronously
//! (see `ts/sources.ts`); results that can be large go to a JavaScript object piece by piece, so that the memory of the
//! module stays small.

mod failure;
mod push;
mod read_field;
mod read_matrix;
mod read_section;
mod sink;
mod source;
mod survey;
