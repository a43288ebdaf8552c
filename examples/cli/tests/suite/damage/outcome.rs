//! The report on damaged files, as `check` makes it, and the data that a reader gets from them.

use std::io::{Cursor, Read as _};
use std::sync::Arc;

use linkstream::field::Field;
use linkstream::io::FromStd;
use linkstream::io::SectionReader;
use linkstream::scda::SectionType;
use linkstream_access::set::{SetAsFile, VolumeSource};
use linkstream_access::source::Source;
use linkstream_report::archive;
use linkstream_report::figures::FAR;
use linkstream_report::identify::identify;
use linkstream_report::lime::Recorded;
use linkstream_report::options::Options;
use linkstream_report::report::{Body, Report};
use linkstream_report::survey::{BySeeking, survey};
use linkstream_report::volumes;

use super::subjects::Format;

/// The options of `check`.
const CHECK: Options = Options {
    read_data: true,
    observables: true,
    polyakov_loop: true,
    slices: false,
    slice_sums: false,
    lenient: false,
    require_checksum: false,
    receiver: None,
};

/// Outcome for a damaged file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// There are errors.
    Refused,
    /// No errors, but not called good either.
    Unverified,
    /// The verdict is ok, and the data are unchanged: only texts or padding are damaged.
    Same,
    /// Called good: some of the messages or sections that were written, each unchanged.
    WholeParts,
    /// Called good, though the data differ: the sum of words is the same, and no figure contradicts it.
    Weak,
    /// Called good, though a recorded figure contradicts the data.
    Contradicted,
    /// Called good, though the data differ.
    Undetected,
}

impl Outcome {
    pub const fn words(self) -> &'static str {
        match self {
            Self::Refused => "refused",
            Self::Unverified => "unverified",
            Self::Same => "ok: the data are those that were written",
            Self::WholeParts => {
                "ok: whole messages or sections are missing, repeated or moved, which these formats cannot show"
            }
            Self::Weak => "known gap: ok with other data, of which the sum of words is the same",
            Self::Contradicted => "WRONG: ok, though a recorded figure contradicts the data",
            Self::Undetected => "WRONG: ok, though the data differ",
        }
    }
}

/// A field, matrix or section as a reader gets it.
#[derive(Debug)]
pub struct Part {
    /// Type and dimensions.
    shape: String,
    /// The type of the numbers, and the layout of the links, if they are known.
    numbers: [Option<String>; 2],
    bytes: Vec<u8>,
}

impl Part {
    /// True if a reader that gets this part gets what was written. If a damaged document no longer names the type of
    /// the numbers, the bytes are the same, and no reader takes them for another type.
    pub fn is(&self, written: &Self) -> bool {
        self.shape == written.shape
            && self.bytes == written.bytes
            && self
                .numbers
                .iter()
                .zip(&written.numbers)
                .all(|(found, written)| found.is_none() || found == written)
    }
}

/// A file in memory that can be read at any offset.
struct Memory<'a>(&'a [u8]);

impl Source for Memory<'_> {
    type Error = std::io::Error;

    fn length(&self) -> std::io::Result<u64> {
        Ok(self.0.len() as u64)
    }

    fn worthwhile(&self) -> u64 {
        1
    }

    fn read_at(&self, offset: u64, out: &mut [u8]) -> std::io::Result<usize> {
        let rest = self.0.get(usize::try_from(offset).unwrap_or(usize::MAX)..).unwrap_or_default();
        let n = rest.len().min(out.len());
        out[..n].copy_from_slice(&rest[..n]);
        Ok(n)
    }
}

/// The report of `check`. The data are read at their offsets if `in_parts`, like large fields.
pub fn surveyed(format: Format, files: &[Vec<u8>], in_parts: bool) -> Report {
    if format == Format::Set {
        let memory: Vec<_> = files.iter().map(|file| Memory(file)).collect();
        return volumes::survey(&sources(&memory), "file", false, &CHECK).expect("memory can be read");
    }
    let [bytes] = files else { panic!("a file is one file") };
    let (first, format) = identify(&mut FromStd(Cursor::new(bytes))).expect("memory can be read");
    let memory = Memory(bytes);
    let parts = in_parts.then_some(&memory as &dyn Source<Error = std::io::Error>);
    let source = FromStd(Cursor::new(bytes));
    survey::<BySeeking, _>(source, parts, "file", &first, format, Some(bytes.len() as u64), &CHECK)
        .expect("memory can be read")
}

fn sources<'m>(memory: &'m [Memory<'m>]) -> Vec<VolumeSource<'m, std::io::Error>> {
    let source = |(number, parts): (usize, &'m Memory<'m>)| VolumeSource {
        name: format!("file.vol{number:04}"),
        number: Some(number as u64),
        source: Arc::new(parts),
    };
    memory.iter().enumerate().map(source).collect()
}

/// True if observables contradict the data of an archive: one that its header records, or links that are not unitary by
/// far.
pub fn is_contradicted(report: &Report) -> bool {
    let (Body::Nersc(contents) | Body::Milc(contents)) = &report.body else { return false };
    let deviation = contents.measured.as_ref().map_or(0.0, |measured| measured.max_unitarity_deviation);
    // A deviation that is not a number is no small one.
    let is_unitary = deviation <= FAR;
    !is_unitary || contents.recorded.iter().any(Recorded::is_contradicted)
}

/// The data of a file: one part for each field, matrix or section. `None` if they cannot be read.
pub fn parts(files: &[Vec<u8>], report: &Report) -> Option<Vec<Part>> {
    let bytes = &files[0];
    match &report.body {
        // Offsets in the report on a set refer to the first volume.
        Body::Lime(contents) if contents.set.is_some() => {
            let joined = vec![joined(files)?];
            parts(&joined, &surveyed(Format::Lime, &joined, false))
        }
        Body::Lime(contents) => contents.fields.iter().map(|entry| field(&entry.field, bytes)).collect(),
        Body::Scda(_) => sections(bytes),
        Body::Nersc(contents) | Body::Milc(contents) => Some(vec![links(contents, bytes)?]),
        Body::Inebin(_) => {
            Some(vec![Part { shape: "matrix".to_owned(), numbers: [None, None], bytes: bytes.clone() }])
        }
        Body::OpenQcd(_) | Body::Unknown => None,
    }
}

/// The single file with the fields of a set.
fn joined(files: &[Vec<u8>]) -> Option<Vec<u8>> {
    let memory: Vec<_> = files.iter().map(|file| Memory(file)).collect();
    let mut joined = Vec::new();
    SetAsFile::open(&sources(&memory)).ok()?.read_to_end(&mut joined).ok()?;
    Some(joined)
}

fn field(field: &Field, bytes: &[u8]) -> Option<Part> {
    let from = usize::try_from(field.record.payload_offset()).ok()?;
    let data = bytes.get(from..)?.get(..usize::try_from(field.record.length).ok()?)?;
    // Wherever the record is, and whichever document describes it.
    let Field { extents, region, bytes_per_site, precision, links, .. } = field;
    Some(Part {
        shape: format!("{extents:?} {region:?} {bytes_per_site}"),
        numbers: [
            precision.map(|precision| format!("{precision:?}")),
            links.map(|links| format!("{links:?}")),
        ],
        bytes: data.to_vec(),
    })
}

fn links(contents: &archive::Contents, bytes: &[u8]) -> Option<Part> {
    let shape = contents.shape.as_ref()?;
    let link =
        usize::from(shape.rows.count(shape.colors)) * usize::from(shape.colors) * 2 * shape.precision.size();
    let length = usize::try_from(shape.extents.sites()).ok()? * 4 * link;
    let data_at = usize::try_from(shape.data_at).ok()?;
    // Before the two checksums.
    let list = if shape.has_site_list { bytes.get(88..data_at.checked_sub(8)?)? } else { &[] };
    let data = bytes.get(data_at..)?.get(..length)?;
    Some(Part {
        shape: format!("{:?}", shape.extents),
        numbers: [Some(format!("{:?} {:?} {:?}", shape.precision, shape.rows, shape.order)), None],
        bytes: [list, data].concat(),
    })
}

/// The elements of all sections, decompressed.
fn sections(bytes: &[u8]) -> Option<Vec<Part>> {
    let (mut buffer, mut window, mut out) = (vec![0; 64 << 10], vec![0; 64 << 10], vec![0; 1 << 20]);
    let decoder = linkstream::scda::Decoder::new(linkstream::Mode::Lenient, true);
    let unpacker = linkstream::scda::Unpacker::new(decoder, &mut window[..]);
    let mut reader = SectionReader::with_decoder(bytes, &mut buffer, unpacker);
    let mut all = Vec::new();
    while let Some(section) = reader.next_section().ok()? {
        let (mut lengths, mut data) = (Vec::new(), Vec::new());
        match section.section_type {
            SectionType::Array | SectionType::Varray => {
                while let Some(element) = reader.element(&mut out).ok()? {
                    lengths.push(element.len());
                    data.extend_from_slice(element);
                }
            }
            _ => loop {
                match reader.read(&mut out).ok()? {
                    0 => break,
                    n => data.extend_from_slice(&out[..n]),
                }
            },
        }
        let shape = format!("{:?} {:?} {:?} {lengths:?}", section.section_type, section.n, section.e);
        // Without data there is nothing that could differ.
        if data.is_empty() {
            continue;
        }
        all.push(Part { shape, numbers: [None, None], bytes: data });
    }
    Some(all)
}
