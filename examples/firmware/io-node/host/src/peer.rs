//! Commands that every client has.

use anyhow::{Context as _, Result};
use io_node::answer::GREETING;
use sha2::{Digest as _, Sha256};

/// Course of an upload.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Upload {
    /// Offset from where the node continued.
    pub offset: usize,
    /// The last line; empty if the connection was ended before it.
    pub answer: String,
}

/// The command for a file.
pub fn put_line(name: &str, contents: &[u8]) -> String {
    format!("put {name} {} {}\n", contents.len(), digest(contents))
}

/// Both digests of a file, as the lines of the protocol have them.
pub fn digest(contents: &[u8]) -> String {
    format!("{:08x} {:x}", crc32fast::hash(contents), Sha256::digest(contents))
}

/// An answer without the line that every connection begins with. A node that refuses a connection has not sent it.
pub fn without_greeting(answer: &str) -> &str {
    answer.strip_prefix(GREETING).unwrap_or(answer)
}

/// Offset where a file is continued, from the first line of the answer to `put`; `None` if the bytes that the node has are
/// not the first bytes of this file.
pub fn resumed(line: &str, contents: &[u8]) -> Result<Option<usize>> {
    let words = line.trim_end().strip_prefix("resume ").and_then(|words| words.split_once(' '));
    let (offset, so_far) = words.with_context(|| format!("{line:?} is not the answer to put"))?;
    let offset: usize = offset.parse()?;
    let first = contents.get(..offset);
    let first = first.with_context(|| format!("{offset} of {} bytes", contents.len()))?;
    Ok((digest(first) == so_far).then_some(offset))
}

/// A client that tries again while the node is busy.
pub trait Peer {
    /// Puts a file.
    fn put(&mut self, name: &str, contents: &[u8]) -> Result<Upload>;

    /// All bytes of an answer.
    fn command(&mut self, line: &str) -> Result<Vec<u8>>;
}
