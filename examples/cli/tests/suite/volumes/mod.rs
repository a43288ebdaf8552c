//! QIO's file sets.

mod check;
mod convert;
mod copy;
mod refused;
mod support;
