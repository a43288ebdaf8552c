//! Fields: messages of SciDAC and ILDG, their documents, data and checksums.

mod apart;
mod append;
mod broken;
mod broken_table;
mod chunks;
mod fixtures;
mod flips;
mod foreign;
mod hostile;
mod jobs;
mod misuse;
mod rules;
mod sequences;
pub mod support;
mod truncated;
mod words;
mod write;
