//! New files of arrays: complete and read back, but without a name until they are kept.

use std::io::{self, Read, Seek, Write};
use std::path::Path;
use std::sync::Arc;

use linkstream::lattice::{Checksum, Extents};

use super::atomic::AtomicFile;
use super::convert::convert;
use super::document::SCRATCH;
use super::error::Error;
use super::incomplete::Incomplete;
use super::input::Trust;
use super::lattice_info::{Measuring, RecordTexts};
use super::nersc::{ArchiveForm, ArchiveTexts, write_archive};
use super::new_fields::{Content, FieldsPlan, NewField};
use super::new_set::{NewSet, NewVolume, SetForm};
use super::observer::Observer;
use super::read_back::read_back;
use super::refusal::Refusal;
use super::set_sink::SetSink;
use super::sink::FileSink;
use super::wish::{Rows, Target, Wish};
use crate::set::{SetAsFile, VolumeSource};
use crate::source::SharedSource;
use crate::system::File;

/// Writes arrays as one LIME file, reads it back, and only then gives it its name.
///
/// ```
/// use linkstream::ildg::GaugeKind;
/// use linkstream::lattice::Extents;
/// use linkstream_access::write::{NewField, Wish, write_fields};
///
/// # let folder = tempfile::tempdir()?;
/// # let path = folder.path().join("unit.lime");
/// // The unit field of SU(3) on a lattice of 2x2x2x2 sites: 4 links of 3 x 3 complex numbers at each.
/// let one = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0_f64];
/// let links = one.repeat(16 * 4);
/// let wish = Wish { lfn: Some("lfn://example/unit".to_owned()), ..Wish::default() };
/// let field = NewField::links(&links[..], GaugeKind::SU3);
/// let mut warnings = Vec::new();
/// write_fields(&path, false, &Extents::new(&[2, 2, 2, 2])?, &[field], &wish, &mut warnings)?;
/// assert!(warnings.is_empty() && path.exists());
/// # Ok::<(), Box<dyn std::error::Error>>(())
/// ```
///
/// # Errors
/// The arrays cannot be written as wished, or the file cannot be created, written or read back. No file of that name
/// appears then, and one that exists remains as it is.
pub fn write_fields(
    out: &Path,
    replace: bool,
    lattice: &Extents,
    arrays: &[NewField<'_>],
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    Ok(prepare_fields(out, replace, lattice, arrays, wish, observer)?.keep()?)
}

/// Does all of [`write_fields`] except that it does not give the file its name: [`AtomicFile::keep`] does. The caller can
/// judge the file, and the warnings, before.
///
/// # Errors
/// Errors of [`write_fields`].
pub fn prepare_fields(
    out: &Path,
    replace: bool,
    lattice: &Extents,
    arrays: &[NewField<'_>],
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<AtomicFile, Error> {
    let plan = FieldsPlan::new(lattice, arrays, &staged(wish, arrays)?)?;
    let mut file = AtomicFile::create(out, replace, &Incomplete::default())?;
    write_to(&plan, arrays, wish, &mut file, observer)?;
    Ok(file)
}

/// The rows that the wish demands and an array does not have.
fn other_rows(wish: &Wish, arrays: &[NewField<'_>]) -> Result<bool, Refusal> {
    let Some(wished) = wish.rows else { return Ok(false) };
    arrays.iter().try_fold(false, |differ, array| match array.content {
        Content::Links { kind, rows } => Ok(differ || wished.of(kind)? != rows.of(kind)?),
        Content::Record(_) => Ok(differ),
    })
}

/// The wish for the intermediate file, whose rows are then left out or computed by the conversion of a file; or the wish
/// itself.
fn staged(wish: &Wish, arrays: &[NewField<'_>]) -> Result<Wish, Refusal> {
    if !other_rows(wish, arrays)? {
        return Ok(wish.clone());
    }
    let target = wish.target.filter(|target| *target == Target::Scidac);
    // SciDAC documents cannot describe the rows of the array.
    let is_full = arrays.iter().all(|array| match array.content {
        Content::Links { kind, rows } => rows.of(kind).is_ok_and(|rows| rows == kind.colors()),
        Content::Record(_) => true,
    });
    Ok(Wish { target: target.filter(|_| is_full), precision: None, rows: None, ..wish.clone() })
}

/// Writes a planned file into `out`, which is empty, and reads it back. If it shall have other rows, a temporary file
/// holds the arrays meanwhile.
fn write_to(
    plan: &FieldsPlan<'_>,
    arrays: &[NewField<'_>],
    wish: &Wish,
    out: &mut (impl Read + Write + Seek),
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    if !other_rows(wish, arrays)? {
        let sums = put(plan, out, observer)?;
        return read_back(out, &sums, true, observer);
    }
    let mut stage = temporary()?;
    let sums = put(plan, &mut stage, observer).map_err(of_temporary)?;
    read_back(&mut stage, &sums, true, observer)?;
    let trust = Trust { verified: vec![true; sums.len()], ..Trust::default() };
    convert(&mut stage, &trust, wish, out, observer)?;
    Ok(())
}

fn put(
    plan: &FieldsPlan<'_>,
    out: &mut (impl Read + Write + Seek),
    observer: &mut dyn Observer,
) -> Result<Vec<Checksum>, Error> {
    let mut scratch = [0; SCRATCH];
    let mut sink = FileSink::new(&mut *out, &mut scratch);
    let mut measuring = Measuring::new(&mut sink);
    let sums = plan.write_to(&mut measuring, observer)?;
    let texts = measuring.into_texts();
    drop(sink);
    texts.fill(out)?;
    Ok(sums)
}

fn temporary() -> Result<File, Error> {
    Ok(File::from(tempfile::tempfile().map_err(Error::Temporary)?))
}

/// The error of a temporary file that is written in place of the output.
fn of_temporary(error: Error) -> Error {
    match error {
        Error::Output(error) => Error::Temporary(error),
        other => other,
    }
}

/// A complete file set whose volumes have no names.
#[derive(Debug)]
pub struct CompleteSet {
    new: NewSet,
    volumes: Vec<NewVolume>,
}

impl CompleteSet {
    /// The set that a sink has written.
    ///
    /// # Errors
    /// The last bytes cannot be written.
    pub fn new(sink: SetSink) -> Result<Self, Error> {
        let (new, volumes) = sink.into_volumes()?;
        Ok(Self { new, volumes })
    }

    /// Writes the texts that belong to the measured links.
    ///
    /// # Errors
    /// The first volume cannot be read or written.
    pub fn fill(&mut self, texts: &RecordTexts) -> Result<(), Error> {
        self.volumes.first_mut().map_or(Ok(()), |first| texts.fill(&mut first.file))
    }

    /// Reads the set as the single file with the same fields, as [`read_back`] reads a file.
    ///
    /// # Errors
    /// It cannot be read, or has other checksums.
    pub fn read_back(&self, sums: &[Checksum], observer: &mut dyn Observer) -> Result<(), Error> {
        let sources = self.sources().map_err(Error::Output)?;
        let mut set = SetAsFile::open(&sources).map_err(|error| Error::ReadBack(error.to_string()))?;
        read_back(&mut set, sums, true, observer)
    }

    /// Sources that read the volumes.
    ///
    /// # Errors
    /// The system has no more file descriptors.
    pub fn sources(&self) -> io::Result<Vec<VolumeSource<'static, io::Error>>> {
        let source = |volume: &NewVolume| {
            let name = volume.file.path().display().to_string();
            let source: SharedSource<'_, io::Error> = Arc::new(volume.file.source()?);
            Ok(VolumeSource { name, number: Some(volume.number), source })
        };
        self.volumes.iter().map(source).collect()
    }

    /// Gives the volumes their names.
    ///
    /// # Errors
    /// A volume cannot be written or renamed.
    pub fn keep(self) -> Result<(), Error> {
        self.new.keep(self.volumes)
    }
}

/// Writes arrays as a file set called `name`, reads it back, and only then gives the volumes their names. Each
/// volume takes an open file.
///
/// # Errors
/// Errors of [`write_fields`], or the lattice cannot be divided so.
pub fn write_fields_as_set(
    name: &Path,
    replace: bool,
    form: &SetForm,
    lattice: &Extents,
    arrays: &[NewField<'_>],
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    prepare_fields_as_set(name, replace, form, lattice, arrays, wish, observer)?.keep()
}

/// Does all of [`write_fields_as_set`] except that it does not give the volumes their names. `wish.rows` has no effect.
///
/// # Errors
/// Errors of [`write_fields_as_set`].
pub fn prepare_fields_as_set(
    name: &Path,
    replace: bool,
    form: &SetForm,
    lattice: &Extents,
    arrays: &[NewField<'_>],
    wish: &Wish,
    observer: &mut dyn Observer,
) -> Result<CompleteSet, Error> {
    let plan = FieldsPlan::new(lattice, arrays, wish)?;
    let new = NewSet::new(name.to_owned(), form.layout.clone(), replace, Incomplete::default());
    let mut sink = SetSink::new(form.clone(), new);
    let mut measuring = Measuring::new(&mut sink);
    let sums = plan.write_to(&mut measuring, observer)?;
    let texts = measuring.into_texts();
    let mut set = CompleteSet::new(sink)?;
    set.fill(&texts)?;
    set.read_back(&sums, observer)?;
    Ok(set)
}

/// Writes the links of SU(3) in an array as a NERSC archive in the precision of the array, reads it back, and only then
/// gives it its name. A temporary file holds a copy of the links meanwhile.
///
/// # Errors
/// The array does not hold four links of SU(3) at each site, its links are not unitary, or a file cannot be created,
/// written or read back.
pub fn write_field_as_archive(
    out: &Path,
    replace: bool,
    form: ArchiveForm,
    lattice: &Extents,
    array: &NewField<'_>,
    texts: &ArchiveTexts,
    observer: &mut dyn Observer,
) -> Result<(), Error> {
    let wish = Wish::default();
    Ok(prepare_field_as_archive(out, replace, form, lattice, array, &wish, texts, observer)?.keep()?)
}

/// Does all of [`write_field_as_archive`] except that it does not give the file its name. Of the `wish`, only precision
/// and tolerance have an effect.
///
/// # Errors
/// Errors of [`write_field_as_archive`].
#[expect(clippy::too_many_arguments, reason = "those of `write_field_as_archive`, and the wish")]
pub fn prepare_field_as_archive(
    out: &Path,
    replace: bool,
    form: ArchiveForm,
    lattice: &Extents,
    array: &NewField<'_>,
    wish: &Wish,
    texts: &ArchiveTexts,
    observer: &mut dyn Observer,
) -> Result<AtomicFile, Error> {
    let arrays = std::slice::from_ref(array);
    let wish = Wish {
        target: Some(Target::Scidac),
        rows: matches!(array.content, Content::Links { .. }).then_some(Rows::Full),
        precision: wish.precision,
        tolerance: wish.tolerance,
        ..Wish::default()
    };
    let plan = FieldsPlan::new(lattice, arrays, &staged(&wish, arrays)?)?;
    let mut file = AtomicFile::create(out, replace, &Incomplete::default())?;
    let mut links = temporary()?;
    write_to(&plan, arrays, &wish, &mut links, observer).map_err(of_temporary)?;
    write_archive(&mut links, form, texts, &mut file, observer)?;
    Ok(file)
}
