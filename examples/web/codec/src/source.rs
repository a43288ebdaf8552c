//! Sources of bytes that JavaScript provides.

use std::cell::RefCell;
use std::fmt;

use embedded_io::ErrorKind;
use linkstream_report::parts::Parts;
use linkstream_report::survey::PassOver;
use linkstream_report::volumes::PartsReader;
use wasm_bindgen::prelude::*;

/// Fields of fewer bytes are read in order, as in the program.
const WORTH_PARTS: u64 = 64 << 10;

#[wasm_bindgen]
extern "C" {
    /// A source that is read synchronously.
    #[derive(Debug)]
    pub type JsSource;

    /// Copies bytes from `offset` on. Returns their number; 0 at the end of the source.
    #[wasm_bindgen(method, catch)]
    fn read(this: &JsSource, offset: f64, out: &mut [u8]) -> Result<u32, JsValue>;

    /// In bytes; negative for a stream, which can only be read in order.
    #[wasm_bindgen(method, getter)]
    fn size(this: &JsSource) -> f64;

    #[wasm_bindgen(method, getter)]
    fn name(this: &JsSource) -> String;

    /// The number in the name of a volume; negative if there is none.
    #[wasm_bindgen(method, getter)]
    fn volume(this: &JsSource) -> f64;
}

thread_local! {
    /// The sources of the present call. The report library may be given a source by several threads, which a JavaScript
    /// object cannot be; an index into this list can.
    static SOURCES: RefCell<Vec<JsSource>> = const { RefCell::new(Vec::new()) };
    static THROWN: RefCell<JsValue> = const { RefCell::new(JsValue::UNDEFINED) };
}

/// Runs `work` with the sources of a call.
pub fn with_sources<T>(sources: Vec<JsSource>, work: impl FnOnce(&[Source]) -> T) -> T {
    let all: Vec<Source> = (0..sources.len()).map(Source).collect();
    SOURCES.set(sources);
    let result = work(&all);
    SOURCES.set(Vec::new());
    result
}

/// What a source threw.
pub fn thrown() -> JsValue {
    THROWN.take()
}

/// A source of the present call.
#[derive(Debug)]
pub struct Source(usize);

impl Source {
    fn with<T>(&self, use_it: impl FnOnce(&JsSource) -> T) -> Option<T> {
        SOURCES.with_borrow(|all| all.get(self.0).map(use_it))
    }

    pub fn name(&self) -> String {
        self.with(JsSource::name).unwrap_or_default()
    }

    /// In bytes; `None` for a stream.
    pub fn size(&self) -> Option<u64> {
        self.with(JsSource::size).filter(|size| *size >= 0.0).map(|size| size as u64)
    }

    /// So many bytes, or all of the source if it has fewer: what a header claims is not allocated.
    pub fn at_most(&self, bytes: u64) -> u64 {
        self.size().map_or(bytes, |size| bytes.min(size))
    }

    pub fn volume(&self) -> Option<u64> {
        self.with(JsSource::volume).filter(|number| *number >= 0.0).map(|number| number as u64)
    }
}

impl Parts for Source {
    type Error = SourceError;

    fn length(&self) -> Result<u64, SourceError> {
        self.size().ok_or(SourceError)
    }

    fn worthwhile(&self) -> u64 {
        WORTH_PARTS
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> Result<usize, SourceError> {
        match self.with(|source| source.read(offset as f64, out)) {
            Some(Ok(n)) => Ok(n as usize),
            Some(Err(error)) => {
                THROWN.set(error);
                Err(SourceError)
            }
            None => Err(SourceError),
        }
    }
}

/// A source threw; [`thrown`] has what.
#[derive(Debug)]
pub struct SourceError;

impl fmt::Display for SourceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the source cannot be read")
    }
}

impl std::error::Error for SourceError {}

impl embedded_io::Error for SourceError {
    fn kind(&self) -> ErrorKind {
        ErrorKind::Other
    }
}

/// Seeks over payload, or reads it where the source is a stream. One way for both, decided when it runs: each way compiles
/// every survey once more.
#[derive(Debug)]
pub struct AsPossible;

impl<'s> PassOver<PartsReader<'s, SourceError>> for AsPossible {
    fn pass_over<D: linkstream::Decode>(
        reader: &mut linkstream::io::Reader<'_, PartsReader<'s, SourceError>, D>,
    ) -> Result<(), linkstream::io::ReadError<SourceError, D::ErrorKind>> {
        let is_stream = SOURCES.with_borrow(|all| all.first().is_some_and(|first| first.size() < 0.0));
        if is_stream { reader.skip() } else { reader.skip_seeking() }
    }
}
