//! A volume whose records have been read.

use linkstream::io::{ReadError, VolumeReader};
use linkstream::lime::Record;
use linkstream::volume::{Decoder, ErrorKind};
use linkstream::{CallbackError, Diagnostic as _, Error, Severity};

use crate::findings::Findings;
use crate::source::{SharedSource, SourceError};
use crate::source_reader::SourceReader;

/// Number of bytes of a site list that are read at a time.
const WINDOW: usize = 64 << 10;

/// One volume.
#[derive(Debug)]
pub struct VolumeEntry {
    /// The name of its file.
    pub file: String,
    /// The number in its name.
    pub number: Option<u64>,
    /// Number of entries in its site list.
    pub sites: u64,
    pub findings: Findings,
}

impl VolumeEntry {
    /// True if its file is called `NAME.volNNNN`, as opposed to `volNNNN/NAME`.
    pub fn has_number_at_end(&self) -> bool {
        let digits = self.file.rsplit_once(".vol").map(|(_, digits)| digits);
        digits.is_some_and(|digits| digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// A volume whose records have been read.
#[expect(missing_debug_implementations, reason = "sources need not implement it")]
pub struct OpenVolume<'s, E> {
    pub source: SharedSource<'s, E>,
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
) -> Result<(), SourceError<E>> {
    let (mut window, mut buffer) = (vec![0; WINDOW], [0; 1]);
    let source = SourceReader::new(&*volume.source);
    let mut reader = VolumeReader::new(source, &mut window, &mut buffer, volume.decoder.clone());
    match reader.for_each_rank(each) {
        Ok(()) | Err(CallbackError::Failed(ReadError::NotOpen)) => Ok(()),
        Err(CallbackError::Failed(ReadError::Io(error))) => Err(SourceError::Io(error)),
        Err(_) => Err(SourceError::NoProgress),
    }
}
