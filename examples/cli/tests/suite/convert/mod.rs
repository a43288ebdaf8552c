//! `linkstream convert`.

mod audience;
mod fields;
mod names;
mod numbers;
mod qio;
mod refused;
mod rows;
