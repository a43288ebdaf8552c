//! The encoder of SciDAC and ILDG content: its state. What it does is in the files beside this one.

use super::begun::Fingerprint;
use super::message::Part;
use crate::encode::Encode;
use crate::field::inventory::Inventory;
use crate::field::layout::Field;
use crate::field::read::data::Data;
use crate::field::read::decoder::Decoder;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::{Checksum, Extents, SiteOrder};
use crate::lime;
use crate::scidac::VolumeFormat;
use crate::state::{self, LoadError, State, resumable, saved};

/// The encoder's position within a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    /// Between messages.
    Idle,
    Header,
    Text,
    /// The NUL after a text.
    Terminator,
    Data,
    Padding,
}

saved!(enum Phase: Idle, Header, Text, Terminator, Data, Padding);

/// Writes SciDAC and ILDG files: messages of documents and data, in the order and with the flags that the
/// specifications require.
///
/// [`begin`](Self::begin) checks an [`OutgoingMessage`](crate::field::OutgoingMessage) as a whole. Then the caller
/// repeatedly calls [`next`](Self::next) with the [`BegunMessage`](crate::field::BegunMessage) and writes the bytes that
/// it returns. When it asks for data, the caller
/// writes them and passes them to [`data`](Self::data), which computes the checksum. A call that returns an error
/// changes nothing. For the same input the output is that of QIO, byte for byte, except that QIO omits checksums of
/// which a sum is zero.
///
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage, Want};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::lattice::Precision;
///
/// let kind = GaugeKind::parse(b"u1phase").ok_or("a kind of gauge field")?;
/// let format = Format::new(kind, Precision::F64, [2, 1, 1, 1]);
/// let message = OutgoingMessage::ildg(&format).with_lfn("lfn://example/two.links");
///
/// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
/// let begun = encoder.begin(&message, &mut scratch)?;
/// loop {
///     match encoder.next(&begun, &mut scratch)? {
///         Want::Bytes(bytes) => file.extend_from_slice(bytes),
///         Want::Data(_) => {
///             let phase = 0.5_f64.to_be_bytes();
///             encoder.data(&phase)?;
///             file.extend_from_slice(&phase);
///         }
///         Want::Nothing => break,
///     }
/// }
/// encoder.finish()?;
/// assert_eq!(file.len() as u64, encoder.position());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    pub(super) lime: lime::Encoder,
    /// The lattice of the file message.
    pub(super) extents: Option<Extents>,
    pub(super) inventory: Inventory,
    pub(super) part: Part,
    pub(super) phase: Phase,
    /// Numbers of the current message and of its last record, from 1.
    pub(super) message: u64,
    pub(super) number: u64,
    /// Fingerprint of the current message, or of the last one.
    pub(super) begun: Fingerprint,
    pub(super) data: Option<Data>,
}

saved!(struct Encoder {
    lime, extents, inventory, part, phase, message, number, begun, data,
});

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

resumable!(Encoder, 11);

impl Encoder {
    /// An encoder for a new file.
    #[must_use]
    pub fn new() -> Self {
        Self::of(lime::Encoder::new())
    }

    fn of(lime: lime::Encoder) -> Self {
        Self {
            lime,
            extents: None,
            inventory: Inventory::default(),
            part: Part::Foreign,
            phase: Phase::Idle,
            message: 0,
            number: 0,
            begun: Fingerprint::default(),
            data: None,
        }
    }

    /// An encoder that appends to what `decoder` has read, where the file holds `inventory`.
    pub(crate) fn continuing(decoder: &Decoder, inventory: Inventory) -> Option<Self> {
        let mut encoder = Self::of(lime::Encoder::after(decoder.lime())?);
        if let Some(file) = decoder.private_file() {
            encoder.extents = file.extents();
            if file.volume_format() != VolumeFormat::Single {
                return None;
            }
        }
        encoder.inventory = inventory;
        let record = decoder.lime().record();
        (encoder.message, encoder.number) = (record.message, record.number);
        Some(encoder)
    }

    /// Whether a file message has been begun.
    pub(crate) const fn has_lattice(&self) -> bool {
        self.extents.is_some()
    }

    /// Whether the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOpen`].
    pub fn finish(&self) -> Result<(), EncodeErrorKind> {
        if self.phase == Phase::Idle { Ok(()) } else { Err(EncodeErrorKind::MessageOpen) }
    }

    /// Absolute offset at which the next bytes are written.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.lime.position()
    }

    /// The LIME encoder inside.
    #[must_use]
    pub const fn lime(&self) -> &lime::Encoder {
        &self.lime
    }

    /// The field whose data are being or were last written; `None` after the next message has begun.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        match &self.data {
            Some(data) => Some(data.field()),
            None => None,
        }
    }

    /// The site to which the next byte belongs, while data are expected.
    #[must_use]
    pub fn site(&self) -> Option<SiteOrder> {
        self.data.as_ref().filter(|_| self.phase == Phase::Data).map(Data::walk)
    }

    /// The number of bytes of data that are missing.
    #[must_use]
    pub fn missing(&self) -> u64 {
        if self.phase == Phase::Data { self.lime.missing() } else { 0 }
    }

    /// Whether the next byte begins a site, or no data are expected.
    #[must_use]
    pub fn is_between_sites(&self) -> bool {
        self.data.as_ref().is_none_or(|data| data.in_site() == 0)
    }

    /// The checksum of the data of [`field`](Self::field) that were passed to this encoder.
    #[must_use]
    pub fn checksum(&self) -> Option<Checksum> {
        self.data.as_ref().map(Data::sum)
    }

    pub(super) fn sum(&self) -> Checksum {
        self.checksum().unwrap_or_default()
    }

    /// Saves the state, to be stored or passed to another process. Restore it with `load`. The
    /// message is not part of the state: [`resume`](Self::resume) takes it.
    #[must_use]
    pub fn save(&self) -> State<Self> {
        state::seal(self)
    }

    /// Restores an encoder from the state that [`Encoder::save`] returned.
    ///
    /// # Errors
    /// [`LoadError::Inconsistent`]: the fields contradict each other.
    pub fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        state::load(saved, Self::is_consistent)
    }
}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        self.missing()
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        self.data(payload)
    }

    fn position(&self) -> u64 {
        self.position()
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        self.finish()
    }
}
