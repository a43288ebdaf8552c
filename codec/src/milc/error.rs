//! Errors of MILC files.

use super::sums::Sums;
use crate::error::Misuse;
use crate::rules::{Hex, rules};

rules! {
    /// The errors of MILC files.
    ///
    /// The format has no specification, so [`clause`](crate::Diagnostic::clause) names no document. The source code of
    /// MILC defines it; see the [module](crate::milc#sources).
    ///
    /// # Example
    /// ```
    /// use linkstream::milc::{Decoder, ErrorKind};
    /// use linkstream::{Decode, Mode};
    ///
    /// let error = Decoder::new(Mode::Lenient).push(&[0; 88]).err().ok_or("no magic number")?;
    /// assert_eq!(error.kind, ErrorKind::Magic { found: [0; 4] });
    /// # Ok::<(), &str>(())
    /// ```
    pub enum ErrorKind {
        /// The file does not begin with 20103.
        Magic {
            /// The first four bytes of the file; if the file is shorter, followed by zeros.
            found: [u8; 4],
        } => (
            "milc-magic", Fatal, Magic, "no specification; source code of MILC, header",
            "a MILC file of version 5 must begin with 00 00 4e 87 or 87 4e 00 00 (20103), found{}", Hex(found)
        ),
        /// An extent is zero or negative.
        Extent {
            /// 0 to 3: x, y, z, t.
            index: u8,
        } => (
            "milc-extent", Fatal, Format, "no specification; source code of MILC, header",
            "the extent in direction {index} must be positive"
        ),
        /// The file would end beyond the largest 64-bit offset.
        SizeOverflow => (
            "milc-size-overflow", Fatal, Limit, "no specification; source code of MILC, header",
            "a lattice of these extents would end beyond the largest 64-bit offset"
        ),
        /// The input ends inside the header.
        HeaderTruncated {
            /// Number of bytes of the header that are present.
            have: u8,
        } => (
            "milc-header-truncated", Fatal, Truncated, "no specification; source code of MILC, header",
            "the file ends inside its header: {have} of 88 bytes are present"
        ),
        /// The input ends inside the site list.
        ListTruncated {
            /// Number of missing bytes.
            missing: u64,
        } => (
            "milc-site-list-truncated", Fatal, Truncated, "no specification; source code of MILC, site list",
            "the file ends inside its site list: {missing} bytes of it are missing"
        ),
        /// The site list names a site that the lattice does not have. Only the first is reported.
        SiteRange {
            /// The rank in the list.
            rank: u32,
        } => (
            "milc-site-range", Error, Rule, "no specification; source code of MILC, site list",
            "the site list names site {rank}, which the lattice does not have"
        ),
        /// A site is missing in the list, and another is named twice.
        SiteList => (
            "milc-site-list", Error, Rule, "no specification; source code of MILC, site list",
            "the site list does not name each site once"
        ),
        /// The input ends inside the checksums.
        SumsTruncated {
            /// Number of their bytes that are present.
            have: u8,
        } => (
            "milc-checksums-truncated", Fatal, Truncated, "no specification; source code of MILC, checksums",
            "the file ends inside its checksums: {have} of 8 bytes are present"
        ),
        /// The input ends inside the data.
        DataTruncated {
            /// Complete sites before the end.
            sites: u64,
            /// Number of missing bytes.
            missing: u64,
        } => (
            "milc-data-truncated", Fatal, Truncated, "no specification; source code of MILC, data",
            "the file ends inside the data after {sites} complete sites: {missing} bytes are missing"
        ),
        /// The checksums of the data differ from the stored ones.
        Checksum {
            /// The stored checksums.
            stored: Sums,
            /// The checksums computed from the data.
            computed: Sums,
        } => (
            "milc-checksum", Error, Checksum, "no specification; source code of MILC, checksums",
            "checksum mismatch: stored {stored}, computed {computed}"
        ),
        /// Bytes follow the data.
        Trailing => (
            "milc-trailing-bytes", Warning, Trailing, "no specification; source code of MILC, data",
            "bytes follow the last link"
        ),
        /// The caller misused the decoder; nothing is wrong with the file.
        Misuse(misuse: Misuse) => (..misuse),
    }
}
