//! Sections as they are in the file.

mod broken;
mod chunks;
mod fixtures;
mod flips;
mod misuse;
mod orders;
mod properties;
mod seek;
mod write;
