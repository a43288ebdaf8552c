//! Judging the padding of a section whose data were not read by the same process.

use super::entry::fits;
use super::error::ErrorKind;
use super::section::{Count, Section};
use crate::counter::Counter as _;
use crate::error::{Diagnostic as _, Error, Mode};

impl Section {
    /// Checks the padding after `length` bytes of data, as a [`Decoder`](super::Decoder) does. `last` is the last byte
    /// of the data, which decides how the padding begins; without it, both beginnings are accepted. `padding` is the
    /// [`padding_window`](Self::padding_window), or fewer bytes if the file ends there; bytes after the padding are
    /// ignored. An inline section has no padding.
    ///
    /// Returns a broken rule that `mode` accepts; the first one, if there are two.
    ///
    /// # Errors
    /// A broken rule that `mode` refuses: [`ErrorKind::Padding`], [`ErrorKind::PaddingTruncated`]. The error has an
    /// absolute offset. [`ErrorKind::TooLong`]: the padding is beyond the largest 64-bit offset.
    ///
    /// # Example
    /// ```
    /// use linkstream::scda::{Count, ErrorKind, Section, SectionType};
    /// use linkstream::Mode;
    ///
    /// let section = Section { offset: 128, section_type: SectionType::Block, n: Count::default(), e: 25.into() };
    /// assert_eq!(section.check_padding(25, Some(b'x'), b"\n====\n\n", Mode::Strict)?, None);
    ///
    /// // Data that end in a line feed are followed by "==".
    /// let error = section.check_padding(25, Some(b'\n'), b"\n====\n\n", Mode::Strict).err().ok_or("accepted")?;
    /// assert_eq!((error.at, error.kind), (249, ErrorKind::Padding { found: b'\n' }));
    /// assert_eq!(section.check_padding(25, Some(b'\n'), b"\n====\n\n", Mode::Lenient)?, Some(error));
    /// assert_eq!(section.check_padding(25, None, b"\n====\n\n", Mode::Strict)?, None);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub fn check_padding(
        &self,
        length: u64,
        last: Option<u8>,
        padding: &[u8],
        mode: Mode,
    ) -> Result<Option<Error<ErrorKind>>, Error<ErrorKind>> {
        let all = self.padding(length);
        let Ok(window) = self.padding_window(length) else {
            return Err(Error::new(self.offset, ErrorKind::TooLong { count: Count::from(length) }));
        };
        let mut left = match last {
            _ if length == 0 => fits::AFTER_OTHER,
            Some(last) => fits::after(last),
            None => fits::ALL,
        };
        let mut there = 0_u8;
        let mut finding = None;
        for (place, byte) in (0..all).zip(padding) {
            left &= fits::with(all, place, *byte);
            if left == 0 && finding.is_none() {
                let at = window.offset().plus(place.into());
                finding = Some(judged(mode, Error::new(at, ErrorKind::Padding { found: *byte }))?);
            }
            there.increase(1);
        }
        if there < all {
            let missing = all.minus(there);
            let at = window.offset().plus(there.into());
            let error = judged(mode, Error::new(at, ErrorKind::PaddingTruncated { missing }))?;
            finding = finding.or(Some(error));
        }
        Ok(finding)
    }
}

/// The error, if the mode accepts it.
fn judged(mode: Mode, error: Error<ErrorKind>) -> Result<Error<ErrorKind>, Error<ErrorKind>> {
    if mode.refuses(error.kind.severity()) { Err(error) } else { Ok(error) }
}
