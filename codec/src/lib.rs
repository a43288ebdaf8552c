//! Streaming codec (crate documentation follows when the layers stand).
#![no_std]
#![cfg_attr(test, allow(clippy::arithmetic_side_effects, reason = "a wrong sum in a test is a failed test"))]

#[cfg(test)]
extern crate std;

pub mod crc;
pub mod error;
mod gather;
pub mod io;
pub mod lime;
mod state;
pub mod step;

pub use error::{Class, Error, Gravity, Kind, Misuse, Mode};
pub use state::LoadError;
pub use step::{Decode, Demand, Step};
