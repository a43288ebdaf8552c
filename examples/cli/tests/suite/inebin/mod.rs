//! INEBIN matrices.

mod csv;
mod look;
