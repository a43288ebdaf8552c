//! Reads a LIME file, or a pipe, record by record.

use std::io::{self, Read, Seek, SeekFrom};
use std::path::Path;

use indicatif::ProgressBarIter;
use linkstream::io::FromStd;
use linkstream::io::{NextEvent, Reader};
use linkstream::lime::{Decoder, ErrorKind, Event, Record};
use linkstream::{Decode as _, Error, Mode};

use crate::complain::complain;
use crate::failure::failed;
use crate::source::{bar, open, unpacked};
use crate::system::File;

/// A reader of records. Payload is skipped by seeking if possible.
pub struct Records<'b> {
    reader: Reader<FromStd<Source>, &'b mut [u8], Decoder>,
    seeks: bool,
    /// Number of warnings so far.
    warnings: u64,
}

/// Maximum number of warnings printed.
const MAX_WARNINGS: u64 = 10;

impl<'b> Records<'b> {
    /// Opens a file, or standard input (`-`).
    pub fn open(path: &Path, buffer: &'b mut [u8]) -> anyhow::Result<Self> {
        if path == Path::new("-") {
            return Ok(Self::of(Source::pipe(io::stdin().lock()), Mode::Lenient, buffer));
        }
        if let Some(content) = unpacked(path)? {
            return Self::of_file(content, Mode::Lenient, buffer);
        }
        let file = open(path)?;
        // A named pipe or a device cannot seek.
        let source = if file.metadata()?.is_file() { Source::file(file)? } else { Source::pipe(file) };
        Ok(Self::of(source, Mode::Lenient, buffer))
    }

    /// A reader of a regular file from its start.
    pub fn of_file(file: File, mode: Mode, buffer: &'b mut [u8]) -> anyhow::Result<Self> {
        Ok(Self::of(Source::file(file)?, mode, buffer))
    }

    fn of(source: Source, mode: Mode, buffer: &'b mut [u8]) -> Self {
        let seeks = matches!(source, Source::File(_));
        let reader = Reader::new(FromStd(source), buffer, Decoder::new(mode));
        Self { reader, seeks, warnings: 0 }
    }

    /// The next event, with the reader's own error.
    pub fn next_event(&mut self) -> NextEvent<Decoder, io::Error> {
        self.reader.next()
    }

    /// The next event; an error if the file is invalid. Findings are printed as warnings.
    pub fn next(&mut self) -> anyhow::Result<Option<Event>> {
        let event = self.reader.next().map_err(failed)?;
        if let Some(Event::Finding(error)) = event {
            self.warn(error);
        }
        Ok(event)
    }

    fn warn(&mut self, error: Error<ErrorKind>) {
        self.warnings += 1;
        if self.warnings <= MAX_WARNINGS {
            complain(&anyhow::Error::from(error).context("warning"));
        } else if self.warnings == MAX_WARNINGS + 1 {
            complain(&anyhow::anyhow!("further warnings are not shown; `linkstream check` lists them"));
        }
    }

    /// Skips the payload of the current record.
    pub fn pass_over(&mut self) -> anyhow::Result<()> {
        let passed = if self.seeks { self.reader.skip_seeking() } else { self.reader.skip() };
        passed.map_err(failed)
    }

    /// The payload of the last event.
    pub fn bytes(&self) -> &[u8] {
        self.reader.bytes()
    }

    /// The current record; between two records, the previous one. Its message is 0 before the first record.
    pub fn record(&self) -> Record {
        self.reader.decoder().record()
    }

    /// The type of the current record.
    pub fn record_type(&self) -> &[u8] {
        self.reader.decoder().record_type()
    }

    /// Number of bytes of the file read so far.
    pub fn position(&self) -> u64 {
        self.reader.decoder().position()
    }
}

/// The input, with a progress bar.
enum Source {
    File(ProgressBarIter<File>),
    Pipe(ProgressBarIter<Box<dyn Read>>),
}

impl Source {
    fn file(file: File) -> io::Result<Self> {
        let length = file.metadata()?.len();
        Ok(Self::File(bar(Some(length)).wrap_read(file)))
    }

    fn pipe(source: impl Read + 'static) -> Self {
        Self::Pipe(bar(None).wrap_read(Box::new(source)))
    }
}

impl Read for Source {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.read(out),
            Self::Pipe(pipe) => pipe.read(out),
        }
    }
}

impl Seek for Source {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        match self {
            Self::File(file) => file.seek(to),
            Self::Pipe(_) => Err(io::ErrorKind::Unsupported.into()),
        }
    }
}
