//! scda: sections as they are in the file (`plain`), and with compression (`unpack`).

mod model;
mod plain;
pub mod unpack;
