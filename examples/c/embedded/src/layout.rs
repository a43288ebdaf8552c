//! The structures of the C header. The numbers that the header asserts for the C compiler are asserted here for this one.

use core::mem::offset_of;

use linkstream::lattice::{Coordinates, Precision, Region};
use linkstream::{Class, Demand, Diagnostic, Severity, field, inebin, lime, scda};

use crate::header::{by_pointer, number};

/// `lse_bytes`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Bytes {
    pub data: *const u8,
    pub length: usize,
}

impl Bytes {
    pub const EMPTY: Self = Self { data: core::ptr::null(), length: 0 };

    pub const fn of(bytes: &[u8]) -> Self {
        Self { data: bytes.as_ptr(), length: bytes.len() }
    }
}

/// `lse_text`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Text {
    data: *const u8,
    length: usize,
}

impl Text {
    pub const fn of(text: &'static str) -> Self {
        Self { data: text.as_ptr(), length: text.len() }
    }
}

/// `lse_error`
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct ErrorOut {
    kind: u32,
    severity: u32,
    class: u32,
    reserved: u32,
    offset: u64,
}

impl ErrorOut {
    /// An error of a file, or a finding, whose kind has this number.
    pub fn of<K: Diagnostic>(kind_number: u32, error: &linkstream::Error<K>) -> Self {
        Self {
            kind: kind_number,
            severity: severity(error.kind.severity()),
            class: class(error.kind.class()),
            reserved: 0,
            offset: error.at,
        }
    }

    /// The reason why an encoder has refused a call at this offset.
    pub fn misuse(kind: u32, offset: u64) -> Self {
        Self { kind, severity: severity(Severity::Fatal), class: class(Class::Misuse), reserved: 0, offset }
    }
}

fn severity(severity: Severity) -> u32 {
    const INFO: u32 = number("LSE_SEVERITY_INFO");
    const WARNING: u32 = number("LSE_SEVERITY_WARNING");
    const ERROR: u32 = number("LSE_SEVERITY_ERROR");
    const FATAL: u32 = number("LSE_SEVERITY_FATAL");
    match severity {
        Severity::Info => INFO,
        Severity::Warning => WARNING,
        Severity::Error => ERROR,
        _ => FATAL,
    }
}

macro_rules! classes {
    ($($class:ident: $name:literal),*) => {
        fn class(class: Class) -> u32 {
            match class {
                $(Class::$class => const { number($name) },)*
                _ => const { number("LSE_CLASS_NONE") },
            }
        }
    };
}

classes! {
    Magic: "LSE_CLASS_MAGIC", Version: "LSE_CLASS_VERSION", Format: "LSE_CLASS_FORMAT",
    Truncated: "LSE_CLASS_TRUNCATED", Trailing: "LSE_CLASS_TRAILING", Limit: "LSE_CLASS_LIMIT",
    Type: "LSE_CLASS_TYPE", Flags: "LSE_CLASS_FLAGS", Padding: "LSE_CLASS_PADDING",
    Decode: "LSE_CLASS_DECODE", Checksum: "LSE_CLASS_CHECKSUM", Rule: "LSE_CLASS_RULE",
    Unsupported: "LSE_CLASS_UNSUPPORTED", Misuse: "LSE_CLASS_MISUSE"
}

/// `lse_description`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Description {
    pub rule: Text,
    pub clause: Text,
    pub text: Text,
}

impl Description {
    pub const NONE: Self = Self { rule: Text::of(""), clause: Text::of(""), text: Text::of("") };
}

/// `lse_demand`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct DemandOut {
    tag: u32,
    reserved: u32,
    count: u64,
}

impl DemandOut {
    pub fn of(demand: Demand) -> Self {
        const BYTES: u32 = number("LSE_DEMAND_BYTES");
        const SKIP: u32 = number("LSE_DEMAND_SKIP");
        const END: u32 = number("LSE_DEMAND_END");
        let (tag, count) = match demand {
            Demand::Bytes(count) => (BYTES, count),
            Demand::Skip(count) => (SKIP, count),
            Demand::End => (END, 0),
        };
        Self { tag, reserved: 0, count }
    }
}

/// An event: the members that all formats have, and the union of the format.
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct EventOut<As> {
    pub tag: u32,
    pub reserved: u32,
    pub offset: u64,
    pub position: u64,
    pub bytes: Bytes,
    pub consumed: usize,
    /// A struct of C begins at a multiple of the alignment of its union: so does this.
    pub value: As,
}

impl<As> EventOut<As> {
    pub const fn new(tag: u32, value: As) -> Self {
        Self { tag, reserved: 0, offset: 0, position: 0, bytes: Bytes::EMPTY, consumed: 0, value }
    }
}

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
    record_type: Bytes,
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
    links: LinksOut,
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
            source: match field.source {
                field::Source::Scidac => SCIDAC,
                field::Source::Ildg => ILDG,
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

pub const REGION_LATTICE: u32 = number("LSE_REGION_LATTICE");
pub const REGION_HYPERCUBE: u32 = number("LSE_REGION_HYPERCUBE");
pub const REGION_GLOBAL: u32 = number("LSE_REGION_GLOBAL");

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
            // A verdict that this library does not know verifies nothing.
            _ => (UNCHECKED, none, none),
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
            entries: header.entries(),
            length: header.data_length(),
        }
    }
}

union_of! {
    /// The union of `lse_inebin_event`.
    InebinAs { matrix: MatrixOut, finding: ErrorOut }
}

/// `lse_data`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Data {
    pub datatype: Bytes,
    pub precision: u32,
    pub colors: u32,
    pub spins: u32,
    pub typesize: u32,
    pub datacount: u32,
    pub reserved: u32,
}

/// `lse_message`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct Message {
    pub kind: u32,
    pub precision: u32,
    pub form: u32,
    pub dimensions: u32,
    pub extents: [u32; 8],
    pub region: u32,
    pub reserved: u32,
    pub lower: [u32; 8],
    pub upper: [u32; 8],
    pub date: u64,
    pub gauge: Bytes,
    pub text: Bytes,
    pub lfn: Bytes,
    pub update: Bytes,
    pub record_type: Bytes,
    pub payload: Bytes,
    pub data: Data,
}

/// `lse_want`
#[repr(C)]
#[derive(Debug, Clone, Copy)]
pub struct WantOut {
    pub tag: u32,
    pub reserved: u32,
    pub offset: u64,
    pub missing: u64,
    pub bytes: Bytes,
}

macro_rules! assert_sizes {
    ($($type:ty: $name:literal),* $(,)?) => {
        $(const _: () = assert!(size_of::<$type>() == by_pointer!($name) as usize, $name);)*
    };
}

assert_sizes! {
    Bytes: "LSE_SIZEOF_BYTES", ErrorOut: "LSE_SIZEOF_ERROR", Description: "LSE_SIZEOF_DESCRIPTION",
    DemandOut: "LSE_SIZEOF_DEMAND", RecordOut: "LSE_SIZEOF_RECORD", LayoutOut: "LSE_SIZEOF_LAYOUT",
    SectionOut: "LSE_SIZEOF_SECTION", MatrixOut: "LSE_SIZEOF_MATRIX", Message: "LSE_SIZEOF_MESSAGE",
    WantOut: "LSE_SIZEOF_WANT", EventOut<LimeAs>: "LSE_SIZEOF_LIME_EVENT",
    EventOut<FieldAs>: "LSE_SIZEOF_FIELD_EVENT", EventOut<ScdaAs>: "LSE_SIZEOF_SCDA_EVENT",
    EventOut<InebinAs>: "LSE_SIZEOF_INEBIN_EVENT",
}

macro_rules! assert_offsets {
    ($($type:ty, $member:ident: $name:literal),* $(,)?) => {
        $(const _: () = assert!(offset_of!($type, $member) == by_pointer!($name) as usize, $name);)*
    };
}

assert_offsets! {
    EventOut<FieldAs>, value: "LSE_OFFSETOF_EVENT_AS", EventOut<FieldAs>, bytes: "LSE_OFFSETOF_EVENT_BYTES",
    RecordOut, record_type: "LSE_OFFSETOF_RECORD_TYPE", LayoutOut, links: "LSE_OFFSETOF_LAYOUT_LINKS",
    Message, date: "LSE_OFFSETOF_MESSAGE_DATE", Message, data: "LSE_OFFSETOF_MESSAGE_DATA",
}
