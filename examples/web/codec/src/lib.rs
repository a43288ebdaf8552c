//! The compiled part of the npm package `linkstream`.
//!
//! The code is synchronous and runs in a worker. JavaScript reads the sources: see `source.rs`. Large results are passed
//! to JavaScript piece by piece, so that the memory of the module stays small.

#[cfg(feature = "diff")]
mod diff;
#[cfg(feature = "ensemble")]
mod ensemble;
#[cfg(feature = "entries")]
mod entry;
mod failure;
#[cfg(feature = "read")]
mod opened;
#[cfg(feature = "read")]
mod push;
#[cfg(feature = "read")]
mod read_field;
#[cfg(feature = "read")]
mod read_matrix;
#[cfg(feature = "read")]
mod read_section;
#[cfg(feature = "diff")]
mod side;
#[cfg(feature = "read")]
mod sink;
#[cfg(any(feature = "check", feature = "read"))]
mod source;
#[cfg(feature = "check")]
mod survey;
mod task;
#[cfg(feature = "read")]
mod wanted;
