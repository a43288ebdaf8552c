//! Commands that every client has.

use anyhow::Result;

/// An upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Offset from where the node continued.
    pub offset: usize,
    /// The last line; empty if the connection was ended before it.
    pub answer: String,
}

/// The command for a file.
pub fn put_line(name: &str, contents: &[u8]) -> String {
    format!("put {name} {} {:08x}\n", contents.len(), crc32fast::hash(contents))
}

/// A client that tries again while the node is busy.
pub trait Peer {
    /// Puts a file.
    fn put(&mut self, name: &str, contents: &[u8]) -> Result<Upload>;

    /// All bytes of an answer.
    fn command(&mut self, line: &str) -> Result<Vec<u8>>;
}
