//! Calls that write a whole file: NERSC archives, INEBIN and scda.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_void};
use std::path::Path;

use linkstream::ildg::GaugeKind;
use linkstream::inebin::Complex;
use linkstream::lattice::{ByteOrder, Extents};
use linkstream::scda::{INLINE_LEN, Style};
use linkstream_access::write::{
    ArchiveForm, ArchiveTexts, Lines, NewField, NewSection as Section, NewSections as Header, Rows,
    SectionData, Wish, prepare_field_as_archive, prepare_matrix, prepare_sections,
};

use super::answered;
use super::write::{REPLACE, known, stored, unused, values};
use crate::answer::{REFUSED, Refused};
use crate::memory;
use crate::new_file::written;
use crate::progress::Progress;
use crate::structures::{NewArchive, NewMatrix, NewSection, NewSections};

const TWO_ROWS: u32 = 8;
const LITTLE_ENDIAN: u32 = 16;
const MIME: u32 = 32;

/// The key and the value of each line.
fn lines(text: &str) -> Result<Lines, Refused> {
    let pairs = text.lines().filter(|line| !line.is_empty()).map(|line| {
        let pair = line.split_once('=').map(|(key, value)| (key.trim(), value.trim()));
        pair.filter(|(key, _)| !key.is_empty() && key.bytes().all(|byte| byte.is_ascii_graphic()))
            .ok_or_else(|| Refused::usage(format!("this header line is not of the form KEY = VALUE: {line}")))
    });
    Ok(Lines::new(pairs.collect::<Result<Vec<_>, _>>()?))
}

/// Writes the links of SU(N) as a NERSC archive.
///
/// # Safety
/// `path` is null or a text, `how` null or a structure with a text that is null or a text; `links` is null or has the
/// size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_write_archive(
    path: *const c_char,
    how: *const NewArchive,
    links: *const c_void,
    size: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let path = unsafe { memory::path(path) }?;
        // SAFETY: as this function requires.
        let how = unsafe { memory::given(how) }?;
        known(how.flags, REPLACE | TWO_ROWS | LITTLE_ENDIAN)?;
        let lattice = Extents::new(&how.extents)
            .map_err(|_| Refused::usage("a lattice has at least one site, and less than 2^64 sites"))?;
        let precision = stored(how.stored)?;
        // SAFETY: as this function requires.
        let (values, bytes) = unsafe { values(links, size, how.element, precision) }?;
        // SAFETY: as this function requires.
        let texts = unsafe { memory::text(how.lines) }?;
        let lines = texts.map_or_else(|| Ok(Lines::default()), |texts| lines(&texts))?;
        let form = ArchiveForm {
            rows: if how.flags & TWO_ROWS == 0 { Rows::Full } else { Rows::Reduced },
            order: if how.flags & LITTLE_ENDIAN == 0 { ByteOrder::Big } else { ByteOrder::Little },
            tolerance: None,
        };
        let texts = ArchiveTexts { lines, ..ArchiveTexts::default() };
        let kind = match how.colors {
            0 => Some(GaugeKind::SU3),
            colors => u16::try_from(colors).ok().and_then(GaugeKind::su),
        };
        let kind = kind.ok_or_else(|| Refused::usage("an archive has links of 2 to 255 colors"))?;
        let field = NewField::links(values, kind);
        let wish = Wish { precision, ..Wish::default() };
        // SAFETY: as this function requires.
        let progress = unsafe { Progress::new(how.progress, how.context) };
        let replace = how.flags & REPLACE != 0;
        written(&progress, bytes, |watch| {
            prepare_field_as_archive(&path, replace, form, &lattice, &field, &wish, &texts, watch)
        })
    })
}

/// Writes a matrix as an INEBIN file.
///
/// # Safety
/// `path` is null or a text, `how` null or a structure; `entries` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_write_matrix(
    path: *const c_char,
    how: *const NewMatrix,
    entries: *const c_void,
    size: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let path = unsafe { memory::path(path) }?;
        let path: &Path = &path;
        // SAFETY: as this function requires.
        let how = unsafe { memory::given(how) }?;
        known(how.flags, REPLACE)?;
        let (rows, columns, replace) = (how.rows, how.columns, how.flags & REPLACE != 0);
        let each = match how.entry {
            1 => 1,
            2 | 3 => 8,
            4 => 16,
            other => return Err(Refused::usage(format!("there is no type {other} of entries"))),
        };
        let expected = u64::from(rows).saturating_mul(u64::from(columns)).saturating_mul(each);
        if expected != size as u64 {
            return Err(Refused::size(expected, size as u64));
        }
        // SAFETY: as this function requires.
        let progress = unsafe { Progress::new(how.progress, how.context) };
        match how.entry {
            1 => {
                // SAFETY: as this function requires.
                let entries = unsafe { memory::numbers::<u8>(entries, size) }?;
                if let Some(index) = entries.iter().position(|entry| *entry > 1) {
                    return Err(Refused::new(
                        REFUSED,
                        format!("entry {index} is {}, but a Boolean entry is 0 or 1", entries[index]),
                    ));
                }
                written(&progress, expected, |watch| {
                    prepare_matrix(path, replace, rows, columns, entries, |entry| *entry == 1, watch)
                })
            }
            2 => {
                // SAFETY: as this function requires.
                let entries = unsafe { memory::numbers::<i64>(entries, size) }?;
                written(&progress, expected, |watch| {
                    prepare_matrix(path, replace, rows, columns, entries, |entry| *entry, watch)
                })
            }
            3 => {
                // SAFETY: as this function requires.
                let entries = unsafe { memory::numbers::<f64>(entries, size) }?;
                written(&progress, expected, |watch| {
                    prepare_matrix(path, replace, rows, columns, entries, |entry| *entry, watch)
                })
            }
            _ => {
                // SAFETY: as this function requires.
                let entries = unsafe { memory::numbers::<[f64; 2]>(entries, size) }?;
                let complex = |[re, im]: &[f64; 2]| Complex { re: *re, im: *im };
                written(&progress, expected, |watch| {
                    prepare_matrix(path, replace, rows, columns, entries, complex, watch)
                })
            }
        }
    })
}

/// The data of a section.
///
/// # Safety
/// The pointers of the structure are null or have the sizes that it says.
unsafe fn data<'d>(new: &NewSection) -> Result<SectionData<'d>, Refused> {
    // SAFETY: as this function requires.
    let bytes = unsafe { memory::numbers::<u8>(new.data, new.size) }?;
    let letter = u8::try_from(new.section_type).unwrap_or_default();
    let count = new.elements;
    if b"IB".contains(&letter) && count > 1 {
        return Err(Refused::usage("sections of the types I and B have one element"));
    }
    if letter != b'V' && !new.sizes.is_null() {
        return Err(Refused::usage("only sections of the type V have sizes"));
    }
    match letter {
        b'I' => {
            let data = <[u8; INLINE_LEN]>::try_from(bytes);
            Ok(SectionData::Inline(data.map_err(|_| Refused::size(INLINE_LEN as u64, new.size as u64))?))
        }
        b'B' => Ok(SectionData::Block(bytes)),
        b'A' => {
            let size = (new.size as u64).checked_div(count).unwrap_or(0);
            if size.checked_mul(count) != Some(new.size as u64) {
                let bytes = new.size;
                return Err(Refused::usage(format!(
                    "{bytes} bytes are not {count} elements of the same size"
                )));
            }
            Ok(SectionData::Array { count, size, bytes })
        }
        b'V' => {
            let count =
                usize::try_from(count).map_err(|_| Refused::usage("no memory has so many elements"))?;
            let of_sizes = count.checked_mul(size_of::<u64>());
            let of_sizes = of_sizes.ok_or_else(|| Refused::usage("no memory has so many elements"))?;
            // SAFETY: as this function requires.
            let sizes = unsafe { memory::numbers::<u64>(new.sizes.cast(), of_sizes) }?;
            let mut elements = Vec::new();
            elements.try_reserve_exact(count).map_err(|_| linkstream_memory::Short)?;
            let mut rest = bytes;
            for size in sizes {
                let element = usize::try_from(*size).ok().and_then(|size| rest.split_at_checked(size));
                let total = || sizes.iter().fold(0, |sum: u64, size| sum.saturating_add(*size));
                let (element, others) = element.ok_or_else(|| Refused::size(total(), new.size as u64))?;
                elements.push(element);
                rest = others;
            }
            if !rest.is_empty() {
                return Err(Refused::size((bytes.len() - rest.len()) as u64, new.size as u64));
            }
            Ok(SectionData::Varray(elements))
        }
        _ => Err(Refused::usage(format!(
            "there are no sections of the type {}: it is 'I', 'B', 'A' or 'V'",
            new.section_type
        ))),
    }
}

/// Writes sections as an scda file.
///
/// # Safety
/// `path` is null or a text, `how` null or a structure with texts that are null or texts; `sections` is null or an array
/// of so many structures, whose pointers are null or have the sizes that the structures say.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_write_sections(
    path: *const c_char,
    how: *const NewSections,
    sections: *const NewSection,
    count: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let path = unsafe { memory::path(path) }?;
        // SAFETY: as this function requires.
        let how = unsafe { memory::given(how) }?;
        unused(how.reserved)?;
        known(how.flags, REPLACE | MIME)?;
        // SAFETY: as this function requires.
        let text = |text| Ok::<_, Refused>(unsafe { memory::text(text) }?.unwrap_or_default().into_bytes());
        let vendor = match text(how.vendor)? {
            none if none.is_empty() => b"linkstream".to_vec(),
            vendor => vendor,
        };
        let style = if how.flags & MIME == 0 { Style::Unix } else { Style::Mime };
        let header = Header { vendor, user: text(how.user)?, style };
        let mut new = Vec::new();
        // SAFETY: as this function requires.
        for section in unsafe { memory::given_many(sections, count) }? {
            if section.compression > 9 {
                return Err(Refused::usage("the level of compression is 0 (none) to 9"));
            }
            let level = Some(section.compression).filter(|level| *level > 0);
            // SAFETY: as this function requires.
            new.push(Section { user: text(section.user)?, data: unsafe { data(&section) }?, level });
        }
        // SAFETY: as this function requires.
        let progress = unsafe { Progress::new(how.progress, how.context) };
        let total = new.iter().map(|section| section.data.bytes()).fold(0, u64::saturating_add);
        let replace = how.flags & REPLACE != 0;
        written(&progress, total, |watch| prepare_sections(&path, replace, &header, &new, watch))
    })
}
