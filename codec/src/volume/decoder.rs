//! The push decoder for a volume.

use super::entry::{EntryWidth, WidthProbe};
use super::error::{ErrorKind, VolumeRecord};
use crate::error::Mode;
use crate::failed::Failed;
use crate::field::{self, Field};
use crate::lattice::Region;
use crate::lime::Record;
use crate::machine::nested_decoder;
use crate::state::saved;
use crate::step::SeekPayload as _;

/// The two kinds of volumes of a file set.
///
/// ```
/// use linkstream::lime::Header;
/// use linkstream::volume::{Decoder, VolumeKind};
/// use linkstream::{Decode, Mode};
///
/// let mut decoder = Decoder::new(Mode::Strict);
/// decoder.push(Header::new(b"scidac-sitelist", 8, true, true)?.as_bytes())?;
/// assert_eq!(decoder.kind(), Some(VolumeKind::Other));
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum VolumeKind {
    /// The first volume, which contains the documents.
    First,
    /// One of the other volumes, which contain a site list and data only.
    Other,
}

saved!(enum VolumeKind: First, Other);

/// The next task of the decoder: bytes, or a report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Phase {
    Bytes,
    /// The header of a data record has been reported; its layout or an error follows.
    Begins,
    /// A record is complete; its finding, if there is one, is reported first.
    Ends,
    /// The event of a complete record (end of data, checksum) is due.
    Closes,
    /// The event [`Event::End`](super::Event::End) is due.
    Last,
}

saved!(enum Phase: Bytes, Begins, Ends, Closes, Last);

/// Reads a volume of a file set from input in chunks of any size; see the [module](crate::volume).
///
/// Only the first volume describes the data. For the other volumes, the caller passes the layout of each field to
/// [`expect_field`](Self::expect_field) before its data begin, or states that there is none
/// ([`expect_no_field`](Self::expect_no_field)). Otherwise strict and lenient mode refuse the data, or the end of a
/// volume without data, as [`Misuse::FieldsUnknown`](crate::Misuse::FieldsUnknown). Only [`Mode::Survey`] reads such a
/// volume, and checks its framing and its site list. The ranks of sites and the checksum need the site list and the
/// data at the same time; see [`SiteStream`](super::SiteStream).
///
/// ```
/// use linkstream::Resumable;
/// use linkstream::lime::Header;
/// use linkstream::volume::{Decoder, Event};
/// use linkstream::{Mode, drive, finish};
///
/// // A volume with the sites of rank 0 and 1, and one number at each of them.
/// let list = Header::new(b"scidac-sitelist", 8, true, true)?;
/// let data = Header::new(b"scidac-binary-data", 8, true, true)?;
/// let file = [list.as_bytes(), &[0, 0, 0, 0, 0, 0, 0, 1][..], data.as_bytes(), &[0; 8]].concat();
/// let (mut decoder, mut bytes_of_data) = (Decoder::new(Mode::Survey), 0);
/// drive(&mut decoder, &file, |event, bytes, decoder| {
///     if event == Event::Payload {
///         // The layout of the data was not given.
///         assert!(decoder.field().is_none() && decoder.content().record_type() == b"scidac-binary-data");
///         bytes_of_data += bytes.len();
///     }
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((bytes_of_data, decoder.site_list().map(|list| list.length)), (8, Some(8)));
/// let documents = decoder.content();
/// assert!(documents.private_file().is_none() && documents.private_record().is_none());
/// assert!(documents.stored_checksum().checksum().is_none() && documents.format().is_none());
/// // The state is an array of bytes.
/// let restored = Decoder::load(&decoder.save()?)?;
/// assert_eq!(restored.entry_width(), decoder.entry_width());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    pub(super) inner: field::Decoder,
    pub(super) kind: Option<VolumeKind>,
    pub(super) current: VolumeRecord,
    pub(super) phase: Phase,
    /// The first site list that is complete, and the CRC of its entries.
    pub(super) list: Option<Record>,
    pub(super) list_crc: u32,
    pub(super) probe: WidthProbe,
    /// CRC of the entries of the current list.
    pub(super) crc: u32,
    /// Number of the message whose record document waits for its data; 0 if there is none.
    pub(super) described: u64,
    /// The layout of the next data according to the first volume.
    pub(super) expected: Option<Field>,
    /// [`Decoder::expect_field`] has been called.
    pub(super) expects: bool,
    /// Layout of the current data record, or of the last one that was described.
    pub(super) data: Option<Field>,
    /// The data of the current record are described.
    pub(super) in_data: bool,
    /// The last field has no checksum yet.
    pub(super) unsettled: bool,
    /// An error of this layer. Errors of the layers below stay there.
    pub(super) failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    inner, kind, current, phase, list, list_crc, probe, crc, described, expected, expects, data, in_data, unsettled,
} skipping { failed });

nested_decoder!(Decoder, 14, "volume", |decoder| decoder.inner.lime().mode);

impl Decoder {
    /// A decoder for a volume from its first byte.
    #[must_use]
    pub const fn new(mode: Mode) -> Self {
        Self {
            inner: field::Decoder::new(mode),
            kind: None,
            current: VolumeRecord::Foreign,
            phase: Phase::Bytes,
            list: None,
            list_crc: 0,
            probe: WidthProbe::START,
            crc: 0,
            described: 0,
            expected: None,
            expects: false,
            data: None,
            in_data: false,
            unsettled: false,
            failed: Failed::new(),
        }
    }

    /// Sets the layout of the next data record of a volume other than the first. Pass the corresponding field of the
    /// first volume, global records not counted, before the header of the record is complete, or when
    /// [`Misuse::FieldsUnknown`](crate::Misuse::FieldsUnknown) has been returned. After the first call,
    /// data records that are not expected are surplus, and expected ones must not be missing. In strict and lenient
    /// mode, this or [`expect_no_field`](Self::expect_no_field) must be called before such data.
    ///
    /// ```
    /// use linkstream::field::{FieldDocuments, Form};
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::{Decode, Mode, volume::Decoder};
    ///
    /// // The layout that the first volume describes.
    /// let lattice = Extents::new(&[4, 4, 4, 4])?;
    /// let field = FieldDocuments::gauge_field(GaugeKind::SU3, Precision::F32, Form::Both, &lattice)?.layout(&lattice)?;
    /// let mut decoder = Decoder::new(Mode::Strict);
    /// decoder.expect_field(&field);
    /// // The volume ends without these data, and without a site list.
    /// assert!(decoder.finish().is_err());
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn expect_field(&mut self, field: &Field) {
        self.expected = Some(*field);
        self.expects = true;
    }

    /// States that a volume other than the first has no data record, or none after the records read so far: the first
    /// volume describes none. A data record that comes nevertheless is surplus.
    ///
    /// ```
    /// use linkstream::lime::Header;
    /// use linkstream::{Decode, Mode, drive, finish, volume::Decoder};
    ///
    /// let list = Header::new(b"scidac-sitelist", 8, true, true)?;
    /// let file = [list.as_bytes(), &[0, 0, 0, 0, 0, 0, 0, 1][..]].concat();
    /// for is_known in [true, false] {
    ///     let mut decoder = Decoder::new(Mode::Strict);
    ///     if is_known {
    ///         decoder.expect_no_field();
    ///     }
    ///     drive(&mut decoder, &file, |_, _, _| {})?;
    ///     assert_eq!(finish(&mut decoder, |_, _, _| {}).is_ok(), is_known);
    /// }
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    pub const fn expect_no_field(&mut self) {
        self.expected = None;
        self.expects = true;
    }

    /// The kind of the volume; `None` until its first record has begun.
    #[must_use]
    pub const fn kind(&self) -> Option<VolumeKind> {
        self.kind
    }

    /// The record of the site list; `None` until it is complete.
    #[must_use]
    pub const fn site_list(&self) -> Option<Record> {
        self.list
    }

    /// The width of the entries of the site list. It is determined from the number of sites of the last field that
    /// covers the lattice or, without such a field, from the entries themselves.
    #[must_use]
    pub fn entry_width(&self) -> EntryWidth {
        let by_data = || {
            let (list, field) = (self.list?, self.data.as_ref()?);
            if field.region != Region::Lattice {
                return None;
            }
            EntryWidth::of(list.length, field.record.length.checked_div(field.bytes_per_site)?)
        };
        by_data().unwrap_or_else(|| self.probe.width())
    }

    /// The layout of the current or, between two data records, of the previous data. It describes the whole field, but
    /// its `record` is the record in this volume.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        self.data.as_ref()
    }

    /// The decoder of documents inside: the type of the current record, the file document of a first volume, the last
    /// record document and the last checksum. This one belongs to the field before it, at
    /// [`Event::Checksum`](super::Event::Checksum): a later field can have none.
    #[must_use]
    pub const fn content(&self) -> &field::Decoder {
        &self.inner
    }

    /// Returns whether the fields of a loaded state agree with each other, so that the decoder keeps its contract.
    fn is_consistent(&self) -> bool {
        // The methods called below rely on it.
        if !self.inner.is_consistent() {
            return false;
        }
        let record = self.inner.lime().record();
        let in_payload = self.inner.lime().payload_position().is_some();
        let current = VolumeRecord::of(self.inner.record_type());
        // Between two records, the bytes of the next header replace the bytes of the last one.
        let current_fits = self.current == current || (!in_payload && self.phase == Phase::Bytes);
        let begins_fits = self.phase != Phase::Begins
            || (self.current == VolumeRecord::Data && self.inner.lime().payload_position() == Some(0));
        let ends_fits = !matches!(self.phase, Phase::Ends | Phase::Closes | Phase::Last)
            || (!in_payload && record.message > 0);
        let is_past = |earlier: &Record| earlier.offset <= record.offset;
        let data_fits = match &self.data {
            Some(field) => {
                is_past(&field.record)
                    && (!self.in_data || (self.current == VolumeRecord::Data && field.record == record))
            }
            None => !self.in_data && !self.unsettled,
        };
        let list_fits = self.list.as_ref().is_none_or(|list| is_past(list) && self.kind.is_some());
        // The probe has taken the bytes of the first list that have been read, and no others.
        let of_list = match &self.list {
            Some(list) => list.length,
            None if self.current == VolumeRecord::List => {
                self.inner.lime().payload_position().unwrap_or(record.length)
            }
            None => 0,
        };
        let expected_fits = self.expects || self.expected.is_none();
        current_fits
            && self.probe.length() == of_list
            && begins_fits
            && ends_fits
            && data_fits
            && list_fits
            && expected_fits
            && self.described <= record.message
    }
}
