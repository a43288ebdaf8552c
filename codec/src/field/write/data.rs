//! The data of a message: passed in pieces or filled by callbacks, starting at any site.
//!
//! # Invariants
//! | value | holds | changes |
//! |---|---|---|
//! | place in the payload (`lime`) | index of the site (`data`, in stored order) times `bytes_per_site`, and the bytes in it | both by `put` and `seek`; `fill` and `store` end with `put` |
//! | `lime.missing()` | payload bytes that nobody has written | by `put` where it writes for the first time; 0 after `others` |
//! | checksum (`data`) | of the sites that were completed here, and of `others` | with each completed site. `put` refuses bytes that were written before: a site that counts twice cancels itself |

use super::encoder::{Encoder, Phase};
use crate::bytes::prefix;
use crate::callback::CallbackError;
use crate::counter::Counter as _;
use crate::encode::Encode as _;
use crate::field::error::{EncodeErrorKind, SiteError};
use crate::field::site::SitePosition;
use crate::field::site_mut::{SiteMut, check_overflow, fill_site};
use crate::lattice::{Checksum, Float};

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

/// The result of [`Encoder::fill`].
///
/// ```
/// use linkstream::field::{Encoder, OutgoingMessage, Want};
/// use linkstream::ildg::{Format, GaugeKind};
/// use linkstream::lattice::Precision;
///
/// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 2, 2, 2]);
/// let message = OutgoingMessage::ildg(&format);
/// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
/// let begun = encoder.begin(&message, &mut scratch)?;
/// while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch)? {
///     file.extend_from_slice(bytes);
/// }
/// // One site fits into the buffer.
/// let filled = encoder.fill(&mut scratch, u64::MAX, |site| site.put(&[1.0_f32; 72]))?;
/// assert_eq!((filled.sites, filled.bytes.len(), filled.outcome), (1, 288, Ok(())));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug)]
#[must_use = "the bytes are to be written, and the callback may have failed"]
#[non_exhaustive]
pub struct Filled<'b, E> {
    /// The bytes to be written now, at the [`Encoder::position`] before the call. Empty if no site is left.
    pub bytes: &'b [u8],
    /// The number of these sites.
    pub sites: u64,
    /// The error that the callback returned for the next site, which is not among the bytes. It is
    /// [`EncodeErrorKind::SiteNotFilled`] if the callback returned none, but has not filled all of the site.
    pub outcome: Result<(), CallbackError<EncodeErrorKind, E>>,
}

impl Encoder {
    /// Fills `buffer` with the next sites, each filled by a callback: as many as fit, at most `most`. The caller
    /// writes these bytes, but does not pass them to [`put`](Self::put).
    ///
    /// An error of the callback ends the call, and so does a site that it has not filled. The sites before it are
    /// complete and must be written; the next call begins with the failed site.
    ///
    /// ```
    /// use linkstream::{CallbackError, Encode};
    /// use linkstream::field::{Encoder, OutgoingMessage, SiteError, Want};
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
    ///             let filled = encoder.fill(&mut scratch, u64::MAX, |site| site.put(&[1.0_f32; 72]))?;
    ///             file.extend_from_slice(filled.bytes);
    ///             filled.outcome?;
    ///         }
    ///         Want::Nothing => break,
    ///     }
    /// }
    /// assert_eq!(file.len() as u64, encoder.position());
    ///
    /// // Words of another type are refused.
    /// let another = OutgoingMessage::ildg(&format).with_update("2");
    /// # let mut encoder = Encoder::new();
    /// let begun = encoder.begin(&another, &mut scratch)?;
    /// while let Want::Bytes(_) = encoder.next(&begun, &mut scratch)? {}
    /// let filled = encoder.fill(&mut scratch, u64::MAX, |site| site.put(&[1.0_f64; 72]))?;
    /// assert_eq!(filled.outcome, Err(CallbackError::Callback(SiteError::WordType { stored: Precision::F32 })));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`EncodeErrorKind::NoData`], [`EncodeErrorKind::SiteTooLarge`], [`EncodeErrorKind::InsideSite`], and the
    /// errors of [`put`](Self::put).
    pub fn fill<'b, E>(
        &mut self,
        buffer: &'b mut [u8],
        most: u64,
        mut fill: impl FnMut(&mut SiteMut<'_>) -> Result<(), E>,
    ) -> Result<Filled<'b, E>, EncodeErrorKind> {
        let mut filled = Filled { bytes: &[], sites: 0, outcome: Ok(()) };
        let (Some(mut walk), Some(field)) = (self.site(), self.field()) else {
            return Err(EncodeErrorKind::NoData);
        };
        let needed = field.bytes_per_site;
        let Some(size) = usize::try_from(needed).ok().filter(|size| (1..=buffer.len()).contains(size)) else {
            // Sites without a byte need no filling.
            return if needed == 0 { Ok(filled) } else { Err(EncodeErrorKind::SiteTooLarge { needed }) };
        };
        if !self.is_between_sites() {
            return Err(EncodeErrorKind::InsideSite);
        }
        let left = field.sites().minus(walk.done()).min(most);
        let places = buffer.chunks_exact_mut(size).take(usize::try_from(left).unwrap_or(usize::MAX));
        for bytes in places {
            let position =
                SitePosition { rank: walk.rank(), index: walk.done(), coordinates: walk.coordinates() };
            if let Err(error) = fill_site(field, position, bytes, &mut fill) {
                filled.outcome = Err(error);
                break;
            }
            walk.step();
            filled.sites.increase(1);
        }
        let length = usize::try_from(filled.sites).unwrap_or(usize::MAX).saturating_mul(size);
        filled.bytes = buffer.get(..length).unwrap_or_default();
        if !filled.bytes.is_empty() {
            self.put(filled.bytes)?;
        }
        Ok(filled)
    }

    /// Fills `buffer` with the next numbers of the field, converted to its precision: as many as fit. The caller
    /// writes these bytes, but does not pass them to [`put`](Self::put). Returns the bytes and how many numbers
    /// they are.
    ///
    /// ```
    /// use linkstream::field::{Encoder, OutgoingMessage, Want};
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let format = Format::new(GaugeKind::SU3, Precision::F32, [2, 2, 2, 2]);
    /// let message = OutgoingMessage::ildg(&format);
    /// let (mut encoder, mut scratch, mut file) = (Encoder::new(), [0; 512], Vec::new());
    /// let begun = encoder.begin(&message, &mut scratch)?;
    /// while let Want::Bytes(bytes) = encoder.next(&begun, &mut scratch)? {
    ///     file.extend_from_slice(bytes);
    /// }
    /// let (bytes, count) = encoder.store(&mut scratch, &[1.0_f64; 144])?;
    /// assert_eq!((bytes.len(), count), (512, 128));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    ///
    /// # Errors
    /// [`SiteError::NotNumbers`], [`SiteError::Length`] for more numbers than are missing, and [`SiteError::Overflow`];
    /// [`EncodeErrorKind::NoData`], [`EncodeErrorKind::SiteTooLarge`] for a buffer that does not hold a number, and
    /// the errors of [`put`](Self::put).
    pub fn store<'b, T: Float>(
        &mut self,
        buffer: &'b mut [u8],
        numbers: &[T],
    ) -> Result<(&'b [u8], usize), CallbackError<EncodeErrorKind, SiteError>> {
        let field = self.field().filter(|_| self.site().is_some()).ok_or(EncodeErrorKind::NoData)?;
        let not_numbers = CallbackError::Callback(SiteError::NotNumbers);
        let precision = field.precision.ok_or(not_numbers)?;
        let (size, needed) = (precision.size(), self.room());
        let given = (numbers.len() as u64).saturating_mul(size as u64);
        if given > needed {
            return Err(CallbackError::Callback(SiteError::Length { needed, given }));
        }
        let count = buffer.len().checked_div(size).unwrap_or(0).min(numbers.len());
        if count == 0 && !numbers.is_empty() {
            return Err(EncodeErrorKind::SiteTooLarge { needed: size as u64 }.into());
        }
        let bytes = buffer.get_mut(..count.saturating_mul(size)).unwrap_or_default();
        check_overflow(precision, prefix(numbers, count), 0).map_err(CallbackError::Callback)?;
        precision.store(numbers, bytes);
        self.put(bytes)?;
        Ok((bytes, count))
    }
}
