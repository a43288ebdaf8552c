//! The tests of the codec, in one module per format: `cargo test -p host-tests --test suite lime::` runs the LIME
//! tests.
//!
//! They are a single program, so that shared code is compiled once. Separate programs are only those tests that need
//! their own process: `memory` (which counts allocations) and `proofs` (about linked programs).

mod causes;
mod contract;
mod examples;
mod field;
mod formats;
mod growth;
mod ildg;
mod inebin;
mod io;
mod known_geometry;
mod lime;
mod milc;
mod nersc;
mod room;
mod rules;
mod scda;
mod scidac;
mod sinks;
mod states;
mod statics;
mod usqcd;
mod volume;
