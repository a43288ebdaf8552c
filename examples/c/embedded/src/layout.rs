//! The structures of the C header that all formats share, and the message of the field encoder. `sizes` compares all of
//! them with the header.

use linkstream::{Class, Demand, Diagnostic, Severity};

use crate::header::number;

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
        Severity::Fatal => FATAL,
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

pub const REGION_LATTICE: u32 = number("LSE_REGION_LATTICE");
pub const REGION_HYPERCUBE: u32 = number("LSE_REGION_HYPERCUBE");
pub const REGION_GLOBAL: u32 = number("LSE_REGION_GLOBAL");

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
