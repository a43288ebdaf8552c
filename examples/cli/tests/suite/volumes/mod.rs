//! QIO's file sets.

mod check;
mod convert;
mod copy;
mod names;
mod refused;
mod support;
