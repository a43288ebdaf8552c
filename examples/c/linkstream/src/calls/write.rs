//! Calls that write LIME files and file sets.
#![allow(unsafe_code, reason = "the C interface")]

use std::ffi::{c_char, c_void};

use linkstream::ildg::GaugeKind;
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{PrivateRecord, RecordData};
use linkstream_access::set::Layout;
use linkstream_access::write::{Error, NewField as Field, Refusal, SetForm, Target, Values, Wish, check_xml};
use linkstream_c_border::Handles;

use super::answered;
use crate::answer::{OK, REFUSED, Refused};
use crate::memory;
use crate::progress::Progress;
use crate::structures::{NewField, NewFile, NewGauge};
use crate::writer::{Plan, Writer};

static WRITERS: Handles<Writer> = Handles::new("a writer");

pub(super) const REPLACE: u32 = 1;
const READ_BACK: u32 = 2;
const CHECKSUM: u32 = 4;
const GLOBAL: u32 = 1;

/// The precision with this number.
pub(super) fn precision(number: i32) -> Result<Precision, Refused> {
    match number {
        1 => Ok(Precision::F32),
        2 => Ok(Precision::F64),
        _ => Err(Refused::usage(format!("numbers of type {number} cannot be written, only F32 and F64"))),
    }
}

/// The precision in the file, if it is another one than in the array.
pub(super) fn stored(number: i32) -> Result<Option<Precision>, Refused> {
    if number == 0 { Ok(None) } else { precision(number).map(Some) }
}

pub(super) fn unused(reserved: u32) -> Result<(), Refused> {
    if reserved == 0 { Ok(()) } else { Err(Refused::usage("a reserved member is not 0")) }
}

/// Checks that there are no other options.
pub(super) fn known(flags: u32, known: u32) -> Result<(), Refused> {
    let others = flags & !known;
    if others == 0 { Ok(()) } else { Err(Refused::usage(format!("there are no options {others:#x}"))) }
}

/// The volumes of a file set, if there shall be one.
fn set(how: &NewFile) -> Result<Option<SetForm>, Refused> {
    let layout = match how.layout {
        0 => Layout::Same,
        1 => Layout::Directory,
        other => return Err(Refused::usage(format!("there is no layout {other}"))),
    };
    if how.volumes == [0; 8] {
        return match layout {
            Layout::Same => Ok(None),
            _ => Err(Refused::usage("a layout is set, but no number of volumes")),
        };
    }
    let (of_lattice, beyond) = how.volumes.split_at((how.dimensions as usize).min(how.volumes.len()));
    if of_lattice.contains(&0) || beyond.iter().any(|number| *number != 0) {
        return Err(Refused::usage("a file set has at least one volume in each dimension of the lattice"));
    }
    Ok(Some(SetForm { nodes: of_lattice.to_vec(), io: None, layout, is_multifile: false }))
}

/// Begins a file.
///
/// # Safety
/// `path` is null or a text, `how` null or a structure with texts that are null or texts, `writer` null or a place.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_create(
    path: *const c_char,
    how: *const NewFile,
    writer: *mut *mut Writer,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let place = unsafe { memory::place(writer) }?;
        // SAFETY: as this function requires.
        let path = unsafe { memory::path(path) }?;
        // SAFETY: as this function requires.
        let how = unsafe { memory::given(how) }?;
        unused(how.reserved)?;
        unused(how.unused)?;
        known(how.flags, REPLACE | READ_BACK | CHECKSUM)?;
        let extents =
            usize::try_from(how.dimensions).ok().and_then(|dimensions| how.extents.get(..dimensions));
        let lattice = extents.and_then(|extents| Extents::new(extents).ok()).ok_or_else(|| {
            Refused::usage("a lattice has 1 to 8 dimensions with at least one site, and less than 2^64 sites")
        })?;
        let target = match how.documents {
            0 => None,
            1 => Some(Target::Ildg),
            2 => Some(Target::Scidac),
            other => return Err(Refused::usage(format!("there are no documents {other}"))),
        };
        let wish = Wish {
            target,
            checksum: how.flags & CHECKSUM != 0,
            // SAFETY: as this function requires.
            file_xml: unsafe { document(how.file_xml) }?,
            // SAFETY: as this function requires.
            lfn: unsafe { memory::text(how.lfn) }?,
            // SAFETY: as this function requires.
            date: unsafe { memory::text(how.date) }?,
            observables: true,
            ..Wish::default()
        };
        if target == Some(Target::Ildg) && (wish.file_xml.is_some() || wish.date.is_some()) {
            return Err(Refused::new(
                REFUSED,
                "without SciDAC documents, there is no place for file_xml and date",
            ));
        }
        if target == Some(Target::Scidac) && wish.lfn.is_some() {
            return Err(Refused::new(REFUSED, "only ILDG files have a logical file name"));
        }
        let set = set(&how)?;
        if set.is_some() && target == Some(Target::Ildg) {
            return Err(Refused::new(REFUSED, "file sets have SciDAC documents"));
        }
        // SAFETY: as this function requires.
        let progress = unsafe { Progress::new(how.progress, how.context) };
        let (replaces, reads_back) = (how.flags & REPLACE != 0, how.flags & READ_BACK != 0);
        let plan = Plan { lattice, wish, set, replaces, reads_back, progress };
        place.put(WRITERS.create(Writer::create(&path, plan)?));
        Ok(OK)
    })
}

/// A text of the caller that becomes a document.
///
/// # Safety
/// `text` is null or a text.
unsafe fn document(text: *const c_char) -> Result<Option<String>, Refused> {
    // SAFETY: as this function requires.
    let text = unsafe { memory::text(text) }?;
    text.as_deref().map_or(Ok(()), check_xml).map_err(Error::from)?;
    Ok(text)
}

/// Numbers of the caller, and their size in the file.
///
/// # Safety
/// `numbers` is null or has the size.
pub(super) unsafe fn values<'n>(
    numbers: *const c_void,
    size: usize,
    element: i32,
    in_file: Option<Precision>,
) -> Result<(Values<'n>, u64), Refused> {
    let values = match precision(element)? {
        // SAFETY: as this function requires.
        Precision::F32 => Values::from(unsafe { memory::numbers::<f32>(numbers, size) }?),
        // SAFETY: as this function requires.
        Precision::F64 => Values::from(unsafe { memory::numbers::<f64>(numbers, size) }?),
    };
    let bytes = in_file.unwrap_or(values.precision()).size() as u64;
    Ok((values, bytes.saturating_mul(values.len() as u64)))
}

/// Writes a gauge field.
///
/// # Safety
/// `how` is null or a structure with texts that are null or texts; `links` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_write_gauge(
    writer: *mut Writer,
    how: *const NewGauge,
    links: *const c_void,
    size: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let how = unsafe { memory::given(how) }?;
        let precision = stored(how.stored)?;
        // SAFETY: as this function requires.
        let (values, bytes) = unsafe { values(links, size, how.element, precision) }?;
        // SAFETY: as this function requires.
        let kind = unsafe { memory::text(how.kind) }?.unwrap_or_else(|| "su3gauge".to_owned());
        let kind = GaugeKind::parse(kind.as_bytes())
            .ok_or_else(|| Refused::usage(format!("ILDG has no kind of gauge field {kind}")))?;
        // SAFETY: as this function requires.
        let record_xml = unsafe { document(how.record_xml) }?;
        // SAFETY: as this function requires.
        let update = unsafe { memory::text(how.update) }?;
        WRITERS.with(writer, |writer| {
            let wish = Wish { precision, record_xml, update, ..writer.wish() };
            if wish.target == Some(Target::Ildg) && wish.record_xml.is_some() {
                return Err(Refused::usage("without SciDAC documents, there is no place for record_xml"));
            }
            writer.write(Field::links(values, kind), &wish, bytes)
        })?
    })
}

/// Writes a field.
///
/// # Safety
/// `how` is null or a structure with texts that are null or texts; `numbers` is null or has the size.
#[unsafe(no_mangle)]
pub unsafe extern "C" fn linkstream_write_field(
    writer: *mut Writer,
    how: *const NewField,
    numbers: *const c_void,
    size: usize,
) -> i32 {
    answered(|| {
        // SAFETY: as this function requires.
        let how = unsafe { memory::given(how) }?;
        unused(how.reserved)?;
        known(how.flags, GLOBAL)?;
        let precision = stored(how.stored)?;
        // SAFETY: as this function requires.
        let (values, bytes) = unsafe { values(numbers, size, how.element, precision) }?;
        // SAFETY: as this function requires.
        let datatype = unsafe { memory::text(how.datatype) }?;
        let datatype = datatype.ok_or_else(|| Refused::usage("the datatype is a null pointer"))?;
        // SAFETY: as this function requires.
        let record_xml = unsafe { document(how.record_xml) }?;
        let record = described(&how, &datatype, values.precision())?;
        WRITERS.with(writer, |writer| {
            let wish = Wish { precision, record_xml, ..writer.wish() };
            writer.write(Field::described(values, record), &wish, bytes)
        })?
    })
}

/// The SciDAC record of a field.
fn described(how: &NewField, datatype: &str, precision: Precision) -> Result<PrivateRecord, Refused> {
    let large = || Refused::new(REFUSED, "an item has more bytes than 32 bits can count");
    let size = precision.size() as u32;
    let data = RecordData {
        datatype: datatype.try_into().map_err(|_| Refused::usage("the datatype has more than 64 bytes"))?,
        precision: match precision {
            Precision::F32 => "F",
            Precision::F64 => "D",
        }
        .try_into()
        .unwrap_or_default(),
        colors: how.colors,
        spins: how.spins,
        typesize: how.components.checked_mul(size).ok_or_else(large)?,
        datacount: how.items,
    };
    if how.components == 0 || how.items == 0 {
        return Err(Refused::usage(format!(
            "items is {} and components is {}: a site has at least one item, and an item at least one number",
            how.items, how.components
        )));
    }
    let region = if how.flags & GLOBAL == 0 { Region::Lattice } else { Region::Global };
    let record = PrivateRecord::new(&region).with_data(data);
    record.map_err(|why| Refused::new(REFUSED, Refusal::from(why).to_string()))
}

/// Completes a file.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_writer_finish(writer: *mut Writer) -> i32 {
    answered(|| WRITERS.close(writer)?.finish())
}

/// Gives up a file.
#[unsafe(no_mangle)]
pub extern "C" fn linkstream_writer_discard(writer: *mut Writer) -> i32 {
    answered(|| {
        WRITERS.free(writer)?;
        Ok(OK)
    })
}
