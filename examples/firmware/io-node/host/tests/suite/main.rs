//! Tests of the I/O node: the program of the board runs under QEMU. `run-tests` builds it and calls them.

mod attacks;
mod cards;
mod claims;
mod connections;
mod contents;
mod cuts;
mod figures;
mod fixtures;
mod fuzz;
mod tables;
mod wires;
