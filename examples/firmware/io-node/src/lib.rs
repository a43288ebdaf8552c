//! The part of the I/O node that does not depend on the board: the commands, the files on the card, and their
//! verification. `protocol.md` describes what clients see. The drivers of the board are in `src/bin/io-node`.
#![no_std]
#![forbid(unsafe_code)]
#[cfg(test)]
extern crate std;

pub mod answer;
pub mod card;
pub mod catalogue;
pub mod command;
pub mod copy;
pub mod digest;
pub mod fat;
pub mod job;
pub mod meter;
pub mod name;
pub mod node;
pub mod server;
pub mod stage;
pub mod store;
pub mod text;
pub mod verify;
