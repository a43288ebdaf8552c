//! The data of a message: announced in pieces, from any site on, by one process or several.

use super::encoder::{Encoder, Phase};
use crate::field::write_error::EncodeErrorKind;
use crate::lattice::Checksum;

impl Encoder {
    /// Takes account of the next bytes of data, which the caller writes: big-endian numbers, sites in stored order,
    /// in pieces of any size.
    ///
    /// # Errors
    /// There are more bytes than the field has left, or the bytes belong to sites that have already been written, or
    /// no data are expected.
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

    /// Moves to the site with this index in stored order, so that several processes can write parts of one field.
    /// The next data belong at [`position`](Self::position). Not possible when all data have been written.
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
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch)? {
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
    /// let begun = encoder.resume(&message, &mut scratch)?;
    /// encoder.data(&[0; 5 * 8])?;
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

    /// Declares that all sites not written by this encoder are written by other processes; `sum` is their combined
    /// checksum. The data are then complete.
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
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
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
}
