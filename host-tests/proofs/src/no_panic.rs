//! Calls every public function of linkstream with inputs and states that are unknown to the optimiser. If this program
//! links, none of them can panic or allocate; see `links/links.rs`.
//!
//! There is one file per module of the crate. Each function is called by its path (`Decoder::push(…)`), because the
//! test compares these paths with the source of the crate, so that no function is forgotten.
#![no_std]
#![no_main]

mod callback;
mod conformance;
mod contract;
mod crc;
mod error;
mod field;
mod ildg;
mod inebin;
mod io;
mod lattice;
mod lime;
mod limits;
mod milc;
mod nersc;
mod scda;
mod scidac;
mod sniff;
mod state;
mod step;
mod usqcd;
mod verdict;
mod volume;
mod xml;

use proofs::say;

#[unsafe(no_mangle)]
extern "C" fn main() -> core::ffi::c_int {
    callback::all();
    say(b"callback\n");
    conformance::all();
    say(b"conformance\n");
    contract::all();
    say(b"contract\n");
    crc::all();
    say(b"crc\n");
    error::all();
    say(b"error\n");
    field::all();
    say(b"field\n");
    ildg::all();
    say(b"ildg\n");
    inebin::all();
    say(b"inebin\n");
    io::all();
    say(b"io\n");
    lattice::all();
    say(b"lattice\n");
    lime::all();
    say(b"lime\n");
    limits::all();
    say(b"limits\n");
    milc::all();
    say(b"milc\n");
    nersc::all();
    say(b"nersc\n");
    scda::all();
    say(b"scda\n");
    scidac::all();
    say(b"scidac\n");
    sniff::all();
    say(b"sniff\n");
    state::all();
    say(b"state\n");
    step::all();
    say(b"step\n");
    usqcd::all();
    say(b"usqcd\n");
    verdict::all();
    say(b"verdict\n");
    volume::all();
    say(b"volume\n");
    xml::all();
    say(b"xml\n");
    0
}
