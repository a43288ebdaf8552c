//! The utilities of LIME 1.2, section 4. They work on records and messages and do not interpret the content.

mod contents;
mod extract;
mod list;
mod name;
mod pack;
mod records;
mod sample;
mod text;
mod unpack;

pub use contents::contents;
pub use extract::{Wanted, extract};
pub use pack::pack;
pub use sample::sample;
pub use unpack::unpack;
