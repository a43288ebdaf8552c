//! The tests of the program, in one module per format: `cargo test -p linkstream-cli --test suite lime::` runs the
//! tests of LIME.

mod archive;
mod batch;
#[cfg(target_os = "linux")]
mod bounded;
mod common;
mod convert;
mod cut;
mod damage;
mod damage_table;
mod diff;
mod edit;
mod ensembles;
mod explain;
mod export;
mod foreign;
mod help_examples;
mod ildg;
mod inebin;
mod inert;
mod isolated;
mod json;
mod laundering;
mod lime;
mod locate;
mod make;
mod make_field;
mod manual;
#[cfg(target_os = "linux")]
mod memory;
mod messages;
mod misleading;
mod open_qcd;
mod output;
mod own_input;
#[cfg(unix)]
mod packed;
mod program;
mod recognised;
mod remedies;
mod scda;
mod skipped;
#[cfg(target_os = "linux")]
mod spool;
mod store;
mod verdicts;
mod volumes;
