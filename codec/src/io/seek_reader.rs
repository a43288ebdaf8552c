//! What the pull reader can do more where the source can seek.

use embedded_io::{Read, Seek, SeekFrom};

use super::error::ReadError;
use super::reader::Reader;
use crate::error::{Error, Misuse};
use crate::inebin::{self, Entries};
use crate::lime;
use crate::step::{Decode, Demand, SeekPayload};

impl<R: Read + Seek, D: Decode> Reader<'_, R, D> {
    /// Passes over the payload that comes next by seeking. The source's length is looked at, so that a
    /// payload that is not all there is reported by the next [`Reader::next`] exactly as if it had been read:
    /// seeking alone would go past the end without a word.
    ///
    /// # Errors
    /// The source failed.
    pub fn skip_seeking(&mut self) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.found()?;
        let Demand::Skip(wanted) = self.decoder.demand() else { return Ok(()) };
        let buffered = self.window.unread().len() as u64;
        if wanted <= buffered {
            self.decoder.skip(wanted)?;
            self.window.pass(usize::try_from(wanted).unwrap_or(usize::MAX));
            return Ok(());
        }
        let here = self.source_position()?;
        let length = self.seek(SeekFrom::End(0))?;
        let n = wanted.min(length.saturating_sub(here));
        self.move_source(here.saturating_add(n))?;
        self.decoder.skip(n)?;
        Ok(())
    }

    fn seek(&mut self, to: SeekFrom) -> Result<u64, ReadError<R::Error, D::ErrorKind>> {
        self.source.seek(to).map_err(|error| {
            self.desynchronised = true;
            ReadError::Io(error)
        })
    }

    /// Absolute place in the source of the first byte the decoder has not seen.
    fn source_position(&mut self) -> Result<u64, ReadError<R::Error, D::ErrorKind>> {
        self.found()?;
        let at = self.seek(SeekFrom::Current(0))?;
        Ok(at.saturating_sub(self.window.unread().len() as u64))
    }

    fn move_source(&mut self, to: u64) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        self.window.forget();
        self.ended = false;
        self.seek(SeekFrom::Start(to)).map(|_| ())
    }
}

impl<R: Read + Seek, D: SeekPayload> Reader<'_, R, D> {
    /// Moves to the place `to` of the open payload, from its start; to the source's end where that comes first,
    /// so that the next [`Reader::next`] tells what is missing as if it had been read.
    ///
    /// # Errors
    /// A place outside the payload is refused as [`Misuse`](crate::Misuse), not clamped, and nothing moves.
    pub fn seek_payload(&mut self, to: u64) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        let start = self.source_position()?.wrapping_sub(self.decoder.position());
        self.decoder.seek(to)?;
        let length = self.seek(SeekFrom::End(0))?.wrapping_sub(start);
        let beyond = self.decoder.position().saturating_sub(length);
        if beyond > 0 {
            // Not behind the source's end, where nobody could tell how much of the payload there is.
            self.decoder.seek(to.saturating_sub(beyond))?;
        }
        self.move_source(start.wrapping_add(self.decoder.position()))
    }

    /// Moves by `by` bytes from the present place of the open payload.
    ///
    /// # Errors
    /// As [`Reader::seek_payload`].
    pub fn seek_payload_by(&mut self, by: i64) -> Result<(), ReadError<R::Error, D::ErrorKind>> {
        let place = self.decoder.payload_position().unwrap_or(0);
        // A place before the start becomes one no payload reaches, so that the decoder refuses it.
        self.seek_payload(place.checked_add_signed(by).unwrap_or(u64::MAX))
    }
}

impl<R: Read + Seek> Reader<'_, R, lime::Decoder> {
    /// Goes on at the record whose header begins at `offset`; see [`lime::Decoder::at`]. Offsets count from
    /// the same place as the decoder's.
    ///
    /// # Errors
    /// The source failed.
    pub fn open_record(&mut self, offset: u64) -> Result<(), ReadError<R::Error, lime::ErrorKind>> {
        let here = self.source_position()?;
        let start = here.wrapping_sub(self.decoder.position());
        self.decoder = lime::Decoder::at(offset, self.decoder.mode());
        self.move_source(start.wrapping_add(offset))
    }
}

impl<R: Read + Seek> Reader<'_, R, inebin::Decoder> {
    /// Reads entries from the one in `row` and `column` on, counted from 0, in reading order: an entry, a row
    /// or any number, as many as `out` holds. Afterwards the reader goes on behind what it has looked at.
    ///
    /// # Errors
    /// What [`Reader::next`] meets on the way; [`Misuse::OtherType`] where the values are of another type, and
    /// [`Misuse::Outside`] where the matrix has no such place, or ends before `out` is full;
    /// [`Misuse::NoPayload`] behind the matrix's end. Findings on the way are passed over; [`Reader::next`] tells
    /// them.
    pub fn read_entries<T: inebin::Value>(
        &mut self,
        row: u32,
        column: u32,
        out: &mut [T],
    ) -> Result<(), ReadError<R::Error, inebin::ErrorKind>> {
        let header = loop {
            if let Some(header) = self.decoder.header() {
                break *header;
            }
            self.next()?.ok_or(ReadError::NoProgress)?;
        };
        let misuse = |misuse| Error::new(self.decoder.position(), inebin::ErrorKind::Misuse(misuse));
        let entries = Entries::at(&header, row, column).map_err(|_| misuse(Misuse::OtherType))?;
        let mut entries = entries
            .filter(|entries| entries.left() >= out.len() as u64)
            .ok_or_else(|| misuse(Misuse::Outside))?;
        let place = header.place(row, column).map_or(0, |place| place.offset);
        self.seek_payload(place.saturating_sub(inebin::HEADER_LEN as u64))?;
        let mut rest = out;
        while !rest.is_empty() {
            if self.next()?.ok_or(ReadError::NoProgress)? == inebin::Event::Data {
                entries.feed(self.window.last(), |run| {
                    let n = run.copy_to(rest);
                    rest = core::mem::take(&mut rest).get_mut(n..).unwrap_or_default();
                });
            }
        }
        Ok(())
    }
}
