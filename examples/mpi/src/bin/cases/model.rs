//! The fields, and the serial writers of them, of the tests of `linkstream-parallel`.
#![allow(dead_code, reason = "the tests of another package use the rest")]

#[path = "../../../../parallel/tests/suite/field/set_support.rs"]
pub mod set_support;
#[path = "../../../../parallel/tests/suite/field/support.rs"]
pub mod support;
