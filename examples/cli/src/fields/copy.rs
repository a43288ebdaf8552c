//! Copies the data: reads and verifies, converts, and writes them.

use embedded_io_adapters::std::FromStd;
use linkstream::field::{Decoder, Event, Field, Sites, SitesError};
use linkstream::io::Reader;
use linkstream::lattice::Checksum;
use linkstream::{CallbackError, Mode};

use super::choose::Plan;
use super::fault::Fault;
use super::found::{FieldReader, next, pass_over};
use super::job::Job;
use super::messages::warn;
use super::numbers::Numbers;
use super::sink::FieldSink;
use crate::failure::failed;
use crate::human::counted;
use crate::source::{BUFFER, Rereadable, bar, length};

/// Writes the planned records. `mode` says which errors of the input end the reading. Returns the checksum of each data record written.
pub fn copy(
    input: &mut dyn Rereadable,
    plan: &Plan,
    mode: Mode,
    writer: &mut dyn FieldSink,
) -> anyhow::Result<Vec<Checksum>> {
    let length = length(input)?;
    input.rewind()?;
    let mut buffer = vec![0; BUFFER];
    let source = FromStd::new(bar(Some(length)).wrap_read(input));
    let mut reader = Reader::new(source, &mut buffer, Decoder::new(mode));
    if let Some((file, text)) = &plan.file {
        writer.file(file, text)?;
    }
    let mut site = Vec::new();
    let mut sums = Vec::new();
    let mut jobs = plan.jobs.iter().peekable();
    for index in 0.. {
        if !next_field(&mut reader)? {
            break;
        }
        let Some(job) = jobs.next_if(|job| job.index == index) else {
            pass_over(&mut reader)?;
            continue;
        };
        let written = writer.begin(&job.planned)?;
        let field = *reader.decoder().field().ok_or_else(gone)?;
        let mut numbers = Numbers::new(job.from, job.to, job.absent_is_ones, written);
        if job.shape.is_some() {
            site.resize(usize::try_from(field.bytes_per_site)?, 0);
        }
        let mut changing = Changing { job, sites: Sites::new(&mut site), shaped: Vec::new() };
        if job.shape.is_some() {
            changing.sites.begin(&field)?;
        }
        loop {
            match next(&mut reader)?.ok_or_else(gone)? {
                Event::Data => {
                    let shaped = changing.feed(&field, reader.bytes())?;
                    writer.data(numbers.feed(shaped).map_err(failed)?)?;
                }
                Event::FieldEnd(_) => {
                    sums.extend(writer.end(&job.planned)?);
                }
                Event::Verdict(verdict) => {
                    if verdict.is_absent() {
                        let why = "has no checksum, so its data could not be verified";
                        warn(&format!("the data record at {} {why}", job.place));
                    }
                    break;
                }
                _ => {}
            }
        }
        if numbers.not_finite > 0 {
            let many = counted(numbers.not_finite as usize, "number is", "numbers are");
            warn(&format!("in the data record at {}, {many} infinite or NaN; they are kept", job.place));
        }
    }
    writer.finish()?;
    if sums.len() == plan.jobs.len() { Ok(sums) } else { Err(gone()) }
}

/// Advances to the next data record. Returns `false` if there is none.
fn next_field<R: std::io::Read>(reader: &mut FieldReader<'_, R, Decoder>) -> anyhow::Result<bool> {
    while let Some(event) = next(reader)? {
        if event == Event::Field {
            return Ok(true);
        }
    }
    Ok(false)
}

fn gone() -> anyhow::Error {
    anyhow::anyhow!("the file has changed while it was read")
}

/// Keeps the type of the callback's error, which determines the exit status.
fn anyhow_of(error: CallbackError<SitesError, Fault>) -> anyhow::Error {
    match error {
        CallbackError::Failed(error) => error.into(),
        CallbackError::Callback(fault) => failed(fault),
    }
}

/// Conversion of sites whose rows or links change.
struct Changing<'j, 'b> {
    job: &'j Job,
    sites: Sites<'b>,
    shaped: Vec<u8>,
}

impl Changing<'_, '_> {
    fn feed<'a>(&'a mut self, field: &Field, bytes: &'a [u8]) -> anyhow::Result<&'a [u8]> {
        let Some(shape) = &self.job.shape else { return Ok(bytes) };
        self.shaped.clear();
        self.sites.feed(field, bytes, |site| shape.site(&site, &mut self.shaped)).map_err(anyhow_of)?;
        Ok(&self.shaped[..])
    }
}
