//! Headers of records that are written: `LimeRecordHeader`.

use linkstream::lime::{HEADER_LEN, Header};
use linkstream_c_border::Failure;

use crate::code::Refused;

/// Mark of a header in use. A destroyed one has another.
pub(crate) const MARK: u32 = 0x4c48_4452;

/// A header, as C programs see it.
#[repr(C)]
#[derive(Debug)]
pub struct LimeRecordHeader {
    pub(crate) mark: u32,
    unused: i32,
    bytes: [u8; HEADER_LEN],
}

impl LimeRecordHeader {
    /// A header of a record.
    ///
    /// # Errors
    /// The type is longer than 128 bytes, or the data would end beyond the largest offset.
    pub fn new(begin: bool, end: bool, record_type: &[u8], length: u64) -> Result<Self, Failure> {
        let header = Header::new(record_type, length, begin, end);
        let header = header.map_err(|error| Failure::usage(error.to_string()))?;
        Ok(Self { mark: MARK, unused: 0, bytes: *header.as_bytes() })
    }

    /// The header of the codec.
    ///
    /// # Errors
    /// The header has been destroyed.
    pub fn header(&self) -> Result<Header, Refused> {
        match self.mark {
            MARK => Ok(Header::from_bytes(self.bytes)),
            _ => Err(Refused::usage("this is no header, or it has been destroyed")),
        }
    }
}
