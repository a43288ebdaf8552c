//! MILC files of version 5.

mod files;
pub mod support;
