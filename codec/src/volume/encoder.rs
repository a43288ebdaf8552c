//! The encoder of a volume.

use super::decoder::VolumeKind;
use super::entry::EntryWidth;
use super::tally::RankSums;
use crate::encode::Encode as _;
use crate::field::Field;
use crate::field::inventory::Inventory;
use crate::field::write::message::{Fingerprint, Part};
use crate::lattice::{Checksum, Extents};
use crate::lime;
use crate::state::{saved, saved_encoder};

/// The next request of the encoder.
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

/// Writes one volume of a file set, byte for byte as QIO does for the same layout, except that QIO omits both sums of a
/// checksum if one is zero.
///
/// All volumes are written with the same messages: [`begin`](Self::begin) takes first the file message, then one for
/// each field or global record. The documents are written to the first volume only; the others consist of their site
/// list and data. Volumes can be written in any order, and by several processes; only the first one needs the
/// combined checksum of the others before it can end a message.
///
/// The message is not part of the saved state: [`resume`](Self::resume) takes it.
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
/// // The first volume comes last: it stores the checksum of all volumes.
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
    pub(super) kind: VolumeKind,
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
    /// Sum over all entries and their positions, which depends on the order.
    pub(super) list_digest: u64,
    pub(super) part: Part,
    pub(super) phase: Phase,
    /// Fingerprint of the current message, or of the last one.
    pub(super) begun: Fingerprint,
    pub(super) field: Option<Field>,
    /// Number of missing entries or sites.
    pub(super) missing: u64,
    /// Sum over all sites of the current data and their positions.
    pub(super) data_digest: u64,
    /// Checksum of the current data, or of the last.
    pub(super) sum: Checksum,
    pub(super) others: Option<Checksum>,
}

saved!(struct Encoder {
    lime, kind, sites, width, largest, extents, is_partition, inventory, last, ranks, list_digest, part, phase, begun, field, missing,
    data_digest, sum, others,
});

saved_encoder!(Encoder, 16);

impl Encoder {
    /// An encoder for a new volume with this number of sites. `largest` is their largest rank, or an upper bound of
    /// it.
    #[must_use]
    pub const fn new(kind: VolumeKind, sites: u64, largest: u64) -> Self {
        Self {
            lime: lime::Encoder::new(),
            kind,
            sites,
            width: EntryWidth::for_rank(largest),
            largest,
            extents: None,
            is_partition: true,
            inventory: Inventory::EMPTY,
            last: None,
            ranks: RankSums::NONE,
            list_digest: 0,
            part: Part::Foreign,
            phase: Phase::Idle,
            begun: Fingerprint::NONE,
            field: None,
            missing: 0,
            data_digest: 0,
            sum: Checksum { suma: 0, sumb: 0 },
            others: None,
        }
    }

    /// The kind of the volume.
    #[must_use]
    pub const fn kind(&self) -> VolumeKind {
        self.kind
    }

    /// Absolute offset of the next bytes.
    #[must_use]
    pub fn position(&self) -> u64 {
        self.lime.position()
    }

    /// The layout of the current or the previous data. It describes the whole field, but its record has the length of
    /// the data in this volume.
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

    /// Returns whether the fields of a loaded state agree with each other, as far as the next bytes depend on them. The
    /// message is not part of the state: a contradiction to it is an error when it is written.
    pub(super) fn is_consistent(&self) -> bool {
        let is_open = !matches!(self.phase, Phase::Idle | Phase::Header | Phase::ListHeader);
        // A record is written from its first byte to its last, or, after a seek, other processes write the rest of it.
        // Only an open record has missing bytes.
        let is_shared = || self.lime.missing() == 0 && matches!(self.phase, Phase::Entries | Phase::Sites);
        let in_order = || !is_open || self.lime.room() == self.lime.missing() || is_shared();
        self.lime.is_consistent()
            && self.lime.record_is_open() == is_open
            && in_order()
            && self.inventory.is_consistent()
            && self.missing_fits()
    }

    /// Returns whether the number of missing entries or sites agrees with the number of bytes after the position.
    fn missing_fits(&self) -> bool {
        let bytes_per_site = self.field.map_or(0, |field| field.bytes_per_site);
        let (size, length) = match (self.phase, self.part) {
            (Phase::Entries, _) => (self.width.size() as u64, self.lime.room()),
            (Phase::Sites, _) => (bytes_per_site, self.lime.room()),
            // Their record comes later.
            (Phase::ListHeader, _) | (_, Part::PrivateFile) => (1, self.sites),
            (_, Part::PrivateRecord | Part::RecordXml | Part::Data) => {
                (bytes_per_site, self.field.map_or(0, |field| field.record.length))
            }
            _ => return true,
        };
        self.missing.checked_mul(size) == Some(length)
    }
}
