//! What ILDG adds: its documents, its rules, its kinds of gauge field.

mod boundaries;
pub mod cases;
mod documents;
mod generated;
mod kinds;
mod reconstruct;
mod rules;
