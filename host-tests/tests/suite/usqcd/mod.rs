//! The USQCD formats: documents, propagator files, and their rules.

mod cases;
mod documents;
mod files;
mod rules;
mod support;

pub use rules::kinds;
