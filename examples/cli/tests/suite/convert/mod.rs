//! `linkstream convert`.

mod audience;
mod carried;
mod fields;
mod names;
mod numbers;
mod observables;
mod qio;
mod refused;
mod rows;
