//! Data that are read in another way than as they come: by several threads, or from several volumes.

use linkstream::field::Field;
use linkstream::lattice::Checksum;

use super::data::Examination;
use super::data_in_parts;
use crate::parts::Parts;
use crate::reading::SurveyError;

/// What came of data that were to be read elsewhere.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// All of them have been read and examined.
    Sum(Checksum),
    /// All of them have been read, and nothing but their checksum is known: the examination is of no use.
    SumOnly(Checksum),
    /// They are not all there, and nothing is known about them.
    Incomplete,
    /// They are to be read as they come.
    InOrder,
}

/// Reads the data of fields elsewhere.
pub trait Elsewhere {
    type Error;

    /// Reads all data of a field and examines them. Unless that gives [`Outcome::Sum`], the examination is of no use.
    fn read(
        &self,
        field: &Field,
        examination: Option<&mut Examination>,
    ) -> Result<Outcome, SurveyError<Self::Error>>;
}

/// A file that several threads read.
pub struct InParts<'p, E>(pub &'p dyn Parts<Error = E>);

impl<E: embedded_io::Error + Send> Elsewhere for InParts<'_, E> {
    type Error = E;

    fn read(&self, _: &Field, examination: Option<&mut Examination>) -> Result<Outcome, SurveyError<E>> {
        let Some(examination) = examination else { return Ok(Outcome::InOrder) };
        let read = data_in_parts::read(self.0, examination).map_err(SurveyError::Io)?;
        Ok(read.map_or(Outcome::InOrder, Outcome::Sum))
    }
}
