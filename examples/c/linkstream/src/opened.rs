//! An open file, and the lists of its contents.

use std::io;
use std::ops::Range;
use std::path::Path;
use std::sync::Arc;

use linkstream_access::findings::Finding as Found;
use linkstream_access::meter::{Meter, Metered};
use linkstream_access::source::SharedSource;
use linkstream_access::{File, FileFormat};

use crate::answer::Refused;
use crate::sources::Borrowed;
use crate::structures::{FileInfo, Finding, RecordInfo, text};

/// An open file.
#[derive(Debug)]
pub struct Opened {
    /// The file.
    pub file: File,
    /// Counts what its sources read.
    pub meter: Arc<Meter>,
    /// Addresses of the memory that was opened; empty for files.
    memory: Range<usize>,
}

impl Opened {
    /// Opens a file, or the set that `path` is a volume or the name of.
    ///
    /// # Errors
    /// It cannot be read, or its contents are not certain.
    pub fn at(path: &Path) -> Result<Self, Refused> {
        let meter = Arc::default();
        Ok(Self { file: File::open_path_metered(path, &meter)?, meter, memory: 0..0 })
    }

    /// Opens the bytes of a file.
    ///
    /// # Errors
    /// The contents are not certain.
    pub fn of(bytes: Borrowed) -> Result<Self, Refused> {
        let (meter, memory) = (Arc::<Meter>::default(), bytes.addresses());
        let source: SharedSource<'static, io::Error> = Arc::new(Metered::new(bytes, meter.clone()));
        Ok(Self { file: File::open(source)?, meter, memory })
    }

    /// Checks that a buffer of the caller shares no byte with the memory that was opened: nothing may write there.
    ///
    /// # Errors
    /// It does.
    pub fn is_apart<T>(&self, buffer: *const T, size: usize) -> Result<(), Refused> {
        let (start, end) = (buffer.addr(), buffer.addr().saturating_add(size));
        if size == 0 || end <= self.memory.start || self.memory.end <= start {
            return Ok(());
        }
        Err(Refused::usage("the buffer is inside the memory that was opened"))
    }

    /// The file as a whole.
    ///
    /// # Errors
    /// The source failed.
    pub fn info(&self) -> Result<FileInfo, Refused> {
        let file = &self.file;
        Ok(FileInfo {
            struct_size: 0,
            bytes: file.source().length()?,
            fields: file.fields().len() as u64,
            records: file.records().len() as u64,
            sections: file.sections().len() as u64,
            matrices: u64::from(file.matrix().is_some()),
            warnings: file.warnings().len() as u64,
            format: match file.format() {
                FileFormat::Lime => 1,
                FileFormat::Inebin => 2,
                FileFormat::Scda => 3,
                FileFormat::Nersc => 4,
                FileFormat::Milc => 5,
                FileFormat::OpenQcd => 6,
                // Files of other formats are not opened.
                _ => 0,
            },
            is_set: i32::from(file.is_set()),
        })
    }

    /// The warning with this index.
    ///
    /// # Errors
    /// There is none.
    pub fn warning(&self, index: u64) -> Result<Finding, Refused> {
        Ok(found(self.file.warnings(), index, "warning")?.into())
    }

    /// The record with this index.
    ///
    /// # Errors
    /// There is none.
    pub fn record(&self, index: u64) -> Result<RecordInfo, Refused> {
        let entry = item(self.file.records(), index, "record")?;
        Ok(RecordInfo {
            struct_size: 0,
            offset: entry.record.offset,
            bytes: entry.record.length,
            begins_message: i32::from(entry.record.begin),
            ends_message: i32::from(entry.record.end),
            record_type: text(&entry.record_type),
        })
    }

    /// Copies the payload of a record.
    ///
    /// # Errors
    /// There is none, it has another size, or it cannot be read.
    pub fn read_record(&self, index: u64, out: &mut [u8]) -> Result<(), Refused> {
        let length = item(self.file.records(), index, "record")?.record.length;
        if length != out.len() as u64 {
            return Err(Refused::size(length, out.len() as u64));
        }
        // The index exists.
        out.copy_from_slice(&self.file.payload(index as usize)?);
        Ok(())
    }
}

/// The element with this index.
///
/// # Errors
/// There is none.
pub fn item<'l, T>(list: &'l [T], index: u64, what: &str) -> Result<&'l T, Refused> {
    let count = list.len();
    usize::try_from(index).ok().and_then(|index| list.get(index)).ok_or_else(|| {
        Refused::usage(format!("there is no {what} {index}, counted from 0: the number is {count}"))
    })
}

/// The finding with this index.
///
/// # Errors
/// There is none.
pub fn found<'l>(list: &'l [Found], index: u64, what: &str) -> Result<&'l Found, Refused> {
    item(list, index, what)
}
