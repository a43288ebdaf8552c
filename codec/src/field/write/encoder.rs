//! Writing: the mirror of the decoder.

use super::emit::{check_documents, emit, fingerprint};
use super::identity::Identity;
use super::message::{OutgoingMessage, Part};
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::encode::Encode;
use crate::field::digest::Digest;
use crate::field::inventory::Inventory;
use crate::field::layout::Field;
use crate::field::read::data::Data;
use crate::field::read::decoder::Decoder;
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::{Checksum, Extents, SiteOrder};
use crate::lime::{self, Header, Record};
use crate::scidac::VolumeFormat;
use crate::state::{self, LoadError, Saved, saved};

/// The encoder's position within a record.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
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

/// What the encoder wants next.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Want<'a> {
    /// These bytes are to be written now, at [`Encoder::position`] as it was before.
    Bytes(&'a [u8]),
    /// So many bytes of data are missing; see [`Encoder::data`].
    Data(u64),
    /// The message is complete.
    Nothing,
}

/// Writes SciDAC and ILDG content: messages of documents and data, in the order and with the flags that the
/// documents demand.
///
/// [`begin`](Self::begin) judges a [`OutgoingMessage`] as a whole. Then the caller writes what [`next`](Self::next)
/// gives, and where it wants data, writes them and announces them to [`data`](Self::data), which folds in
/// the checksum. What is refused changes nothing. For the same input the output is that of QIO, byte for
/// byte, but for checksums of which a sum is zero, which QIO leaves out.
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
/// encoder.begin(&message, &mut scratch)?;
/// loop {
///     match encoder.next(&message, &mut scratch)? {
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
    lime: lime::Encoder,
    /// The lattice of the file message.
    extents: Option<Extents>,
    inventory: Inventory,
    part: Part,
    phase: Phase,
    /// Numbers of the present message and of its last record, from 1.
    message: u64,
    number: u64,
    /// Of the message that was begun: only that one goes on.
    fingerprint: u32,
    /// The message that is known to have it.
    checked: Identity,
    data: Option<Data>,
}

saved!(struct Encoder {
    lime, extents, inventory, part, phase, message, number, fingerprint, data,
} skipping { checked });

impl Default for Encoder {
    fn default() -> Self {
        Self::new()
    }
}

impl Encoder {
    /// Size of a saved state in bytes.
    pub const SAVED: usize = <Self as Saved>::SIZE.saturating_add(state::SEAL);
    const TAG: u8 = 11;

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
            fingerprint: 0,
            checked: Identity::default(),
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

    /// Begins a message. Its documents are tried out in `scratch`, which must hold the longest of them: 512
    /// bytes are enough for all but long dates and data types.
    ///
    /// # Errors
    /// Whatever is wrong with the message, or with having it in this file; see [`EncodeErrorKind`].
    pub fn begin(
        &mut self,
        message: &OutgoingMessage<'_>,
        scratch: &mut [u8],
    ) -> Result<(), EncodeErrorKind> {
        if self.phase != Phase::Idle {
            return Err(EncodeErrorKind::MessageOpen);
        }
        let first = message.next(None).ok_or(EncodeErrorKind::MessageInvalid)?;
        let alone = [message.foreign.is_some(), message.file.is_some(), message.has_data()];
        let name_elsewhere = message.lfn.is_some() && !message.has_data() && first != Part::Lfn;
        if alone.into_iter().filter(|part| *part).count() > 1 || name_elsewhere {
            return Err(EncodeErrorKind::MessageInvalid);
        }
        message.check_texts()?;
        if let Some((record_type, _)) = message.foreign {
            if message.is_known(record_type) {
                return Err(EncodeErrorKind::MessageInvalid);
            }
            Header::new(record_type, 0, true, true)?;
        }
        let extents = message.lattice(self.extents)?;
        check_documents(message)?;
        let fingerprint = fingerprint(message, scratch)?;
        let mut inventory = self.inventory.clone();
        if message.has_data() {
            let field = message.layout(self.extents)?;
            let length = field.data_length().ok_or(EncodeErrorKind::DataOverflow)?;
            // Documents and headers are shorter than this by far.
            length
                .checked_add(self.lime.position())
                .and_then(|end| end.checked_add(1 << 32))
                .ok_or(EncodeErrorKind::DataOverflow)?;
        }
        if let Some(format) = message.format {
            let update = message.update.map(Digest::of);
            if inventory.update_is_missing(format.kind(), update) {
                return Err(EncodeErrorKind::UpdateMissing);
            }
            if inventory.field_is_repeated(format.kind(), update) {
                return Err(EncodeErrorKind::UpdateRepeated);
            }
            inventory.insert(format.kind(), update);
        }
        if let Some(name) = message.lfn {
            if inventory.lfn.is_some() {
                return Err(EncodeErrorKind::LfnRepeated);
            }
            inventory.lfn = Some(Digest::of(name));
        }
        self.extents = extents;
        self.inventory = inventory;
        self.part = first;
        self.phase = Phase::Header;
        self.data = None;
        self.fingerprint = fingerprint;
        self.checked = Identity::of(message);
        if !self.lime.message_is_open() {
            self.message = self.message.saturating_add(1);
            self.number = 0;
        }
        Ok(())
    }

    /// Whether [`begin`](Self::begin) takes this message, after a file message with this lattice if there has been
    /// none.
    pub(crate) fn would_begin(
        &self,
        message: &OutgoingMessage<'_>,
        lattice: Extents,
        scratch: &mut [u8],
    ) -> Result<(), EncodeErrorKind> {
        let mut trial = self.clone();
        trial.extents = trial.extents.or(Some(lattice));
        trial.begin(message, scratch)
    }

    /// Whether a file message has been begun.
    pub(crate) const fn has_lattice(&self) -> bool {
        self.extents.is_some()
    }

    /// What is to be written next. `message` must be that of [`begin`](Self::begin), and `scratch` as large as
    /// there. Another message is noticed; a document or text that is changed in place between two calls is not.
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOther`], or a buffer that is too small.
    pub fn next<'b>(
        &'b mut self,
        message: &'b OutgoingMessage<'_>,
        scratch: &'b mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        let missing = self.missing();
        if missing > 0 {
            return Ok(Want::Data(missing));
        }
        if self.phase == Phase::Idle {
            return Ok(Want::Nothing);
        }
        self.check_same(message, scratch)?;
        if self.phase == Phase::Data {
            self.phase = Phase::Padding;
        }
        let bytes = match self.phase {
            Phase::Idle | Phase::Data => return Ok(Want::Nothing),
            Phase::Header => return self.header(message, scratch),
            Phase::Text => {
                let text = match message.text(self.part) {
                    Some(text) => text,
                    None => {
                        let length = emit(message, self.part, self.sum(), scratch)?;
                        prefix(scratch, length)
                    }
                };
                self.lime.payload(text.len() as u64)?;
                self.phase = Phase::Terminator;
                text
            }
            Phase::Terminator => {
                let is_text = message.text(self.part).is_some();
                let terminator = if is_text { message.terminator(self.part) } else { b"" };
                self.lime.payload(terminator.len() as u64)?;
                self.phase = Phase::Padding;
                terminator
            }
            Phase::Padding => {
                let padding = self.lime.end()?;
                (self.part, self.phase) = match message.next(Some(self.part)) {
                    Some(part) => (part, Phase::Header),
                    None => (Part::Foreign, Phase::Idle),
                };
                padding
            }
        };
        Ok(Want::Bytes(bytes))
    }

    /// Whether `message` is the one that was begun. Its content is compared when it is not the one that was passed
    /// before: after [`load`](Self::load), or when its parts lie elsewhere.
    ///
    /// # Errors
    /// As [`next`](Self::next).
    pub(crate) fn check_same(
        &mut self,
        message: &OutgoingMessage<'_>,
        scratch: &mut [u8],
    ) -> Result<(), EncodeErrorKind> {
        let identity = Identity::of(message);
        if self.phase == Phase::Idle || self.checked.is(identity) {
            return Ok(());
        }
        // A state that was made up may be at a part that its message does not have.
        if !message.has(self.part) || fingerprint(message, scratch)? != self.fingerprint {
            return Err(EncodeErrorKind::MessageOther);
        }
        self.checked = identity;
        Ok(())
    }

    fn header<'b>(
        &'b mut self,
        message: &OutgoingMessage<'_>,
        scratch: &mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        let field = if self.part == Part::Data { Some(message.layout(self.extents)?) } else { None };
        let length = match (&field, message.text(self.part)) {
            (Some(field), _) => field.data_length().ok_or(EncodeErrorKind::DataOverflow)?,
            (None, Some(text)) => (text.len() as u64).plus(message.terminator(self.part).len() as u64),
            (None, None) => emit(message, self.part, self.sum(), scratch)? as u64,
        };
        let offset = self.lime.position();
        let begin = !self.lime.message_is_open();
        let end = message.next(Some(self.part)).is_none();
        self.lime.begin(&Header::new(message.record_type(self.part), length, begin, end)?)?;
        self.number = self.number.saturating_add(1);
        self.phase = Phase::Text;
        if let Some(mut field) = field {
            field.record = Record { offset, length, message: self.message, number: self.number, begin, end };
            self.data = Some(Data::new(field));
            self.phase = Phase::Data;
        }
        Ok(Want::Bytes(self.lime.header().as_bytes()))
    }

    /// Announces that these bytes of data are written next: big endian, sites in stored order, in pieces of any
    /// size.
    ///
    /// # Errors
    /// More than is missing, bytes of sites that have been written, or no data are expected.
    pub fn data(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        let data = self.data.as_mut().filter(|_| self.phase == Phase::Data).ok_or(EncodeErrorKind::NoData)?;
        let n = bytes.len() as u64;
        if self.lime.would_overwrite(n) {
            return Err(EncodeErrorKind::SitesRepeated);
        }
        self.lime.payload(n)?;
        data.take(bytes);
        // What comes next follows all data, wherever the last of them was written.
        if self.lime.missing() == 0 {
            self.lime.seek(self.lime.payload_length())?;
        }
        Ok(())
    }

    /// Goes to the site of index `index` in stored order: where several write one field side by side. The next
    /// data go to [`position`](Self::position). From complete data there is nowhere to go.
    ///
    /// # Errors
    /// [`EncodeErrorKind::NoSuchSite`], [`EncodeErrorKind::InsideSite`], [`EncodeErrorKind::NoData`].
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{Encoder, OutgoingMessage, Want};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let kind = GaugeKind::parse(b"u1phase").ok_or("a kind of gauge field")?;
    /// let format = Format::new(kind, Precision::F64, [2, 2, 1, 1]);
    /// let message = OutgoingMessage::ildg(&format);
    /// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
    /// encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(bytes) = encoder.next(&message, &mut scratch)? {
    ///     file.extend_from_slice(bytes);
    /// }
    /// let data = file.len();
    ///
    /// // The last of the four sites first: two links of a phase each. Then half of the first one.
    /// encoder.seek(3)?;
    /// assert_eq!(encoder.position(), (data + 3 * 16) as u64);
    /// encoder.data(&[0; 16])?;
    /// encoder.seek(0)?;
    /// encoder.data(&[0; 8])?;
    /// assert!(!encoder.is_between_sites() && encoder.field().is_some());
    /// assert_eq!(encoder.missing(), 5 * 8);
    ///
    /// // Continue elsewhere: the state is an array of bytes.
    /// let mut encoder = Encoder::load(&encoder.save())?;
    /// encoder.data(&[0; 5 * 8])?;
    /// while let Want::Bytes(_) = encoder.next(&message, &mut scratch)? {}
    /// assert!(!encoder.lime().message_is_open());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn seek(&mut self, index: u64) -> Result<(), EncodeErrorKind> {
        let data = self.data.as_mut().filter(|_| self.phase == Phase::Data).ok_or(EncodeErrorKind::NoData)?;
        let sites = data.field().sites();
        if index > sites {
            return Err(EncodeErrorKind::NoSuchSite { index, sites });
        }
        // What comes next follows all data.
        if self.lime.missing() == 0 && self.lime.payload_length() > 0 {
            return Err(EncodeErrorKind::NoData);
        }
        let to = index.saturating_mul(data.field().bytes_per_site);
        if !data.seek(index) {
            return Err(EncodeErrorKind::InsideSite);
        }
        Ok(self.lime.seek(to)?)
    }

    /// All sites that were not written here are written by others, and their checksums together are `sum`. With
    /// that the data are complete.
    ///
    /// # Errors
    /// [`EncodeErrorKind::InsideSite`], [`EncodeErrorKind::NoData`].
    ///
    /// # Example
    /// ```
    /// use linkstream::field::{Encoder, OutgoingMessage, Want};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::{Checksum, Precision};
    ///
    /// let kind = GaugeKind::parse(b"u1phase").ok_or("a kind of gauge field")?;
    /// let format = Format::new(kind, Precision::F64, [2, 1, 1, 1]);
    /// let message = OutgoingMessage::ildg(&format).with_checksum(true);
    /// let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
    /// encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(_) = encoder.next(&message, &mut scratch)? {}
    ///
    /// // This process writes the first of the two sites, another one the second.
    /// let sites = [0.25_f64.to_be_bytes(), 0.5_f64.to_be_bytes()];
    /// encoder.data(&sites[0])?;
    /// assert_eq!(encoder.site().map(|site| site.rank()), Some(1));
    /// let mut theirs = Checksum::default();
    /// theirs.add(1, &sites[1]);
    /// encoder.others(theirs)?;
    ///
    /// let mut both = theirs;
    /// both.add(0, &sites[0]);
    /// assert_eq!((encoder.missing(), encoder.checksum()), (0, Some(both)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn others(&mut self, sum: Checksum) -> Result<(), EncodeErrorKind> {
        let data = self.data.as_mut().filter(|_| self.phase == Phase::Data).ok_or(EncodeErrorKind::NoData)?;
        if data.in_site() > 0 {
            return Err(EncodeErrorKind::InsideSite);
        }
        self.lime.leave_rest_to_others()?;
        data.add_sum(sum);
        // Said once more, the sum would cancel itself.
        self.phase = Phase::Padding;
        Ok(())
    }

    /// Whether the file can end here.
    ///
    /// # Errors
    /// [`EncodeErrorKind::MessageOpen`].
    pub fn finish(&self) -> Result<(), EncodeErrorKind> {
        if self.phase == Phase::Idle { Ok(()) } else { Err(EncodeErrorKind::MessageOpen) }
    }

    /// Absolute offset at which the next bytes go.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.lime.position()
    }

    /// The LIME encoder inside.
    #[must_use]
    pub const fn lime(&self) -> &lime::Encoder {
        &self.lime
    }

    /// The field whose data are being written or were written last; `None` from the next message on.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        match &self.data {
            Some(data) => Some(data.field()),
            None => None,
        }
    }

    /// The site to which the next byte belongs, while data are wanted.
    #[must_use]
    pub fn site(&self) -> Option<SiteOrder> {
        self.data.as_ref().filter(|_| self.phase == Phase::Data).map(Data::walk)
    }

    /// Bytes of data that are missing.
    #[must_use]
    pub fn missing(&self) -> u64 {
        if self.phase == Phase::Data { self.lime.missing() } else { 0 }
    }

    /// Whether the next byte begins a site, or no data are wanted.
    #[must_use]
    pub fn is_between_sites(&self) -> bool {
        self.data.as_ref().is_none_or(|data| data.in_site() == 0)
    }

    /// The checksum of the data of [`field`](Self::field) that went by here.
    #[must_use]
    pub fn checksum(&self) -> Option<Checksum> {
        self.data.as_ref().map(Data::sum)
    }

    fn sum(&self) -> Checksum {
        self.checksum().unwrap_or_default()
    }

    /// The state as bytes: to be kept, or handed to another process. The message is not in it: the other must
    /// have it too.
    #[must_use]
    pub fn save(&self) -> [u8; Self::SAVED] {
        state::seal(Self::TAG, self)
    }

    /// Puts back a state that [`Encoder::save`] gave.
    ///
    /// # Errors
    /// The bytes are not such a state.
    pub fn load(saved: &[u8; Self::SAVED]) -> Result<Self, LoadError> {
        let encoder: Self = state::open(Self::TAG, saved)?;
        if encoder.is_consistent() { Ok(encoder) } else { Err(LoadError::Inconsistent) }
    }

    /// Whether account of data and account of their record agree.
    fn is_consistent(&self) -> bool {
        let in_data = self.phase == Phase::Data;
        let open = !matches!(self.phase, Phase::Idle | Phase::Header);
        let placed = match &self.data {
            Some(data) if in_data => {
                let record = data.field().record;
                let sites = data.walk().done();
                let place = sites.checked_mul(data.field().bytes_per_site);
                let at = place.and_then(|place| place.checked_add(data.in_site()));
                let at = at.and_then(|at| at.checked_add(record.payload_offset()));
                data.field().data_length() == Some(record.length)
                    && self.lime.payload_length() == record.length
                    && (at == Some(self.lime.position())
                        || (self.lime.missing() == 0 && self.lime.room() == 0))
            }
            _ => !in_data,
        };
        let placed = placed && (self.part == Part::Data || !in_data);
        self.lime.is_consistent() && self.lime.record_is_open() == open && placed
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::lattice::Extents;
    use crate::scidac::PrivateFile;

    /// A header takes no scratch, so that only comparing the message's content can fail without.
    #[test]
    fn a_message_is_read_once_and_once_more_when_loaded() {
        let file = PrivateFile::new(&Extents::new(&[2, 2]).unwrap());
        let text = *b"text";
        let message = OutgoingMessage::file(&file, &text);
        let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
        encoder.begin(&message, &mut scratch).unwrap();
        while encoder.part != Part::FileXml {
            let _ = encoder.next(&message, &mut scratch).unwrap();
        }
        let mut loaded = Encoder::load(&encoder.save()).unwrap();
        assert_eq!(loaded, encoder);
        assert!(matches!(encoder.clone().next(&message, &mut []), Ok(Want::Bytes(_))));
        assert!(matches!(loaded.next(&message, &mut []), Err(EncodeErrorKind::Emit(..))));
        assert!(matches!(loaded.next(&message, &mut scratch), Ok(Want::Bytes(_))));
        assert!(matches!(loaded.next(&message, &mut []), Ok(Want::Bytes(b"text"))));

        // The same content elsewhere is the same message, another content is not.
        let elsewhere = (file.clone(), *b"text", *b"test");
        let same = OutgoingMessage::file(&elsewhere.0, &elsewhere.1);
        let other = OutgoingMessage::file(&elsewhere.0, &elsewhere.2);
        assert_eq!(encoder.next(&other, &mut scratch), Err(EncodeErrorKind::MessageOther));
        assert!(encoder.next(&same, &mut scratch).is_ok());
        assert!(matches!(encoder.next(&same, &mut []), Ok(Want::Bytes(b"text"))));
    }
}
