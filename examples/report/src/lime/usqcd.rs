//! The USQCD format of a file: how its documents describe the data records.

use linkstream::conformance::Decoder;
use linkstream::field::Field;
use linkstream::lattice::Region;
use linkstream::usqcd::{FileType, Label, Role, Root};
use linkstream_memory as memory;

use crate::left_out::MAX_FIELDS;

/// The format, and the records that are part of it.
#[derive(Debug)]
pub struct Usqcd {
    pub format: Format,
    /// The version in the document; empty if it has none.
    pub version: String,
    pub entries: Vec<Entry>,
}

/// One of the formats of appendix A of QIO 2.3.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    /// A gauge field with `usqcdInfo`.
    Lattice,
    /// A propagator file. `None` if its type is unknown.
    Propagator(Option<FileType>),
}

/// A data record that is part of the format.
#[derive(Debug)]
pub struct Entry {
    /// Its index in the list of fields.
    pub field: usize,
    /// `None` for a gauge field, or if the format does not define roles.
    pub role: Option<Role>,
    pub label: Label,
}

impl Usqcd {
    /// Adds the field whose data begin. `field` is its index in the list of fields.
    pub fn take(this: &mut Option<Self>, decoder: &Decoder, field: usize) {
        let record = decoder.usqcd_record();
        let is_lattice = record.is_some_and(|record| record.root == Root::LatticeInfo);
        let (format, described) = match (decoder.usqcd_file(), record) {
            (Some(file), _) => (Format::Propagator(file.file_type), file),
            (None, Some(record)) if is_lattice => (Format::Lattice, record),
            _ => return,
        };
        let usqcd = this.get_or_insert_with(|| Self {
            format,
            version: described.version.as_str().to_owned(),
            entries: Vec::new(),
        });
        let label = record.map(|record| record.label).unwrap_or_default();
        if field < MAX_FIELDS {
            memory::unwinding::push(&mut usqcd.entries, Entry { field, role: decoder.role(), label });
        }
    }

    /// The format of a propagator file without data.
    pub fn of_file(decoder: &Decoder) -> Option<Self> {
        let file = decoder.usqcd_file()?;
        let format = Format::Propagator(file.file_type);
        Some(Self { format, version: file.version.as_str().to_owned(), entries: Vec::new() })
    }

    /// Number of records that have this role.
    pub fn count(&self, role: Role) -> usize {
        self.entries.iter().filter(|entry| entry.role == Some(role)).count()
    }
}

/// The time slice that the data cover, if they cover exactly one.
pub fn time(field: &Field) -> Option<u32> {
    match &field.region {
        Region::Hypercube(cube) => cube.time_slice(&field.extents),
        Region::Lattice | Region::Global => None,
    }
}
