//! Sources of bytes that JavaScript provides: see `ts/host.ts`.

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

/// Fields of fewer bytes are read in order, as in the program.
const WORTH_PARTS: u64 = 64 << 10;

/// The sources of the present call, counted from 0. Only numbers are passed, so that the functions are imported as they
/// are, without a function of wasm-bindgen around them: `read` may be one that suspends the call.
#[wasm_bindgen(raw_module = "../host.js")]
extern "C" {
    /// Copies bytes from `offset` on to an address. Returns their number; 0 at the end of the source, and -1 if it
    /// throws.
    fn read(source: i32, offset: f64, address: i32, length: i32) -> i32;

    /// In bytes; negative for a stream, which can only be read in order.
    fn size(source: i32) -> f64;

    /// The number in the name of a volume; negative if there is none.
    fn volume(source: i32) -> f64;

    #[cfg(any(feature = "read", feature = "sets"))]
    fn name(source: i32) -> String;

    /// What `read` threw.
    fn thrown() -> JsValue;
}

/// A source of the present call.
#[derive(Debug, Clone, Copy)]
pub struct Source(i32);

/// So many sources.
pub fn sources(count: u32) -> Vec<Source> {
    (0..count as i32).map(Source).collect()
}

/// The sources as volumes of a set.
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
    fn name(&self) -> String {
        name(self.0)
    }

    /// In bytes; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        Some(size(self.0)).filter(|size| *size >= 0.0).map(|size| size as u64)
    }

    /// The source, as it is shared with what reads it.
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
        let (address, length) = (out.as_mut_ptr() as usize as i32, out.len() as i32);
        usize::try_from(read(self.0, offset as f64, address, length)).map_err(|_| io::Error::other(Thrown))
    }
}

/// What JavaScript gets of a failed source: what it threw itself, or what is wrong with the volumes of a set.
pub fn failed(error: &io::Error) -> JsValue {
    if error.get_ref().is_some_and(|inner| inner.is::<Thrown>()) {
        return thrown();
    }
    Failure::thrown("not-read", Class::Misuse, 0, error.to_string())
}

/// A source threw; [`thrown`] has what. Wrapped in the error of the source.
#[derive(Debug)]
pub struct Thrown;

impl fmt::Display for Thrown {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source cannot be read")
    }
}

impl std::error::Error for Thrown {}

/// Seeks over payload, or reads it where the source is a stream. One way for both, decided when it runs: each way
/// compiles every survey once more.
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
