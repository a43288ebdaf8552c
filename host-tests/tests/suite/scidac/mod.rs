//! Documents of SciDAC.

mod documents;
mod generated;
mod numbers;
mod xml;
