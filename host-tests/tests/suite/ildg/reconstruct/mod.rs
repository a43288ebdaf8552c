//! Reconstruction of the last rows of links in reduced storage.

mod fixtures;
mod groups;
mod rows;
mod support;
