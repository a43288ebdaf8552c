//! `ildg-format`: the description of the data (ILDG 1.2, section 2.3 and appendix A.1).

use super::kind::GaugeKind;
use crate::error::Error;
use crate::lattice::{Extents, Precision};
use crate::state::saved;
use crate::xml::{
    self, Document, Element, EmitError, Emitter, ErrorKind, Form, Problems, Schema, Seen, Slot, Text,
};

/// The document `ildgFormat`, versions 1.0 to 1.2.
///
/// ```
/// use linkstream::ildg::Format;
///
/// let format = Format::parse(
///     b"<ildgFormat><version> 1.2 </version> <field> su3gauge </field> <rows> 2 </rows>\
///       <precision> 32 </precision> <lx> 20 </lx> <ly> 20 </ly> <lz> 20 </lz> <lt> 64 </lt></ildgFormat>",
/// )?;
/// assert_eq!(format.rows(), 2);
/// assert_eq!(format.extents().map(|extents| extents.sites()), Some(512_000));
/// assert_eq!(format.bytes_per_site(), 4 * 2 * 3 * 2 * 4);
/// assert_eq!(format.data_length(), Some(512_000 * 192));
/// # Ok::<(), linkstream::Error<linkstream::xml::ErrorKind>>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Default)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct Format {
    version: Text<8>,
    kind: GaugeKind,
    rows: u32,
    precision: Precision,
    extents: [u32; 4],
    seen: Seen,
}

saved!(struct Format { version, kind, rows, precision, extents, seen });

impl Format {
    const EXTENTS: Seen = Seen::of(&[Element::Lx, Element::Ly, Element::Lz, Element::Lt]);
    /// All elements but `rows`.
    const REQUIRED: Seen = Seen::of(&[
        Element::Version,
        Element::Field,
        Element::Precision,
        Element::Lx,
        Element::Ly,
        Element::Lz,
        Element::Lt,
    ]);
    const SCHEMA: &Schema = &Schema {
        root: "ildgFormat",
        elements: Self::REQUIRED.with(Element::Rows),
        required: Self::REQUIRED,
        latest: b'2',
        namespaced: true,
    };
    /// As in section 2.3 and as all writers that are known have it, in this order.
    const NAMESPACES: [&str; 3] = [
        "xmlns=\"http://www.lqcd.org/ildg\"",
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
        "xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"",
    ];

    /// A document of version 1.2 for a field whose links are stored with all rows.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    /// use linkstream::xml::Form;
    ///
    /// let format = Format::new(GaugeKind::SU3, Precision::F32, [4, 4, 4, 8]);
    /// assert_eq!((format.version(), format.kind()), ("1.2", GaugeKind::SU3));
    /// assert_eq!((format.precision(), format.links()), (Precision::F32, 4));
    /// let mut buffer = [0; 512];
    /// let length = format.emit(&mut buffer)?;
    /// assert_eq!(Format::parse(&buffer[..length])?, format);
    /// let length = format.emit_as(Form::Lines, &mut buffer)?;
    /// assert_eq!(Format::parse(&buffer[..length])?, format);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(kind: GaugeKind, precision: Precision, extents: [u32; 4]) -> Self {
        Self::of_version(Text::fixed("1.2"), kind, precision, extents)
    }

    /// A document of version 1.0, as QIO, MILC and tmLQCD write it: all rows are stored, and 4 links at each site
    /// whatever the extents.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let format = Format::version_1_0(GaugeKind::SU3, Precision::F64, [4, 4, 4, 8]);
    /// assert_eq!((format.version(), format.links()), ("1.0", 4));
    /// ```
    #[must_use]
    pub fn version_1_0(kind: GaugeKind, precision: Precision, extents: [u32; 4]) -> Self {
        Self::of_version(Text::fixed("1.0"), kind, precision, extents)
    }

    /// The same with the element `rows`, in version 1.2, which introduced it. `None` if links of this kind cannot be
    /// stored with that number of rows.
    ///
    /// ```
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let format = Format::new(GaugeKind::SU3, Precision::F64, [4, 4, 4, 8]);
    /// assert_eq!(format.with_rows(2).map(|format| format.bytes_per_site()), Some(4 * 2 * 3 * 2 * 8));
    /// assert_eq!(format.with_rows(1), None);
    /// ```
    #[must_use]
    pub fn with_rows(&self, rows: u16) -> Option<Self> {
        if rows != self.kind.colors() && Some(rows) != self.kind.reduced_rows() {
            return None;
        }
        let mut format = Self::new(self.kind, self.precision, self.extents);
        format.rows = u32::from(rows);
        format.seen.insert(Element::Rows);
        Some(format)
    }

    const fn of_version(version: Text<8>, kind: GaugeKind, precision: Precision, extents: [u32; 4]) -> Self {
        Self { version, kind, rows: 0, precision, extents, seen: Self::REQUIRED }
    }

    /// Reads a document from a slice that contains all of it.
    ///
    /// # Errors
    /// The first error in the document; its offset is counted from the first byte of the document.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document as QIO does, on one line and with a terminating NUL, and with `rows` if it was given;
    /// returns its length in bytes.
    ///
    /// # Errors
    /// The buffer is too small, or a text contains characters that readers would not see unchanged.
    pub fn emit(&self, buffer: &mut [u8]) -> Result<usize, EmitError> {
        self.emit_as(Form::Line, buffer)
    }

    /// Writes the document in the given form; returns its length in bytes.
    ///
    /// # Errors
    /// As [`emit`](Self::emit).
    pub fn emit_as(&self, form: Form, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, form, Self::SCHEMA.root, &Self::NAMESPACES);
        emitter.text(Element::Version, &self.version);
        emitter.shown(Element::Field, &self.kind);
        if self.seen.contains(Element::Rows) {
            emitter.number(Element::Rows, self.rows);
        }
        emitter.number(Element::Precision, self.precision.bits());
        let [lx, ly, lz, lt] = self.extents;
        for (element, extent) in [(Element::Lx, lx), (Element::Ly, ly), (Element::Lz, lz), (Element::Lt, lt)]
        {
            emitter.number(element, extent);
        }
        emitter.finish(Self::SCHEMA.root)
    }

    /// The version as written in the document; empty if it is missing.
    #[must_use]
    pub fn version(&self) -> &str {
        &self.version
    }

    /// Whether it is of the version that stores one link per direction with more than one site.
    pub(crate) fn is_version_1_2(&self) -> bool {
        self.version == "1.2"
    }

    /// The kind of gauge field.
    #[must_use]
    pub const fn kind(&self) -> GaugeKind {
        self.kind
    }

    /// The precision of the numbers.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// N_row, the number of stored rows of each link.
    #[must_use]
    pub fn rows(&self) -> u16 {
        let given = u16::try_from(self.rows).ok().filter(|_| self.seen.contains(Element::Rows));
        given.unwrap_or(self.kind.colors())
    }

    /// The lattice `lx`, `ly`, `lz`, `lt`; `None` if the document does not contain all four.
    #[must_use]
    pub fn extents(&self) -> Option<Extents> {
        Extents::new(&self.extents).ok()
    }

    /// `lx`, `ly`, `lz`, `lt` as they are given.
    pub(crate) const fn lattice(&self) -> &[u32] {
        &self.extents
    }

    /// N_dir, the number of links at a site: one for each direction with more than one site (section 2.5.1).
    #[must_use]
    pub fn links(&self) -> u8 {
        self.extents().map_or(0, |extents| extents.directions())
    }

    /// Number of bytes per site.
    #[must_use]
    pub fn bytes_per_site(&self) -> u64 {
        let parts = if self.kind.is_real() { 1 } else { 2 };
        // At most 4 links of 9999 rows and columns.
        [u64::from(self.links()), u64::from(self.rows()), u64::from(self.kind.colors()), parts]
            .into_iter()
            .fold(self.precision.bytes() as u64, u64::wrapping_mul)
    }

    /// Length of the data in bytes; `None` if it does not fit in 64 bits.
    #[must_use]
    pub fn data_length(&self) -> Option<u64> {
        self.extents()?.sites().checked_mul(self.bytes_per_site())
    }
}

impl Document for Format {
    fn schema(&self) -> &'static Schema {
        Self::SCHEMA
    }

    fn seen(&mut self) -> &mut Seen {
        &mut self.seen
    }

    fn slot(&mut self, element: Element) -> Option<Slot<'_>> {
        let [lx, ly, lz, lt] = &mut self.extents;
        Some(match element {
            Element::Field => Slot::Other(&mut self.kind),
            Element::Rows => Slot::number(&mut self.rows),
            Element::Precision => Slot::Precision(&mut self.precision),
            Element::Lx => Slot::number(lx),
            Element::Ly => Slot::number(ly),
            Element::Lz => Slot::number(lz),
            Element::Lt => Slot::number(lt),
            Element::Version => Slot::Text { to: self.version.place(), cut: true },
            _ => return None,
        })
    }

    fn problems(&self) -> Problems {
        let mut problems = Problems::of(Self::SCHEMA, self.version.as_bytes(), self.seen);
        if self.seen.contains(Element::Rows) {
            let rows = u16::try_from(self.rows).ok();
            if rows.is_none() || (rows != Some(self.kind.colors()) && rows != self.kind.reduced_rows()) {
                problems.refuse_rows();
            }
            if matches!(self.version.as_bytes(), b"1.0" | b"1.1" | b"1") {
                problems.rows_too_early();
            }
        }
        problems.check_extents(Self::EXTENTS, &self.extents);
        problems
    }
}
