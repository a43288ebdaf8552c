//! The push decoder for a volume.

use super::entry::{EntryWidth, WidthProbe};
use super::error::ErrorKind;
use super::event::Event;
use super::judge::VolumeJudge;
use super::part::Part;
use crate::bytes::{self, suffix};
use crate::counter::Counter as _;
use crate::crc::crc32;
use crate::error::{Error, Misuse, Mode};
use crate::failed::Failed;
use crate::field::describe::{DescribeError, Documents};
use crate::field::{self, DocumentName, Field};
use crate::lattice::Region;
use crate::lime::{HEADER_LEN, Record};
use crate::scidac::{PrivateFile, PrivateRecord, StoredChecksum, VolumeFormat};
use crate::state::{self, LoadError, State, resumable, saved};
use crate::step::{Decode, Demand, SeekPayload as _, Step};
use crate::xml;

/// The two kinds of volumes of a set.
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

/// What is next: bytes, or something to report.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Phase {
    Bytes,
    /// The header of a data record has been reported, and there is more to report of it.
    Begins,
    /// A record is complete; its finding, if there is one, is reported first.
    Ends,
    /// What the record was.
    Closes,
    /// That it is complete.
    Last,
}

saved!(enum Phase: Bytes, Begins, Ends, Closes, Last);

/// Reads a volume of a set from input in chunks of any size; see the [module](crate::volume).
///
/// Only the first volume describes the data. For the other volumes, the caller passes the layout of each field to
/// [`expect_field`](Self::expect_field) before its data begin, or states that there is none
/// ([`expect_no_field`](Self::expect_no_field)). Otherwise strict and lenient mode refuse the data, or the end of a
/// volume without data, as [`Misuse::FieldsUnknown`]. Only [`Mode::Survey`] reads such a volume, and checks its framing
/// and its site list. The ranks of sites and the checksum need the site list and the data at the same time; see
/// [`SiteStream`](super::SiteStream).
///
/// ```
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
///         assert!(decoder.field().is_none() && decoder.record_type() == b"scidac-binary-data");
///         bytes_of_data += bytes.len();
///     }
/// })?;
/// finish(&mut decoder, |_, _, _| {})?;
/// assert_eq!((bytes_of_data, decoder.site_list().map(|list| list.length)), (8, Some(8)));
/// assert!(decoder.private_file().is_none() && decoder.private_record().is_none());
/// assert!(decoder.stored_checksum().checksum().is_none() && decoder.content().format().is_none());
/// // The state is an array of bytes.
/// let restored = Decoder::load(&decoder.save()?)?;
/// assert_eq!(restored.entry_width(), decoder.entry_width());
/// # Ok::<(), Box<dyn core::error::Error>>(())
/// ```
#[derive(Debug, Clone)]
pub struct Decoder {
    inner: field::Decoder,
    kind: Option<VolumeKind>,
    part: Part,
    phase: Phase,
    /// The first site list that is complete, and the CRC of its entries.
    list: Option<Record>,
    list_crc: u32,
    probe: WidthProbe,
    /// Of the entries of the current list.
    crc: u32,
    /// The message whose record document waits for its data; 0: none.
    described: u64,
    /// The layout of the next data, by the first volume.
    expected: Option<Field>,
    /// [`Decoder::expect_field`] has been called.
    expects: bool,
    /// Of the current data record, or the last one that was described.
    data: Option<Field>,
    /// The data of the current record are described.
    in_data: bool,
    /// The last field has no checksum yet.
    unsettled: bool,
    /// An error of this layer; those of the layers below stay there.
    failed: Failed<ErrorKind>,
}

saved!(struct Decoder {
    inner, kind, part, phase, list, list_crc, probe, crc, described, expected, expects, data, in_data, unsettled,
} skipping { failed });

resumable!(Decoder, 14);

impl Decoder {
    /// A decoder for a volume from its first byte.
    #[must_use]
    pub fn new(mode: Mode) -> Self {
        Self {
            inner: field::Decoder::new(mode),
            kind: None,
            part: Part::Foreign,
            phase: Phase::Bytes,
            list: None,
            list_crc: 0,
            probe: WidthProbe::default(),
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

    /// Sets the layout of the next data record of a volume other than the first: that of the corresponding field of
    /// the first volume, global records not counted. Call it before the header of the record is complete. After the
    /// first call, data records that are not expected are surplus, and expected ones must not be missing.
    /// In strict and lenient mode, it must be called before such data, or [`expect_no_field`](Self::expect_no_field).
    ///
    /// ```
    /// use linkstream::field::{FieldDocuments, Form};
    /// use linkstream::ildg::GaugeKind;
    /// use linkstream::lattice::{Extents, Precision};
    /// use linkstream::{Decode, Mode, volume::Decoder};
    ///
    /// // As the first volume describes it.
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

    /// States that a volume other than the first has no data record, or none after those read so far: the first
    /// volume describes none. Any that comes is surplus.
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

    /// The layout of the current or, between two data records, of the previous data. It describes the whole field,
    /// except that `record` is that of this volume.
    #[must_use]
    pub const fn field(&self) -> Option<&Field> {
        self.data.as_ref()
    }

    /// The type of the current record: its bytes before the first NUL.
    #[must_use]
    pub fn record_type(&self) -> &[u8] {
        self.inner.record_type()
    }

    /// The file document of a first volume, once it has been read.
    #[must_use]
    pub fn private_file(&self) -> Option<&PrivateFile> {
        self.inner.private_file()
    }

    /// The last record document, once one has been read.
    #[must_use]
    pub fn private_record(&self) -> Option<&PrivateRecord> {
        self.inner.private_record()
    }

    /// The last checksum document; empty before the first.
    #[must_use]
    pub const fn stored_checksum(&self) -> &StoredChecksum {
        self.inner.stored_checksum()
    }

    /// The decoder of documents inside.
    #[must_use]
    pub const fn content(&self) -> &field::Decoder {
        &self.inner
    }

    /// Saves the state, to be stored or passed to another process. Restore it with `load`.
    ///
    /// # Errors
    /// The error at which the decoder has stopped. Such a decoder cannot be saved.
    pub fn save(&self) -> Result<State<Self>, Error<ErrorKind>> {
        self.check_usable()?;
        Ok(state::seal(self))
    }

    /// Restores a state from [`Decoder::save`].
    ///
    /// # Errors
    /// [`LoadError::Inconsistent`]: the fields contradict each other.
    pub fn load(saved: &State<Self>) -> Result<Self, LoadError> {
        let mut decoder = Self::new(Mode::Strict);
        state::open_into(saved, &mut decoder)?;
        if decoder.is_consistent() { Ok(decoder) } else { Err(LoadError::Inconsistent) }
    }

    /// Whether the parts of the state can have come about together.
    fn is_consistent(&self) -> bool {
        // What is asked of it below has an answer only then.
        if !self.inner.is_consistent() {
            return false;
        }
        let record = self.inner.lime().record();
        let in_payload = self.inner.lime().payload_position().is_some();
        let part = Part::of(self.inner.record_type());
        // Between two records the header is filled with that of the next.
        let part_fits = self.part == part || (!in_payload && self.phase == Phase::Bytes);
        let begins_fits = self.phase != Phase::Begins
            || (self.part == Part::Data && self.inner.lime().payload_position() == Some(0));
        let ends_fits = !matches!(self.phase, Phase::Ends | Phase::Closes | Phase::Last)
            || (!in_payload && record.message > 0);
        let is_past = |earlier: &Record| earlier.offset <= record.offset;
        let data_fits = match &self.data {
            Some(field) => {
                is_past(&field.record)
                    && (!self.in_data || (self.part == Part::Data && field.record == record))
            }
            None => !self.in_data && !self.unsettled,
        };
        let list_fits = self.list.as_ref().is_none_or(|list| is_past(list) && self.kind.is_some());
        // All bytes of the first list have been probed, as far as it was read, and no others.
        let of_list = match &self.list {
            Some(list) => list.length,
            None if self.part == Part::List => self.inner.lime().payload_position().unwrap_or(record.length),
            None => 0,
        };
        let expected_fits = self.expects || self.expected.is_none();
        part_fits
            && self.probe.bytes() == of_list
            && begins_fits
            && ends_fits
            && data_fits
            && list_fits
            && expected_fits
            && self.described <= record.message
    }

    /// The error that was met, if there was one.
    fn check_usable(&self) -> Result<(), Error<ErrorKind>> {
        self.failed.check()?;
        self.inner.check_usable().map_err(Error::into_kind)
    }

    /// A volume other than the first lacks data that are expected.
    const fn is_incomplete(&self) -> bool {
        self.expected.is_some() && matches!(self.kind, Some(VolumeKind::Other))
    }

    /// The fields of a volume other than the first were not given, which only a survey does not need.
    fn lacks_fields(&self) -> bool {
        !self.expects && self.kind == Some(VolumeKind::Other) && self.inner.lime().mode() != Mode::Survey
    }

    fn fields_unknown(at: u64) -> Error<ErrorKind> {
        Error::new(at, crate::lime::ErrorKind::Misuse(Misuse::FieldsUnknown).into())
    }

    const fn judge(&self) -> VolumeJudge {
        VolumeJudge { is_other: matches!(self.kind, Some(VolumeKind::Other)) }
    }

    /// Refuses or reports, as the mode has it.
    fn report(&mut self, at: u64, kind: ErrorKind) -> Result<Event, Error<ErrorKind>> {
        let error = Error::new(at, kind);
        match self.failed.report(self.inner.lime().mode(), 0, error, ()) {
            Ok(_) => {
                self.failed.put(None);
                Ok(Event::Finding(error))
            }
            Err(_) => Err(error),
        }
    }

    /// What is to be reported before any byte is taken.
    fn due(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        let record = self.inner.lime().record();
        loop {
            match self.phase {
                Phase::Bytes => return Ok(None),
                Phase::Begins => {
                    self.phase = Phase::Bytes;
                    let described = self.describe(&record);
                    if self.kind == Some(VolumeKind::Other) {
                        self.expected = None;
                    }
                    self.described = 0;
                    match described {
                        Ok(Some(field)) => {
                            self.data = Some(field);
                            self.in_data = true;
                            return Ok(Some(Event::Field));
                        }
                        Ok(None) => {}
                        Err(error) => return self.report(error.at, error.kind).map(Some),
                    }
                }
                Phase::Ends => {
                    self.phase = Phase::Closes;
                    if let Some(error) = self.end_finding(&record) {
                        return self.report(error.at, error.kind).map(Some);
                    }
                }
                Phase::Closes => {
                    self.phase = Phase::Last;
                    if let Some(event) = self.close(&record) {
                        return Ok(Some(event));
                    }
                }
                Phase::Last => {
                    self.phase = Phase::Bytes;
                    return Ok(Some(Event::End));
                }
            }
        }
    }

    /// The layout of the data record that has just begun; `None` if nothing describes it.
    fn describe(&self, record: &Record) -> Result<Option<Field>, Error<ErrorKind>> {
        let at_header = |kind| Error::new(record.offset, kind);
        let list = self.list.ok_or(at_header(ErrorKind::ListMissing))?;
        let mut field = Field::undescribed(*record);
        match self.kind {
            Some(VolumeKind::First) if self.described == record.message => self.by_documents(&mut field)?,
            Some(VolumeKind::Other) if self.expects => {
                let expected = self.expected.ok_or(at_header(ErrorKind::RecordSurplus))?;
                field = Field { record: *record, ..expected };
            }
            _ if self.lacks_fields() => return Err(Self::fields_unknown(record.offset)),
            _ => return Ok(None),
        }
        let (length, size) = (record.length, field.bytes_per_site);
        let all = field.sites();
        // Sites without bytes take none, however many they are.
        let sites = length.checked_div(size).unwrap_or(0);
        if sites > all
            || sites.checked_mul(size) != Some(length)
            || (field.region == Region::Global && sites != 1)
        {
            let kind = ErrorKind::DataLength { length, bytes_per_site: size, sites: all };
            return Err(at_header(kind));
        }
        if field.region == Region::Lattice && size > 0 && EntryWidth::of(list.length, sites).is_none() {
            return Err(Error::new(list.offset, ErrorKind::ListSites { length: list.length, sites }));
        }
        Ok(Some(field))
    }

    /// As the first volume's documents describe it.
    fn by_documents(&self, field: &mut Field) -> Result<(), Error<ErrorKind>> {
        let extents = self.private_file().and_then(PrivateFile::extents);
        let format_here = self.inner.format_message() == field.record.message;
        let documents = Documents {
            lattice: extents.as_ref().map_or(&[], |extents| extents.as_slice()),
            record: self.private_record(),
            format: self.inner.format().filter(|_| format_here),
        };
        let kind = match documents.describe(field, None) {
            Ok(_) => return Ok(()),
            Err(DescribeError::Region(error)) => {
                field::ErrorKind::Document(DocumentName::PrivateRecord, xml::ErrorKind::Hypercube(error))
            }
            Err(DescribeError::Overflow) => field::ErrorKind::DataOverflow,
            Err(DescribeError::LatticeMissing) => field::ErrorKind::FileMissing,
            Err(DescribeError::NoDocument | DescribeError::FormatIncomplete) => field::ErrorKind::Undescribed,
        };
        Err(Error::new(field.record.offset, kind.into()))
    }

    /// What the end of a record shows to be wrong with it.
    fn end_finding(&self, record: &Record) -> Option<Error<ErrorKind>> {
        let in_payload = |kind| Some(Error::new(record.offset.saturating_add(HEADER_LEN as u64), kind));
        match (self.part, self.list) {
            (Part::PrivateFile, _) => {
                let single = self.private_file()?.volume_format() == VolumeFormat::Single;
                if single { in_payload(ErrorKind::SingleFile) } else { None }
            }
            (Part::List, None) if !record.length.is_multiple_of(4) => {
                Some(Error::new(record.offset, ErrorKind::ListLength { length: record.length }))
            }
            (Part::List, Some(list)) if list.length == record.length && self.list_crc == self.crc => {
                Some(Error::new(record.offset, ErrorKind::ListRepeated))
            }
            (Part::List, Some(_)) => Some(Error::new(record.offset, ErrorKind::ListDiffers)),
            _ => None,
        }
    }

    /// A record is complete and its findings are reported: what it was, beside a record.
    fn close(&mut self, record: &Record) -> Option<Event> {
        match self.part {
            Part::PrivateRecord if self.private_record().is_some() => self.described = record.message,
            Part::List if self.list.is_none() => {
                self.list = Some(*record);
                self.list_crc = self.crc;
            }
            Part::Data if core::mem::take(&mut self.in_data) => {
                self.unsettled = self.kind == Some(VolumeKind::First);
                return Some(Event::FieldEnd);
            }
            Part::Checksum if self.unsettled && !self.inner.document_is_spoilt() => {
                self.unsettled = false;
                return Some(Event::Checksum);
            }
            _ => {}
        }
        None
    }

    /// A header is complete.
    fn begin(&mut self, record: &Record) {
        self.part = Part::of(self.inner.record_type());
        self.in_data = false;
        match self.part {
            Part::PrivateFile => self.kind = self.kind.or(Some(VolumeKind::First)),
            Part::List => {
                self.kind = self.kind.or(Some(VolumeKind::Other));
                self.crc = 0;
            }
            Part::Data => {
                self.unsettled = false;
                if !matches!(self.describe(record), Ok(None)) {
                    self.phase = Phase::Begins;
                }
            }
            Part::PrivateRecord | Part::Checksum | Part::Foreign => {}
        }
    }

    /// What an event of the decoder inside is here; `bytes` are those it has consumed.
    fn take(&mut self, event: field::Event, bytes: &[u8]) -> Result<Option<Event>, Error<ErrorKind>> {
        Ok(Some(match event {
            field::Event::Record(record) => {
                self.begin(&record);
                Event::Record(record)
            }
            field::Event::Payload | field::Event::Data if self.part == Part::List => {
                self.crc = crc32(self.crc, bytes);
                if self.list.is_none() {
                    self.probe.take(bytes);
                }
                Event::SiteList
            }
            field::Event::Payload | field::Event::Data => {
                if self.in_data {
                    Event::Data
                } else {
                    Event::Payload
                }
            }
            field::Event::End => {
                self.phase = Phase::Ends;
                return Ok(None);
            }
            field::Event::Finding(error) => Event::Finding(error.into_kind()),
            // An `ildg-format` alone describes the data, which cover the lattice.
            field::Event::Field | field::Event::FieldEnd(_) | field::Event::Verdict(_) => {
                return self.report(self.inner.lime().record().offset, ErrorKind::SingleFile).map(Some);
            }
        }))
    }
}

impl Decode for Decoder {
    type Event = Event;
    type ErrorKind = ErrorKind;

    fn push(&mut self, input: &[u8]) -> Result<Step<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        let mut consumed = 0_usize;
        loop {
            if let Some(event) = self.due()? {
                return Ok(Step::event(consumed, event));
            }
            let mut judge = self.judge();
            let rest = suffix(input, consumed);
            let step = self.inner.push_for(&mut judge, rest).map_err(Error::into_kind)?;
            let before = consumed;
            consumed.increase(step.consumed);
            let Some(event) = step.event else { return Ok(Step::more(consumed)) };
            if let Some(event) = self.take(event, bytes::part(input, before..consumed))? {
                return Ok(Step::event(consumed, event));
            }
        }
    }

    fn finish(&mut self) -> Result<Option<Event>, Error<ErrorKind>> {
        self.failed.check()?;
        loop {
            if let Some(event) = self.due()? {
                return Ok(Some(event));
            }
            let mut judge = self.judge();
            let event = self.inner.finish_for(&mut judge).map_err(Error::into_kind)?;
            if let Some(event) = event {
                if let Some(event) = self.take(event, &[])? {
                    return Ok(Some(event));
                }
            } else if self.list.is_none() {
                return self.report(self.position(), ErrorKind::ListMissing).map(Some);
            } else if self.lacks_fields() {
                return Err(self.failed.set(Self::fields_unknown(self.position())));
            } else if self.is_incomplete() {
                self.expected = None;
                return self.report(self.position(), ErrorKind::RecordMissing).map(Some);
            } else {
                return Ok(None);
            }
        }
    }

    fn demand(&self) -> Demand {
        match (self.phase, self.inner.demand_for(&self.judge())) {
            (Phase::Bytes, Demand::Skip(n)) if self.part == Part::List => Demand::Bytes(n),
            (Phase::Bytes, Demand::End) if self.is_incomplete() || self.lacks_fields() => Demand::Bytes(0),
            (Phase::Bytes, demand) => demand,
            _ => Demand::Bytes(0),
        }
    }

    fn skip(&mut self, n: u64) -> Result<(), Error<ErrorKind>> {
        self.check_usable()?;
        let judge = self.judge();
        if n > 0 && !matches!(self.demand(), Demand::Skip(_)) {
            let misuse = Misuse::SkipTooFar { asked: n, available: 0 };
            return Err(Error::new(self.position(), crate::lime::ErrorKind::Misuse(misuse).into()));
        }
        self.inner.skip_for(&judge, n).map_err(Error::into_kind)
    }

    fn position(&self) -> u64 {
        self.inner.position()
    }
}
