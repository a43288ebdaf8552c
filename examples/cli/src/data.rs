//! Data whose length must be known before the first byte is processed.

use std::io::{BufReader, ErrorKind, Read as _, Seek as _};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream::sniff::{Sniff, Sniffer, sniff};
use linkstream_memory as memory;

use crate::failure::{Failure, input_name, of_input};
use crate::judged::{Permission, judged};
use crate::source::{BUFFER, bar, filled, open, rereadable_data};
use crate::system::{File, metadata};
use crate::{lists, own_input};

/// A file, or the content of a pipe.
#[derive(Debug)]
pub struct Data {
    path: PathBuf,
    /// `None` for a file, which is opened when needed: there can be more files than a process may have open.
    kept: Option<File>,
    pub length: u64,
}

impl Data {
    /// Opens the data. If they are a file of a known format, the file is checked.
    pub fn of(path: &Path, permission: Permission) -> anyhow::Result<Self> {
        let find = || {
            let is_pipe = path == Path::new("-") || !metadata(path)?.is_file();
            let mut file = rereadable_data(path)?;
            file.rewind().map_err(Failure::Input)?;
            let mut begin = [0; Sniffer::LONGEST];
            let n = filled(&mut file, &mut begin).map_err(Failure::Input)?;
            if let Sniff::Is(_) = sniff(&begin[..n]) {
                judged(&file, path, permission)?;
            }
            let kept = if is_pipe { Some(file) } else { None };
            let about = kept.as_ref().map_or_else(|| metadata(path), File::metadata)?;
            anyhow::Ok(Self { path: path.to_owned(), kept, length: about.len() })
        };
        find().map_err(|error| of_input(error, path))
    }

    /// Passes all bytes to `each` in pieces of the given size; the last piece may be shorter.
    pub fn read(
        self,
        at_a_time: u64,
        mut each: impl FnMut(&[u8]) -> anyhow::Result<()>,
    ) -> anyhow::Result<()> {
        let named = || input_name(&self.path);
        let mut source = match self.kept {
            Some(mut file) => {
                file.rewind()?;
                file
            }
            None => open(&self.path).with_context(named)?,
        };
        let source = bar(Some(self.length)).wrap_read(&mut source);
        let mut source = BufReader::with_capacity(BUFFER, source);
        let mut buffer = memory::zeroed(usize::try_from(at_a_time.min(self.length))?)?;
        let mut left = self.length;
        while left > 0 {
            let n = buffer.len().min(usize::try_from(left).unwrap_or(usize::MAX));
            let piece = &mut buffer[..n];
            let read = source.read_exact(piece);
            if read.as_ref().is_err_and(|error| error.kind() == ErrorKind::UnexpectedEof) {
                anyhow::bail!("{}: became shorter while it was read", named());
            }
            read.with_context(named)?;
            each(piece)?;
            left -= n as u64;
        }
        if filled(&mut source, &mut [0]).with_context(named)? > 0 {
            anyhow::bail!("{}: became longer while it was read", named());
        }
        Ok(())
    }
}

/// The content of a file that holds a list.
pub fn bytes_of(path: &Path) -> anyhow::Result<Vec<u8>> {
    let read = || {
        if path == Path::new("-") {
            own_input::reading(path)?;
            return Ok(lists::read(std::io::stdin().lock(), b'\n')?);
        }
        anyhow::Ok(lists::read(open(path)?, b'\n')?)
    };
    read().map_err(|error| of_input(error, path))
}

/// The content of a file that holds a list, as text.
pub fn text_of(path: &Path) -> anyhow::Result<String> {
    String::from_utf8(bytes_of(path)?).with_context(|| input_name(path))
}
