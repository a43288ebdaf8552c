//! `linkstream convert`.

mod fields;
mod names;
mod numbers;
mod refused;
mod rows;
