//! A volume whose records have been read.

use linkstream::io::{ReadError, VolumeReader};
use linkstream::lime::Record;
use linkstream::volume::{Decoder, ErrorKind};
use linkstream::{CallbackError, Diagnostic as _, Error, Severity};

use super::contents::VolumeEntry;
use super::reader::PartsReader;
use crate::parts::Parts;
use crate::reading::SurveyError;

/// Number of bytes of a site list that are read at a time.
const WINDOW: usize = 64 << 10;

/// A volume whose records have been read.
pub struct OpenVolume<'s, E> {
    pub parts: &'s dyn Parts<Error = E>,
    /// The data records of the fields that the first volume describes, in the order of the fields.
    pub data: Vec<Option<Record>>,
    pub decoder: Decoder,
    pub entry: VolumeEntry,
    /// The lowest rank in its list, once its sites have been counted.
    pub lowest: Option<u64>,
    /// Sites or data of the volume are missing or uncertain.
    pub is_damaged: bool,
}

impl<E> OpenVolume<'_, E> {
    pub fn report(&mut self, error: &Error<ErrorKind>) {
        self.is_damaged |= error.kind.severity() >= Severity::Error;
        self.entry.findings.add(error);
    }
}

/// Calls `each` with every rank in the site list of a volume.
pub fn for_each_rank<E: embedded_io::Error + Send>(
    volume: &OpenVolume<'_, E>,
    each: impl FnMut(u64),
) -> Result<(), SurveyError<E>> {
    let (mut window, mut buffer) = (vec![0; WINDOW], [0; 1]);
    let source = PartsReader::new(volume.parts);
    let mut reader = VolumeReader::new(source, &mut window, &mut buffer, volume.decoder.clone());
    match reader.for_each_rank(each) {
        Ok(()) | Err(CallbackError::Failed(ReadError::NotOpen)) => Ok(()),
        Err(CallbackError::Failed(ReadError::Io(error))) => Err(SurveyError::Io(error)),
        Err(_) => Err(SurveyError::NoProgress),
    }
}
