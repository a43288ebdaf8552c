//! Plaquette, link trace, Polyakov loop and unitarity of gauge fields of any group and number of dimensions.

mod determinant;
mod geometry;
mod kernel;
mod links;
mod measured;
mod observables;
mod sums;
#[cfg(test)]
mod tests;

pub use measured::{DirectionFigure, FAR, Measured, Outliers, PlaneFigure, SliceFigures};
pub use observables::{Bytes, Observables};
