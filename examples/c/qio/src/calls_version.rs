//! The call that returns the version of the library.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::c_char;

/// Version of QIO's interface, and version, target and profile of this library.
const VERSION: &str = concat!(
    "3.0.0 (linkstream ",
    env!("CARGO_PKG_VERSION"),
    ", ",
    env!("LINKSTREAM_TARGET"),
    ", ",
    env!("LINKSTREAM_PROFILE"),
    ")\0"
);

/// Version and build of the library that the program is linked with, as a C string.
#[unsafe(no_mangle)]
pub extern "C" fn QIO_library_version() -> *const c_char {
    VERSION.as_ptr().cast()
}
