//! Compressed sections.

mod broken;
mod chunks;
mod damage;
mod elements;
mod fixtures;
mod packing;
mod properties;
pub mod support;
mod windows;
