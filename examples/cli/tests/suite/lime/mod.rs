//! LIME records.

mod pack;
mod tools;
mod unpack;
