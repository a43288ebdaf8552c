//! ILDG's documents, rules and kinds of gauge field.

mod boundaries;
pub mod cases;
mod documents;
mod generated;
mod kinds;
mod reconstruct;
mod rules;
