//! What the tests of the field decoder share. Not a test of its own.
pub mod build;
pub mod documents;
pub mod driven;
pub mod ildg;
pub mod run;
