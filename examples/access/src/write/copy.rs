//! Copies the data: reads and verifies, converts, and writes them.

use linkstream::CallbackError;
use linkstream::field::{Decoder, Event, Field, Sites, SitesError};
use linkstream::io::FromStd;
use linkstream::io::Reader;
use linkstream::lattice::Checksum;
use linkstream_memory as memory;

use super::error::Error;
use super::fault::Fault;
use super::found::{EventReader, next, pass_over};
use super::input::{BUFFER, Place, Rereadable, length};
use super::numbers::Numbers;
use super::observer::{Observer, Warning, Watched};
use super::plan::Plan;
use super::record::Job;
use super::sink::FieldSink;

impl Plan {
    /// Reads, verifies and converts the data of the `input` that was planned for, and writes them. Returns the checksum
    /// of each data record that was written, even if the output has none.
    ///
    /// # Errors
    /// The input breaks a rule or does not have its stored checksums, its numbers cannot be converted, or the output
    /// cannot be written. The contents of the sink are then useless.
    pub fn write_to(
        &self,
        input: &mut dyn Rereadable,
        sink: &mut dyn FieldSink,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Checksum>, Error> {
        self.copy(input, sink, observer).map_err(|error| error.placed(input))
    }

    fn copy(
        &self,
        input: &mut dyn Rereadable,
        writer: &mut dyn FieldSink,
        observer: &mut dyn Observer,
    ) -> Result<Vec<Checksum>, Error> {
        let length = length(input).map_err(Error::Input)?;
        input.rewind().map_err(Error::Input)?;
        let mut buffer = vec![0; BUFFER];
        let source = FromStd(Watched::new(input, observer.phase(length)));
        let mut reader = Reader::new(source, &mut buffer[..], Decoder::new(self.mode));
        if let Some((file, text)) = &self.file {
            writer.file(file, text)?;
        }
        let mut site = Vec::new();
        let mut sums = Vec::new();
        let mut jobs = self.jobs.iter().peekable();
        // The place of a field whose checksum has not come. It can follow in another message, before the next field.
        let mut unverified = None;
        for index in 0.. {
            let is_there = next_field(&mut reader, &mut unverified)?;
            if let Some(place) = unverified.take() {
                observer.warn(Warning::Unverified(place));
            }
            if !is_there {
                break;
            }
            let Some(job) = jobs.next_if(|job| job.index == index) else {
                pass_over(&mut reader)?;
                continue;
            };
            let written = writer.begin(&job.planned)?;
            let mut field = *reader.decoder().field().ok_or(Error::Changed)?;
            field.links = job.declared.or(field.links);
            let mut numbers = Numbers::new(job.from, job.to, job.absent_is_ones, written);
            if job.shape.is_some() {
                // A site whose rows or links change has been found to be small enough.
                memory::unwinding::resize(
                    &mut site,
                    usize::try_from(field.bytes_per_site).map_err(|_| Error::Changed)?,
                );
            }
            let mut changing = Changing { job, sites: Sites::new(&mut site), shaped: Vec::new() };
            if job.shape.is_some() {
                changing.sites.begin(&field)?;
            }
            loop {
                match next(&mut reader)?.ok_or(Error::Changed)? {
                    Event::Data => {
                        let shaped = changing.feed(&field, reader.bytes())?;
                        writer.data(numbers.feed(shaped)?)?;
                    }
                    Event::FieldEnd(_) => {
                        sums.extend(writer.end(&job.planned)?);
                    }
                    Event::Verdict(verdict) => {
                        if verdict.is_absent() && !job.is_verified {
                            unverified = Some(job.place.clone());
                        }
                        break;
                    }
                    _ => {}
                }
            }
            if numbers.not_finite > 0 {
                observer.warn(Warning::NotFinite(job.place.clone(), numbers.not_finite));
            }
        }
        writer.finish()?;
        if sums.len() == self.jobs.len() { Ok(sums) } else { Err(Error::Changed) }
    }
}

/// Advances to the next data record. Returns `false` if there is none. A verdict on the field before it may come first.
fn next_field<R: std::io::Read>(
    reader: &mut EventReader<'_, R, Decoder>,
    unverified: &mut Option<Place>,
) -> Result<bool, Error> {
    while let Some(event) = next(reader)? {
        match event {
            Event::Field => return Ok(true),
            Event::Verdict(verdict) if !verdict.is_absent() => *unverified = None,
            _ => {}
        }
    }
    Ok(false)
}

impl From<CallbackError<SitesError, Fault>> for Error {
    fn from(error: CallbackError<SitesError, Fault>) -> Self {
        match error {
            CallbackError::Failed(error) => error.into(),
            CallbackError::Callback(fault) => fault.into(),
        }
    }
}

/// Conversion of sites whose rows or links change.
struct Changing<'j, 'b> {
    job: &'j Job,
    sites: Sites<'b>,
    shaped: Vec<u8>,
}

impl Changing<'_, '_> {
    fn feed<'a>(&'a mut self, field: &Field, bytes: &'a [u8]) -> Result<&'a [u8], Error> {
        let Some(shape) = &self.job.shape else { return Ok(bytes) };
        self.shaped.clear();
        self.sites.feed(field, bytes, |site| shape.site(&site, &mut self.shaped))?;
        Ok(&self.shaped[..])
    }
}
