//! Several processes that write one volume: each moves the encoder to its own entries and sites.

use super::decoder::VolumeKind;
use super::encoder::{Encoder, Phase};
use super::error::EncodeErrorKind;
use super::numbering::IndexedSite;
use super::ranks::{EntryWidth, SitesRead};
use crate::counter::Counter as _;
use crate::field;
use crate::lattice::Region;
use crate::lime::HEADER_LEN;

impl Encoder {
    /// Moves to the entry of this index in the site list. The entries that are not passed to [`entry`](Self::entry) are
    /// then written by other processes. An index equal to the number of sites is the end of the list.
    ///
    /// Each of several processes that write a volume passes the entries of its sites and, in the fields on the whole
    /// lattice, the data of the same sites. The documents follow when the encoder is at the end.
    ///
    /// ```
    /// use linkstream::field::{FieldDocuments, OutgoingMessage};
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::scidac::{PrivateFile, PrivateRecord, VolumeFormat};
    /// use linkstream::volume::{Encoder, VolumeKind, Want};
    ///
    /// // A process that has the last two sites of a volume of four.
    /// let file = PrivateFile::new(&Extents::new(&[4, 2])?).with_volume_format(VolumeFormat::Partition);
    /// let (mut encoder, mut scratch) = (Encoder::new(VolumeKind::Other, 4, 7), [0; 512]);
    /// let begun = encoder.begin(&OutgoingMessage::file(&file, b""), 0, &mut scratch)?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
    /// encoder.seek_entry(2)?;
    /// assert_eq!((encoder.position(), encoder.entry(6)?.as_bytes()), (144 + 2 * 4, &[0, 0, 0, 6][..]));
    /// encoder.entry(7)?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
    ///
    /// let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32));
    /// let begun = encoder.begin(&field.message(b""), 0, &mut scratch)?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
    /// encoder.seek_site(2)?;
    /// assert_eq!(encoder.position(), 144 + 4 * 4 + 144 + 2 * 4);
    /// encoder.site(6, &6_f32.to_be_bytes())?;
    /// encoder.site(7, &7_f32.to_be_bytes())?;
    /// assert_eq!(encoder.next(&begun, &mut scratch)?, Want::Bytes(&[]));
    /// assert_eq!(encoder.sites_written().sites(), 2);
    /// encoder.finish()?;
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EncodeErrorKind::NoList`]; [`NoSuchSite`](field::EncodeErrorKind::NoSuchSite) if there are fewer entries.
    pub fn seek_entry(&mut self, index: u64) -> Result<(), EncodeErrorKind> {
        if self.phase != Phase::Entries {
            return Err(EncodeErrorKind::NoList);
        }
        self.seek(index, self.sites, self.width.bytes() as u64)
    }

    /// Moves to the data of the site of this index in the current data. The sites that are not passed to
    /// [`site`](Self::site) are then written by other processes, and are not part of [`checksum`](Self::checksum). An
    /// index equal to the number of sites is the end of the data.
    ///
    /// For an example, see [`seek_entry`](Self::seek_entry).
    ///
    /// # Errors
    /// [`NoData`](field::EncodeErrorKind::NoData); [`NoSuchSite`](field::EncodeErrorKind::NoSuchSite) if the data have
    /// fewer sites.
    pub fn seek_site(&mut self, index: u64) -> Result<(), EncodeErrorKind> {
        let field = self.field.filter(|_| self.phase == Phase::Sites);
        let size = field.ok_or(field::EncodeErrorKind::NoData)?.bytes_per_site;
        self.seek(index, self.stored(), size)
    }

    /// Moves to an entry or site; there are `count` of them, of `size` bytes.
    fn seek(&mut self, index: u64, count: u64, size: u64) -> Result<(), EncodeErrorKind> {
        if index > count {
            return Err(field::EncodeErrorKind::NoSuchSite { index, sites: count }.into());
        }
        let mut lime = self.lime.clone();
        // The parts of a process can be any number of pieces, which the coverage of a record cannot remember.
        lime.leave_rest_to_others()?;
        lime.seek(index.saturating_mul(size))?;
        self.lime = lime;
        self.go_to(index, count);
        Ok(())
    }

    /// Sets the number of missing entries or sites. A move back permits lower ranks.
    fn go_to(&mut self, index: u64, count: u64) {
        let missing = count.minus(index);
        if missing > self.missing {
            self.last = None;
        }
        self.missing = missing;
    }

    /// Number of sites of the current data.
    fn stored(&self) -> u64 {
        let Some(field) = &self.field else { return 0 };
        match field.region {
            Region::Lattice => self.sites,
            Region::Global => u64::from(self.kind == VolumeKind::First),
            Region::Hypercube(_) => field.record.length.checked_div(field.bytes_per_site).unwrap_or(0),
        }
    }

    /// The largest number of bytes that [`next`](Self::next) can return next.
    pub(crate) fn ahead(&self) -> u64 {
        match self.phase {
            Phase::Header | Phase::ListHeader => HEADER_LEN as u64,
            Phase::Text | Phase::Terminator => self.lime.missing(),
            // Padding.
            Phase::Entries | Phase::Sites | Phase::Padding => 7,
            Phase::Idle => 0,
        }
    }

    /// Width of the entries of the site list.
    pub(crate) const fn entry_width(&self) -> EntryWidth {
        self.width
    }

    /// Index of the next entry of the site list, or of the next site of the data; `None` outside of both.
    pub(crate) fn index(&self) -> Option<u64> {
        match self.phase {
            Phase::Entries => self.sites.checked_sub(self.missing),
            Phase::Sites => self.stored().checked_sub(self.missing),
            _ => None,
        }
    }

    /// The entries or the sites of the current or the previous list or data that were passed to this encoder, and
    /// their checksum; for data, [`supply_checksum`](Self::supply_checksum) adds to the latter. If several processes
    /// write a set, a [`Tally`](super::Tally) of the sites of all of them shows whether each site was written once.
    ///
    /// For an example, see [`seek_entry`](Self::seek_entry).
    pub const fn sites_written(&self) -> SitesRead {
        SitesRead { ranks: self.ranks, checksum: self.sum }
    }

    /// Checks the sites of a process that writes only these, in the message that has just begun, before any of it is
    /// written. Global data have no ranks to check.
    pub(crate) fn check_part(&self, sites: impl Iterator<Item = IndexedSite>) -> Result<(), EncodeErrorKind> {
        if self.field.as_ref().is_some_and(|field| field.region == Region::Global) {
            return Ok(());
        }
        let (mut trial, count) = (self.clone(), self.missing);
        for IndexedSite { index, rank } in sites {
            if index >= count {
                return Err(field::EncodeErrorKind::NoSuchSite { index, sites: count }.into());
            }
            trial.go_to(index, count);
            trial.try_rank(rank)?;
        }
        if trial.is_in_other_order() {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        Ok(())
    }
}
