//! The parts of several processes, without communication: the processes are simulated, and their communication is sums,
//! scans and a broadcast of the bytes of a header.

mod broken;
mod files;
mod misuse;
mod padding;
mod partition;
mod pieces;
mod properties;
mod read;
mod support;
mod truncated;
mod windows;
mod writing;
