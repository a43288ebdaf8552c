//! scda sections.

mod cat;
mod create;
mod look;
