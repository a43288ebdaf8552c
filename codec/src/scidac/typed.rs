//! Constructors of records for common data, with the names and sizes of QIO 2.3 (section 4.2, appendix A): each sets
//! all dependent elements, so that a record cannot contradict itself. Also the comparison of a record with the expected
//! one.

use super::data::{Contradiction, RecordData};
use super::record::{Date, PrivateRecord, RecordType};
use crate::lattice::{Precision, Region};
use crate::xml::{ElementName, Text};

/// Records for common data. Their date is 1 January 1970 unless it is changed with [`dated`](PrivateRecord::dated).
impl PrivateRecord {
    /// A gauge field with `links` complex matrices of `colors` x `colors` at a site: 4 in QIO's files. The datatype
    /// is `USQCD_F3_ColorMatrix` or `USQCD_D3_ColorMatrix`, and for other numbers of colors `QDP_F2_ColorMatrix` and
    /// the like.
    ///
    /// `typesize` has 32 bits. For more than 16,383 colors in double precision or 23,170 in single precision it is
    /// `u32::MAX`, which contradicts the datatype: such a field cannot be described, and is refused when it is written.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let record = PrivateRecord::gauge_field(3, Precision::F32, 4);
    /// assert_eq!(record.datatype.as_str(), "USQCD_F3_ColorMatrix");
    /// assert_eq!((record.typesize, record.datacount, record.bytes_per_site()), (72, 4, 288));
    /// ```
    #[must_use]
    pub fn gauge_field(colors: u16, precision: Precision, links: u32) -> Self {
        let elements = u32::from(colors).saturating_mul(u32::from(colors));
        let mut record = Self::of(Region::Lattice, precision, elements.saturating_mul(2));
        record.data.datatype = match (colors, precision) {
            (3, Precision::F32) => Text::of(&["USQCD_F3_ColorMatrix"]),
            (3, Precision::F64) => Text::of(&["USQCD_D3_ColorMatrix"]),
            _ => {
                Text::of(&["QDP_", letter(precision), Text::<5>::of_number(colors).as_str(), "_ColorMatrix"])
            }
        };
        record.data.colors = u32::from(colors);
        record.data.datacount = links;
        record
    }

    /// A propagator: at each site 4 x 4 x 3 x 3 complex numbers. The datatype is `USQCD_F3_DiracPropagator` or
    /// `USQCD_D3_DiracPropagator`.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// let record = PrivateRecord::propagator(Precision::F32);
    /// assert_eq!((record.colors, record.spins, record.bytes_per_site()), (3, 4, 1152));
    /// ```
    #[must_use]
    pub fn propagator(precision: Precision) -> Self {
        Self::with(RecordData::usqcd("3_DiracPropagator", precision, 288, 3, 4))
    }

    /// A Dirac fermion: at each site 4 x 3 complex numbers. The datatype is `USQCD_F3_DiracFermion` or
    /// `USQCD_D3_DiracFermion`. A propagator of the USQCD formats is twelve of them.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// assert_eq!(PrivateRecord::dirac_fermion(Precision::F64).bytes_per_site(), 192);
    /// ```
    #[must_use]
    pub fn dirac_fermion(precision: Precision) -> Self {
        Self::with(RecordData::dirac_fermion(precision))
    }

    /// Makes an empty record a record of a Dirac fermion. In its place, because a decoder has no stack for another one.
    pub(crate) fn describe_dirac_fermion(&mut self, precision: Precision) {
        self.describe(RecordData::dirac_fermion(precision));
    }

    /// A color vector: at each site 3 complex numbers. The datatype is `USQCD_F3_ColorVector` or
    /// `USQCD_D3_ColorVector`.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// assert_eq!(PrivateRecord::color_vector(Precision::F32).bytes_per_site(), 24);
    /// ```
    #[must_use]
    pub fn color_vector(precision: Precision) -> Self {
        Self::with(RecordData::color_vector(precision))
    }

    /// A complex number at each site. The datatype is `USQCD_F_Complex` or `USQCD_D_Complex`.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// assert_eq!(PrivateRecord::complex_field(Precision::F64).bytes_per_site(), 16);
    /// ```
    #[must_use]
    pub fn complex_field(precision: Precision) -> Self {
        Self::with(RecordData::complex_field(precision))
    }

    /// A real number at each site. The datatype is `QDP_F_Real` or `QDP_D_Real`.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::PrivateRecord;
    ///
    /// assert_eq!(PrivateRecord::real_field(Precision::F32).datatype.as_str(), "QDP_F_Real");
    /// ```
    #[must_use]
    pub fn real_field(precision: Precision) -> Self {
        let mut record = Self::of(Region::Lattice, precision, 1);
        record.data.datatype = Text::of(&["QDP_", letter(precision), "_Real"]);
        record
    }

    /// Global data: `count` real numbers that belong to no site. The datatype is `QLA_F_Real` or `QLA_D_Real`.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::{PrivateRecord, RecordType};
    ///
    /// let record = PrivateRecord::global(Precision::F64, 5);
    /// assert_eq!((record.record_type(), record.bytes_per_site()), (RecordType::Global, 40));
    /// ```
    #[must_use]
    pub fn global(precision: Precision, count: u32) -> Self {
        let mut record = Self::of(Region::Global, precision, 1);
        record.data.datatype = Text::of(&["QLA_", letter(precision), "_Real"]);
        record.data.datacount = count;
        record
    }

    /// The same record for these data.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::{PrivateRecord, RecordData};
    ///
    /// let record = PrivateRecord::complex_field(Precision::F32);
    /// let three = record.with_data(RecordData { datacount: 3, ..*record.data() })?;
    /// assert_eq!(three.bytes_per_site(), 24);
    /// # Ok::<(), linkstream::scidac::Contradiction>(())
    /// ```
    ///
    /// # Errors
    /// The first contradiction between the elements about the data: the datatype with precision, colors, spins and size.
    /// Others than the datatypes of QDP, QLA and the USQCD formats agree with everything. Records that contradict
    /// themselves can be read, but not written.
    pub fn with_data(&self, data: RecordData) -> Result<Self, Contradiction> {
        data.consistency()?;
        let mut record = self.clone();
        record.data = data;
        Ok(record)
    }

    /// The same with this date.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::{Date, PrivateRecord};
    ///
    /// let record = PrivateRecord::real_field(Precision::F32).dated(Date::from_unix(1_704_164_645));
    /// assert_eq!(record.date.as_str(), "Tue Jan  2 03:04:05 2024 UTC");
    /// ```
    #[must_use]
    pub fn dated(mut self, date: Date) -> Self {
        self.set_date(date);
        self
    }

    /// A record of these data on the whole lattice.
    pub(crate) fn with(data: RecordData) -> Self {
        let mut record = Self::default();
        record.describe(data);
        record
    }

    fn describe(&mut self, data: RecordData) {
        self.begin();
        // It fits: see the tests.
        let _ = self.date.set_ascii(EPOCH);
        self.data = data;
    }

    /// A record with one item of `numbers` real numbers per site.
    fn of(region: Region, precision: Precision, numbers: u32) -> Self {
        let mut record = Self::new(&region);
        // It fits: see the tests.
        let _ = record.date.set_ascii(EPOCH);
        record.data = RecordData::of_numbers(precision, numbers);
        record
    }
}

impl RecordData {
    /// See [`PrivateRecord::dirac_fermion`].
    pub(crate) fn dirac_fermion(precision: Precision) -> Self {
        Self::usqcd("3_DiracFermion", precision, 24, 3, 4)
    }

    /// See [`PrivateRecord::color_vector`].
    pub(crate) fn color_vector(precision: Precision) -> Self {
        Self::usqcd("3_ColorVector", precision, 6, 3, 0)
    }

    /// See [`PrivateRecord::complex_field`].
    pub(crate) fn complex_field(precision: Precision) -> Self {
        Self::usqcd("_Complex", precision, 2, 0, 0)
    }

    fn usqcd(suffix: &str, precision: Precision, numbers: u32, colors: u32, spins: u32) -> Self {
        let datatype = Text::of(&["USQCD_", letter(precision), suffix]);
        Self { datatype, colors, spins, ..Self::of_numbers(precision, numbers) }
    }

    /// One item of `numbers` real numbers at a site.
    fn of_numbers(precision: Precision, numbers: u32) -> Self {
        let typesize = numbers.saturating_mul(precision.size() as u32);
        Self { precision: Text::of(&[letter(precision)]), typesize, datacount: 1, ..Self::EMPTY }
    }
}

/// The date 0. As a text, because a decoder makes such a record too, and computing dates takes flash.
const EPOCH: &[u8] = b"Thu Jan  1 00:00:00 1970 UTC";

const fn letter(precision: Precision) -> &'static str {
    match precision {
        Precision::F32 => "F",
        Precision::F64 => "D",
    }
}

impl PrivateRecord {
    /// The elements that differ between this record and the expected one.
    ///
    /// Elements that are empty or 0 in `expected` can have any value. All others must be equal as texts or numbers.
    /// Bounds are compared if a hypercube is expected. This is the documented behaviour of `QIO_compare_record_info`,
    /// which in fact finds no difference in an element that the record has.
    ///
    /// ```
    /// use linkstream::lattice::Precision;
    /// use linkstream::scidac::{PrivateRecord, RecordData};
    /// use linkstream::xml::ElementName;
    ///
    /// let mut found = PrivateRecord::dirac_fermion(Precision::F64);
    /// let expected = PrivateRecord::dirac_fermion(Precision::F32);
    /// let differing: Vec<ElementName> = found.differences(&expected).collect();
    /// assert_eq!(differing, [ElementName::Datatype, ElementName::Precision, ElementName::Typesize]);
    ///
    /// // A complex field has no colors, so any number of them is accepted.
    /// found = PrivateRecord::complex_field(Precision::F32);
    /// found = found.with_data(RecordData { colors: 3, ..*found.data() })?;
    /// assert_eq!(found.differences(&PrivateRecord::complex_field(Precision::F32)).count(), 0);
    /// # Ok::<(), linkstream::scidac::Contradiction>(())
    /// ```
    pub fn differences<'r>(&'r self, expected: &'r Self) -> impl Iterator<Item = ElementName> + 'r {
        Self::ABOUT_DATA.iter().copied().filter(|element| self.differs(expected, *element))
    }

    fn differs(&self, expected: &Self, element: ElementName) -> bool {
        let [found_bounds, bounds] = [self.bounds(), expected.bounds()];
        let has_bounds = expected.record_type() == RecordType::Hypercube;
        match element {
            ElementName::Recordtype => self.record_type() != expected.record_type(),
            ElementName::Hyperlower => has_bounds && found_bounds.0 != bounds.0,
            ElementName::Hyperupper => has_bounds && found_bounds.1 != bounds.1,
            _ => self.data.differs(&expected.data, element),
        }
    }
}

impl RecordData {
    /// See [`PrivateRecord::differences`].
    pub(crate) fn differences<'r>(&'r self, expected: &'r Self) -> impl Iterator<Item = ElementName> + 'r {
        PrivateRecord::ABOUT_DATA.iter().copied().filter(|element| self.differs(expected, *element))
    }

    fn differs(&self, expected: &Self, element: ElementName) -> bool {
        let number = |found: u32, expected: u32| expected != 0 && found != expected;
        let text = |found: &str, expected: &str| !expected.is_empty() && found != expected;
        match element {
            ElementName::Datatype => text(&self.datatype, &expected.datatype),
            ElementName::Precision => text(&self.precision, &expected.precision),
            ElementName::Colors => number(self.colors, expected.colors),
            ElementName::Spins => number(self.spins, expected.spins),
            ElementName::Typesize => number(self.typesize, expected.typesize),
            ElementName::Datacount => number(self.datacount, expected.datacount),
            _ => false,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn records_have_the_date_0() {
        let record = PrivateRecord::dirac_fermion(Precision::F32);
        assert_eq!(record.date.as_str(), Date::from_unix(0).text().as_str());
        assert_eq!(PrivateRecord::real_field(Precision::F64).date, record.date);
    }
}
