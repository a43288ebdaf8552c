//! The structures of `linkstream.h`, with the same members in the same order.
#![allow(unsafe_code, reason = "structures that C programs fill in are marked as such")]

use std::ffi::{c_char, c_void};

use linkstream_access::findings::{Finding as Found, Level};

use crate::progress::Function;

/// A structure that begins with its size.
///
/// # Safety
/// The first member is a `usize`, the structure is `repr(C)`, and any bytes are a valid value, if function pointers
/// are.
pub unsafe trait Structure: Copy {
    /// Its name in C.
    const NAME: &'static str;
}

macro_rules! structures {
    ($($(#[$about:meta])* $name:ident = $c:literal { $($(#[$member:meta])* $field:ident: $type:ty,)* })*) => {$(
        $(#[$about])*
        #[repr(C)]
        #[derive(Debug, Clone, Copy)]
        pub struct $name {
            /// Size of the structure of the caller.
            pub struct_size: usize,
            $($(#[$member])* pub $field: $type,)*
        }

        // SAFETY: see the definition.
        unsafe impl Structure for $name {
            const NAME: &'static str = $c;
        }
    )*};
}

structures! {
    /// Options of a report.
    Check = "linkstream_check" {
        /// Sum of options.
        flags: u32,
        /// 0.
        reserved: u32,
        /// Progress.
        progress: Option<Function>,
        /// Its first argument.
        context: *mut c_void,
    }
    /// A report as a whole.
    ReportInfo = "linkstream_report_info" {
        /// Length of the file.
        bytes: u64,
        /// Number of findings.
        findings: u64,
        /// Length of the JSON.
        json_length: u64,
        /// Verdict on the file: one of `LINKSTREAM_VERDICT_…`.
        verdict: i32,
        /// 1 if the file passes.
        is_ok: i32,
        /// Name of the format.
        format: [c_char; 16],
    }
    /// A broken rule.
    Finding = "linkstream_finding" {
        /// Absolute offset.
        offset: u64,
        /// 1 if it is an error.
        is_error: i32,
        /// 0.
        reserved: i32,
        /// Name of the rule.
        rule: [c_char; 64],
        /// Clause of the specification.
        clause: [c_char; 128],
        /// Description for people, cut if it is longer.
        message: [c_char; 824],
    }
    /// A file as a whole.
    FileInfo = "linkstream_file_info" {
        /// Length of the file.
        bytes: u64,
        /// Number of fields.
        fields: u64,
        /// Number of records.
        records: u64,
        /// Number of sections.
        sections: u64,
        /// Number of matrices.
        matrices: u64,
        /// Number of warnings.
        warnings: u64,
        /// `LINKSTREAM_LIME` or another of these constants.
        format: i32,
        /// 1 if it is a set.
        is_set: i32,
    }
    /// A LIME record.
    RecordInfo = "linkstream_record_info" {
        /// Offset of the header.
        offset: u64,
        /// Length of the payload.
        bytes: u64,
        /// 1 if it begins a message.
        begins_message: i32,
        /// 1 if it ends a message.
        ends_message: i32,
        /// Its type.
        record_type: [c_char; 136],
    }
    /// A field.
    FieldInfo = "linkstream_field_info" {
        /// Size of all numbers.
        bytes: u64,
        /// Number of numbers.
        numbers: u64,
        /// Number of sites.
        sites: u64,
        /// Size of a site.
        bytes_per_site: u64,
        /// Offset of the record.
        offset: u64,
        /// Stored type of the numbers.
        element: i32,
        /// 1 if the last axis is real part and imaginary part.
        is_complex: i32,
        /// 1 if it is a gauge field.
        is_gauge_field: i32,
        /// 1 if there is a checksum of all data.
        has_checksum: i32,
        /// Number of colors.
        colors: u32,
        /// Number of spins.
        spins: u32,
        /// Number of items at a site.
        items: u32,
        /// Number of dimensions.
        dimensions: u32,
        /// Extents of the lattice.
        extents: [u32; 8],
        /// Number of axes of the sites.
        lattice_axes: u32,
        /// Number of axes.
        axes: u32,
        /// Name and extent of each axis, the slowest first.
        axis: [Axis; 16],
        /// SciDAC datatype, or kind of gauge field in the `ildg-format`; empty if there is none.
        datatype: [c_char; 72],
    }
    /// Options of reading.
    Read = "linkstream_read" {
        /// Type of the numbers.
        element: i32,
        /// 0.
        reserved: i32,
        /// First time slice.
        first_slice: u64,
        /// Number of time slices.
        slices: u64,
        /// Progress.
        progress: Option<Function>,
        /// Its first argument.
        context: *mut c_void,
    }
    /// A matrix.
    MatrixInfo = "linkstream_matrix_info" {
        /// Size of the array.
        bytes: u64,
        /// Number of rows.
        rows: u32,
        /// Number of columns.
        columns: u32,
        /// Type of the entries.
        matrix_type: i32,
        /// 0.
        reserved: i32,
    }
    /// A section.
    SectionInfo = "linkstream_section_info" {
        /// Offset of the section.
        offset: u64,
        /// Number of elements.
        elements: u64,
        /// Size of each element.
        element_size: u64,
        /// Size of all elements.
        bytes: u64,
        /// Letter of the type.
        section_type: i32,
        /// 1 if it is compressed.
        is_compressed: i32,
        /// Length of the text of the user.
        user_length: u32,
        /// Text of the user.
        user: [c_char; 68],
    }
    /// A new file.
    NewFile = "linkstream_new_file" {
        /// Sum of options.
        flags: u32,
        /// Documents of the file.
        documents: i32,
        /// Number of dimensions.
        dimensions: u32,
        /// Extents of the lattice.
        extents: [u32; 8],
        /// 0.
        reserved: u32,
        /// The user's text about the file.
        file_xml: *const c_char,
        /// Logical file name.
        lfn: *const c_char,
        /// Date of the records.
        date: *const c_char,
        /// Progress.
        progress: Option<Function>,
        /// Its first argument.
        context: *mut c_void,
        /// Number of volumes in each dimension; all 0: a single file.
        volumes: [u32; 8],
        /// Place of the volumes.
        layout: i32,
        /// 0.
        unused: u32,
    }
    /// A new gauge field.
    NewGauge = "linkstream_new_gauge" {
        /// Type of the numbers.
        element: i32,
        /// Type of the numbers in the file.
        stored: i32,
        /// Kind of gauge field.
        kind: *const c_char,
        /// The user's text about the record.
        record_xml: *const c_char,
        /// Update number.
        update: *const c_char,
    }
    /// A new field.
    NewField = "linkstream_new_field" {
        /// Type of the numbers.
        element: i32,
        /// Type of the numbers in the file.
        stored: i32,
        /// Sum of options.
        flags: u32,
        /// Number of colors.
        colors: u32,
        /// Number of spins.
        spins: u32,
        /// Number of items at a site.
        items: u32,
        /// Number of real numbers in an item.
        components: u32,
        /// 0.
        reserved: u32,
        /// The datatype.
        datatype: *const c_char,
        /// The user's text about the record.
        record_xml: *const c_char,
    }
    /// A new NERSC archive.
    NewArchive = "linkstream_new_archive" {
        /// Sum of options.
        flags: u32,
        /// Type of the numbers.
        element: i32,
        /// Type of the numbers in the file.
        stored: i32,
        /// Number of colors; 0: 3.
        colors: u32,
        /// Extents of the lattice.
        extents: [u32; 4],
        /// Further lines of the header.
        lines: *const c_char,
        /// Progress.
        progress: Option<Function>,
        /// Its first argument.
        context: *mut c_void,
    }
    /// A new INEBIN file.
    NewMatrix = "linkstream_new_matrix" {
        /// Sum of options.
        flags: u32,
        /// Type of the entries.
        entry: i32,
        /// Number of rows.
        rows: u32,
        /// Number of columns.
        columns: u32,
        /// Progress.
        progress: Option<Function>,
        /// Its first argument.
        context: *mut c_void,
    }
    /// A new scda file.
    NewSections = "linkstream_new_sections" {
        /// Sum of options.
        flags: u32,
        /// 0.
        reserved: u32,
        /// Name of the program.
        vendor: *const c_char,
        /// The user's text about the file.
        user: *const c_char,
        /// Progress.
        progress: Option<Function>,
        /// Its first argument.
        context: *mut c_void,
    }
    /// A section of a new scda file.
    NewSection = "linkstream_new_section" {
        /// Letter of the type.
        section_type: i32,
        /// Level of compression; 0: not compressed.
        compression: u32,
        /// The user's text about the section.
        user: *const c_char,
        /// All elements, one after the other.
        data: *const c_void,
        /// Size of the data in bytes.
        size: usize,
        /// Number of elements of an array.
        elements: u64,
        /// Sizes of the elements of a variable array.
        sizes: *const u64,
    }
}

/// An axis of an array.
#[repr(C)]
#[derive(Debug, Clone, Copy, Default)]
pub struct Axis {
    /// Its extent.
    pub extent: u64,
    /// Its name.
    pub name: [c_char; 16],
}

/// A text with a zero byte at its end. The rest is left out; a zero byte in it becomes `?`.
#[must_use]
pub fn text<const N: usize>(bytes: &[u8]) -> [c_char; N] {
    let mut out = [0; N];
    for (to, byte) in out.iter_mut().take(N - 1).zip(bytes) {
        *to = (if *byte == 0 { b'?' } else { *byte }).cast_signed() as c_char;
    }
    out
}

/// A sentence with a zero byte at its end. The rest is left out, in whole characters.
#[must_use]
pub fn sentence<const N: usize>(sentence: &str) -> [c_char; N] {
    let mut end = sentence.len().min(N - 1);
    while !sentence.is_char_boundary(end) {
        end -= 1;
    }
    text(&sentence.as_bytes()[..end])
}

impl From<&Found> for Finding {
    fn from(found: &Found) -> Self {
        Self {
            struct_size: 0,
            offset: found.offset,
            is_error: i32::from(found.severity == Level::Error),
            reserved: 0,
            rule: sentence(found.rule),
            clause: sentence(found.clause),
            message: sentence(&found.message),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn structures_have_the_sizes_of_c() {
        let sizes = [
            size_of::<Check>(),
            size_of::<ReportInfo>(),
            size_of::<Finding>(),
            size_of::<FileInfo>(),
            size_of::<RecordInfo>(),
            size_of::<FieldInfo>(),
            size_of::<Read>(),
            size_of::<MatrixInfo>(),
            size_of::<SectionInfo>(),
            size_of::<NewFile>(),
            size_of::<NewGauge>(),
            size_of::<NewField>(),
            size_of::<NewArchive>(),
            size_of::<NewMatrix>(),
            size_of::<NewSections>(),
            size_of::<NewSection>(),
        ];
        // `tests/calls.c` has the same numbers.
        assert_eq!(sizes, [32, 56, 1040, 64, 168, 576, 48, 32, 120, 136, 40, 56, 64, 40, 48, 56]);
    }

    #[test]
    fn texts_are_cut_in_whole_characters() {
        assert_eq!(sentence::<4>("aé").map(|c| c as u8), [b'a', 0xc3, 0xa9, 0]);
        assert_eq!(sentence::<3>("aé").map(|c| c as u8), [b'a', 0, 0]);
        assert_eq!(text::<3>(b"\0").map(|c| c as u8), [b'?', 0, 0]);
    }
}
