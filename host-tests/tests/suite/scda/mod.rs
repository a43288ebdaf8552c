//! scda: sections as they are in the file (`raw`), and with compression (`unpack`).

mod model;
mod parallel;
mod raw;
pub mod unpack;
