//! Sources for the tests, and the files of the fixtures.

use embedded_io::{ErrorKind, ErrorType, Read, Seek, SeekFrom};
use host_tests::fixtures::Fixtures;
use linkstream::Error;
use linkstream::io::ReadError;
use std::convert::Infallible;
use std::future::{Future, poll_fn};
use std::path::Path;
use std::pin::pin;
use std::task::{Context, Poll, Waker};

/// Maximum size of a file that is cut at every byte.
const SMALL: usize = 2500;

/// A source that returns one byte at a time and fails before every third. It can seek, and fails at seeks on demand.
#[derive(Debug, Clone)]
pub struct Hiccups<'a> {
    pub input: &'a [u8],
    pub at: u64,
    pub calls: u32,
    pub seeks_fail: bool,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Hiccup;

impl std::fmt::Display for Hiccup {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("hiccup")
    }
}

impl core::error::Error for Hiccup {}

impl embedded_io::Error for Hiccup {
    fn kind(&self) -> ErrorKind {
        ErrorKind::TimedOut
    }
}

impl<'a> Hiccups<'a> {
    pub fn new(input: &'a [u8]) -> Self {
        Self { input, at: 0, calls: 0, seeks_fail: false }
    }
}

impl ErrorType for Hiccups<'_> {
    type Error = Hiccup;
}

impl Read for Hiccups<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Hiccup> {
        self.calls += 1;
        if self.calls.is_multiple_of(3) {
            return Err(Hiccup);
        }
        let rest = self.input.get(self.at as usize..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(1);
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n as u64;
        Ok(n)
    }
}

impl Seek for Hiccups<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Hiccup> {
        if self.seeks_fail {
            return Err(Hiccup);
        }
        self.at = match to {
            SeekFrom::Start(to) => to,
            SeekFrom::End(by) => (self.input.len() as u64).checked_add_signed(by).expect("inside"),
            SeekFrom::Current(by) => self.at.checked_add_signed(by).expect("inside"),
        };
        Ok(self.at)
    }
}

/// A source that fails after a number of bytes.
pub struct Frail<'f> {
    pub file: &'f [u8],
    pub at: usize,
    pub left: usize,
}

impl ErrorType for Frail<'_> {
    type Error = Hiccup;
}

impl Read for Frail<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Hiccup> {
        let rest = self.file.get(self.at..self.file.len().min(self.left)).unwrap_or_default();
        if rest.is_empty() && self.at < self.file.len() {
            return Err(Hiccup);
        }
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}

impl Seek for Frail<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Hiccup> {
        let SeekFrom::Start(at) = to else { return Err(Hiccup) };
        self.at = at as usize;
        Ok(at)
    }
}

/// A source that fails once: at its call number `calls`, counted from 0.
pub struct Once<'f> {
    pub file: &'f [u8],
    pub at: usize,
    pub calls: Option<u32>,
}

impl Once<'_> {
    fn call(&mut self) -> Result<(), Hiccup> {
        let fails = self.calls == Some(0);
        self.calls = self.calls.and_then(|calls| calls.checked_sub(1));
        if fails { Err(Hiccup) } else { Ok(()) }
    }
}

impl ErrorType for Once<'_> {
    type Error = Hiccup;
}

impl Read for Once<'_> {
    fn read(&mut self, out: &mut [u8]) -> Result<usize, Hiccup> {
        self.call()?;
        let rest = self.file.get(self.at..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}

impl Seek for Once<'_> {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Hiccup> {
        self.call()?;
        self.at = match to {
            SeekFrom::Start(at) => at as usize,
            SeekFrom::End(by) => self.file.len().checked_add_signed(by as isize).expect("inside"),
            SeekFrom::Current(by) => self.at.checked_add_signed(by as isize).expect("inside"),
        };
        Ok(self.at as u64)
    }
}

/// A source that is pending before each read, and before each seek.
pub struct Stalling<'f> {
    file: &'f [u8],
    at: usize,
    /// Most bytes of a read.
    most: usize,
    waited: bool,
}

impl<'f> Stalling<'f> {
    pub fn new(file: &'f [u8], most: usize) -> Self {
        Self { file, at: 0, most, waited: false }
    }

    async fn wait(&mut self) {
        poll_fn(|_| {
            self.waited = !self.waited;
            if self.waited { Poll::Pending } else { Poll::Ready(()) }
        })
        .await;
    }
}

impl ErrorType for Stalling<'_> {
    type Error = Infallible;
}

impl embedded_io_async::Read for Stalling<'_> {
    async fn read(&mut self, out: &mut [u8]) -> Result<usize, Infallible> {
        self.wait().await;
        let rest = self.file.get(self.at..).unwrap_or_default();
        let n = rest.len().min(out.len()).min(self.most);
        out[..n].copy_from_slice(&rest[..n]);
        self.at += n;
        Ok(n)
    }
}

impl embedded_io_async::Seek for Stalling<'_> {
    async fn seek(&mut self, to: SeekFrom) -> Result<u64, Infallible> {
        self.wait().await;
        self.at = match to {
            SeekFrom::Start(at) => at as usize,
            SeekFrom::Current(by) => self.at.checked_add_signed(by as isize).expect("inside"),
            SeekFrom::End(by) => self.file.len().checked_add_signed(by as isize).expect("inside"),
        };
        Ok(self.at as u64)
    }
}

/// Polls a future a number of times, and drops it. `None` if it has not completed.
pub fn polled<T>(future: impl Future<Output = T>, times: usize) -> Option<T> {
    let (mut future, mut context) = (pin!(future), Context::from_waker(Waker::noop()));
    (0..times).find_map(|_| match future.as_mut().poll(&mut context) {
        Poll::Ready(done) => Some(done),
        Poll::Pending => None,
    })
}

/// Repeats a call until the source does not fail.
pub fn again<T, E: std::fmt::Debug, K>(
    mut call: impl FnMut() -> Result<T, ReadError<E, K>>,
) -> Result<T, ReadError<E, K>> {
    loop {
        match call() {
            Err(ReadError::Io(_)) => {}
            other => return other,
        }
    }
}

/// Fills a slice: repeats a call that is passed what `resume` has returned so far, until the source does not fail.
/// Returns that and the result of the last call.
pub fn resumed<R, T, E: std::fmt::Debug, K>(
    reader: &mut R,
    resume: impl Fn(&mut R) -> usize,
    mut call: impl FnMut(&mut R, usize) -> Result<T, ReadError<E, K>>,
) -> Result<(usize, T), ReadError<E, K>> {
    let mut done = 0;
    loop {
        match call(reader, done) {
            Err(ReadError::Io(_)) => done += resume(reader),
            other => return other.map(|answer| (done, answer)),
        }
    }
}

/// Unwraps an error of the format; no other is expected.
pub fn format<T, E: std::fmt::Debug, K: std::fmt::Debug>(
    result: Result<T, ReadError<E, K>>,
) -> Result<T, Error<K>> {
    result.map_err(|error| match error {
        ReadError::Format(error) => error,
        other => panic!("the reader failed: {other:?}"),
    })
}

/// All files in these directories of the fixtures, with their names.
pub fn files(folders: &[&str]) -> Vec<(String, Vec<u8>)> {
    let mut files = Vec::new();
    for folder in folders {
        add(&Fixtures::Ours.join(folder), &mut files);
    }
    assert!(files.len() > 10, "fixtures are missing");
    files
}

fn add(folder: &Path, files: &mut Vec<(String, Vec<u8>)>) {
    for entry in std::fs::read_dir(folder).expect("a readable directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            add(&path, files);
        } else if path.metadata().expect("a file").len() < 300_000 {
            files.push((path.display().to_string(), std::fs::read(&path).expect("a file")));
        }
    }
}

/// Prefixes of a file: all for a small one, some for others.
pub fn cuts(file: &[u8]) -> impl Iterator<Item = &[u8]> {
    let step = if file.len() <= SMALL { 1 } else { file.len() / 97 };
    (0..file.len()).step_by(step).map(|end| &file[..end])
}
