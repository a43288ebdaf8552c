//! `linkstream convert`.

mod audience;
mod carried;
mod fields;
mod names;
mod numbers;
mod qio;
mod refused;
mod rows;
