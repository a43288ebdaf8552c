//! Errors of NERSC archives, and of the encoder.

use crate::error::Misuse;
use crate::field;
use crate::lattice::ByteOrder;
use crate::messages::messages;
use crate::rules::{Hex, rules};

rules! {
    /// The errors of NERSC archives.
    ///
    /// The format has no maintained specification, so [`clause`](crate::Diagnostic::clause) names no document. The
    /// rules are what the programs that read and write archives have in common; see the [module](crate::nersc#sources).
    ///
    /// # Example
    /// ```
    /// use linkstream::nersc::{Decoder, ErrorKind};
    /// use linkstream::{Decode, Error, Mode};
    ///
    /// let file = b"BEGIN_HEADER\nDATATYPE = 4D_SU3_GAUGE\nDIMENSION_1 = 0\n";
    /// let mut decoder = Decoder::new(Mode::Lenient);
    /// let line = decoder.push(file)?.consumed;
    /// let error = decoder.push(&file[line..]).err();
    /// assert_eq!(error, Some(Error::new(37, ErrorKind::Dimension { number: 1 })));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum ErrorKind {
        /// The file does not begin with `BEGIN_HEADER`.
        Magic {
            /// The first twelve bytes of the file; if the file is shorter, followed by zeros.
            found: [u8; 12],
        } => (
            "nersc-magic", Fatal, Magic, "no specification; NERSC archives in use, header",
            "a NERSC archive must begin with BEGIN_HEADER, found{}", Hex(found)
        ),
        /// A header line is not of the form `KEY = value`: it has no `=`, or no space between the key and the `=`. QIO
        /// and MILC crash at a line without `=` or without any space: their `qcdhdr_get_hdr` does not check whether the
        /// character was found. In other such lines they do not find the key.
        Line => (
            "nersc-line", Warning, Format, "no specification; NERSC archives in use, header",
            "a header line must be of the form KEY = value; QIO and MILC crash at other lines, or do not find the key"
        ),
        /// A header line is longer than 1023 bytes. Its value is not used.
        LineTooLong => (
            "nersc-line-too-long", Warning, Limit, "no specification; NERSC archives in use, header",
            "the header line is longer than 1023 bytes, the most that QIO and MILC read"
        ),
        /// The header has no `END_HEADER` in its first [`MAX_HEADER`](super::MAX_HEADER) bytes.
        HeaderTooLong => (
            "nersc-header-too-long", Fatal, Limit, "no specification; NERSC archives in use, header",
            "the header is longer than 16 MiB"
        ),
        /// White space, such as a carriage return, is between the end of a line and its line feed. QIO and MILC take it
        /// for a part of the value, so that they do not recognise `DATATYPE` and `FLOATING_POINT`, and crash if it
        /// follows `END_HEADER` (`qcdhdr_get_hdr`). Reported once.
        LineEnd => (
            "nersc-line-end", Warning, Format, "no specification; NERSC archives in use, header",
            "white space before the line feed; QIO and MILC take it for a part of the value, and crash at it after END_HEADER"
        ),
        /// A key that is understood is repeated. The first value is used, as by QIO.
        Repeated => (
            "nersc-repeated-key", Warning, Rule, "no specification; NERSC archives in use, header",
            "the key is repeated; its first value is used"
        ),
        /// An extent of the lattice is missing.
        DimensionMissing {
            /// 1 to 4: x, y, z, t.
            number: u8,
        } => (
            "nersc-dimension-missing", Fatal, Rule, "no specification; NERSC archives in use, header",
            "the header has no DIMENSION_{number}"
        ),
        /// An extent is not a positive number of 32 bits.
        Dimension {
            /// 1 to 4: x, y, z, t.
            number: u8,
        } => (
            "nersc-dimension", Fatal, Format, "no specification; NERSC archives in use, header",
            "DIMENSION_{number} must be a positive number below 2^32"
        ),
        /// The header has neither the group of the links nor their stored rows.
        DatatypeMissing => (
            "nersc-datatype-missing", Fatal, Rule, "no specification; NERSC archives in use, header",
            "the header has no DATATYPE"
        ),
        /// Data other than SU(N) links with all rows, or all but the last one. N is from 2 to 99, and at most 10 if the
        /// last row is not stored.
        Datatype => (
            "nersc-datatype", Fatal, Unsupported, "no specification; NERSC archives in use, header",
            "DATATYPE must be 4D_SU3_GAUGE or 4D_SU3_GAUGE_3x3, or the same with another SU(N), where N is at most 99 (10 without the last row)"
        ),
        /// The size of the numbers is not given: 32 bits are assumed.
        FloatingPointMissing => (
            "nersc-floating-point-missing", Info, Rule, "no specification; NERSC archives in use, header",
            "the header has no FLOATING_POINT; 32-bit numbers are assumed"
        ),
        /// Numbers that are neither of 32 nor of 64 bits.
        FloatingPoint => (
            "nersc-floating-point", Fatal, Unsupported, "no specification; NERSC archives in use, header",
            "FLOATING_POINT must be IEEE32 or IEEE64, alone or with BIG or LITTLE (TIDSP32: QCDSP)"
        ),
        /// The header has no checksum.
        ChecksumMissing => (
            "nersc-checksum-missing", Warning, Rule, "no specification; NERSC archives in use, header",
            "the header has no CHECKSUM, which most programs require"
        ),
        /// The checksum cannot be read. The data are not compared with it.
        ChecksumForm => (
            "nersc-checksum-form", Warning, Format, "no specification; NERSC archives in use, header",
            "CHECKSUM must be a hexadecimal number of 32 bits"
        ),
        /// The plaquette or link trace is not a number of at most 32 characters.
        Number => (
            "nersc-number", Warning, Format, "no specification; NERSC archives in use, header",
            "the value must be a decimal number of at most 32 characters"
        ),
        /// The data would end beyond the largest 64-bit offset.
        SizeOverflow => (
            "nersc-size-overflow", Fatal, Limit, "no specification; NERSC archives in use, header",
            "a lattice of these extents would end beyond the largest 64-bit offset"
        ),
        /// The input ends inside the header.
        HeaderTruncated => (
            "nersc-header-truncated", Fatal, Truncated, "no specification; NERSC archives in use, header",
            "the file ends before END_HEADER"
        ),
        /// The input ends inside the data.
        DataTruncated {
            /// Complete sites before the end.
            sites: u64,
            /// Number of missing bytes.
            missing: u64,
        } => (
            "nersc-data-truncated", Fatal, Truncated, "no specification; NERSC archives in use, data",
            "the file ends inside the data after {sites} complete sites: {missing} bytes are missing"
        ),
        /// The data have another checksum than the header, in both byte orders.
        Checksum {
            /// `CHECKSUM`.
            stored: u32,
            /// In the byte order that the header names, or big endian.
            computed: u32,
        } => (
            "nersc-checksum", Error, Checksum, "no specification; NERSC archives in use, checksum",
            "checksum mismatch: the header has {stored:x}, the data have {computed:x}"
        ),
        /// The checksum is right in the byte order that the header does not name.
        OtherByteOrder {
            /// The byte order that gives the right checksum.
            found: ByteOrder,
        } => (
            "nersc-byte-order", Error, Format, "no specification; NERSC archives in use, header",
            "FLOATING_POINT names the wrong byte order: the checksum shows that the data are {found}"
        ),
        /// Bytes follow the data.
        Trailing => (
            "nersc-trailing-bytes", Warning, Trailing, "no specification; NERSC archives in use, data",
            "bytes follow the last link"
        ),
        /// The caller misused the decoder; nothing is wrong with the file.
        Misuse(misuse: Misuse) => (..misuse),
    }
}

messages! {
    /// Errors of an [`Encoder`](super::Encoder) or a [`Header`](super::Header). The call that returns one has no
    /// effect.
    ///
    /// # Example
    /// ```
    /// use linkstream::lattice::{ByteOrder, Extents, Precision};
    /// use linkstream::nersc::{EncodeErrorKind, Header, StoredRows};
    ///
    /// let plane = Header::new(Extents::new(&[4, 4])?, Precision::F32, StoredRows::Reduced, ByteOrder::Big);
    /// assert_eq!(plane, Err(EncodeErrorKind::Dimensions { found: 2 }));
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub enum EncodeErrorKind {
        /// An error that other fields can have as well, see [`field::EncodeErrorKind`].
        Field(kind: field::EncodeErrorKind) => (..kind),
        /// The lattice does not have four dimensions.
        Dimensions {
            /// The number of dimensions.
            found: u8,
        } => ("a NERSC archive has four dimensions, not {found}"),
        /// Links of SU(N) for an N that archives of this library do not have.
        Colors {
            /// N.
            found: u8,
        } => (
            "links of SU({found}) are not written: N is from 2 to 99, at most 10 if the last row is left out, and at most 4 \
             for an `ArchiveWriter`"
        ),
        /// The file would be longer than the largest 64-bit offset.
        SizeOverflow => ("the archive would end beyond the largest 64-bit offset"),
        /// The buffer for the header is too small, or the header is longer than [`MAX_HEADER`](super::MAX_HEADER).
        BufferTooSmall => ("the header does not fit in the buffer, or is longer than 16 MiB"),
        /// A key or a value of a further line cannot be written, or one that follows from the data is among them.
        Line {
            /// Its number, counted from 0.
            index: usize,
        } => (
            "further header line {index} is refused: a key has no white space or `=`, a value no control character, both \
             together at most 124 bytes, and no key may be written twice"
        ),
        /// `PLAQUETTE` or `LINK_TRACE` of the header cannot be written.
        Value {
            /// Name of the header line.
            key: &'static str,
        } => ("the value of {key} is refused: it is not a decimal number of 64 bits"),
        /// A line of another header cannot be kept.
        KeptLine {
            /// Its number, counted from 0.
            index: usize,
        } => ("header line {index} cannot be kept: it contains a line feed, or is END_HEADER"),
        /// More data than the lattice has.
        TooMany => ("more data than the lattice has"),
        /// The file cannot be ended because data are missing.
        TooFew {
            /// Bytes.
            missing: u64,
        } => ("the archive cannot be ended: {missing} bytes of data are missing"),
        /// The header was written with a checksum that the data do not have.
        Checksum {
            /// In the header.
            stored: u32,
            /// Of the data.
            computed: u32,
        } => (
            "the header has the checksum {stored:x}, but the data have {computed:x}: write the header again as \
             `Encoder::final_header` returns it"
        ),
    }
}

impl From<field::EncodeErrorKind> for EncodeErrorKind {
    fn from(kind: field::EncodeErrorKind) -> Self {
        Self::Field(kind)
    }
}
