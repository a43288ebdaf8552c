//! The rows of a text, read one at a time.

use linkstream_memory as memory;
use std::io::BufRead;

use super::error::CsvError;
use super::separator::{Separator, trim};
use crate::failure::failed;
use crate::system::uninterrupted;

/// Reads rows, all with the same number of fields. Memory is bounded by the longest line.
pub struct Lines<R> {
    source: R,
    /// `None` until the first row has determined it.
    separator: Option<Separator>,
    line: Vec<u8>,
    number: u64,
    /// Line and number of fields of the first row.
    first: Option<(u64, usize)>,
    /// The first empty line that was skipped between rows. Aion would read it as a row.
    pub passed_over: Option<u64>,
}

/// A line with fields.
pub struct Row<'a> {
    /// Counted from 1.
    pub line: u64,
    pub length: usize,
    separator: Separator,
    text: &'a [u8],
}

impl<'a> Row<'a> {
    pub fn fields(&self) -> impl Iterator<Item = &'a [u8]> {
        self.separator.split(self.text)
    }
}

impl<R: BufRead> Lines<R> {
    pub const fn new(source: R, separator: Option<Separator>) -> Self {
        Self { source, separator, line: Vec::new(), number: 0, first: None, passed_over: None }
    }

    /// The next row; empty lines are skipped.
    pub fn next(&mut self) -> anyhow::Result<Option<Row<'_>>> {
        let mut empty = None;
        while self.read_line()? {
            if !trim(&self.line).is_empty() {
                self.passed_over = self.passed_over.or(empty.filter(|_| self.first.is_some()));
                return self.row().map(Some);
            }
            empty = empty.or(Some(self.number));
        }
        Ok(None)
    }

    /// Reads a line without its line ending. Returns `false` at the end of the text.
    fn read_line(&mut self) -> std::io::Result<bool> {
        self.line.clear();
        loop {
            let some = uninterrupted(|| self.source.fill_buf().map(<[u8]>::len))?;
            let bytes = &self.source.fill_buf()?[..some];
            let end = bytes.iter().position(|byte| *byte == b'\n');
            let n = end.map_or(some, |end| end + 1);
            memory::extend(&mut self.line, &bytes[..n])?;
            self.source.consume(n);
            if end.is_some() || some == 0 {
                break;
            }
        }
        if self.line.is_empty() {
            return Ok(false);
        }
        self.number += 1;
        if self.line.ends_with(b"\n") {
            self.line.pop();
        }
        if self.line.ends_with(b"\r") {
            self.line.pop();
        }
        // The byte order mark, which Windows programs write before UTF-8.
        if self.number == 1 && self.line.starts_with(b"\xef\xbb\xbf") {
            self.line.drain(..3);
        }
        Ok(true)
    }

    fn row(&mut self) -> anyhow::Result<Row<'_>> {
        let (line, text) = (self.number, &self.line[..]);
        let separator = match self.separator {
            Some(separator) => separator,
            None => Separator::detect(text)
                .map_err(|separators| failed(CsvError::Ambiguous { line, separators }))?,
        };
        self.separator = Some(separator);
        let length = separator.split(text).count();
        let (first_line, expected) = *self.first.get_or_insert((line, length));
        if length != expected {
            return Err(failed(CsvError::Ragged { line, found: length, first_line, expected }));
        }
        Ok(Row { line, length, separator, text })
    }
}
