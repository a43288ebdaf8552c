//! Streaming codec (crate documentation follows when the layers stand).
#![no_std]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

#[cfg(test)]
extern crate std;

pub mod crc;
pub mod error;
pub mod field;
mod gather;
pub mod ildg;
pub mod io;
pub mod lattice;
pub mod lime;
pub mod scidac;
mod state;
pub mod step;
pub mod xml;

pub use error::{Class, Error, Gravity, Kind, Misuse, Mode};
pub use state::LoadError;
pub use step::{Decode, Demand, Step};
