//! Sources of bytes that JavaScript provides. `ts/host.ts` has the other side.

#[cfg(any(feature = "read", feature = "sets"))]
use std::sync::Arc;
use std::{fmt, io};

use linkstream::Class;
#[cfg(feature = "check")]
use linkstream_access::SourceReader;
#[cfg(any(feature = "read", feature = "sets"))]
use linkstream_access::set::VolumeSource;
#[cfg(any(feature = "read", feature = "sets"))]
use linkstream_access::source::SharedSource;
#[cfg(feature = "check")]
use linkstream_report::survey::PassOver;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;

/// Minimum length in bytes of fields that are read at several places. Shorter fields are read in order.
const WORTH_PARTS: u64 = 64 << 10;

// Parameters and result of `read` are numbers, so that wasm-bindgen imports it without a wrapper: JavaScript may
// provide a function that suspends the call.
/// Functions of JavaScript about the sources of the present call, counted from 0.
#[wasm_bindgen(raw_module = "../host.js")]
extern "C" {
    /// Copies at most `length` bytes from `offset` on to an address. Returns their number: 0 at the end of the source,
    /// -1 if it throws.
    fn read(source: i32, offset: f64, address: i32, length: i32) -> i32;

    /// Returns the size in bytes. It is negative for a stream, which can only be read in order.
    fn size(source: i32) -> f64;

    /// Returns the number in the name of a volume. It is negative if there is none.
    fn volume(source: i32) -> f64;

    #[cfg(any(feature = "read", feature = "sets"))]
    fn name(source: i32) -> String;

    /// Returns the value that was thrown when `read` returned -1.
    fn thrown() -> JsValue;
}

/// A source of the present call.
#[derive(Debug, Clone, Copy)]
pub struct Source(i32);

/// The first `count` sources of the present call.
pub fn sources(count: u32) -> Vec<Source> {
    (0..count as i32).map(Source).collect()
}

/// The sources as volumes of a file set.
#[cfg(any(feature = "read", feature = "sets"))]
pub fn volumes(sources: &[Source]) -> Vec<VolumeSource<'static, io::Error>> {
    let volume = |source: &Source| VolumeSource {
        name: source.name(),
        number: source.volume(),
        source: source.shared(),
    };
    sources.iter().map(volume).collect()
}

impl Source {
    /// The source of a call that has only one.
    pub const ONLY: Self = Self(0);

    #[cfg(any(feature = "read", feature = "sets"))]
    pub fn name(&self) -> String {
        name(self.0)
    }

    /// Size in bytes; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        Some(size(self.0)).filter(|size| *size >= 0.0).map(|size| size as u64)
    }

    /// The source in the form that `linkstream-access` shares among readers.
    #[cfg(any(feature = "read", feature = "sets"))]
    pub fn shared(&self) -> SharedSource<'static, io::Error> {
        Arc::new(*self)
    }

    pub fn volume(&self) -> Option<u64> {
        Some(volume(self.0)).filter(|number| *number >= 0.0).map(|number| number as u64)
    }
}

impl linkstream_access::source::Source for Source {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        self.size().ok_or_else(|| io::ErrorKind::Unsupported.into())
    }

    fn worthwhile(&self) -> u64 {
        WORTH_PARTS
    }

    /// Chromium delivers two streams of a blob almost twice as fast as one.
    fn places(&self) -> u64 {
        2
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        // An address beyond 2 GiB becomes negative; `host.ts` converts it back.
        let (address, length) = (out.as_mut_ptr() as usize as i32, out.len() as i32);
        usize::try_from(read(self.0, offset as f64, address, length)).map_err(|_| io::Error::other(Thrown))
    }
}

/// The error of a failed source for JavaScript: the value that the source threw, or an error about the volumes of a
/// file set.
pub fn failed(error: &io::Error) -> JsValue {
    if error.get_ref().is_some_and(|inner| inner.is::<Thrown>()) {
        return thrown();
    }
    Failure::thrown("not-read", Class::Misuse, 0, error.to_string())
}

/// Inner error of a source that threw. [`thrown`] returns the thrown value.
#[derive(Debug)]
pub struct Thrown;

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source cannot be read")
    }
}

impl std::error::Error for Thrown {}

/// Passes over payload: by seeking, or by reading if the source is a stream. The choice is made at run time, since two
/// types would compile every survey twice.
#[cfg(feature = "check")]
#[derive(Debug)]
pub struct AsPossible;

#[cfg(feature = "check")]
impl<'s> PassOver<SourceReader<'s, io::Error>> for AsPossible {
    fn pass_over<D: linkstream::Decode>(
        reader: &mut linkstream::io::Reader<SourceReader<'s, io::Error>, &mut [u8], D>,
    ) -> Result<(), linkstream::io::ReadError<io::Error, D::ErrorKind>> {
        let is_stream = Source::ONLY.size().is_none();
        if is_stream { reader.skip() } else { reader.skip_seeking() }
    }
}
