//! Fuzz targets of the C libraries. An input is a program, a list of calls with their arguments, and a file that the
//! calls can work on. The calls are calls that a C program would make: with streams of the C library, with handles that
//! exist, that are closed, or of another type, with null pointers, with sizes that are right, wrong or huge, and with
//! functions that succeed, fail, do too little, or call the library.
//!
//! A program does what a C program may do: memory has the size that the headers of the libraries ask for, and a stream
//! is open as long as handles use it. All else must end in an error. Each byte 0 of a program chooses what is right, so
//! that seeds are easy to write.
#![allow(non_snake_case, reason = "the names of the C functions")]

pub mod comm;
pub mod input;
pub mod lime;
pub mod linkstream;
pub mod memory;
pub mod qio;
pub mod scda;
pub mod scratch;
pub mod watch;

/// A target: its name, its checks, and its seeds by name.
pub struct Target {
    pub name: &'static str,
    pub check: fn(&[u8]),
    pub seeds: fn() -> Vec<(String, Vec<u8>)>,
}

pub const TARGETS: &[Target] = &[
    Target { name: "lime", check: lime::check, seeds: lime::seeds },
    Target { name: "scda", check: scda::check, seeds: scda::seeds },
    Target { name: "qio", check: qio::check, seeds: qio::seeds },
    Target { name: "linkstream", check: linkstream::check, seeds: linkstream::seeds },
];

/// Options of the address sanitizer: an allocation that is too large is an error of the caller, as without it.
#[unsafe(no_mangle)]
pub extern "C" fn __asan_default_options() -> *const std::ffi::c_char {
    c"allocator_may_return_null=1".as_ptr()
}
