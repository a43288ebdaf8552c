//! The contents of events: the structures of the C header for each format.

use linkstream::lattice::{Coordinates, Precision, Region};
use linkstream::{field, inebin, lime, scda};

use crate::header::number;
use crate::layout::{Bytes, ErrorOut, REGION_GLOBAL, REGION_HYPERCUBE, REGION_LATTICE};

/// A union that is all zero until a member is set.
macro_rules! union_of {
    ($(#[$doc:meta])* $name:ident { $($member:ident: $type:ty),* }) => {
        $(#[$doc])*
        #[repr(C)]
        #[derive(Clone, Copy)]
        #[allow(missing_debug_implementations, reason = "the tag is elsewhere")]
        pub union $name {
            nothing: [u64; $name::WORDS],
            $(pub $member: $type,)*
        }

        impl $name {
            const WORDS: usize = {
                let mut bytes = 0;
                $(if size_of::<$type>() > bytes { bytes = size_of::<$type>(); })*
                bytes / 8
            };

            pub const NOTHING: Self = Self { nothing: [0; Self::WORDS] };

            $(pub const fn $member(value: $type) -> Self {
                let mut all = Self::NOTHING;
                all.$member = value;
                all
            })*
        }
    };
}

/// `lse_record`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct RecordOut {
    offset: u64,
    length: u64,
    message: u64,
    number: u64,
    begin: u32,
    end: u32,
    pub record_type: Bytes,
}

impl RecordOut {
    pub fn of(record: &lime::Record, record_type: &[u8]) -> Self {
        Self {
            offset: record.offset,
            length: record.length,
            message: record.message,
            number: record.number,
            begin: record.begin.into(),
            end: record.end.into(),
            record_type: Bytes::of(record_type),
        }
    }
}

union_of! {
    /// The union of `lse_lime_event`.
    LimeAs { record: RecordOut, finding: ErrorOut }
}

/// `lse_links`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct LinksOut {
    links: u32,
    rows: u32,
    columns: u32,
    parts: u32,
    absent_is_ones: u32,
    reserved: u32,
}

/// `lse_layout`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct LayoutOut {
    length: u64,
    sites: u64,
    bytes_per_site: u64,
    source: u32,
    precision: u32,
    dimensions: u32,
    region: u32,
    extents: [u32; 8],
    lower: [u32; 8],
    upper: [u32; 8],
    pub links: LinksOut,
}

fn eight(values: &[u32]) -> [u32; 8] {
    let mut all = [0; 8];
    for (to, from) in all.iter_mut().zip(values) {
        *to = *from;
    }
    all
}

impl LayoutOut {
    pub fn of(field: &field::Field) -> Self {
        const SCIDAC: u32 = number("LSE_SOURCE_SCIDAC");
        const ILDG: u32 = number("LSE_SOURCE_ILDG");
        let none = Coordinates::new(&[]);
        let of = |corner: Option<&Coordinates>| {
            corner.or(none.as_ref()).map_or([0; 8], |corner| eight(corner.as_slice()))
        };
        let (region, lower, upper) = match &field.region {
            Region::Lattice => (REGION_LATTICE, None, None),
            Region::Hypercube(cube) => (REGION_HYPERCUBE, Some(cube.lower()), Some(cube.upper())),
            Region::Global => (REGION_GLOBAL, None, None),
        };
        let links = field.links.map_or(LinksOut::default(), |links| LinksOut {
            links: links.links,
            rows: links.rows,
            columns: links.columns,
            parts: links.parts,
            absent_is_ones: links.absent_is_ones.into(),
            reserved: 0,
        });
        Self {
            length: field.record.length,
            sites: field.sites(),
            bytes_per_site: field.bytes_per_site,
            source: match field.described_by {
                field::DescribedBy::Scidac => SCIDAC,
                field::DescribedBy::Ildg => ILDG,
            },
            precision: field.precision.map_or(0, Precision::bits),
            dimensions: field.extents.dimensions().into(),
            region,
            extents: eight(field.extents.as_slice()),
            lower: of(lower),
            upper: of(upper),
            links,
        }
    }
}

/// `lse_checksum`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ChecksumOut {
    suma: u32,
    sumb: u32,
}

impl From<linkstream::lattice::Checksum> for ChecksumOut {
    fn from(sum: linkstream::lattice::Checksum) -> Self {
        Self { suma: sum.suma, sumb: sum.sumb }
    }
}

/// `lse_field_end`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct FieldEndOut {
    known: u32,
    reserved: u32,
    computed: ChecksumOut,
}

impl FieldEndOut {
    pub fn of(sum: Option<linkstream::lattice::Checksum>) -> Self {
        Self {
            known: sum.is_some().into(),
            reserved: 0,
            computed: sum.map_or(ChecksumOut::default(), ChecksumOut::from),
        }
    }
}

/// `lse_verdict`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct VerdictOut {
    result: u32,
    reserved: u32,
    stored: ChecksumOut,
    computed: ChecksumOut,
}

impl VerdictOut {
    pub fn of(verdict: field::Verdict) -> Self {
        const MATCH: u32 = number("LSE_VERDICT_MATCH");
        const MISMATCH: u32 = number("LSE_VERDICT_MISMATCH");
        const ABSENT: u32 = number("LSE_VERDICT_ABSENT");
        const UNCHECKED: u32 = number("LSE_VERDICT_UNCHECKED");
        let none = ChecksumOut::default();
        let (result, stored, computed) = match verdict {
            field::Verdict::Match { stored, computed } => (MATCH, stored.into(), computed.into()),
            field::Verdict::Mismatch { stored, computed } => (MISMATCH, stored.into(), computed.into()),
            field::Verdict::Absent { computed } => (ABSENT, none, computed.into()),
            field::Verdict::Unchecked => (UNCHECKED, none, none),
        };
        Self { result, reserved: 0, stored, computed }
    }
}

union_of! {
    /// The union of `lse_field_event`.
    FieldAs {
        record: RecordOut, layout: LayoutOut, field_end: FieldEndOut, verdict: VerdictOut, finding: ErrorOut
    }
}

/// `lse_count`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct CountOut {
    low: u64,
    high: u64,
}

impl From<scda::Count> for CountOut {
    fn from(count: scda::Count) -> Self {
        Self { low: count.get() as u64, high: count.get().wrapping_shr(64) as u64 }
    }
}

/// `lse_section`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct SectionOut {
    offset: u64,
    n: CountOut,
    e: CountOut,
    letter: u32,
    reserved: u32,
    user: Bytes,
    vendor: Bytes,
}

impl SectionOut {
    pub fn of(section: &scda::Section, user: &[u8], vendor: &[u8]) -> Self {
        Self {
            offset: section.offset,
            n: section.n.into(),
            e: section.e.into(),
            letter: section.section_type.letter().into(),
            reserved: 0,
            user: Bytes::of(user),
            vendor: Bytes::of(vendor),
        }
    }
}

union_of! {
    /// The union of `lse_scda_event`.
    ScdaAs { section: SectionOut, size: u64, finding: ErrorOut }
}

/// `lse_matrix`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct MatrixOut {
    letter: u32,
    rows: u32,
    columns: u32,
    unused_bits: u32,
    entries: u64,
    length: u64,
}

impl MatrixOut {
    pub fn of(header: &inebin::Header) -> Self {
        Self {
            letter: header.matrix_type().letter().into(),
            rows: header.rows(),
            columns: header.columns(),
            unused_bits: header.unused_bits().into(),
            entries: header.entry_count(),
            length: header.data_length(),
        }
    }
}

union_of! {
    /// The union of `lse_inebin_event`.
    InebinAs { matrix: MatrixOut, finding: ErrorOut }
}
