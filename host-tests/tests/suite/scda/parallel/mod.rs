//! Several processes write or read one file: whole sections in one call, and the decoder that they share. The processes
//! are simulated without threads; their communication is sums, scans and a broadcast of the bytes of a header.

mod broken;
mod padding;
mod pieces;
mod properties;
mod read;
mod states;
mod support;
mod truncated;
mod writing;
