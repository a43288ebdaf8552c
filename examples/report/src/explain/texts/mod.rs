//! The texts, one file for each group of rules.

pub mod conformance;
pub mod field;
pub mod inebin;
pub mod lime;
pub mod milc;
pub mod nersc;
pub mod own;
mod remedies;
pub mod scda;
pub mod usqcd;
pub mod volume;
pub mod xml;
