//! Files of all formats, opened and listed.

use std::fmt;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use linkstream::scda::{self, Unpacker};
use linkstream::sniff::{Format, Sniff, Sniffer, sniff};
use linkstream::{Mode, inebin};
use linkstream_memory as memory;

use crate::broken::Broken;
use crate::error::Error;
use crate::field::Field;
use crate::findings::{Finding, LOST, Level, MESSAGE_OPEN};
use crate::list;
use crate::listing::{Listing, RecordEntry, SectionEntry};
use crate::meter::{Meter, Metered};
use crate::open_qcd::{HEADER_LEN, Header};
use crate::other::LENGTH;
use crate::placement::in_volume;
use crate::set::{Joined, Layout, SetFault, VolumeSource, count_sites, open, volumes_in};
use crate::source::{ReadAtError, SharedSource, Source, ThenZeros, fill, fill_most};
use crate::source_reader::SourceReader;
use crate::sources::{FileSource, Named, in_file};
use crate::unknown;

/// The format of a file that can be opened.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileFormat {
    /// LIME, with SciDAC, ILDG or other content.
    Lime,
    /// INEBIN.
    Inebin,
    /// scda.
    Scda,
    /// A NERSC archive.
    Nersc,
    /// MILC, version 5.
    Milc,
    /// A configuration of openQCD.
    OpenQcd,
}

impl FileFormat {
    /// The format in a word, as in reports.
    #[must_use]
    pub const fn name(self) -> &'static str {
        match self {
            Self::Lime => "lime",
            Self::Inebin => "inebin",
            Self::Scda => "scda",
            Self::Nersc => "nersc",
            Self::Milc => "milc",
            Self::OpenQcd => "openqcd",
        }
    }
}

/// An open file, or an open file set. Its contents are listed; data are read on demand.
pub struct File {
    source: SharedSource<'static, io::Error>,
    format: FileFormat,
    set: Option<Arc<Joined<'static, io::Error>>>,
    /// In which it was opened.
    mode: Mode,
    listing: Arc<Listing>,
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Sources need not implement it.
        let mut this = f.debug_struct("File");
        this.field("format", &self.format).field("is_set", &self.is_set()).field("listing", &self.listing);
        this.finish_non_exhaustive()
    }
}

impl File {
    /// Opens a source: `Arc::new` of a [`FileSource`], of the bytes of a file, of [`Seeking`](crate::Seeking), or of
    /// any other [`Source`].
    ///
    /// # Errors
    /// The source failed, its format is unknown, or its contents are not certain: see [`Error::Broken`]. Memory is
    /// never allocated for bytes that a header claims and the file does not have.
    pub fn open(source: SharedSource<'static, io::Error>) -> Result<Self, Error> {
        Self::list(source, Mode::Lenient, false)
    }

    /// Opens a file that is known to be damaged, to save what is left. Broken rules of any severity are
    /// [`warnings`](Self::warnings), as far as the file can be read. Fields may have lost their checksum, or differ
    /// from the ones that were written.
    ///
    /// # Errors
    /// The source failed, or its format is unknown.
    pub fn open_damaged(source: SharedSource<'static, io::Error>) -> Result<Self, Error> {
        Self::list(source, Mode::Survey, false)
    }

    /// Opens a damaged file like [`open_damaged`](Self::open_damaged), even if it ends inside the data of a field, or its records
    /// cannot be read after a field: [`end`](Self::end) has the reason. The missing
    /// numbers are read as zeros, if the field is [contiguous](Field::contiguous), and otherwise cannot be read. The length of the
    /// [source](Self::source) shows which of them are in the file.
    ///
    /// # Errors
    /// The source failed, its format is unknown, or it ends before the first field.
    pub fn open_cut(source: SharedSource<'static, io::Error>) -> Result<Self, Error> {
        Self::list(source, Mode::Survey, true)
    }

    fn list(source: SharedSource<'static, io::Error>, mode: Mode, may_be_cut: bool) -> Result<Self, Error> {
        let after: SharedSource<'static, io::Error> = Arc::new(ThenZeros(source.clone()));
        let after = Some(&after).filter(|_| may_be_cut);
        let mut first = [0; Sniffer::LONGEST];
        let n = usize::try_from(source.length()?).unwrap_or(usize::MAX).min(first.len());
        let (first, _) = first.split_at_mut(n);
        fill(&*source, 0, first)?;
        // A file that ends inside the first bytes of a format is listed as one of that format, which is truncated.
        let (Sniff::Is(format) | Sniff::More(Some(format))) = sniff(first) else {
            return Self::list_unknown(source, mode);
        };
        let (format, listing) = match format {
            Format::Lime => (FileFormat::Lime, list::lime(&source, mode, None, after)?),
            Format::Inebin => (FileFormat::Inebin, list::inebin(&source, mode)?),
            Format::Scda => (FileFormat::Scda, list::scda(&source, mode)?),
            Format::Nersc => (FileFormat::Nersc, list::nersc(&source, mode, after)?),
            Format::Milc => (FileFormat::Milc, list::milc(&source, mode, after)?),
            _ => return Self::list_unknown(source, mode),
        };
        Ok(Self { source, format, set: None, mode, listing: Arc::new(listing) })
    }

    /// Lists a file of a format without magic number.
    fn list_unknown(source: SharedSource<'static, io::Error>, mode: Mode) -> Result<Self, Error> {
        let mut first = [0; HEADER_LEN];
        let n = fill_most(&*source, 0, &mut first)?;
        let header = Header::of(first.get(..n).unwrap_or_default(), Some(source.length()?));
        let Some(header) = header else { return Err(unrecognised(&*source)?) };
        let listing = Arc::new(list::open_qcd(&source, &header));
        Ok(Self { source, format: FileFormat::OpenQcd, set: None, mode, listing })
    }

    /// Opens a file set, in any order.
    ///
    /// # Errors
    /// Like [`open`](Self::open); the volumes do not belong together, or are not complete.
    pub fn open_set(volumes: &[VolumeSource<'static, io::Error>]) -> Result<Self, Error> {
        Self::list_set(volumes, Mode::Lenient)
    }

    /// Opens a set whose documents or data are known to be damaged, like [`open_damaged`](Self::open_damaged). Each
    /// site must be in one volume nevertheless.
    ///
    /// # Errors
    /// A source failed, the volumes do not belong together, or are not complete.
    pub fn open_damaged_set(volumes: &[VolumeSource<'static, io::Error>]) -> Result<Self, Error> {
        Self::list_set(volumes, Mode::Survey)
    }

    fn list_set(volumes: &[VolumeSource<'static, io::Error>], mode: Mode) -> Result<Self, Error> {
        let mut set = open(volumes, false, true)?;
        count_sites(&mut set, false)?;
        for volume in &set.volumes {
            let file = Some(volume.entry.file.as_str());
            let mut findings = volume.entry.findings.as_slice().iter();
            if let Some(found) = findings.find(|found| found.severity == Level::Error) {
                return Err(Broken::of(found, file).into());
            }
        }
        if let Some(found) = set.findings.as_slice().iter().find(|found| found.severity == Level::Error) {
            // It concerns the set as a whole, so it has no place.
            let (class, rule, message) = (found.class, found.rule, found.message.clone());
            return Err(SetFault::Found { class, rule, message }.into());
        }
        let joined = Arc::new(Joined::new(set).map_err(|refused| Error::Set(refused.1))?);
        let source: SharedSource<'static, io::Error> = joined.clone();
        let listing = list::lime(&source, mode, Some(&joined), None).map_err(|error| match error {
            Error::Broken(broken) => in_volume(*broken, &joined).into(),
            error => error,
        })?;
        Ok(Self { source, format: FileFormat::Lime, set: Some(joined), mode, listing: Arc::new(listing) })
    }

    /// Opens a file, or the set that `path` is a volume or the name of.
    ///
    /// # Errors
    /// Like [`open`](Self::open) and [`open_set`](Self::open_set).
    pub fn open_path(path: impl AsRef<Path>) -> Result<Self, Error> {
        Self::open_path_in(path, &Layout::default())
    }

    /// Like [`open_path`](Self::open_path), for a set whose volumes are where `layout` says: [`Layout::Table`] has the
    /// directory of each node, and `path` is then the name of the set.
    ///
    /// # Errors
    /// Like [`open_path`](Self::open_path); no directory has a volume of that name.
    pub fn open_path_in(path: impl AsRef<Path>, layout: &Layout) -> Result<Self, Error> {
        Self::at(path.as_ref(), layout, None)
    }

    /// Like [`open_path`](Self::open_path), with sources whose bytes are counted.
    ///
    /// # Errors
    /// Like [`open_path`](Self::open_path).
    pub fn open_path_metered(path: impl AsRef<Path>, meter: &Arc<Meter>) -> Result<Self, Error> {
        Self::at(path.as_ref(), &Layout::default(), Some(meter))
    }

    fn at(path: &Path, layout: &Layout, meter: Option<&Arc<Meter>>) -> Result<Self, Error> {
        match volumes_in(path, layout)? {
            None => Self::open(shared(file_at(path)?, meter)),
            Some(volumes) => Self::open_set(&volumes_at(&volumes, meter)?),
        }
    }

    /// Opens the volumes of a set, each with the number in its name.
    ///
    /// # Errors
    /// Like [`open_set`](Self::open_set).
    pub fn open_volumes(volumes: &[(Option<u64>, PathBuf)]) -> Result<Self, Error> {
        Self::open_set(&volumes_at(volumes, None)?)
    }

    /// Like [`open_volumes`](Self::open_volumes), with sources whose bytes are counted.
    ///
    /// # Errors
    /// Like [`open_set`](Self::open_set).
    pub fn open_volumes_metered(
        volumes: &[(Option<u64>, PathBuf)],
        meter: &Arc<Meter>,
    ) -> Result<Self, Error> {
        Self::open_set(&volumes_at(volumes, Some(meter))?)
    }

    /// The same file for one call: the meter counts the bytes that it reads of records, sections and the matrix, and can
    /// cancel it. Other calls neither count nor are cancelled with it. Fields have a
    /// [method of their own](Field::metered).
    #[must_use]
    pub fn metered(&self, meter: Arc<Meter>) -> Self {
        let source = Arc::new(Metered::new(self.source.clone(), meter));
        let (set, listing) = (self.set.clone(), self.listing.clone());
        Self { source, format: self.format, set, mode: self.mode, listing }
    }

    /// The format; LIME for sets.
    #[must_use]
    pub const fn format(&self) -> FileFormat {
        self.format
    }

    /// True for a file set.
    #[must_use]
    pub const fn is_set(&self) -> bool {
        self.set.is_some()
    }

    /// All LIME records, also data and documents. A file set has the records of the single file with the same fields.
    #[must_use]
    pub fn records(&self) -> &[RecordEntry] {
        &self.listing.records
    }

    /// The payload of the record with this index, without padding.
    ///
    /// # Errors
    /// There is no such record, it has data of a set, there is no memory for it, or the source failed or has become
    /// shorter.
    pub fn payload(&self, index: usize) -> Result<Vec<u8>, Error> {
        let records = &self.listing.records;
        let no_such = Error::NoSuch { what: "record", index: index as u64, count: records.len() as u64 };
        let record = records.get(index).ok_or(no_such)?.record;
        let set = self.set.as_ref();
        if record.length > 0 && set.is_some_and(|set| set.field_at(record.payload_offset()).is_some()) {
            return Err(Error::DataOfSet { index });
        }
        // Memory is allocated only for bytes that the source has.
        let end = record.payload_offset().checked_add(record.length);
        let length = self.source.length().map_err(Error::Io)?;
        let size = usize::try_from(record.length).ok().filter(|_| end.is_some_and(|end| end <= length));
        let mut payload = memory::zeroed(size.ok_or(ReadAtError::Ended)?)?;
        fill(&*self.source, record.payload_offset(), &mut payload)?;
        Ok(payload)
    }

    /// Texts and documents of records with this type, each with the index of the record, without NUL bytes at the end.
    ///
    /// # Errors
    /// Errors of [`payload`](Self::payload).
    pub fn texts(&self, record_type: &str) -> Result<Vec<(usize, String)>, Error> {
        let entries = self.listing.records.iter().enumerate();
        let of_type = entries.filter(|(_, entry)| entry.record_type == record_type.as_bytes());
        let text = |(index, _)| {
            let payload = self.payload(index)?;
            // The text is a copy, of up to three bytes for each byte that is not UTF-8.
            memory::afford(payload.len().saturating_mul(4))?;
            let zeros = payload.iter().rev().take_while(|byte| **byte == 0).count();
            let text = payload.get(..payload.len().saturating_sub(zeros)).unwrap_or_default();
            Ok((index, String::from_utf8_lossy(text).into_owned()))
        };
        of_type.map(text).collect()
    }

    /// Keys and values of the header of an archive, as far as they are text.
    #[must_use]
    pub fn header(&self) -> &[(String, String)] {
        &self.listing.header
    }

    /// Data records that documents describe, in their order, or the gauge field of an archive.
    #[must_use]
    pub fn fields(&self) -> &[Field] {
        &self.listing.fields
    }

    /// The field with this index, counted from 0.
    ///
    /// # Errors
    /// There is no such field.
    pub fn field(&self, index: usize) -> Result<&Field, Error> {
        let fields = &self.listing.fields;
        let (index, count) = (index as u64, fields.len() as u64);
        fields.get(index as usize).ok_or(Error::NoSuch { what: "field", index, count })
    }

    /// The finding that the field with this index has lost the checksum that its format always has; `None` if it has
    /// one, or if its format need not have one.
    #[must_use]
    pub fn lost_checksum(&self, index: usize) -> Option<&Finding> {
        let field = self.listing.fields.get(index).filter(|field| !field.can_be_verified())?;
        let (start, warnings) = (field.layout().record.offset, &self.listing.warnings);
        let is_lost = |found: &&Finding| {
            LOST.contains(&found.rule) && (self.format != FileFormat::Lime || found.offset == start)
        };
        // The end of the file can have cut off the checksum of the last message only.
        let is_last =
            || !self.listing.records.iter().any(|entry| entry.record.begin && entry.record.offset > start);
        // A writer that begins no message ends none either.
        let has_flags = self.listing.records.iter().any(|entry| entry.record.begin);
        let is_cut = |found: &&Finding| found.rule == MESSAGE_OPEN && has_flags && is_last();
        warnings.iter().find(is_lost).or_else(|| warnings.iter().find(is_cut))
    }

    /// The matrix of an INEBIN file.
    #[must_use]
    pub fn matrix(&self) -> Option<&inebin::Header> {
        self.listing.matrix.as_ref()
    }

    /// A reader of the entries of the matrix. In a file that was opened as damaged, broken rules of any severity are
    /// only counted, as far as the file can be read; else, those are errors that lose data.
    pub fn matrix_reader<'b>(
        &'b self,
        buffer: &'b mut [u8],
    ) -> linkstream::io::MatrixReader<SourceReader<'b, io::Error>, &'b mut [u8]> {
        linkstream::io::MatrixReader::with_decoder(
            SourceReader::new(&*self.source),
            buffer,
            inebin::Decoder::new(self.mode),
        )
    }

    /// Sections of an scda file. Compressed ones are listed with their uncompressed sizes.
    #[must_use]
    pub fn sections(&self) -> &[SectionEntry] {
        &self.listing.sections
    }

    /// A reader of the sections, in order. The source is read through `buffer`; `elements` receives an element of a
    /// compressed section, and limits the size of elements. The mode that the file was opened in decides which broken
    /// rules are errors, as for [`matrix_reader`](Self::matrix_reader).
    pub fn section_reader<'b>(
        &'b self,
        buffer: &'b mut [u8],
        elements: &'b mut [u8],
    ) -> linkstream::io::SectionReader<'b, SourceReader<'b, io::Error>, &'b mut [u8], Unpacker<&'b mut [u8]>>
    {
        let decoder = Unpacker::new(scda::Decoder::new(self.mode, true), elements);
        linkstream::io::SectionReader::with_decoder(SourceReader::new(&*self.source), buffer, decoder)
    }

    /// Messages about broken rules in the volumes of a set, which affect no data.
    pub fn volume_warnings(&self) -> impl Iterator<Item = String> {
        self.set.iter().flat_map(|joined| joined.set.all_findings().map(|(_, message)| message))
    }

    /// The rule that a file breaks that was opened by [`open_cut`](Self::open_cut), so that the rest is not listed.
    #[must_use]
    pub fn end(&self) -> Option<&Broken> {
        self.listing.end.as_ref()
    }

    /// Broken rules that lose no data.
    #[must_use]
    pub fn warnings(&self) -> &[Finding] {
        &self.listing.warnings
    }

    /// Checks that the file, or a volume of the set, is the one that was opened: its length and the time of its last
    /// modification. A program that reads parts of data at different times calls this before and after.
    ///
    /// # Errors
    /// [`Error::Changed`], or the source failed.
    pub fn check_unchanged(&self) -> Result<(), Error> {
        if self.source.is_changed()? { Err(Error::Changed) } else { Ok(()) }
    }

    /// The bytes of the file. For a file set, the single file with the same fields, but with zeros instead of data.
    #[must_use]
    pub fn source(&self) -> &dyn Source<Error = io::Error> {
        &*self.source
    }
}

/// The error of a file that begins like no format that can be read.
fn unrecognised(source: &dyn Source<Error = io::Error>) -> Result<Error, Error> {
    let mut first = [0; LENGTH];
    let n = fill_most(source, 0, &mut first)?;
    let found = match first.get(..n).unwrap_or_default() {
        [] => unknown::empty(),
        // Its name is not known here.
        first => unknown::unknown(first, Some(source.length()?), "-"),
    };
    Ok(Error::UnrecognisedFormat(Box::new(Broken::of(&found, None))))
}

/// A source that belongs to all that read it, and whose bytes are counted if there is a meter.
fn shared(
    source: impl Source<Error = io::Error> + 'static,
    meter: Option<&Arc<Meter>>,
) -> SharedSource<'static, io::Error> {
    match meter {
        Some(meter) => Arc::new(Metered::new(source, meter.clone())),
        None => Arc::new(source),
    }
}

/// Opens the volumes of a set, each with the number in its name. Errors of their sources name them. Their bytes are
/// counted if there is a meter.
///
/// # Errors
/// A volume cannot be opened.
pub fn volumes_at(
    volumes: &[(Option<u64>, PathBuf)],
    meter: Option<&Arc<Meter>>,
) -> Result<Vec<VolumeSource<'static, io::Error>>, Error> {
    let open = |(number, path): &(Option<u64>, PathBuf)| {
        let name = path.display().to_string();
        let source = file_at(path).map_err(|error| match error {
            Error::Io(error) => Error::Io(in_file(&name, error)),
            other => other,
        })?;
        let source = shared(Named { name: name.clone(), source }, meter);
        Ok(VolumeSource { name, number: *number, source })
    };
    volumes.iter().map(open).collect()
}

/// Opens a regular file. A directory or a device is an error.
pub(crate) fn file_at(path: &Path) -> Result<FileSource, Error> {
    FileSource::open(path).map_err(|error| match error.downcast() {
        Ok(kind) => Error::NotAFile { path: path.to_owned(), kind },
        Err(error) => Error::Io(error),
    })
}
