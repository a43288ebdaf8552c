//! Verifies files that arrive in Ethernet frames, where the controller has written them.
//!
//! [`message`] is the protocol, [`transfer`] the order of the messages, `frame` the headers around them, and `board` the
//! driver, which has all `unsafe` code.
#![no_std]
#![deny(unsafe_code)]
#[cfg(test)]
extern crate std;

#[cfg(all(feature = "board", target_arch = "riscv64"))]
pub mod board;
#[cfg(feature = "frames")]
pub mod frame;
pub mod message;
pub mod meter;
#[cfg(feature = "frames")]
pub mod node;
pub mod text;
pub mod transfer;
pub mod verifier;
