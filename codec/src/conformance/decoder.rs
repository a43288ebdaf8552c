//! The decoder of fields with the rules as its judge.

use super::error::ErrorKind;
use super::rules::Rules;
use crate::error::{Error, Mode};
use crate::field::read::phases::Judge as _;
use crate::field::{self, Encoder};
use crate::lattice::Checksum;
use crate::machine::nested_decoder;
use crate::state::saved;
use crate::step::{Decode, Demand, Step};
use crate::usqcd::{Role, Summary};

/// The events of a [`Decoder`]: the events of [`field::Decoder`], with findings of more kinds.
///
/// # Example
/// ```
/// use linkstream::conformance::{Decoder, Event};
/// use linkstream::{Diagnostic, Mode, drive, finish};
/// # let file = linkstream_example::file();
///
/// let (mut decoder, mut rules) = (Decoder::new(Mode::Survey), Vec::new());
/// let mut note = |event: Event| {
///     if let Event::Finding(error) = event {
///         rules.push(error.kind.rule());
///     }
/// };
/// drive(&mut decoder, &file, |event, _, _| note(event))?;
/// finish(&mut decoder, |event, _, _| note(event))?;
/// assert_eq!(rules, [""; 0]);
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
pub type Event = field::Event<ErrorKind>;

/// Reads SciDAC and ILDG files like [`field::Decoder`], and checks the rules of ILDG 1.2 and QIO 2.3; see the
/// [module](crate::conformance).
///
/// It reports the same events, with more findings. The current record, field and documents are in the
/// [decoder inside](Self::content).
///
/// ```
/// use linkstream::conformance::Decoder;
/// use linkstream::field::Event;
/// use linkstream::io::Reader;
/// use linkstream::{Diagnostic, Mode};
/// # let file = linkstream_example::file();
///
/// let (mut buffer, mut fields, mut rules) = ([0; 512], Vec::new(), Vec::new());
/// let mut reader = Reader::new(file.as_slice(), &mut buffer, Decoder::new(Mode::Survey));
/// while let Some(event) = reader.next()? {
///     match event {
///         Event::Field => fields.extend(reader.decoder().content().field().map(|field| field.record.length)),
///         Event::Finding(error) => rules.push(error.kind.rule()),
///         _ => {}
///     }
/// }
/// // One field, and no rule is broken.
/// assert_eq!((fields, rules), (vec![128], vec![]));
/// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    field: field::Decoder,
    pub(super) rules: Rules,
}

saved!(struct Decoder { field, rules });

nested_decoder!(Decoder, 13, "conformance", |decoder| decoder.field.lime().mode);

impl Decoder {
    /// A decoder for a file from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self { field: field::Decoder::new(mode), rules: Rules::new() }
    }

    /// The decoder inside, which has the current record, field and documents.
    #[must_use]
    pub const fn content(&self) -> &field::Decoder {
        &self.field
    }

    /// Supplies the checksum of data that have been read elsewhere: see [`field::Decoder::supply_checksum`].
    ///
    /// # Errors
    /// The errors of that method.
    pub fn supply_checksum(&mut self, checksum: Checksum) -> Result<(), Error<ErrorKind>> {
        self.rules.failed(&self.field).check()?;
        self.field.supply_checksum(checksum).map_err(Error::into_kind)
    }

    /// The file XML of a propagator file, once it has been read (QIO 2.3, appendices A.2.1 and A.3.1).
    #[must_use]
    pub const fn usqcd_file(&self) -> Option<&Summary> {
        self.rules.propagator.file()
    }

    /// The record XML of the current message, once it has been read, if it is a document of USQCD.
    #[must_use]
    pub const fn usqcd_record(&self) -> Option<&Summary> {
        self.rules.propagator.record()
    }

    /// The role of the current or previous data record of a propagator file, as its record XML states it. `None` if the
    /// type of the file does not define roles, or the record is not part of its format.
    #[must_use]
    pub const fn role(&self) -> Option<Role> {
        self.rules.propagator.role()
    }

    /// Fails with the error of a decoder that has stopped.
    fn check_usable(&self) -> Result<(), Error<ErrorKind>> {
        self.field.check_usable_for(&self.rules)
    }

    fn is_consistent(&self) -> bool {
        self.field.is_consistent() && self.rules.is_consistent(&self.field)
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.field.push_for(&mut self.rules, input)
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.field.finish_for(&mut self.rules)
    }

    fn demand(&self) -> Demand {
        self.field.demand_for(&self.rules)
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.field.skip_for(&self.rules, n)
    }

    fn position(&self) -> u64 {
        self.field.position()
    }
}

/// Appending.
impl Encoder {
    /// An encoder that appends to the file that `decoder` has read. It knows the gauge fields and the logical file name
    /// of the file, and refuses additions that the rules do not allow. `None` if the decoder is not at the end of a
    /// record, padding included, if it is unknown whether the last message is open, or if the file is a volume of a
    /// file set.
    ///
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::conformance::Decoder;
    /// use linkstream::field::{Encoder, OutgoingMessage};
    /// use linkstream::{Decode, Mode};
    /// # let file = linkstream_example::file();
    ///
    /// let mut decoder = Decoder::new(Mode::Lenient);
    /// let mut rest = &file[..];
    /// loop {
    ///     let step = decoder.push(rest)?;
    ///     rest = &rest[step.consumed..];
    ///     if step.event.is_none() {
    ///         break;
    ///     }
    /// }
    /// let mut encoder = Encoder::after(&decoder).ok_or("the file is not complete")?;
    /// assert_eq!(encoder.position(), file.len() as u64);
    /// encoder.begin(&OutgoingMessage::lfn("lfn://example/appended"), &mut [0; 512])?;
    /// # mod linkstream_example { include!(concat!(env!("CARGO_MANIFEST_DIR"), "/src/example.rs")); }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn after(decoder: &Decoder) -> Option<Self> {
        Self::continuing(&decoder.field, decoder.rules.inventory.clone())
    }
}
