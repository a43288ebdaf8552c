//! The data of a message, from a source or passed in pieces, starting at any site.
//!
//! # Invariants
//! | value | holds | changes |
//! |---|---|---|
//! | place in the payload (`lime`) | index of the site (`data`, in stored order) times `bytes_per_site`, and the bytes in it | both by `put` and `seek`; whatever a source gives goes through `put` |
//! | `lime.missing()` | payload bytes still to be written | by `put` where it writes for the first time; 0 after `others` |
//! | checksum (`data`) | of the sites that were completed here, and of `others` | with each completed site. `put` refuses bytes that were written before: a site that counts twice cancels itself |

use super::encoder::{Encoder, Phase};
use super::source::{Extent, FieldSource, Filled, NextData, Room, TakesData, fill_in_order};
use crate::callback::Outcome;
use crate::encode::Encode as _;
use crate::field::error::EncodeErrorKind;
use crate::field::site_mut::SiteMut;
use crate::lattice::Checksum;

impl Encoder {
    /// Moves to the site with this index in stored order, so that several processes can write parts of one field.
    /// The next data belong at [`position`](Self::position). Not possible when all data have been written.
    ///
    /// # Errors
    /// [`EncodeErrorKind::NoSuchSite`], [`EncodeErrorKind::InsideSite`], [`EncodeErrorKind::NoData`].
    ///
    /// # Example
    /// ```
    /// use linkstream::{Encode, Resumable};
    /// use linkstream::field::{Encoder, OutgoingMessage, Want};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let kind = GaugeKind::parse(b"u1phase").ok_or("a kind of gauge field")?;
    /// let format = Format::new(kind, Precision::F64, [2, 2, 1, 1]);
    /// let message = OutgoingMessage::ildg(&format);
    /// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch)? {
    ///     file.extend_from_slice(bytes);
    /// }
    /// let data = file.len();
    ///
    /// // The last of the four sites first: two links of a phase each. Then half of the first one.
    /// encoder.seek(3)?;
    /// assert_eq!(encoder.position(), (data + 3 * 16) as u64);
    /// encoder.put(&[0; 16])?;
    /// encoder.seek(0)?;
    /// encoder.put(&[0; 8])?;
    /// assert!(!encoder.is_between_sites() && encoder.field().is_some());
    /// assert_eq!(encoder.room(), 5 * 8);
    ///
    /// // Continue elsewhere: the state is an array of bytes.
    /// let mut encoder = Encoder::load(&encoder.save())?;
    /// let begun = encoder.resume(&message, &mut scratch)?;
    /// encoder.put(&[0; 5 * 8])?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
    /// assert!(!encoder.lime().message_is_open());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn seek(&mut self, index: u64) -> Result<(), EncodeErrorKind> {
        let data = self.data.as_mut().filter(|_| self.phase == Phase::Data).ok_or(EncodeErrorKind::NoData)?;
        let sites = data.field().sites();
        if index > sites {
            return Err(EncodeErrorKind::NoSuchSite { index, sites });
        }
        // The encoder is already after the data: only padding can follow.
        if self.lime.missing() == 0 && self.lime.payload_length() > 0 {
            return Err(EncodeErrorKind::NoData);
        }
        let to = index.saturating_mul(data.field().bytes_per_site);
        if !data.seek(index) {
            return Err(EncodeErrorKind::InsideSite);
        }
        Ok(self.lime.seek(to)?)
    }

    /// Declares that all sites not written by this encoder are written by other processes; `sum` is their combined
    /// checksum. The data are then complete.
    ///
    /// # Errors
    /// [`EncodeErrorKind::InsideSite`], [`EncodeErrorKind::NoData`].
    ///
    /// # Example
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::field::{Encoder, OutgoingMessage, Want};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::{Checksum, Precision};
    ///
    /// let kind = GaugeKind::parse(b"u1phase").ok_or("a kind of gauge field")?;
    /// let format = Format::new(kind, Precision::F64, [2, 1, 1, 1]);
    /// let message = OutgoingMessage::ildg(&format).with_checksum(true);
    /// let (mut encoder, mut scratch) = (Encoder::new(), [0; 512]);
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
    ///
    /// // This process writes the first of the two sites, another one the second.
    /// let sites = [0.25_f64.to_be_bytes(), 0.5_f64.to_be_bytes()];
    /// encoder.put(&sites[0])?;
    /// assert_eq!(encoder.site().map(|site| site.rank()), Some(1));
    /// let mut theirs = Checksum::default();
    /// theirs.add(1, &sites[1]);
    /// encoder.others(theirs)?;
    ///
    /// let mut both = theirs;
    /// both.add(0, &sites[0]);
    /// assert_eq!((encoder.room(), encoder.checksum()), (0, Some(both)));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn others(&mut self, sum: Checksum) -> Result<(), EncodeErrorKind> {
        let data = self.data.as_mut().filter(|_| self.phase == Phase::Data).ok_or(EncodeErrorKind::NoData)?;
        if data.in_site() > 0 {
            return Err(EncodeErrorKind::InsideSite);
        }
        self.lime.leave_rest_to_others()?;
        data.add_sum(sum);
        // A second call would cancel the sum.
        self.phase = Phase::Padding;
        Ok(())
    }
}

impl Encoder {
    /// Takes the next data of a source. Returns their bytes, which the caller writes but does not pass to
    /// [`put`](Self::put), or `None` after the last; sites and numbers are stored at the front of `buffer`, as many as fit.
    ///
    /// ```
    /// use linkstream::Encode;
    /// use linkstream::field::{Encoder, Fill, OutgoingMessage, Want};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 2, 2, 2]);
    /// let message = OutgoingMessage::ildg(&format);
    /// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// loop {
    ///     match encoder.next(&begun, &mut scratch)? {
    ///         Want::Bytes(bytes) => file.extend_from_slice(bytes),
    ///         Want::Data(_) => {
    ///             let mut half = &[0.5_f64; 8 * 72][..];
    ///             while let Some(bytes) = encoder.fill(&mut half, &mut scratch)? {
    ///                 file.extend_from_slice(bytes);
    ///             }
    ///             // One site fits into the buffer.
    ///             let mut sites = Fill::sites(|site| site.put(&[1.0_f32; 72]));
    ///             while let Some(bytes) = encoder.fill(&mut sites, &mut scratch)? {
    ///                 assert_eq!(bytes.len(), 288);
    ///                 file.extend_from_slice(bytes);
    ///             }
    ///         }
    ///         Want::Nothing => break,
    ///     }
    /// }
    /// assert_eq!(file.len() as u64, encoder.position());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// The error of the source: the sites before the failed one were returned by the last call, and the next call
    /// continues with that site. [`SiteError::NotNumbers`](crate::field::SiteError::NotNumbers),
    /// [`SiteError::Length`](crate::field::SiteError::Length) for more numbers than are missing,
    /// [`SiteError::Overflow`](crate::field::SiteError::Overflow); [`EncodeErrorKind::SiteNotFilled`], [`EncodeErrorKind::NoData`],
    /// [`EncodeErrorKind::SiteTooLarge`], [`EncodeErrorKind::InsideSite`], and the errors of [`put`](Self::put).
    pub fn fill<'b, S: FieldSource>(
        &mut self,
        source: &'b mut S,
        buffer: &'b mut [u8],
    ) -> NextData<'b, EncodeErrorKind, S::Error> {
        source.check(&self.data_room()?, Extent::Front, buffer.len())?;
        source.next(self, buffer)
    }
}

impl TakesData for Encoder {
    type ErrorKind = EncodeErrorKind;

    fn data_room(&self) -> Result<Room, EncodeErrorKind> {
        let field = self.field().filter(|_| self.site().is_some()).ok_or(EncodeErrorKind::NoData)?;
        let in_site = self.data.as_ref().map_or(0, |data| data.in_site());
        Ok(Room { in_site, ..Room::of(field, self.room()) })
    }

    fn pass<'b>(&mut self, numbers: &'b mut [u8]) -> Result<&'b mut [u8], EncodeErrorKind> {
        self.put(numbers)?;
        Ok(numbers)
    }

    fn bytes(&mut self, bytes: &[u8]) -> Result<(), EncodeErrorKind> {
        self.put(bytes)
    }

    fn sites<'b, O: Outcome>(
        &mut self,
        most: u64,
        fill: impl FnMut(&mut SiteMut<'_>) -> O,
        buffer: &'b mut [u8],
    ) -> Result<Filled<'b, O::Error>, EncodeErrorKind> {
        let walk = self.site().ok_or(EncodeErrorKind::NoData)?;
        let field = self.field().ok_or(EncodeErrorKind::NoData)?;
        let filled = fill_in_order(field, walk, most, buffer, fill)?;
        if !filled.bytes.is_empty() {
            self.put(filled.bytes)?;
        }
        Ok(filled)
    }
}
