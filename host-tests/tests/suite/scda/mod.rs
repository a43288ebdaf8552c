//! scda: sections as they are in the file (`raw`), and with compression (`unpack`).

mod model;
mod raw;
pub mod unpack;
