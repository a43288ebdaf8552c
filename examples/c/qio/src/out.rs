//! The records of one file that is written.

use linkstream::Encode as _;
use linkstream::lime::{Encoder, Header, Record};
use linkstream_c_ranks::Ranks;
use linkstream_memory as memory;
use linkstream_parallel::Fault;
use linkstream_parallel::file::{IoFile, NewFile, OpenFile, Piece, SharedFile, SystemDisk};

use crate::code::{BAD_ARG, ERR_BAD_WRITE_BYTES};
use crate::stop::{Stop, with_code};

/// A file that one rank, or all ranks together, write.
#[derive(Debug)]
pub enum Sink {
    /// One file of all ranks.
    Shared(NewFile<IoFile<SystemDisk>>),
    /// A volume of this rank.
    Own(NewFile<OpenFile<SystemDisk>>),
}

impl Sink {
    /// Writes bytes.
    ///
    /// # Errors
    /// The system refuses to write.
    pub fn write(&mut self, offset: u64, bytes: &[u8]) -> Result<(), Fault> {
        match self {
            Self::Shared(file) => SharedFile::<Ranks>::write_at(file, Piece { offset, bytes }),
            Self::Own(file) => SharedFile::<Ranks>::write_at(file, Piece { offset, bytes }),
        }
    }
}

/// The list of records of a file, and the bytes that are not yet in it.
#[derive(Debug)]
pub struct Out {
    encoder: Encoder,
    /// False on ranks that only follow what another rank writes.
    writes: bool,
    pending: Vec<u8>,
    at: u64,
}

/// An error of the caller: records in an order that LIME does not have, or too many bytes.
fn misuse(error: linkstream::lime::EncodeErrorKind) -> Stop {
    Stop::because(BAD_ARG, error.to_string())
}

impl Out {
    /// The records from an offset on.
    #[must_use]
    pub const fn new(offset: u64, message_open: bool, writes: bool) -> Self {
        Self { encoder: Encoder::append(offset, message_open), writes, pending: Vec::new(), at: offset }
    }

    /// Begins a record. Returns where it will be.
    ///
    /// # Errors
    /// LIME has no such record here, or there is not enough memory.
    pub fn begin(&mut self, record_type: &[u8], length: u64, begin: bool, end: bool) -> Result<Record, Stop> {
        let offset = self.encoder.position();
        let header = Header::new(record_type, length, begin, end).map_err(misuse)?;
        let bytes = *self.encoder.begin(&header).map_err(misuse)?;
        if self.writes {
            memory::extend(&mut self.pending, &bytes)?;
        }
        let mut record = Record::default();
        (record.offset, record.length, record.begin, record.end) = (offset, length, begin, end);
        Ok(record)
    }

    /// Adds bytes to the payload.
    ///
    /// # Errors
    /// The record ends before, or there is not enough memory.
    pub fn payload(&mut self, bytes: &[u8]) -> Result<(), Stop> {
        self.encoder.payload(bytes.len() as u64).map_err(misuse)?;
        if self.writes {
            memory::extend(&mut self.pending, bytes)?;
        }
        Ok(())
    }

    /// The rest of the payload was written elsewhere.
    ///
    /// # Errors
    /// No record is open.
    pub fn pass(&mut self) -> Result<(), Stop> {
        self.encoder.payload(self.encoder.room()).map_err(misuse)?;
        self.at = self.encoder.position();
        Ok(())
    }

    /// Ends the record.
    ///
    /// # Errors
    /// Bytes are missing, or there is not enough memory.
    pub fn end(&mut self) -> Result<(), Stop> {
        let zeros = self.encoder.end().map_err(misuse)?;
        if self.writes {
            memory::extend(&mut self.pending, zeros)?;
        }
        Ok(())
    }

    /// A whole record.
    ///
    /// # Errors
    /// LIME has no such record here, or there is not enough memory.
    pub fn record(&mut self, record_type: &str, flags: [bool; 2], payload: &[u8]) -> Result<(), Stop> {
        self.begin(record_type.as_bytes(), payload.len() as u64, flags[0], flags[1])?;
        self.payload(payload)?;
        self.end()
    }

    /// Writes all bytes up to here.
    ///
    /// # Errors
    /// The system refuses to write.
    pub fn flush(&mut self, sink: &mut Sink) -> Result<(), Stop> {
        if !self.pending.is_empty() {
            sink.write(self.at, &self.pending).map_err(with_code(ERR_BAD_WRITE_BYTES))?;
        }
        self.at += self.pending.len() as u64;
        if !self.writes {
            self.at = self.encoder.position();
        }
        self.pending.clear();
        Ok(())
    }

    /// Writes the bytes if there are many.
    ///
    /// # Errors
    /// The system refuses to write.
    pub fn flush_if_long(&mut self, sink: &mut Sink) -> Result<(), Stop> {
        if self.is_long() { self.flush(sink) } else { Ok(()) }
    }

    /// True if there are many bytes to write.
    #[must_use]
    pub const fn is_long(&self) -> bool {
        self.pending.len() >= 1 << 20
    }

    /// True if the last record did not end its message.
    #[must_use]
    pub const fn message_is_open(&self) -> bool {
        self.encoder.message_is_open()
    }

    /// Checks that the file can end here.
    ///
    /// # Errors
    /// A record or a message is open.
    pub fn finish(&self) -> Result<(), Stop> {
        self.encoder.finish().map_err(misuse)?;
        if self.message_is_open() {
            return Err(Stop::usage("the last message has not been ended"));
        }
        Ok(())
    }
}
