//! Data that are not read in order: by several threads or processes, or from several volumes.

use linkstream::conformance::Decoder;
use linkstream::lattice::Checksum;

use super::data::Examination;
use super::data_in_parts;
use crate::reading::SurveyError;
use linkstream_access::source::Source;

/// Result of an attempt to read data out of order.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All data have been read and examined.
    Sum(Checksum),
    /// All data have been read, but only their checksum is known: the examination must not be used.
    SumOnly(Checksum),
    /// Data are missing, and nothing is known about the others.
    Incomplete,
    /// The data must be read in order.
    InOrder,
}

/// Reads the data of fields out of order.
pub trait Elsewhere {
    /// Reason why a source failed.
    type Error;

    /// Reads all data of the field that the decoder has just reported, and examines them. Unless it returns
    /// [`Outcome::Sum`], the examination must not be used. There is none if the sites are too large.
    ///
    /// # Errors
    /// A source failed.
    fn read(
        &self,
        decoder: &Decoder,
        examination: Option<&mut Examination>,
    ) -> Result<Outcome, SurveyError<Self::Error>>;
}

/// A file that is read by several threads.
pub struct InParts<'p, E>(pub &'p dyn Source<Error = E>);

impl<E: embedded_io::Error + Send> Elsewhere for InParts<'_, E> {
    type Error = E;

    fn read(&self, _: &Decoder, examination: Option<&mut Examination>) -> Result<Outcome, SurveyError<E>> {
        let Some(examination) = examination else { return Ok(Outcome::InOrder) };
        let read = data_in_parts::read(self.0, examination).map_err(SurveyError::Io)?;
        Ok(read.map_or(Outcome::InOrder, Outcome::Sum))
    }
}
