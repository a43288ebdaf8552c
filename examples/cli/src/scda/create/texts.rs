//! Texts of compressed elements. The length of each precedes the first of them in the file, so that they are
//! kept in a temporary file until all are made.

use std::fs::File;
use std::io::{BufReader, BufWriter, Read as _, Seek as _, Write as _};

use linkstream::scda::{Style, deflate};

use crate::source::BUFFER;

/// What the paper recommends, and libsc does.
const LEVEL: u8 = 9;
/// The compressor takes an element in one piece.
pub const LONGEST: u64 = 1 << 30;

pub struct Texts {
    style: Style,
    texts: BufWriter<File>,
    /// Of each text, 8 bytes.
    lengths: BufWriter<File>,
    /// All bytes of text.
    pub total: u64,
}

impl Texts {
    pub fn new(style: Style) -> std::io::Result<Self> {
        let file = || tempfile::tempfile().map(BufWriter::new);
        Ok(Self { style, texts: file()?, lengths: file()?, total: 0 })
    }

    /// The next element.
    pub fn add(&mut self, element: &[u8]) -> std::io::Result<()> {
        let text = deflate(element, LEVEL, self.style);
        let length = text.len() as u64;
        self.total += length;
        self.lengths.write_all(&length.to_le_bytes())?;
        self.texts.write_all(&text)
    }

    /// The lengths, and then the texts.
    pub fn finish(self) -> anyhow::Result<(impl Iterator<Item = u64>, BufReader<File>)> {
        let begin = |file: BufWriter<File>| {
            let mut file = file.into_inner()?;
            file.rewind()?;
            anyhow::Ok(BufReader::with_capacity(BUFFER, file))
        };
        let (mut lengths, texts) = (begin(self.lengths)?, begin(self.texts)?);
        let lengths = std::iter::from_fn(move || {
            let mut length = [0; 8];
            // One that cannot be read is missing, and the writer refuses to go on.
            lengths.read_exact(&mut length).ok().map(|()| u64::from_le_bytes(length))
        });
        Ok((lengths, texts))
    }
}
