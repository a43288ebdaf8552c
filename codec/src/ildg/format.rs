//! `ildg-format`: the description of the data, and the kinds of gauge fields in its element `<field>` (ILDG 1.2,
//! sections 2.3 and 2.5.1, appendix A.1).

use core::fmt;

use crate::counter::Counter as _;
use crate::error::Error;
use crate::lattice::{Extents, Precision};
use crate::state::saved;
use crate::xml::{
    self, Document, ElementName, EmitError, Emitter, ErrorKind, Found, Problems, Schema, Seen, Slot, Spacing,
    Text,
};

/// The document `ildgFormat`, versions 1.0 to 1.2. The [module](super) lists its elements.
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
    /// The state before a document is read.
    pub(crate) const EMPTY: Self = Self {
        version: Text::new(),
        kind: GaugeKind::SU3,
        rows: 0,
        precision: Precision::F32,
        extents: [0; 4],
        seen: Seen::NONE,
    };
    const EXTENTS: Seen = Seen::of(&[ElementName::Lx, ElementName::Ly, ElementName::Lz, ElementName::Lt]);
    /// All elements except `rows`.
    const REQUIRED: Seen = Seen::of(&[
        ElementName::Version,
        ElementName::Field,
        ElementName::Precision,
        ElementName::Lx,
        ElementName::Ly,
        ElementName::Lz,
        ElementName::Lt,
    ]);
    const SCHEMA: &Schema = &Schema {
        root: "ildgFormat",
        elements: Self::REQUIRED.with(ElementName::Rows),
        required: Self::REQUIRED,
        latest: b'2',
        namespaced: true,
    };
    /// The same elements in the document of a fermion field of tmLQCD, which has no version, and another kind of field.
    const FERMION: &Schema = &Schema {
        root: "etmcFormat",
        elements: Self::EXTENTS.with(ElementName::Precision),
        required: Self::EXTENTS.with(ElementName::Precision),
        latest: b'0',
        namespaced: false,
    };
    /// The attributes of the root, as in the example of section 2.3 and in the order of QIO.
    const NAMESPACES: [&str; 3] = [
        "xmlns=\"http://www.lqcd.org/ildg\"",
        "xmlns:xsi=\"http://www.w3.org/2001/XMLSchema-instance\"",
        "xsi:schemaLocation=\"http://www.lqcd.org/ildg/filefmt.xsd\"",
    ];

    /// A document of a fermion field, before its first element has been read. An element that no format has marks it.
    pub(crate) fn of_fermion() -> Self {
        Self { seen: Seen::of(&[ElementName::Spins]), ..Self::default() }
    }

    const fn is_of_fermion(&self) -> bool {
        self.seen.contains(ElementName::Spins)
    }

    /// A document of version 1.2 for a field whose links are stored with all rows. `extents` are `lx`, `ly`, `lz`, `lt`
    /// in sites; they are checked when the field is written.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    /// use linkstream::xml::Spacing;
    ///
    /// let format = Format::new(GaugeKind::SU3, Precision::F32, [4, 4, 4, 8]);
    /// assert_eq!((format.version(), format.kind()), ("1.2", GaugeKind::SU3));
    /// assert_eq!((format.precision(), format.links_per_site()), (Precision::F32, 4));
    /// let mut buffer = [0; 512];
    /// let length = format.emit(Spacing::Line, &mut buffer)?;
    /// assert_eq!(Format::parse(&buffer[..length])?, format);
    /// let length = format.emit(Spacing::Lines, &mut buffer)?;
    /// assert_eq!(Format::parse(&buffer[..length])?, format);
    /// # Ok::<(), Box<dyn core::error::Error>>(())
    /// ```
    #[must_use]
    pub fn new(kind: GaugeKind, precision: Precision, extents: [u32; 4]) -> Self {
        Self::of_version(Text::fixed("1.2"), kind, precision, extents)
    }

    /// A document of version 1.0, as QIO, MILC and tmLQCD write it: all rows are stored. Such files have 4 links at
    /// each site, also where an extent is 1.
    ///
    /// # Example
    /// ```
    /// use linkstream::ildg::{Format, GaugeKind};
    /// use linkstream::lattice::Precision;
    ///
    /// let format = Format::version_1_0(GaugeKind::SU3, Precision::F64, [4, 4, 4, 8]);
    /// assert_eq!((format.version(), format.links_per_site()), ("1.0", 4));
    /// ```
    #[must_use]
    pub fn version_1_0(kind: GaugeKind, precision: Precision, extents: [u32; 4]) -> Self {
        Self::of_version(Text::fixed("1.0"), kind, precision, extents)
    }

    /// The same document with the element `rows`, in version 1.2, which introduced this element. `None` if links of
    /// this kind cannot be stored with this number of rows.
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
        format.seen.insert(ElementName::Rows);
        Some(format)
    }

    const fn of_version(version: Text<8>, kind: GaugeKind, precision: Precision, extents: [u32; 4]) -> Self {
        Self { version, kind, rows: 0, precision, extents, seen: Self::REQUIRED }
    }

    /// Reads a document from a slice that contains all of it.
    ///
    /// # Errors
    /// The first broken rule above [`Severity::Info`](crate::Severity::Info), so warnings as well. Its offset is
    /// counted from the first byte of the document.
    pub fn parse(document: &[u8]) -> Result<Self, Error<ErrorKind>> {
        xml::read(document)
    }

    /// Writes the document, with `rows` if it was given; [`Spacing::Line`] is as QIO does, with a terminating NUL.
    /// Returns its length in bytes.
    ///
    /// # Errors
    /// The buffer is too small, or a text contains characters that readers would not see unchanged.
    pub fn emit(&self, spacing: Spacing, buffer: &mut [u8]) -> Result<usize, EmitError> {
        let mut emitter = Emitter::new(buffer, spacing, Self::SCHEMA.root, &Self::NAMESPACES);
        emitter.text(ElementName::Version, &self.version);
        emitter.shown(ElementName::Field, &self.kind);
        if self.seen.contains(ElementName::Rows) {
            emitter.number(ElementName::Rows, self.rows);
        }
        emitter.number(ElementName::Precision, self.precision.bits());
        let [lx, ly, lz, lt] = self.extents;
        for (element, extent) in
            [(ElementName::Lx, lx), (ElementName::Ly, ly), (ElementName::Lz, lz), (ElementName::Lt, lt)]
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

    /// True for version 1.2, which stores links only in directions with more than one site. `version` would need the code
    /// that checks UTF-8, which a board that only verifies does not have otherwise.
    pub(crate) fn is_version_1_2(&self) -> bool {
        self.version == "1.2"
    }

    /// The kind of gauge field.
    #[must_use]
    pub const fn kind(&self) -> GaugeKind {
        self.kind
    }

    /// The precision of the stored numbers.
    #[must_use]
    pub const fn precision(&self) -> Precision {
        self.precision
    }

    /// N_row, the number of stored rows of each link: `rows` if the document has it, otherwise the number of colors.
    #[must_use]
    pub fn rows(&self) -> u16 {
        let given = u16::try_from(self.rows).ok().filter(|_| self.seen.contains(ElementName::Rows));
        given.unwrap_or(self.kind.colors())
    }

    /// The lattice `lx`, `ly`, `lz`, `lt`, in sites; `None` if the document does not contain all four.
    #[must_use]
    pub fn extents(&self) -> Option<Extents> {
        Extents::new(&self.extents).ok()
    }

    /// `lx`, `ly`, `lz`, `lt` as given in the document.
    pub(crate) const fn lattice(&self) -> &[u32] {
        &self.extents
    }

    /// N_dir, the number of links at a site by revision 1.2: one for each direction with more than one site (section
    /// 2.5.1).
    ///
    /// Data with a document of an older version may have 4 links instead: the layout that is read is in
    /// [`Field::links`](crate::field::Field::links).
    #[must_use]
    pub fn links_per_site(&self) -> u8 {
        self.extents().map_or(0, |extents| extents.directions())
    }

    /// Number of bytes per site, with [`links_per_site`](Self::links_per_site) links.
    #[must_use]
    pub fn bytes_per_site(&self) -> u64 {
        let parts = if self.kind.is_real() { 1 } else { 2 };
        // At most 4 links of 9999 rows and columns.
        [u64::from(self.links_per_site()), u64::from(self.rows()), u64::from(self.kind.colors()), parts]
            .into_iter()
            .fold(self.precision.size() as u64, u64::wrapping_mul)
    }

    /// Length of the data in bytes, with [`links_per_site`](Self::links_per_site) links at each site; `None` if the
    /// document has no lattice or the length does not fit in 64 bits.
    #[must_use]
    pub fn data_length(&self) -> Option<u64> {
        self.extents()?.sites().checked_mul(self.bytes_per_site())
    }
}

impl Document for Format {
    fn schema(&self) -> &'static Schema {
        if self.is_of_fermion() { Self::FERMION } else { Self::SCHEMA }
    }

    fn seen(&mut self) -> &mut Seen {
        &mut self.seen
    }

    fn slot(&mut self, element: ElementName) -> Option<Slot<'_>> {
        let [lx, ly, lz, lt] = &mut self.extents;
        Some(match element {
            ElementName::Field => Slot::Other(&mut self.kind),
            ElementName::Rows => Slot::number(&mut self.rows),
            ElementName::Precision => Slot::Precision(&mut self.precision),
            ElementName::Lx => Slot::number(lx),
            ElementName::Ly => Slot::number(ly),
            ElementName::Lz => Slot::number(lz),
            ElementName::Lt => Slot::number(lt),
            ElementName::Version => Slot::Text { to: self.version.place(), cut: true },
            _ => return None,
        })
    }

    fn problems(&self) -> Problems {
        let mut problems = Problems::of(self.schema(), self.version.as_bytes(), self.seen);
        if self.is_of_fermion() {
            problems.excuse(ElementName::Version);
        }
        if self.seen.contains(ElementName::Rows) {
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

/// A family of gauge groups. The number of colors is in [`GaugeKind`].
///
/// # Example
/// ```
/// use linkstream::ildg::{GaugeKind, Group};
///
/// assert_eq!(GaugeKind::SU3.group(), Group::Su);
/// assert_eq!(GaugeKind::parse(b"u1phase").map(GaugeKind::group), Some(Group::U1Phase));
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub enum Group {
    /// Unitary matrices of determinant 1.
    #[default]
    Su,
    /// Unitary matrices.
    U,
    /// Real orthogonal matrices of determinant 1.
    So,
    /// Unitary symplectic matrices.
    Sp,
    /// U(1), stored as the real phase of each link.
    U1Phase,
}

saved!(enum Group: Su, U, So, Sp, U1Phase);

/// The part of the names before the number of colors.
const GROUPS: [(&str, Group); 4] = [("su", Group::Su), ("so", Group::So), ("sp", Group::Sp), ("u", Group::U)];

/// A gauge group and its number of colors.
///
/// ```
/// use linkstream::ildg::{GaugeKind, Group};
///
/// let kind = GaugeKind::parse(b"su3gauge").ok_or("a kind of gauge field")?;
/// assert_eq!((kind.group(), kind.colors()), (Group::Su, 3));
/// assert_eq!(kind.reduced_rows(), Some(2));
/// assert!(GaugeKind::parse(b"su1gauge").is_none());
/// assert!(GaugeKind::parse(b"sp5gauge").is_none());
/// # Ok::<(), &str>(())
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[cfg_attr(feature = "defmt", derive(defmt::Format))]
pub struct GaugeKind {
    group: Group,
    colors: u16,
}

saved!(struct GaugeKind { group, colors });

impl Default for GaugeKind {
    /// SU(3).
    fn default() -> Self {
        Self::SU3
    }
}

impl GaugeKind {
    /// `su3gauge`.
    pub const SU3: Self = Self { group: Group::Su, colors: 3 };

    /// The kind of SU(N), where N is `colors`; `None` if N is not from 2 to 9999.
    ///
    /// ```
    /// use linkstream::ildg::GaugeKind;
    ///
    /// assert_eq!(GaugeKind::su(2), GaugeKind::parse(b"su2gauge"));
    /// assert_eq!(GaugeKind::su(1), None);
    /// ```
    #[must_use]
    pub const fn su(colors: u16) -> Option<Self> {
        match colors {
            2..=9999 => Some(Self { group: Group::Su, colors }),
            _ => None,
        }
    }

    /// The kind with this name, such as `su3gauge`; `None` for names that the schema does not allow, and for more
    /// than 9999 colors.
    #[must_use]
    pub fn parse(name: &[u8]) -> Option<Self> {
        if name == b"u1phase" {
            return Some(Self { group: Group::U1Phase, colors: 1 });
        }
        let (group, digits) = GROUPS.iter().find_map(|(prefix, group)| {
            let digits = name.strip_prefix(prefix.as_bytes())?.strip_suffix(b"gauge")?;
            Some((*group, digits))
        })?;
        if digits.len() > 4 || digits.first() == Some(&b'0') {
            return None;
        }
        let mut colors = 0_u16;
        for digit in digits {
            if !digit.is_ascii_digit() {
                return None;
            }
            // At most 9999.
            colors = colors.times(10).plus(u16::from(digit & 0xf));
        }
        let allowed = match group {
            Group::U | Group::U1Phase => colors >= 1,
            Group::Su | Group::So => colors >= 2,
            Group::Sp => colors >= 4 && colors & 1 == 0,
        };
        allowed.then_some(Self { group, colors })
    }

    /// The family of the group.
    #[must_use]
    pub const fn group(self) -> Group {
        self.group
    }

    /// N_c, the number of columns of a link.
    #[must_use]
    pub const fn colors(self) -> u16 {
        self.colors
    }

    /// The number of stored rows in reduced storage (section 2.5.1): N_c - 1 for SU and SO, N_c / 2 for Sp; `None` for
    /// kinds without reduced storage.
    #[must_use]
    pub const fn reduced_rows(self) -> Option<u16> {
        match self.group {
            Group::Su | Group::So => self.colors.checked_sub(1),
            Group::Sp => Some(self.colors / 2),
            Group::U | Group::U1Phase => None,
        }
    }

    /// True if the elements of links are real: one number each instead of two.
    #[must_use]
    pub const fn is_real(self) -> bool {
        matches!(self.group, Group::So | Group::U1Phase)
    }
}

impl xml::Value for GaugeKind {
    fn read(&mut self, text: &[u8]) -> Found {
        let Some(kind) = Self::parse(text) else { return Found::Value };
        *self = kind;
        Found::Nothing
    }
}

/// The name, as in the element `<field>`.
impl fmt::Display for GaugeKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let group = match self.group {
            Group::Su => "su",
            Group::U => "u",
            Group::So => "so",
            Group::Sp => "sp",
            Group::U1Phase => return f.write_str("u1phase"),
        };
        write!(f, "{group}{}gauge", self.colors)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::string::ToString;

    #[test]
    fn names_of_the_schema_and_no_others() {
        for name in [
            "su2gauge",
            "su10gauge",
            "so2gauge",
            "so100gauge",
            "sp4gauge",
            "sp10gauge",
            "u1phase",
            "u1gauge",
            "u12gauge",
        ] {
            assert_eq!(GaugeKind::parse(name.as_bytes()).unwrap().to_string(), name);
        }
        for name in [
            "su1gauge",
            "su0gauge",
            "so1gauge",
            "sp2gauge",
            "sp7gauge",
            "sp11gauge",
            "u0gauge",
            "u2phase",
            "su03gauge",
            "SU3gauge",
            "su3",
            "su3gauge ",
            "gauge",
            "",
            "su3g\u{e4}uge",
            "su99999gauge",
        ] {
            assert_eq!(GaugeKind::parse(name.as_bytes()), None, "{name}");
        }
    }
}
