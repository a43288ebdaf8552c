//! What ILDG adds: its documents, its rules, its kinds of gauge field.

mod boundaries;
mod cases;
mod documents;
mod generated;
mod kinds;
mod reconstruct;
mod rules;
