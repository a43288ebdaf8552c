//! Memory: calls that must not allocate do not, and no buffer grows with the file. This is a separate program because
//! it counts the allocations of each thread.

mod counting;
mod field_write;
mod inebin;
mod lime;
mod scda;
mod unpack;
