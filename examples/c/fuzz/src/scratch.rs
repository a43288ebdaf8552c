//! Files in memory for one run.

use std::ffi::CString;
use std::path::PathBuf;
use std::sync::OnceLock;
use std::{env, fs, process};

/// A directory of this thread's programs.
fn directory() -> PathBuf {
    static BASE: OnceLock<PathBuf> = OnceLock::new();
    let base = BASE.get_or_init(|| {
        let memory = PathBuf::from("/dev/shm");
        let base = if memory.is_dir() { memory } else { env::temp_dir() };
        base.join(format!("linkstream-c-fuzz-{}", process::id()))
    });
    let thread = format!("{:?}", std::thread::current().id()).replace(['(', ')'], "-");
    base.join(thread)
}

/// An empty directory, which is removed in the end.
#[derive(Debug)]
pub struct Scratch {
    path: PathBuf,
}

impl Scratch {
    pub fn new() -> Self {
        let path = directory();
        let _ = fs::remove_dir_all(&path);
        fs::create_dir_all(&path).expect("a directory for files");
        Self { path }
    }

    /// A file with these bytes.
    pub fn put(&self, name: &str, bytes: &[u8]) {
        fs::write(self.path.join(name), bytes).expect("room for a file");
    }

    /// The bytes of a file, if it exists.
    pub fn get(&self, name: &str) -> Option<Vec<u8>> {
        fs::read(self.path.join(name)).ok()
    }

    /// The path of a file, as a C program has it.
    pub fn path(&self, name: &str) -> CString {
        CString::new(self.path.join(name).into_os_string().into_encoded_bytes()).expect("no zero byte")
    }
}

impl Default for Scratch {
    fn default() -> Self {
        Self::new()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
        if let Some(base) = self.path.parent() {
            let _ = fs::remove_dir(base);
        }
    }
}

/// A fixture of the repository.
pub fn fixture(name: &str) -> Vec<u8> {
    let path = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../host-tests/fixtures").join(name);
    fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}
