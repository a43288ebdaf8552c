//! The parts of the decoder's state that belong to records: the kind of a record, the document that is being read, the
//! documents that describe data, and the data that are being read. Their checksum is computed without buffering sites.

use crate::bytes::{prefix, suffix};
use crate::counter::{Counter as _, at_most};
use crate::field::layout::Field;
use crate::lattice::{Checksum, Cursor, Hypercube, Region, SiteOrder, SiteSum};
use crate::lime::{Header, Record};
use crate::state::{Put, Saved, Take, saved};
use crate::xml::{Found, Namespaces, Parser};
use crate::{ildg, scidac};

/// The state of a document that can describe data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum DescriptionState {
    /// No document has been read.
    No,
    /// A document that still waits for its data.
    Pending,
    /// A document whose data have come.
    Used,
    /// A document that is too damaged to describe anything. Its damage has been reported, so consequences of it are
    /// not.
    Spoilt,
}

saved!(enum DescriptionState: No, Pending, Used, Spoilt);

impl DescriptionState {
    pub(crate) const fn is_good(self) -> bool {
        matches!(self, Self::Pending | Self::Used)
    }

    /// True if the document may describe data that come now.
    pub(crate) const fn waits(self) -> bool {
        matches!(self, Self::Pending | Self::Spoilt)
    }

    /// Notes that its data have come, even if it was too damaged to describe them.
    pub(super) const fn mark_used(&mut self) {
        if !matches!(self, Self::No) {
            *self = Self::Used;
        }
    }
}

/// The last document of its kind.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Description<D> {
    pub(crate) document: D,
    pub(crate) state: DescriptionState,
}

impl Description<scidac::PrivateFile> {
    pub(super) const NO_FILE: Self =
        Self { document: scidac::PrivateFile::EMPTY, state: DescriptionState::No };
}

impl Description<scidac::PrivateRecord> {
    pub(super) const NO_RECORD: Self =
        Self { document: scidac::PrivateRecord::EMPTY, state: DescriptionState::No };
}

impl Description<ildg::Format> {
    pub(super) const NO_FORMAT: Self = Self { document: ildg::Format::EMPTY, state: DescriptionState::No };
}

/// The record of a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Origin {
    /// The message that it is part of.
    pub(crate) message: u64,
    /// Absolute offset of its header.
    pub(crate) at: u64,
}

saved!(struct Origin { message, at });

impl Origin {
    pub(super) const NONE: Self = Self { message: 0, at: 0 };

    pub(super) const fn of(record: &Record) -> Self {
        Self { message: record.message, at: record.offset }
    }
}

impl<D: Saved> Saved for Description<D> {
    const SIZE: usize = D::SIZE.saturating_add(DescriptionState::SIZE);

    fn put(&self, to: &mut Put<'_>) {
        let Self { document, state } = self;
        to.put(document);
        to.put(state);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        Some(Self { document: from.take()?, state: from.take()? })
    }

    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        from.fill(&mut self.document)?;
        from.fill(&mut self.state)
    }
}

/// The document that is being read.
#[derive(Debug, Clone)]
pub(crate) struct Reading {
    pub(crate) parser: Parser,
    /// Number of elements that the parser has completed.
    pub(super) elements: u16,
    /// The namespaces in scope, which decide whether an element belongs to the document.
    pub(super) names: Namespaces,
    /// A part of it cannot be interpreted: it will describe nothing.
    pub(crate) spoilt: bool,
    /// The error of the next byte as a part of the document, until it is reported.
    pub(crate) found: Found,
    /// The parser has taken the next byte.
    pub(super) ahead: bool,
}

saved!(struct Reading { parser, elements, names, spoilt, found, ahead });

impl Reading {
    /// For a document whose elements have a namespace, or not.
    pub(super) const fn new(namespaced: bool) -> Self {
        Self {
            parser: Parser::START,
            elements: 0,
            names: Namespaces::new(namespaced),
            spoilt: false,
            found: Found::Nothing,
            ahead: false,
        }
    }
}

/// The kind of a record, which decides how the decoder treats it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum RecordKind {
    /// Its payload passes through.
    Foreign,
    PrivateFile,
    PrivateRecord,
    Format,
    Data,
    Checksum,
    /// The description of a fermion field by tmLQCD.
    Fermion,
}

saved!(enum RecordKind: Foreign, PrivateFile, PrivateRecord, Format, Data, Checksum, Fermion);

impl RecordKind {
    pub(crate) fn of(header: &Header) -> Self {
        const KINDS: [(&str, RecordKind); 6] = [
            (scidac::PRIVATE_FILE_XML, RecordKind::PrivateFile),
            (scidac::PRIVATE_RECORD_XML, RecordKind::PrivateRecord),
            (scidac::BINARY_DATA, RecordKind::Data),
            (scidac::CHECKSUM, RecordKind::Checksum),
            (ildg::FORMAT, RecordKind::Format),
            (ildg::BINARY_DATA, RecordKind::Data),
        ];
        let found = KINDS.iter().find(|(name, _)| header.has_type(name.as_bytes()));
        let is_fermion = || scidac::FERMION_FORMATS.iter().any(|name| header.has_type(name.as_bytes()));
        match found {
            Some((_, kind)) => *kind,
            None if is_fermion() => Self::Fermion,
            None => Self::Foreign,
        }
    }

    /// True if the decoder must read the payload even if its caller does not.
    pub(crate) const fn is_document(self) -> bool {
        matches!(
            self,
            Self::PrivateFile | Self::PrivateRecord | Self::Format | Self::Checksum | Self::Fermion
        )
    }
}

/// The decoder's position within a field's data.
///
/// # Invariants
/// While `complete`, `cursor.done() * bytes_per_site + in_site` bytes were taken, `in_site` is less than the size of a
/// site, and `sum` has the first `done` sites and the first `in_site` bytes of the next. After bytes were skipped, all
/// of them stay as they are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Data {
    field: Field,
    /// A [`SiteOrder`] without extents and region, which are in `field`.
    cursor: Cursor,
    /// Bytes of the current site already read.
    in_site: u64,
    sum: SiteSum,
    /// No byte has been skipped.
    complete: bool,
}

impl Data {
    pub(in crate::field) fn new(field: Field) -> Self {
        let cursor = Cursor::first(&field.extents, &field.region);
        Self { field, cursor, in_site: 0, sum: SiteSum::default(), complete: true }
    }

    pub(crate) const fn field(&self) -> &Field {
        &self.field
    }

    /// The field, while it is described. [`go_to_first`](Self::go_to_first) must follow.
    pub(in crate::field) const fn field_mut(&mut self) -> &mut Field {
        &mut self.field
    }

    /// Begins at the first site, once the field has been described.
    pub(in crate::field) fn go_to_first(&mut self) {
        self.cursor = Cursor::first(&self.field.extents, &self.field.region);
    }

    /// Takes the next bytes.
    // Pieces that are much shorter than a site mostly complete none: they take the short way.
    #[inline]
    pub(in crate::field) fn take(&mut self, bytes: &[u8]) {
        let in_site = self.in_site.saturating_add(bytes.len() as u64);
        if self.complete && in_site < self.field.bytes_per_site {
            self.sum.piece(bytes);
            self.in_site = in_site;
        } else if self.complete {
            self.take_sites(bytes);
        }
    }

    /// Takes bytes that complete a site.
    #[inline(never)]
    fn take_sites(&mut self, bytes: &[u8]) {
        let mut rest = self.finish_site(bytes);
        if rest.is_empty() {
            return;
        }
        // A site that is larger than the address space is never complete in a slice.
        if let Ok(size) = usize::try_from(self.field.bytes_per_site) {
            let mut sites = rest.chunks_exact(size.max(1));
            for site in &mut sites {
                self.sum.piece(site);
                self.close_site();
            }
            rest = sites.remainder();
        }
        if !rest.is_empty() {
            self.sum.piece(rest);
            self.in_site = rest.len() as u64;
        }
    }

    /// Takes the bytes of a site that has been begun; returns the rest.
    fn finish_site<'i>(&mut self, bytes: &'i [u8]) -> &'i [u8] {
        if self.in_site == 0 {
            return bytes;
        }
        let left = self.field.bytes_per_site.minus(self.in_site);
        let n = at_most(left, bytes.len());
        let (piece, rest) = (prefix(bytes, n), suffix(bytes, n));
        self.sum.piece(piece);
        self.in_site = self.in_site.plus(n as u64);
        if n as u64 == left {
            self.close_site();
        }
        rest
    }

    fn close_site(&mut self) {
        self.sum.close(self.cursor.residues());
        self.cursor.step(&self.field.extents, &self.field.region);
        self.in_site = 0;
    }

    /// Goes to the site of index `index`; `false` from the middle of a site.
    pub(in crate::field) fn seek(&mut self, index: u64) -> bool {
        let between_sites = self.in_site == 0;
        if between_sites {
            self.cursor = Cursor::at(&self.field.extents, &self.field.region, index);
        }
        between_sites
    }

    /// Position of the next bytes in the lattice.
    pub(in crate::field) const fn site_order(&self) -> SiteOrder {
        SiteOrder::of(self.field.extents, self.field.region, self.cursor)
    }

    /// Bytes of the current site already read.
    pub(in crate::field) const fn in_site(&self) -> u64 {
        self.in_site
    }

    /// All data have been read elsewhere; this is their checksum.
    pub(super) fn take_all(&mut self, sum: Checksum) {
        self.cursor = Cursor::at(&self.field.extents, &self.field.region, self.field.sites());
        self.in_site = 0;
        self.sum = SiteSum::default();
        self.add_sum(sum);
        self.complete = true;
    }

    /// Sites read elsewhere have this checksum.
    pub(in crate::field) const fn add_sum(&mut self, sum: Checksum) {
        self.sum.combine(sum);
    }

    /// The checksum of the sites that have been read.
    pub(in crate::field) const fn sum(&self) -> Checksum {
        self.sum.sum()
    }

    /// Number of bytes that have been read; `None` if some were skipped.
    pub(super) fn read(&self) -> Option<u64> {
        let sites = self.cursor.done().checked_mul(self.field.bytes_per_site)?;
        sites.checked_add(self.in_site).filter(|_| self.complete)
    }

    /// Notes that bytes were skipped: there will be no checksum.
    pub(in crate::field) const fn pass(&mut self) {
        self.complete = false;
    }

    /// The checksum of all data, once they have been read.
    pub(crate) fn checksum(&self) -> Option<Checksum> {
        self.complete.then(|| self.sum.sum())
    }
}

impl Saved for Data {
    const SIZE: usize = Field::SIZE.saturating_add(8 + 8 + 1).saturating_add(SiteSum::SIZE);

    fn put(&self, to: &mut Put<'_>) {
        to.put(&self.field);
        to.put(&self.cursor.done());
        to.put(&self.in_site);
        to.put(&self.sum);
        to.put(&self.complete);
    }

    fn take(from: &mut Take<'_>) -> Option<Self> {
        let mut data = Self::blank()?;
        from.fill(&mut data)?;
        Some(data)
    }

    fn blank() -> Option<Self> {
        Some(Self::new(Field::undescribed(Record::default())))
    }

    fn fill(&mut self, from: &mut Take<'_>) -> Option<()> {
        from.fill(&mut self.field)?;
        self.cursor = Cursor::at(&self.field.extents, &self.field.region, from.take()?);
        from.fill(&mut self.in_site)?;
        from.fill(&mut self.sum)?;
        from.fill(&mut self.complete)?;
        let size = self.field.bytes_per_site;
        // A forged state must not make the sums wait for the end of a site that never comes.
        let in_site = self.in_site < size || (self.in_site == 0 && size == 0);
        let inside = match &self.field.region {
            Region::Hypercube(cube) => {
                Hypercube::new(*cube.lower(), *cube.upper(), &self.field.extents).as_ref() == Ok(cube)
            }
            Region::Lattice | Region::Global => true,
        };
        (in_site && inside).then_some(())
    }
}
