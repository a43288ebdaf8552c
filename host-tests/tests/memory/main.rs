//! Memory: what must not allocate does not, and no buffer grows with the file. A program of its own, as it counts
//! the allocations of each thread.

mod counting;
mod field_write;
mod inebin;
mod lime;
mod scda;
mod unpack;
