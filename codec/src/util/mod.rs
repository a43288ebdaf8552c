//! Arithmetic and slices without a panic, and the CRC-32.

pub(crate) mod bytes;
pub(crate) mod counter;
pub mod crc;
