//! Code shared by the tests of the field decoder. It contains no tests.
pub mod build;
pub mod documents;
pub mod driven;
pub mod ildg;
pub mod run;
