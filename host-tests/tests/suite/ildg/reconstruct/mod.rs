//! The last rows of links of which only the others are stored.

mod fixtures;
mod groups;
mod rows;
mod support;
