//! What the tests of the field decoder share. Not a test of its own.
#![allow(dead_code, reason = "each test binary uses its own part of this")]

pub mod build;
pub mod documents;
pub mod driven;
pub mod ildg;
pub mod run;
