//! Reports to the caller while files are written: warnings and progress.

use std::fmt;
use std::io::{self, Read, Seek, SeekFrom};
use std::sync::Arc;

use super::input::Place;
use crate::meter::Meter;
use crate::text::{counted, one_line};

/// Receives warnings and progress. A `Vec<Warning>` collects the warnings and ignores the progress.
pub trait Observer {
    /// A warning, which does not stop the work.
    fn warn(&mut self, warning: Warning);

    /// The beginning of a phase, which reads or writes `length` bytes.
    fn phase(&mut self, length: u64) -> Phase {
        let _ = length;
        Phase::default()
    }
}

impl Observer for Vec<Warning> {
    fn warn(&mut self, warning: Warning) {
        self.push(warning);
    }
}

/// Counts the bytes of all phases in a meter, which can cancel the work, and keeps the warnings.
#[derive(Debug, Default)]
pub struct Counting {
    /// Counts the bytes that are written and read back.
    pub meter: Arc<Meter>,
    /// All warnings until now.
    pub warnings: Vec<Warning>,
}

impl Counting {
    /// Counts in this meter.
    #[must_use]
    pub const fn new(meter: Arc<Meter>) -> Self {
        Self { meter, warnings: Vec::new() }
    }
}

impl Observer for Counting {
    fn warn(&mut self, warning: Warning) {
        self.warnings.push(warning);
    }

    fn phase(&mut self, _: u64) -> Phase {
        let (meter, mut last) = (self.meter.clone(), 0_u64);
        Phase::fallible(move |position| {
            meter.add(position.saturating_sub(last))?;
            last = position;
            Ok(())
        })
    }
}

/// A phase of the work, which ends when this is dropped.
#[derive(Default)]
pub struct Phase(Option<Box<Reached>>);

/// Receives the present position, and can end the work by an error.
type Reached = dyn FnMut(u64) -> io::Result<()>;

impl Phase {
    /// Calls `reached` with the number of bytes from the beginning of the phase to its present position.
    #[must_use]
    pub fn new(mut reached: impl FnMut(u64) + 'static) -> Self {
        Self::fallible(move |position| {
            reached(position);
            Ok(())
        })
    }

    /// Like [`new`](Self::new). An error of `reached` ends the work.
    #[must_use]
    pub fn fallible(reached: impl FnMut(u64) -> io::Result<()> + 'static) -> Self {
        Self(Some(Box::new(reached)))
    }

    pub(super) fn reached(&mut self, position: u64) -> io::Result<()> {
        self.0.as_mut().map_or(Ok(()), |reached| reached(position))
    }
}

impl fmt::Debug for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Phase").field(&self.0.is_some()).finish()
    }
}

/// A source that reports its position to a phase.
#[derive(Debug)]
pub(super) struct Watched<R> {
    source: R,
    phase: Phase,
    position: u64,
}

impl<R> Watched<R> {
    /// `source` is at its start.
    pub(super) const fn new(source: R, phase: Phase) -> Self {
        Self { source, phase, position: 0 }
    }
}

impl<R: Read> Read for Watched<R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.source.read(out)?;
        self.position = self.position.saturating_add(n as u64);
        self.phase.reached(self.position)?;
        Ok(n)
    }
}

impl<R: Seek> Seek for Watched<R> {
    fn seek(&mut self, to: SeekFrom) -> io::Result<u64> {
        self.position = self.source.seek(to)?;
        self.phase.reached(self.position)?;
        Ok(self.position)
    }
}

/// A fact that the caller should know about a file that is written nevertheless.
#[derive(Debug, Clone, PartialEq)]
#[non_exhaustive]
pub enum Warning {
    /// A finding in the input that affects the output.
    Finding {
        /// Place of the finding.
        place: Place,
        /// Description of the finding.
        what: String,
    },
    /// There are more findings than are reported.
    MoreFindings,
    /// Records of these types are left out.
    RecordsLeftOut(Vec<String>),
    /// So many data records are left out because they are no gauge fields.
    FieldsLeftOut(usize),
    /// The precision of these data cannot be changed.
    NotNumbers(Place),
    /// The update number has no place in the output.
    UpdateLeftOut(String),
    /// The logical file name has no place in the output.
    NameLeftOut(String),
    /// The output has no links in directions with a single site.
    LinksLeftOut,
    /// The data record has no checksum.
    Unverified(Place),
    /// The data record has this number of numbers that are infinite or NaN.
    NotFinite(Place, u64),
    /// The array of the data record with this number, counted from 0, has this number of numbers that are infinite or
    /// NaN.
    ArrayNotFinite(usize, u64),
    /// The links in the array of the data record with this number, counted from 0, deviate from unitarity by up to so
    /// much, which rounding does not explain; infinity if the numbers are too large to be squared. Their bytes may be
    /// in the wrong order.
    ArrayNotUnitary(usize, f64),
    /// The output has no checksum because its data are damaged.
    NoChecksum,
    /// A line of the record XML that is not a header line of an archive.
    LineLeftOut(String),
    /// Lines with these keys in a text of the user have no place in the output.
    LinesLeftOut(Vec<String>),
    /// The text of the user in the record of this type has no place in the output.
    TextLeftOut(&'static str),
    /// A note that the data were unverified has no place in the output.
    NoteLeftOut(String),
    /// The text of the user in the record of this type makes room for the `usqcdInfo` with the title.
    TextReplaced(&'static str),
    /// The text of the user in the record of this type is about another configuration.
    StaleText(&'static str),
    /// The file has several texts of the user about the file; the output has only the last one.
    EarlierTextLeftOut,
}

impl Warning {
    /// True if the output lacks something of the input.
    #[must_use]
    pub const fn is_loss(&self) -> bool {
        matches!(
            self,
            Self::RecordsLeftOut(_)
                | Self::FieldsLeftOut(_)
                | Self::UpdateLeftOut(_)
                | Self::NameLeftOut(_)
                | Self::LinksLeftOut
                | Self::LineLeftOut(_)
                | Self::LinesLeftOut(_)
                | Self::TextLeftOut(_)
                | Self::TextReplaced(_)
                | Self::NoteLeftOut(_)
                | Self::StaleText(_)
                | Self::EarlierTextLeftOut
        )
    }
}

impl fmt::Display for Warning {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Finding { place, what } => write!(f, "at {place}: {what}"),
            Self::MoreFindings => f.write_str("there are more findings"),
            Self::RecordsLeftOut(types) => {
                let types: Vec<_> = types.iter().map(|name| one_line(name)).collect();
                write!(f, "records of these types are left out: {}", types.join(", "))
            }
            Self::FieldsLeftOut(count) => {
                let records = counted(*count, "field is", "fields are");
                write!(f, "{records} left out: no gauge fields")
            }
            Self::NotNumbers(place) => write!(
                f,
                "the data record at {place} is not of single or double precision and is copied unchanged"
            ),
            Self::UpdateLeftOut(update) => {
                let update = one_line(update);
                write!(f, "the update number {update} is left out: only ILDG files have one")
            }
            Self::NameLeftOut(name) => {
                let name = one_line(name);
                write!(f, "the logical file name {name} is left out: only ILDG files have one")
            }
            Self::LinksLeftOut => {
                f.write_str("links in directions with a single site are left out: ILDG 1.2 has none there")
            }
            Self::Unverified(place) => {
                write!(f, "the data record at {place} has no checksum, so its data could not be verified")
            }
            Self::NotFinite(place, count) => {
                let many = counted(*count as usize, "number is", "numbers are");
                write!(f, "in the data record at {place}, {many} infinite or NaN; they are kept")
            }
            Self::ArrayNotFinite(record, count) => {
                let many = counted(*count as usize, "number is", "numbers are");
                write!(f, "in field {record}, {many} infinite or NaN; they are kept")
            }
            Self::ArrayNotUnitary(record, deviation) => {
                write!(
                    f,
                    "in field {record}, links are not in their group: the largest deviation from unitarity, or from the determinant 1, is "
                )?;
                if deviation.is_finite() {
                    write!(f, "{deviation:.3e}")
                } else {
                    f.write_str("too large to be computed")
                }
            }
            Self::NoChecksum => f.write_str("the output has no checksum: damaged data get none"),
            Self::LinesLeftOut(keys) => write!(
                f,
                "these lines of the user's text are left out: {}; only NERSC archives and SciDAC files have them",
                keys.join(", ")
            ),
            Self::TextLeftOut(record_type) => {
                write!(f, "the user's text in {record_type} is left out: only SciDAC files have one")
            }
            Self::NoteLeftOut(note) => {
                write!(
                    f,
                    "a note about the data is left out: {note}; only SciDAC files and NERSC archives have one"
                )
            }
            Self::TextReplaced(record_type) => {
                write!(
                    f,
                    "the user's text in {record_type} is left out: usqcdInfo with the title replaces it"
                )
            }
            Self::StaleText(record_type) => write!(
                f,
                "the user's text in {record_type} is left out: it records observables that the data do not have, so it is \
                 about another configuration"
            ),
            Self::EarlierTextLeftOut => f.write_str(
                "an earlier scidac-file-xml is left out: the output has one file message, with the last text",
            ),
            Self::LineLeftOut(line) => write!(
                f,
                "this line of the text of the SciDAC record is left out, as it is not of the form KEY = value: {line}"
            ),
        }
    }
}
