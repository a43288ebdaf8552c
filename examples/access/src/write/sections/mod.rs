//! New scda files, of sections in memory.

mod texts;

use std::io::{BufWriter, Read as _, Write};
use std::path::Path;
use std::sync::Arc;

use linkstream::io::{FromStd, SectionWriter};
use linkstream::scda::{INLINE_LEN, SectionType, Style};

pub use texts::{LONGEST, Lengths, Packed, Packing, Texts};

use super::atomic::AtomicFile;
use super::error::Error;
use super::incomplete::Incomplete;
use super::input::BUFFER;
use super::observer::{Observer, Phase};
use crate::file::File;
use crate::section::Section;
use crate::sources::FileSource;

/// A section to be written.
#[derive(Debug, Clone)]
pub struct NewSection<'a> {
    /// The text of the user about it: at most 58 bytes.
    pub user: Vec<u8>,
    /// Its data.
    pub data: SectionData<'a>,
    /// The level of compression, from 0 (none) to 9; `None`: the data are not compressed. Inline sections never are.
    pub level: Option<u32>,
}

/// The data of a section.
#[derive(Debug, Clone)]
pub enum SectionData<'a> {
    /// An inline section.
    Inline([u8; INLINE_LEN]),
    /// Bytes of a block, which is one element.
    Block(&'a [u8]),
    /// An array of elements of the same size.
    Array {
        /// Number of elements.
        count: u64,
        /// Size of each in bytes.
        size: u64,
        /// All elements.
        bytes: &'a [u8],
    },
    /// A variable array.
    Varray(Vec<&'a [u8]>),
}

/// The header of a new scda file.
#[derive(Debug, Clone)]
pub struct NewSections {
    /// The name of the program that writes it: at most 20 bytes.
    pub vendor: Vec<u8>,
    /// The text of the user about the file: at most 58 bytes.
    pub user: Vec<u8>,
    /// The style of line breaks in padding.
    pub style: Style,
}

/// Writes sections as an scda file, compressing them on all cores, and reads it back. The file has no name until it is
/// kept.
///
/// ```
/// use linkstream::scda::Style;
/// use linkstream_access::write::{NewSection, NewSections, SectionData, prepare_sections};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("words.scda");
/// let header = NewSections { vendor: b"an example".to_vec(), user: b"words".to_vec(), style: Style::Unix };
/// let data = SectionData::Varray(vec![b"one", b"", b"three"]);
/// let section = NewSection { user: b"three words".to_vec(), data, level: Some(9) };
/// prepare_sections(&path, false, &header, &[section], &mut Vec::new())?.keep()?;
/// assert!(path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// A text is too long, an element is too long to be compressed, or a file cannot be created, written or read back.
pub fn prepare_sections(
    out: &Path,
    replace: bool,
    header: &NewSections,
    sections: &[NewSection<'_>],
    observer: &mut dyn Observer,
) -> Result<AtomicFile, Error> {
    let mut file = AtomicFile::create(out, replace, &Incomplete::default())?;
    let total = sections.iter().map(|section| section.data.bytes()).sum();
    let mut progress = Progress { phase: observer.phase(total), done: 0 };
    let sink = FromStd(BufWriter::with_capacity(BUFFER, &mut file));
    let mut writer = SectionWriter::create(sink, header.style);
    writer.write_header(&header.vendor, &header.user)?;
    for section in sections {
        match section.level {
            Some(level) if !matches!(section.data, SectionData::Inline(_)) => {
                put_compressed(&mut writer, section, Packing { style: header.style, level }, &mut progress)?;
            }
            _ => put(&mut writer, section, &mut progress)?,
        }
    }
    writer.finish()?;
    let mut progress = Progress { phase: observer.phase(total), done: 0 };
    read_back(&file, header, sections, &mut progress)?;
    Ok(file)
}

/// Number of bytes done.
struct Progress {
    phase: Phase,
    done: u64,
}

impl Progress {
    fn add(&mut self, bytes: usize) -> Result<(), Error> {
        self.done = self.done.saturating_add(bytes as u64);
        self.phase.reached(self.done).map_err(Error::Output)
    }
}

impl SectionData<'_> {
    fn section_type(&self) -> SectionType {
        match self {
            Self::Inline(_) => SectionType::Inline,
            Self::Block(_) => SectionType::Block,
            Self::Array { .. } => SectionType::Array,
            Self::Varray(_) => SectionType::Varray,
        }
    }

    /// Size of all elements in bytes.
    #[must_use]
    pub fn bytes(&self) -> u64 {
        self.parts().map(|part| part.len() as u64).sum()
    }

    /// The data in parts, in order.
    fn parts(&self) -> impl Iterator<Item = &[u8]> {
        let (one, many): (&[u8], &[&[u8]]) = match self {
            Self::Inline(data) => (data, &[]),
            Self::Block(bytes) | Self::Array { bytes, .. } => (bytes, &[]),
            Self::Varray(elements) => (&[], elements),
        };
        std::iter::once(one).chain(many.iter().copied())
    }

    /// The elements that are compressed, each on its own.
    fn elements(&self) -> Box<dyn Iterator<Item = &[u8]> + '_> {
        match self {
            Self::Inline(data) => Box::new(std::iter::once(&data[..])),
            Self::Block(bytes) => Box::new(std::iter::once(*bytes)),
            Self::Array { count, size: 0, .. } => Box::new((0..*count).map(|_| &[][..])),
            Self::Array { size, bytes, .. } => {
                Box::new(bytes.chunks(usize::try_from(*size).unwrap_or(usize::MAX)))
            }
            Self::Varray(elements) => Box::new(elements.iter().copied()),
        }
    }
}

type Writer<W> = SectionWriter<FromStd<BufWriter<W>>>;

fn put<W: Write>(
    writer: &mut Writer<W>,
    section: &NewSection<'_>,
    progress: &mut Progress,
) -> Result<(), Error> {
    let user = &section.user[..];
    match &section.data {
        SectionData::Inline(data) => return Ok(writer.write_inline(user, data)?),
        SectionData::Block(bytes) => writer.begin_block(user, (bytes.len() as u64).into())?,
        SectionData::Array { count, size, .. } => {
            writer.begin_array(user, (*count).into(), (*size).into())?
        }
        SectionData::Varray(elements) => {
            writer.begin_varray(
                user,
                elements.len() as u64,
                elements.iter().map(|element| element.len() as u64),
            )?;
        }
    }
    for piece in section.data.parts().flat_map(|part| part.chunks(BUFFER)) {
        writer.put(piece)?;
        progress.add(piece.len())?;
    }
    Ok(writer.end()?)
}

fn put_compressed<W: Write>(
    writer: &mut Writer<W>,
    section: &NewSection<'_>,
    packing: Packing,
    progress: &mut Progress,
) -> Result<(), Error> {
    let mut texts = Texts::new(&packing)?;
    for element in section.data.elements() {
        if element.len() as u64 > LONGEST {
            return Err(Error::LongElement { size: element.len() as u64, most: LONGEST });
        }
        texts.add(element)?;
        progress.add(element.len())?;
    }
    let mut packed = texts.finish()?;
    let user = &section.user[..];
    let begun = match &section.data {
        SectionData::Array { count, size, .. } => {
            writer.begin_compressed_array(user, *count, (*size).into(), packed.lengths())
        }
        SectionData::Varray(elements) => {
            let sizes = elements.iter().map(|element| element.len() as u64);
            writer.begin_compressed_varray(user, elements.len() as u64, sizes, packed.lengths())
        }
        data => writer.begin_compressed_block(user, data.bytes().into(), packed.total),
    };
    packed.verified()?;
    begun?;
    let mut buffer = vec![0; BUFFER];
    loop {
        match packed.texts.read(&mut buffer).map_err(Error::Temporary)? {
            0 => return Ok(writer.end()?),
            n => writer.put(buffer.split_at(n).0)?,
        }
    }
}

/// Compares the file with the sections.
fn read_back(
    file: &AtomicFile,
    header: &NewSections,
    sections: &[NewSection<'_>],
    progress: &mut Progress,
) -> Result<(), Error> {
    let source = FileSource::from(std::fs::File::from(file.file().try_clone().map_err(Error::Output)?));
    let file = File::open(Arc::new(source)).map_err(unlike)?;
    let differs = || Error::ReadBack("its sections differ".to_owned());
    let entries = file.sections();
    let users = std::iter::once(&header.user).chain(sections.iter().map(|section| &section.user));
    if !file.warnings().is_empty() || !entries.iter().map(|entry| &entry.user).eq(users) {
        return Err(differs());
    }
    // The header is the first section of the file.
    for (index, new) in (1..).zip(sections) {
        let section = file.section(index).map_err(unlike)?;
        if section.header().section_type != new.data.section_type() || !has_sizes(&section, &new.data)? {
            return Err(differs());
        }
        let mut expected = new.data.parts();
        let mut rest: &[u8] = &[];
        let mut reported = Ok(());
        let mut is_equal = true;
        let compare = &mut |piece: &[u8]| {
            let mut piece = piece;
            reported = progress.add(piece.len());
            while !piece.is_empty() && is_equal {
                while rest.is_empty() {
                    let Some(next) = expected.next() else {
                        is_equal = false;
                        return Ok(false);
                    };
                    rest = next;
                }
                let n = rest.len().min(piece.len());
                let ((old, more), (new, others)) = (rest.split_at(n), piece.split_at(n));
                is_equal &= old == new;
                (rest, piece) = (more, others);
            }
            Ok(is_equal && reported.is_ok())
        };
        section.each_piece(compare).map_err(unlike)?;
        reported?;
        if !is_equal || !rest.is_empty() || expected.any(|part| !part.is_empty()) {
            return Err(differs());
        }
    }
    Ok(())
}

fn has_sizes(section: &Section<'_>, data: &SectionData<'_>) -> Result<bool, Error> {
    match data {
        SectionData::Varray(elements) => {
            let mut expected = elements.iter().map(|element| element.len() as u64);
            let mut is_equal = true;
            section
                .each_size(|size| {
                    is_equal &= expected.next() == Some(size);
                    Ok(())
                })
                .map_err(unlike)?;
            Ok(is_equal && expected.next().is_none())
        }
        SectionData::Array { count, size, .. } => {
            let elements = section.elements().map_err(unlike)?;
            Ok((elements, section.element_size().map_err(unlike)?) == (*count, *size))
        }
        _ => Ok(section.bytes().map_err(unlike)? == data.bytes()),
    }
}

/// An error of the written file.
fn unlike(error: crate::error::Error) -> Error {
    match error {
        crate::error::Error::Io(error) => Error::Output(error),
        other => Error::ReadBack(other.to_string()),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn header() -> NewSections {
        NewSections { vendor: b"linkstream".to_vec(), user: b"a test".to_vec(), style: Style::Unix }
    }

    fn sections(bytes: &[u8], level: Option<u32>) -> Vec<NewSection<'_>> {
        let data = [
            SectionData::Inline(*b"thirty-two bytes of data, exact\n"),
            SectionData::Block(bytes),
            SectionData::Block(&[]),
            SectionData::Array { count: bytes.len() as u64 / 8, size: 8, bytes },
            SectionData::Array { count: 5, size: 0, bytes: &[] },
            SectionData::Array { count: 0, size: 7, bytes: &[] },
            SectionData::Varray(vec![&bytes[..5], &[], &bytes[5..], &[]]),
            SectionData::Varray(Vec::new()),
        ];
        let section = |(index, data)| NewSection { user: format!("s{index}").into_bytes(), data, level };
        data.into_iter().enumerate().map(section).collect()
    }

    #[test]
    fn sections_are_what_was_given_compressed_or_not() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let bytes: Vec<u8> = (0..400_000_u64).map(|i| ((i * i) >> 7) as u8).collect();
        let mut lengths = Vec::new();
        for level in [None, Some(0), Some(9)] {
            let path = folder.path().join(format!("{level:?}"));
            let new = prepare_sections(&path, false, &header(), &sections(&bytes, level), &mut Vec::new());
            new.expect("it is writable").keep().expect("it is writable");
            let file = File::open_path(&path).expect("an intact file");
            let section = file.section(7).expect("it was written");
            let mut sizes = Vec::new();
            let each = section.each_size(|size| {
                sizes.push(size);
                Ok(())
            });
            each.expect("an intact file");
            assert_eq!(sizes, [5, 0, bytes.len() as u64 - 5, 0]);
            assert_eq!(section.has_checksum(), level.is_some());
            lengths.push(std::fs::metadata(&path).expect("it is there").len());
        }
        assert!(lengths[2] < lengths[1], "{lengths:?}");
    }

    #[test]
    fn a_file_with_other_data_or_sizes_is_refused() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        let bytes = vec![7; 1000];
        let written = sections(&bytes, None);
        let file = prepare_sections(&path, false, &header(), &written, &mut Vec::new()).expect("writable");
        let judged = |sections: &[NewSection<'_>]| {
            let mut progress = Progress { phase: Phase::default(), done: 0 };
            read_back(&file, &header(), sections, &mut progress)
        };
        judged(&written).expect("it is what was written");
        let mut other = bytes.clone();
        other[999] = 8;
        assert!(judged(&sections(&other, None)).is_err(), "another byte");
        assert!(judged(&written[1..]).is_err(), "a section less");
        let mut sizes = written.clone();
        sizes[6].data = SectionData::Varray(vec![&bytes[..6], &[], &bytes[6..], &[]]);
        assert!(judged(&sizes).is_err(), "other sizes");
        sizes[6].data = SectionData::Varray(vec![&bytes[..5], &[], &bytes[5..]]);
        assert!(judged(&sizes).is_err(), "an element less");
    }

    #[test]
    fn texts_that_are_too_long_leave_no_file() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let path = folder.path().join("file");
        let data = SectionData::Block(b"data");
        let long = NewSection { user: vec![b'x'; 59], data, level: None };
        let refused = prepare_sections(&path, false, &header(), &[long], &mut Vec::new());
        assert!(matches!(refused, Err(Error::EncodeSection(_))), "{refused:?}");
        assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 0);
    }
}
