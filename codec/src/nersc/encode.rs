//! Writing the data of an archive, and their checksum.

use super::error::EncodeErrorKind;
use super::header::Header;
use super::sums::WordSums;
use crate::counter::{Counter as _, minus};
use crate::encode::Encode;
use crate::lattice::ByteOrder;
use crate::state::{saved, saved_encoder};

/// Counts the data of an archive and computes their checksum, which goes into the header before them.
///
/// The length of the header does not depend on the checksum. If the checksum is not known in advance, write the
/// header with any checksum, then the data, and finally replace the header by the one that
/// [`complete`](Self::complete) returns.
///
/// # Example
/// ```
/// use linkstream::Encode;
/// use linkstream::lattice::{ByteOrder, Extents, Precision};
/// use linkstream::nersc::{Encoder, Header, Rows};
///
/// let header = Header::new(Extents::new(&[1, 1, 1, 1])?, Precision::F32, Rows::Two, ByteOrder::Big)?;
/// let more = [("ENSEMBLE_ID", "example"), ("SEQUENCE_NUMBER", "1")];
/// let mut file = vec![0; 1024];
/// let length = header.write(&more, &mut file)?;
/// file.truncate(length);
///
/// let mut encoder = Encoder::new(&header, length)?;
/// assert_eq!((encoder.position(), encoder.room()), (length as u64, 192));
/// file.extend_from_slice(&[1; 192]);
/// encoder.put(&[1; 192])?;
/// let mut encoder = Encoder::load(&encoder.save())?;
/// let header = encoder.complete()?;
/// header.write(&more, &mut file)?;
/// encoder.finish()?;
/// assert_eq!(encoder.header().checksum, Some(0x3030_3030));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Encoder {
    header: Header,
    sums: WordSums,
    data_at: u64,
    position: u64,
}

saved!(struct Encoder { header, sums, data_at, position });
saved_encoder!(Encoder, 18);

impl Encoder {
    /// An encoder for the data after a header of `length` bytes.
    ///
    /// # Errors
    /// [`EncodeErrorKind::SizeOverflow`].
    pub fn new(header: &Header, length: usize) -> Result<Self, EncodeErrorKind> {
        let data_at = length as u64;
        data_at.checked_add(header.data_length()).ok_or(EncodeErrorKind::SizeOverflow)?;
        Ok(Self { header: *header, sums: WordSums::new(), data_at, position: data_at })
    }

    /// Returns the header with the checksum of the data, after all data have been passed to the encoder.
    ///
    /// # Errors
    /// [`EncodeErrorKind::TooFew`].
    pub fn complete(&mut self) -> Result<Header, EncodeErrorKind> {
        match self.room() {
            0 => {
                self.header.checksum = Some(self.computed());
                Ok(self.header)
            }
            missing => Err(EncodeErrorKind::TooFew { missing }),
        }
    }

    /// The header, with the checksum if [`complete`](Self::complete) has been called.
    #[must_use]
    pub const fn header(&self) -> &Header {
        &self.header
    }

    fn is_consistent(&self) -> bool {
        let end = self.data_at.checked_add(self.header.data_length());
        self.header.is_consistent()
            && self.data_at <= self.position
            && end.is_some_and(|end| self.position <= end)
            && self.sums.is_consistent(self.position.wrapping_sub(self.data_at))
    }

    fn computed(&self) -> u32 {
        self.sums.of(self.header.order().unwrap_or(ByteOrder::Big))
    }
}

impl Encode for Encoder {
    type ErrorKind = EncodeErrorKind;

    fn room(&self) -> u64 {
        minus(self.header.data_length(), minus(self.position, self.data_at))
    }

    fn put(&mut self, payload: &[u8]) -> Result<(), EncodeErrorKind> {
        if payload.len() as u64 > self.room() {
            return Err(EncodeErrorKind::TooMany);
        }
        self.sums.feed(payload);
        self.position.increase(payload.len() as u64);
        Ok(())
    }

    fn position(&self) -> u64 {
        self.position
    }

    fn finish(&self) -> Result<(), EncodeErrorKind> {
        let (computed, stored) = (self.computed(), self.header.checksum.unwrap_or(0));
        match self.room() {
            0 if stored == computed => Ok(()),
            0 => Err(EncodeErrorKind::Checksum { stored, computed }),
            missing => Err(EncodeErrorKind::TooFew { missing }),
        }
    }
}
