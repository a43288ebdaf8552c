//! The encoder of a volume.

use super::decoder::VolumeKind;
use super::entry::{Entry, EntryWidth};
use super::rank_sums::RankSums;
use super::write_error::EncodeErrorKind;
use crate::bytes::prefix;
use crate::counter::Counter as _;
use crate::field::inventory::Inventory;
use crate::field::write::begin::admit;
use crate::field::write::begun::Fingerprint;
use crate::field::write::emit::{check_documents, complete, emit};
use crate::field::write::message::Part;
use crate::field::{self, BegunMessage, DocumentName, Field, OutgoingMessage};
use crate::lattice::{Checksum, Extents, Region};
use crate::lime::{self, Header};
use crate::scidac::{self, VolumeFormat};
use crate::state::{self, LoadError, State, resumable, saved};

/// What the encoder wants next.
///
/// ```
/// use linkstream::field::OutgoingMessage;
/// use linkstream::lattice::Extents;
/// use linkstream::scidac::{PrivateFile, VolumeFormat};
/// use linkstream::volume::{Encoder, VolumeKind, Want};
///
/// let file = PrivateFile::new(&Extents::new(&[4, 2])?).with_volume_format(VolumeFormat::Multifile);
/// let message = OutgoingMessage::file(&file, b"");
/// let (mut encoder, mut scratch) = (Encoder::new(VolumeKind::Other, 4, 7), [0; 512]);
/// let begun = encoder.begin(&message, 0, &mut scratch)?;
/// // The header of the site list, and then its entries.
/// assert!(matches!(encoder.next(&begun, &mut scratch)?, Want::Bytes(bytes) if bytes.len() == 144));
/// assert_eq!(encoder.next(&begun, &mut scratch)?, Want::Entries(4));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Want<'a> {
    /// Write these bytes, at the [`Encoder::position`] before the call.
    Bytes(&'a [u8]),
    /// This number of entries of the site list is expected; see [`Encoder::entry`].
    Entries(u64),
    /// The data of this number of sites are expected; see [`Encoder::site`].
    Sites(u64),
    /// The checksum of the other volumes is expected; see [`Encoder::supply_checksum`].
    Checksum,
    /// The message is complete.
    Nothing,
}

/// The position within a message.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Idle,
    /// The header of the part.
    Header,
    Text,
    Terminator,
    Padding,
    /// The header of the site list, and its entries.
    ListHeader,
    Entries,
    Sites,
}

saved!(enum Phase: Idle, Header, Text, Terminator, Padding, ListHeader, Entries, Sites);

/// Writes one volume of a set, byte for byte as QIO does for the same layout, except for checksums of which a sum is
/// zero, which QIO omits.
///
/// All volumes are written with the same messages: [`begin`](Self::begin) takes first the file message, then one for
/// each field or global record. The documents are written to the first volume only; the others consist of their site
/// list and data. Volumes can be written in any order, and by several processes; only the first one needs the
/// combined checksum of the others before it can end a message.
///
/// ```
/// use linkstream::field::{FieldDocuments, OutgoingMessage};
/// use linkstream::lattice::{Extents, Precision};
/// use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
/// use linkstream::volume::{Encoder, Mesh, NodeOrder, VolumeKind, Want};
///
/// let lattice = Extents::new(&[4, 2])?;
/// let mesh = Mesh::new(&lattice, &[2], &[2])?;
/// let file = PrivateFile::new(&lattice).with_volume_format(VolumeFormat::Partition);
/// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
/// let messages = [OutgoingMessage::file(&file, b"<title>example</title>"), field.message(b"")];
///
/// // The first volume comes last: its checksum is that of all.
/// let mut others = linkstream::lattice::Checksum::default();
/// for index in [1, 0] {
///     let kind = if index == 0 { VolumeKind::First } else { VolumeKind::Other };
///     let mut ranks = mesh.ranks(index, NodeOrder::Lexicographic);
///     let (mut encoder, mut scratch, mut out) = (Encoder::new(kind, 4, 7), [0; 512], Vec::new());
///     for message in &messages {
///         let begun = encoder.begin(message, 0, &mut scratch)?;
///         loop {
///             match encoder.next(&begun, &mut scratch)? {
///                 Want::Bytes(bytes) => out.extend_from_slice(bytes),
///                 Want::Entries(_) => {
///                     for rank in mesh.ranks(index, NodeOrder::Lexicographic) {
///                         out.extend_from_slice(encoder.entry(rank)?.as_bytes());
///                     }
///                 }
///                 Want::Sites(_) => {
///                     let rank = ranks.next().ok_or("as many as the list has")?;
///                     encoder.site(rank, &(rank as f32).to_be_bytes())?;
///                     out.extend_from_slice(&(rank as f32).to_be_bytes());
///                 }
///                 Want::Checksum => encoder.supply_checksum(others)?,
///                 Want::Nothing => break,
///             }
///         }
///     }
///     encoder.finish()?;
///     assert_eq!((encoder.position(), encoder.kind()), (out.len() as u64, kind));
///     assert!(encoder.field().is_some());
///     others = encoder.checksum();
/// }
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    pub(super) lime: lime::Encoder,
    kind: VolumeKind,
    /// Sites of the list, and the width of its entries.
    pub(super) sites: u64,
    pub(super) width: EntryWidth,
    /// The largest rank that was announced.
    pub(super) largest: u64,
    pub(super) extents: Option<Extents>,
    /// The list must be ascending.
    pub(super) is_partition: bool,
    pub(super) inventory: Inventory,
    /// The last rank of the current list or data, and the sums over all of them.
    pub(super) last: Option<u64>,
    pub(super) ranks: RankSums,
    /// Of all entries, each with its place.
    pub(super) list_digest: u64,
    pub(super) part: Part,
    pub(super) phase: Phase,
    /// Fingerprint of the current message, or of the last one.
    begun: Fingerprint,
    pub(super) field: Option<Field>,
    /// Entries or sites that are missing.
    pub(super) missing: u64,
    /// Of all sites of the current data, each with its place.
    pub(super) data_digest: u64,
    /// Of the current data, or the last.
    sum: Checksum,
    others: Option<Checksum>,
}

saved!(struct Encoder {
    lime, kind, sites, width, largest, extents, is_partition, inventory, last, ranks, list_digest, part, phase, begun, field, missing,
    data_digest, sum, others,
});

resumable!(Encoder, 16);

impl Encoder {
    /// An encoder for a new volume with this number of sites. `largest` is their largest rank, or an upper bound of
    /// it.
    #[must_use]
    pub fn new(kind: VolumeKind, sites: u64, largest: u64) -> Self {
        Self {
            lime: lime::Encoder::new(),
            kind,
            sites,
            width: EntryWidth::for_rank(largest),
            largest,
            extents: None,
            is_partition: true,
            inventory: Inventory::default(),
            last: None,
            ranks: RankSums::default(),
            list_digest: 0,
            part: Part::Foreign,
            phase: Phase::Idle,
            begun: Fingerprint::default(),
            field: None,
            missing: 0,
            data_digest: 0,
            sum: Checksum::default(),
            others: None,
        }
    }

    /// Begins a message, which is then passed to [`next`](Self::next): the file message, or one with a SciDAC record.
    /// For a hypercube, `sites` is the number of sites of this volume that have data; for other messages it is not
    /// used. `scratch` must hold the longest document: 512 bytes are enough unless dates or data types are very long.
    ///
    /// # Errors
    /// The message is invalid, or not allowed in this volume; see [`EncodeErrorKind`].
    pub fn begin<'m>(
        &mut self,
        message: &OutgoingMessage<'m>,
        sites: u64,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase != Phase::Idle {
            return Err(field::EncodeErrorKind::MessageOpen.into());
        }
        message.check_parts()?;
        message.check_texts()?;
        check_documents(message)?;
        let begun = BegunMessage::new(message, scratch)?;
        let mut inventory = self.inventory.clone();
        admit(&mut inventory, message)?;
        match (message.file, message.record) {
            (Some(_), None) => self.begin_file(message)?,
            (None, Some(_)) => self.begin_record(message, sites)?,
            _ => return Err(field::EncodeErrorKind::MessageInvalid.into()),
        }
        (self.last, self.ranks) = (None, RankSums::default());
        self.inventory = inventory;
        self.begun = begun.fingerprint();
        Ok(begun)
    }

    /// Continues the message that was begun: with a restored encoder, or in another function. All of the message is
    /// compared. `scratch` is needed as for [`begin`](Self::begin).
    ///
    /// ```
    /// use linkstream::field::{EncodeErrorKind, OutgoingMessage};
    /// use linkstream::volume::{Encoder, VolumeKind};
    ///
    /// // No message is open.
    /// let refused = Encoder::new(VolumeKind::Other, 4, 7).resume(&OutgoingMessage::default(), &mut [0; 512]);
    /// assert_eq!(refused.err(), Some(EncodeErrorKind::NoData.into()));
    /// ```
    ///
    /// # Errors
    /// [`MessageOther`](field::EncodeErrorKind::MessageOther); [`NoData`](field::EncodeErrorKind::NoData) if no message
    /// is open; the buffer is too small.
    pub fn resume<'m>(
        &self,
        message: &OutgoingMessage<'m>,
        scratch: &mut [u8],
    ) -> Result<BegunMessage<'m>, EncodeErrorKind> {
        if self.phase == Phase::Idle {
            return Err(field::EncodeErrorKind::NoData.into());
        }
        Ok(BegunMessage::again(message, self.begun, scratch)?)
    }

    fn begin_file(&mut self, message: &OutgoingMessage<'_>) -> Result<(), EncodeErrorKind> {
        let Some((file, _)) = message.file else { return Ok(()) };
        if self.extents.is_some() {
            return Err(field::EncodeErrorKind::FileRepeated.into());
        }
        complete(DocumentName::PrivateFile, file)?;
        let extents = file.extents().ok_or(field::EncodeErrorKind::MessageInvalid)?;
        let format = file.volume_format();
        if format == VolumeFormat::Single {
            return Err(EncodeErrorKind::SingleFile);
        }
        if self.sites > extents.sites() {
            return Err(EncodeErrorKind::TooManySites { sites: self.sites, most: extents.sites() });
        }
        self.extents = Some(extents);
        self.is_partition = format != VolumeFormat::Multifile;
        self.missing = self.sites;
        (self.part, self.phase) = match self.kind {
            VolumeKind::First => (Part::PrivateFile, Phase::Header),
            VolumeKind::Other => (Part::Foreign, Phase::ListHeader),
        };
        Ok(())
    }

    fn begin_record(&mut self, message: &OutgoingMessage<'_>, sites: u64) -> Result<(), EncodeErrorKind> {
        let mut field = message.layout(self.extents)?;
        let stored = match field.region {
            Region::Lattice => self.sites,
            Region::Hypercube(_) => sites,
            Region::Global => u64::from(self.kind == VolumeKind::First),
        };
        let most = if field.region == Region::Global { 1 } else { field.sites().min(self.sites) };
        if stored > most {
            return Err(EncodeErrorKind::TooManySites { sites: stored, most });
        }
        // Sites of the list that cannot all be outside the hypercube.
        let inside = self.sites.saturating_sub(field.extents.sites().saturating_sub(field.sites()));
        if matches!(field.region, Region::Hypercube(_)) && stored < inside {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        let length = stored.checked_mul(field.bytes_per_site).ok_or(field::EncodeErrorKind::DataOverflow)?;
        // Documents and headers are shorter than this by far.
        let end = length.checked_add(self.lime.position()).and_then(|end| end.checked_add(1 << 32));
        end.ok_or(field::EncodeErrorKind::DataOverflow)?;
        field.record.length = length;
        let is_global = field.region == Region::Global;
        (self.part, self.phase) = match self.kind {
            VolumeKind::First => (Part::PrivateRecord, Phase::Header),
            // Global data are in the first volume only.
            VolumeKind::Other if is_global => (Part::Foreign, Phase::Idle),
            VolumeKind::Other => (Part::Data, Phase::Header),
        };
        self.field = Some(field);
        self.missing = stored;
        (self.sum, self.data_digest, self.others) = (Checksum::default(), 0, None);
        Ok(())
    }

    /// Returns what must be written next. `begun` is the message that [`begin`](Self::begin) or
    /// [`resume`](Self::resume) returned, and `scratch` must be as long as there.
    ///
    /// # Errors
    /// [`MessageOther`](field::EncodeErrorKind::MessageOther); the buffer is too small;
    /// [`EncodeErrorKind::SitesDiffer`] if the sites written last are not those of the site list.
    pub fn next<'b>(
        &'b mut self,
        begun: &'b BegunMessage<'_>,
        scratch: &'b mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        match self.phase {
            Phase::Idle => return Ok(Want::Nothing),
            Phase::Entries if self.missing > 0 => return Ok(Want::Entries(self.missing)),
            Phase::Sites if self.missing > 0 => return Ok(Want::Sites(self.missing)),
            _ => {}
        }
        begun.check(self.begun)?;
        let message = &begun.message;
        // A state that was made up may be at a part that its message does not have.
        if self.part != Part::Foreign && !message.has(self.part) {
            return Err(field::EncodeErrorKind::MessageOther.into());
        }
        let bytes = match self.phase {
            Phase::Idle => return Ok(Want::Nothing),
            Phase::ListHeader => {
                let length = self.sites.checked_mul(self.width.bytes() as u64);
                let length = length.ok_or(field::EncodeErrorKind::DataOverflow)?;
                let alone = self.kind == VolumeKind::Other;
                self.lime.begin(&Header::new(scidac::SITELIST.as_bytes(), length, alone, alone)?)?;
                self.phase = Phase::Entries;
                return Ok(Want::Bytes(self.lime.header().as_bytes()));
            }
            Phase::Entries => {
                let padding = self.lime.end()?;
                (self.part, self.phase) = match self.kind {
                    VolumeKind::First => (Part::FileXml, Phase::Header),
                    VolumeKind::Other => (Part::Foreign, Phase::Idle),
                };
                padding
            }
            Phase::Header if self.part == Part::Checksum && self.others.is_none() => {
                return Ok(Want::Checksum);
            }
            Phase::Header => return self.header(message, scratch),
            Phase::Text => {
                let text = match message.text(self.part) {
                    Some(text) => text,
                    None => {
                        let length = emit(message, self.part, self.sum, scratch)?;
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
            Phase::Sites | Phase::Padding => {
                if self.part == Part::Data && self.is_in_other_order() {
                    return Err(EncodeErrorKind::SitesDiffer);
                }
                let padding = self.lime.end()?;
                (self.part, self.phase) = match message.next(Some(self.part)) {
                    _ if self.part == Part::PrivateFile => (Part::Foreign, Phase::ListHeader),
                    Some(part) if self.kind == VolumeKind::First => (part, Phase::Header),
                    _ => (Part::Foreign, Phase::Idle),
                };
                padding
            }
        };
        Ok(Want::Bytes(bytes))
    }

    fn header<'b>(
        &'b mut self,
        message: &OutgoingMessage<'_>,
        scratch: &mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        let is_data = self.part == Part::Data;
        let length = match (self.field.filter(|_| is_data), message.text(self.part)) {
            (Some(field), _) => field.record.length,
            (None, Some(text)) => (text.len() as u64).plus(message.terminator(self.part).len() as u64),
            (None, None) => emit(message, self.part, self.sum, scratch)? as u64,
        };
        // In the other volumes each record is a message.
        let alone = self.kind == VolumeKind::Other;
        let begin = alone || message.next(None) == Some(self.part);
        let end = alone || message.next(Some(self.part)).is_none();
        self.lime.begin(&Header::new(message.record_type(self.part), length, begin, end)?)?;
        self.phase = if is_data { Phase::Sites } else { Phase::Text };
        Ok(Want::Bytes(self.lime.header().as_bytes()))
    }

    /// Takes the rank of the next site, and returns its entry of the site list, which the caller writes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::NoList`], [`EncodeErrorKind::Rank`].
    pub fn entry(&mut self, rank: u64) -> Result<Entry, EncodeErrorKind> {
        if self.phase != Phase::Entries || self.missing == 0 {
            return Err(EncodeErrorKind::NoList);
        }
        let entry = self.pass_entry(rank)?;
        self.lime.payload(self.width.bytes() as u64)?;
        Ok(entry)
    }

    /// Takes account of the data of the next site, which the caller writes: big-endian numbers, in the order of the
    /// site list. Global data are one site of rank 0.
    ///
    /// # Errors
    /// [`NoData`](field::EncodeErrorKind::NoData), [`EncodeErrorKind::SiteLength`], [`EncodeErrorKind::SitesDiffer`] if
    /// the rank cannot be the next one of a hypercube.
    pub fn site(&mut self, rank: u64, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        let needed = self.site_length()?;
        if bytes.len() as u64 != needed {
            return Err(EncodeErrorKind::SiteLength { needed });
        }
        self.pass_site(rank)?;
        self.sum.add(rank, bytes);
        Ok(())
    }

    /// The length of the next site.
    fn site_length(&self) -> Result<u64, EncodeErrorKind> {
        let field = self.field.filter(|_| self.phase == Phase::Sites && self.missing > 0);
        Ok(field.ok_or(field::EncodeErrorKind::NoData)?.bytes_per_site)
    }

    /// Passes over the next site, of which another process writes the data, at the [`position`](Self::position) before
    /// the call. They are not part of [`checksum`](Self::checksum).
    ///
    /// ```
    /// use linkstream::field::EncodeErrorKind;
    /// use linkstream::volume::{Encoder, VolumeKind};
    ///
    /// // There are no data yet.
    /// let refused = Encoder::new(VolumeKind::Other, 4, 7).pass_site(0);
    /// assert_eq!(refused, Err(EncodeErrorKind::NoData.into()));
    /// ```
    ///
    /// # Errors
    /// [`NoData`](field::EncodeErrorKind::NoData), [`EncodeErrorKind::SitesDiffer`].
    pub fn pass_site(&mut self, rank: u64) -> Result<(), EncodeErrorKind> {
        let needed = self.site_length()?;
        self.pass_rank(rank)?;
        Ok(self.lime.payload(needed)?)
    }

    /// Sets the combined checksum of the current data in all other volumes, and of the sites that were passed over. The
    /// first volume stores the checksum of all volumes.
    ///
    /// # Errors
    /// [`NoData`](field::EncodeErrorKind::NoData) unless [`next`](Self::next) has returned [`Want::Checksum`].
    pub fn supply_checksum(&mut self, others: Checksum) -> Result<(), EncodeErrorKind> {
        if self.phase != Phase::Header || self.part != Part::Checksum || self.others.is_some() {
            return Err(field::EncodeErrorKind::NoData.into());
        }
        self.others = Some(others);
        self.sum = self.sum.combine(others);
        Ok(())
    }

    /// Whether the file can end here.
    ///
    /// # Errors
    /// A message is open, or the site list is missing.
    pub fn finish(&self) -> Result<(), EncodeErrorKind> {
        match (self.phase, self.extents) {
            (Phase::Idle, Some(_)) => Ok(()),
            (Phase::Idle, None) => Err(field::EncodeErrorKind::FileMissing.into()),
            _ => Err(field::EncodeErrorKind::MessageOpen.into()),
        }
    }

    /// The kind of the volume.
    #[must_use]
    pub const fn kind(&self) -> VolumeKind {
        self.kind
    }

    /// Absolute offset at which the next bytes are written.
    #[must_use]
    pub const fn position(&self) -> u64 {
        self.lime.position()
    }

    /// The layout of the current or the previous data. It describes the whole field, except that the length of its
    /// record is that of this volume.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        self.field.as_ref()
    }

    /// The checksum of the current or the previous data in this volume; after
    /// [`supply_checksum`](Self::supply_checksum), in all volumes.
    #[must_use]
    pub const fn checksum(&self) -> Checksum {
        self.sum
    }

    /// Saves the state, to be stored or passed to another process. The message is not part of
    /// it.
    ///
    /// ```
    /// use linkstream::volume::{Encoder, VolumeKind};
    ///
    /// let encoder = Encoder::new(VolumeKind::First, 4, 7);
    /// assert_eq!(Encoder::load(&encoder.save())?, encoder);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn save(&self) -> State<Self> {
        state::seal(self)
    }

    /// Restores a state from [`Encoder::save`].
    ///
    /// # Errors
    /// [`LoadError::Inconsistent`]: the fields contradict each other.
    pub fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        state::load(saved, Self::is_consistent)
    }
}
