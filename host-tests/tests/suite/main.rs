//! The tests of the codec, a folder per format: `cargo test -p host-tests --test suite lime::` runs those of one.
//!
//! One program, so that what they share is compiled once. Only tests that need a process of their own are beside
//! it: `memory` (counting allocators) and `proofs` (of linked programs).

mod causes;
mod examples;
mod field;
mod growth;
mod ildg;
mod inebin;
mod io;
mod lime;
mod milc;
mod nersc;
mod rules;
mod scda;
mod scidac;
mod sinks;
mod states;
mod usqcd;
mod volume;
