//! Files in memory, and their data as the codec reads them.

use std::io;
use std::path::PathBuf;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex};

use host_tests::fixtures::Fixtures;
use linkstream::Mode;
use linkstream::field::{Decoder, Event};
use linkstream::io::Reader;
use linkstream_access::set::{FIRST, VolumeSource, is_volume};
use linkstream_access::source::Source;

/// A file that can change while it is open. It delivers few bytes at a time.
#[derive(Default)]
pub struct Memory {
    pub bytes: Mutex<Vec<u8>>,
    /// True if reading fails.
    pub is_broken: AtomicBool,
}

impl Memory {
    pub fn new(bytes: Vec<u8>) -> Arc<Self> {
        Arc::new(Self { bytes: Mutex::new(bytes), is_broken: AtomicBool::new(false) })
    }

    pub fn flip(&self, at: usize) {
        self.bytes.lock().expect("no panic")[at] ^= 0x10;
    }
}

impl Source for Memory {
    type Error = io::Error;

    fn length(&self) -> io::Result<u64> {
        Ok(self.bytes.lock().expect("no panic").len() as u64)
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> io::Result<usize> {
        if self.is_broken.load(Ordering::Relaxed) {
            return Err(io::ErrorKind::Other.into());
        }
        let length = out.len().min(1000);
        self.bytes.lock().expect("no panic").as_slice().read_at(offset, &mut out[..length])
    }
}

/// The data of all fields of a LIME file, big endian, as the codec reads them in order.
pub fn fields(file: &[u8]) -> Vec<Vec<u8>> {
    let mut buffer = [0; 4096];
    let mut reader = Reader::new(file, &mut buffer, Decoder::new(Mode::Lenient));
    let mut all: Vec<Vec<u8>> = Vec::new();
    while let Some(event) = reader.next().expect("an intact file") {
        match event {
            Event::Field => all.push(Vec::new()),
            Event::Data => all.last_mut().expect("a field").extend_from_slice(reader.bytes()),
            _ => {}
        }
    }
    all
}

/// Paths of the fixtures in a directory and those below it.
pub fn paths(folder: &str) -> Vec<PathBuf> {
    let (mut folders, mut found) = (vec![Fixtures::Ours.join(folder)], Vec::new());
    while let Some(folder) = folders.pop() {
        for entry in std::fs::read_dir(folder).expect("a folder") {
            let path = entry.expect("an entry").path();
            if path.is_dir() { folders.push(path) } else { found.push(path) }
        }
    }
    found.sort();
    found
}

/// All sets of QIO's fixtures, by name.
pub fn sets() -> Vec<(PathBuf, Vec<VolumeSource<'static, io::Error>>)> {
    let mut sets: Vec<(PathBuf, Vec<VolumeSource<'static, io::Error>>)> = Vec::new();
    for path in paths("qio") {
        let bytes = std::fs::read(&path).expect("a fixture");
        let number = path.extension().and_then(|end| end.to_str()?.strip_prefix("vol")?.parse().ok());
        let (Some(number), Some(true)) = (number, is_volume(&bytes[..bytes.len().min(FIRST)])) else {
            continue;
        };
        let source = VolumeSource {
            name: format!("vol{number:04}"),
            number: Some(number),
            source: Memory::new(bytes),
        };
        let name = path.with_extension("");
        match sets.last_mut().filter(|(last, _)| *last == name) {
            Some((_, volumes)) => volumes.push(source),
            None => sets.push((name, vec![source])),
        }
    }
    sets
}
