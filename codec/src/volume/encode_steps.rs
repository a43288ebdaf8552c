//! The steps of the encoder of a volume: messages, and the ranks in its site list and of its data.
//!
//! | phase | record in the LIME encoder | due |
//! |---|---|---|
//! | `Idle` | none, and no message is open | `begin`; `part` is `Foreign` |
//! | `ListHeader` | none | the header of the site list |
//! | `Entries` | the list | `missing` entries; then padding |
//! | `Header` | none | the header of `part`; for the checksum, first the sums of the other volumes |
//! | `Text`, `Terminator`, `Padding` | `part`, as in a single file | text or document, NUL, padding |
//! | `Sites` | the data; `missing` sites are left | a site; then padding |
//!
//! `last`, `ranks` and the digests count what has been passed since the message began, so that `missing` plus the count
//! of `ranks` is the number of sites of the list or of the data. `Encoder::is_consistent` checks the rest in a loaded
//! state.

use super::decoder::VolumeKind;
use super::encoder::{Encoder, Phase, Want};
use super::entry::{Entry, EntryWidth};
use super::error::EncodeErrorKind;
use super::tally::RankSums;
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::field::write::begin::{admit, check_documents, complete};
use crate::field::write::message::Part;
use crate::field::{self, BegunMessage, DocumentName, Field, OutgoingMessage};
use crate::lattice::{Checksum, Extents, Region};
use crate::lime::{HEADER_LEN, Header, Record};
use crate::scidac::{self, VolumeFormat};

impl Encoder {
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
        // On a copy: the message can still be refused below.
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

    /// Continues the message that was begun: with a restored encoder, or in another function. The whole message is
    /// compared. `scratch` has the requirements of [`begin`](Self::begin).
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
        let mut field = Field::undescribed(Record::default());
        message.lay_out(self.extents.as_ref(), &mut field)?;
        // Data on the whole lattice have every site of the list; global data belong to no site and are in the first volume.
        let stored = match field.region {
            Region::Lattice => self.sites,
            Region::Hypercube(_) => sites,
            Region::Global => u64::from(self.kind == VolumeKind::First),
        };
        let most = if field.region == Region::Global { 1 } else { field.sites().min(self.sites) };
        if stored > most {
            return Err(EncodeErrorKind::TooManySites { sites: stored, most });
        }
        // At least this many sites of the list lie in the hypercube, since the rest of the lattice has too few for the
        // others.
        let inside = self.sites.saturating_sub(field.extents.sites().saturating_sub(field.sites()));
        if matches!(field.region, Region::Hypercube(_)) && stored < inside {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        let length = stored.checked_mul(field.bytes_per_site).ok_or(field::EncodeErrorKind::DataOverflow)?;
        // All documents and headers together are much shorter than 4 GiB, so no later offset can overflow.
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

    /// The largest number of bytes that [`next`](Self::next) can return next.
    pub(crate) fn ahead(&self) -> u64 {
        match self.phase {
            Phase::Header | Phase::ListHeader => HEADER_LEN as u64,
            Phase::Text | Phase::Terminator => self.lime.missing(),
            // Padding to a multiple of 8 bytes (LIME 1.2, section 2).
            Phase::Entries | Phase::Sites | Phase::Padding => 7,
            Phase::Idle => 0,
        }
    }

    /// Width of the entries of the site list.
    pub(crate) const fn entry_width(&self) -> EntryWidth {
        self.width
    }

    /// The entries or sites that are expected next, if any.
    pub(crate) const fn next_want(&self) -> Option<Want<'static>> {
        match self.phase {
            Phase::Idle => Some(Want::Nothing),
            Phase::Entries if self.missing > 0 => Some(Want::Entries(self.missing)),
            Phase::Sites if self.missing > 0 => Some(Want::Sites(self.missing)),
            _ => None,
        }
    }

    /// Returns the bytes that must be written next, or the request for entries, sites or a checksum. `begun` is the
    /// message that [`begin`](Self::begin) or [`resume`](Self::resume) returned, and `scratch` must be as long as for
    /// that call.
    ///
    /// # Errors
    /// [`MessageOther`](field::EncodeErrorKind::MessageOther); the buffer is too small;
    /// [`EncodeErrorKind::SitesDiffer`] if the sites written last differ from the site list.
    pub fn next<'b>(
        &'b mut self,
        begun: &'b BegunMessage<'_>,
        scratch: &'b mut [u8],
    ) -> Result<Want<'b>, EncodeErrorKind> {
        if let Some(want) = self.next_want() {
            return Ok(want);
        }
        begun.check(self.begun)?;
        let message = &begun.message;
        // A forged state can be at a part that its message does not have.
        if self.part != Part::Foreign && !message.has(self.part) {
            return Err(field::EncodeErrorKind::MessageOther.into());
        }
        let bytes = match self.phase {
            Phase::Idle => return Ok(Want::Nothing),
            Phase::ListHeader => {
                let length = self.sites.checked_mul(self.width.size() as u64);
                let length = length.ok_or(field::EncodeErrorKind::DataOverflow)?;
                // In the first volume, the list is in the middle of the file message.
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
            // The first volume stores the checksum of all volumes, which only the caller can combine.
            Phase::Header if self.part == Part::Checksum && self.others.is_none() => {
                return Ok(Want::Checksum);
            }
            Phase::Header => return self.header(message, scratch),
            Phase::Text => {
                let text = message.content(self.part, self.sum, scratch)?;
                self.lime.payload(text.len() as u64)?;
                self.phase = Phase::Terminator;
                text
            }
            Phase::Terminator => {
                let terminator = message.terminator(self.part);
                self.lime.payload(terminator.len() as u64)?;
                self.phase = Phase::Padding;
                terminator
            }
            Phase::Sites | Phase::Padding => {
                // The digests are complete only now.
                if self.part == Part::Data && self.is_in_other_order() {
                    return Err(EncodeErrorKind::SitesDiffer);
                }
                let padding = self.lime.end()?;
                (self.part, self.phase) = match message.next(Some(self.part)) {
                    // QIO writes the list after the first document of the file message, before the second one.
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
        let length = match self.field.filter(|_| is_data) {
            Some(field) => field.record.length,
            None => message.length(self.part, self.sum, scratch)?,
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
        self.lime.payload(self.width.size() as u64)?;
        Ok(entry)
    }

    /// Counts the data of the next site, which the caller writes, and adds them to the checksum: big-endian numbers, in
    /// the order of the site list. Global data are one site of rank 0.
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

    /// Skips the next site, whose data another process writes at the [`position`](Self::position) before the call. They
    /// are not part of [`checksum`](Self::checksum).
    ///
    /// # Errors
    /// [`NoData`](field::EncodeErrorKind::NoData), [`EncodeErrorKind::SitesDiffer`].
    pub fn pass_site(&mut self, rank: u64) -> Result<(), EncodeErrorKind> {
        let needed = self.site_length()?;
        self.pass_rank(rank)?;
        Ok(self.lime.payload(needed)?)
    }

    /// Sets the combined checksum of the current data in all other volumes, and of the skipped sites. The
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

    /// Checks that the file can end here.
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

    /// Counts the next rank of the site list.
    pub(super) fn pass_entry(&mut self, rank: u64) -> Result<Entry, EncodeErrorKind> {
        let following = self.extents.filter(|extents| {
            rank < extents.sites() && rank <= self.largest && self.can_follow(rank, &Region::Lattice, extents)
        });
        let entry = following.and_then(|_| Entry::new(rank, self.width));
        let entry = entry.ok_or(EncodeErrorKind::Rank { rank })?;
        self.list_digest = self.list_digest.wrapping_add(digest(self.missing, rank));
        self.pass(rank);
        Ok(entry)
    }

    /// Counts the next rank of the data.
    pub(super) fn pass_rank(&mut self, rank: u64) -> Result<(), EncodeErrorKind> {
        let is_site = self.field.as_ref().is_some_and(|field| match &field.region {
            // The order is compared with the list at the end.
            Region::Lattice => true,
            Region::Global => rank == 0,
            Region::Hypercube(cube) => {
                field.extents.coordinates(rank).is_some_and(|site| cube.contains(&site))
                    && self.can_follow(rank, &field.region, &field.extents)
            }
        });
        if !is_site {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        self.data_digest = self.data_digest.wrapping_add(digest(self.missing, rank));
        self.pass(rank);
        Ok(())
    }

    /// Returns whether a rank can come next. Ranks ascend in partitions; in other sets no rank follows itself. If the
    /// volume has all sites of the region, each must have come once.
    fn can_follow(&self, rank: u64, region: &Region, extents: &Extents) -> bool {
        let follows = self.last.is_none_or(|last| if self.is_partition { last < rank } else { last != rank });
        let mut ranks = self.ranks;
        ranks.take(rank);
        // With the last rank, the sums over all are known: equal ones show that none was named in place of another.
        let is_whole = self.missing == 1 && ranks.count == region.sites(extents);
        follows && (!is_whole || ranks == RankSums::of(region, extents))
    }

    fn pass(&mut self, rank: u64) {
        self.missing.take_away(1);
        self.last = Some(rank);
        self.ranks.take(rank);
    }

    /// True if the sites of the data that have been written differ from the site list, or have another order.
    pub(super) fn is_in_other_order(&self) -> bool {
        let is_lattice = self.field.as_ref().is_some_and(|field| field.region == Region::Lattice);
        is_lattice && self.data_digest != self.list_digest
    }

    /// Checks the ranks of the message that has just begun, before any of it is written. Global data have no ranks to
    /// check.
    pub(crate) fn check_ranks(&self, ranks: impl Iterator<Item = u64>) -> Result<(), EncodeErrorKind> {
        if self.field.as_ref().is_some_and(|field| field.region == Region::Global) {
            return Ok(());
        }
        let mut trial = self.clone();
        for rank in ranks {
            trial.try_rank(rank)?;
        }
        if trial.missing > 0 || trial.is_in_other_order() {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        Ok(())
    }

    /// Counts the next rank of the site list or of the data, before its record begins.
    pub(super) fn try_rank(&mut self, rank: u64) -> Result<(), EncodeErrorKind> {
        if self.missing == 0 {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        match self.field {
            Some(_) => self.pass_rank(rank),
            None => self.pass_entry(rank).map(|_| ()),
        }
    }
}

/// A hash of a rank and its position in a list, so that the sum over the list depends on the order (the finaliser of
/// SplitMix64).
const fn digest(place: u64, rank: u64) -> u64 {
    let mut z = place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ rank;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
