//! Fields whose sites are distributed over processes in boxes: the bytes equal the bytes of one process for every
//! process grid, layout, order of the sites in memory, and length of the windows.

mod grids;
mod jobs;
mod positioned;
mod properties;
mod refused;
mod runs;
mod staged;
pub mod support;
