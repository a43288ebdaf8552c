//! The arguments of `export`; which of them apply depends on the format.

use std::io::{Seek as _, Write};
use std::path::PathBuf;

use clap::Args;
use linkstream::ildg::GaugeKind;
use linkstream::io::FromStd;
use linkstream::sniff::Format;
use linkstream_access::open_qcd;
use linkstream_report::identify::identify;

use super::{field, matrix, section};
use crate::archive;
use crate::batch::{Batch, Paths};
use crate::convert::kind;
use crate::counting::from_zero;
use crate::failure::{Failure, failed, of_input};
use crate::fields::warn;
use crate::judged::{Permission, Trust, WITH_SLICE_SUMS, admitted_fields, report_on};
use crate::npy::Dtype;
use crate::output::streamed;
use crate::source::{FileParts, bar, length, rereadable};
use crate::system::File;
use crate::volumes::{Layout, volumes_of, with_fields_of_set};

const NO_FIELDS: &str =
    "--field and --slice can only be used with LIME files, file sets, NERSC archives and MILC files";
const NO_SECTIONS: &str = "--section can only be used with scda files";

#[derive(Debug, Args)]
pub struct Export {
    /// The file or file set to read; `-` is standard input.
    file: PathBuf,
    /// The NPY file to write; `-` is standard output.
    out: PathBuf,
    /// Number of the field, counted from 0. Required if there are several.
    #[arg(long, value_name = "NUMBER", value_parser = from_zero::<usize>)]
    field: Option<usize>,
    /// Fields: export only this time slice. T is the index of the slowest axis (t, in four dimensions) in the stored
    /// data, counted from 0. In a hypercube, 0 is the first slice that it has.
    #[arg(long, value_name = "T", value_parser = from_zero::<u32>)]
    slice: Option<u32>,
    /// Fields: take data whose documents do not say what they are for links of this kind, such as su3gauge.
    #[arg(long, value_parser = kind, conflicts_with = "section")]
    kind: Option<GaugeKind>,
    /// scda files: number of the section in the list of `inspect`.
    #[arg(long, value_name = "NUMBER", conflicts_with_all = ["field", "slice"],
        value_parser = from_zero::<u64>)]
    section: Option<u64>,
    /// NumPy type of the data of a section, such as <f8 or >i4 [default: bytes].
    #[arg(long, value_name = "TYPE", requires = "section")]
    dtype: Option<Dtype>,
    #[command(flatten)]
    permission: Permission,
    /// Replace the NPY file if it exists.
    #[arg(long)]
    force: bool,
    #[command(flatten)]
    _batch: Batch,
}

impl Export {
    /// The files that it reads and writes.
    pub fn paths(&self) -> Paths {
        Paths { input: self.file.clone(), output: Some(self.out.clone()), force: self.force }
    }
}

pub const EXAMPLES: &str = "\
Examples:
  linkstream export lat.0100.ildg links.npy
  linkstream export lat.0100.ildg slice.npy --slice 3
  linkstream export state.scda x.npy --section 2 --dtype '<f8'
  linkstream export result.bin - | \\
    python -c 'import numpy, sys; print(numpy.load(sys.stdin.buffer).mean())'

In Python, numpy.load('links.npy', mmap_mode='r')[t, z, y, x, mu] is a link.

The array contains the data as stored, in the byte order of the file, which the
type of the array states. The indices of a field are t, z, y, x, followed by
those within a site: in gauge fields link, row and column of complex numbers.
The array of a hypercube has the extents of the hypercube; global data have no
indices of sites. Data that are not known to be numbers are exported as bytes.
INEBIN matrices have the indices row and column; booleans become bytes. A file
set is read as one file.

The file is verified first, as by `check --lenient`, also for a time slice. It
is refused if it has errors, or if it contains
  - a SciDAC record or a NERSC archive without a checksum; or
  - data without a checksum in a message that does not end; or
  - a matrix or an archive that is followed by other bytes, unless a checksum
    shows that these are not part of the data.

--damaged exports such a file nevertheless. An array has no place for a note
about damage, so a file that is made of it looks intact.";

pub fn run(export: &Export) -> anyhow::Result<()> {
    streamed(&export.out, export.force, |sink| {
        write(export, sink).map_err(|error| of_input(error, &export.file))
    })
}

fn write(export: &Export, sink: &mut dyn Write) -> anyhow::Result<()> {
    let Export { file: input, field, slice, section, permission, kind, .. } = export;
    if let Some(volumes) = volumes_of(input, &Layout::default())? {
        return with_fields_of_set(input, &volumes, *permission, |set, trust| match section {
            None => field::export(set, trust, (*field, *slice, *kind), sink),
            Some(_) => anyhow::bail!(NO_SECTIONS),
        });
    }
    let file = rereadable(input)?;
    // All of the file is checked before anything is written, also other fields and the observables of links: what has
    // been written to a pipe cannot be taken back.
    let report = report_on(&file, input, &WITH_SLICE_SUMS)?;
    let (trust, part) = admitted_fields(&report, &file, input, *permission)?;
    archive::warnings(&report, &trust).iter().for_each(|warning| warn(warning));
    data(export, file, &trust, part, sink)
}

fn data(
    export: &Export,
    mut file: File,
    trust: &Trust,
    part: Option<u64>,
    sink: &mut dyn Write,
) -> anyhow::Result<()> {
    file.rewind().map_err(Failure::Input)?;
    let (first, format) = identify(&mut FromStd(&mut file)).map_err(Failure::Input)?;
    let is_open_qcd =
        open_qcd::Header::of(&first, Some(length(&mut file).map_err(Failure::Input)?)).is_some();
    file.rewind().map_err(Failure::Input)?;
    let Export { field, slice, section, dtype, kind, .. } = export;
    match (format, section, field.is_some() || slice.is_some()) {
        (format, None, _)
            if is_open_qcd || matches!(format, Some(Format::Lime | Format::Nersc | Format::Milc)) =>
        {
            let bar = bar(Some(length(&mut file).map_err(Failure::Input)?));
            let parts = FileParts::new(file, &bar).of_part(part);
            let opened = archive::open_as_judged(parts, trust).map_err(failed)?;
            field::export(&opened, trust, (*field, *slice, *kind), sink)
        }
        (Some(Format::Inebin), None, false) => matrix::export(&mut file, trust.mode(), sink),
        (Some(Format::Scda), Some(number), _) => {
            section::export(&mut file, trust.mode(), *number, dtype.unwrap_or(Dtype::BYTES), sink)
        }
        (Some(Format::Scda), None, _) => {
            anyhow::bail!("this is an scda file: choose a section with --section NUMBER")
        }
        (Some(_), Some(_), _) => anyhow::bail!(NO_SECTIONS),
        (Some(_), ..) => anyhow::bail!(NO_FIELDS),
        (None, ..) => Err(Failure::invalid(&"unrecognised format").into()),
    }
}

#[cfg(test)]
mod tests {
    use std::path::Path;

    use linkstream::ildg::GaugeKind;
    use linkstream::lattice::{ByteOrder, Extents};
    use linkstream_access::write::{
        ArchiveForm, ArchiveTexts, NewField, SetForm, Target, Wish, write_field_as_archive, write_fields,
        write_fields_as_set,
    };

    use super::*;
    use crate::judged::admitted;

    const EXTENTS: [u32; 4] = [4, 4, 2, 4];

    /// Number of bytes of the data, and of a time slice, in double precision.
    const DATA: u64 = 128 * 576;
    const SLICE: u64 = DATA / 4;

    fn written(folder: &Path, write: impl FnOnce(&Path, &Extents, &NewField<'_>)) -> PathBuf {
        let one = [1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 0.0, 1.0, 0.0];
        let links = one.repeat(128 * 4);
        let path = folder.join("links");
        let lattice = Extents::new(&EXTENTS).expect("a lattice");
        write(&path, &lattice, &NewField::links(&links[..], GaugeKind::SU3));
        path
    }

    fn of_slice(file: &Path, slice: u32) -> Export {
        Export {
            file: file.to_owned(),
            out: PathBuf::new(),
            field: None,
            slice: Some(slice),
            kind: None,
            section: None,
            dtype: None,
            permission: Permission::default(),
            force: false,
            _batch: Batch::default(),
        }
    }

    /// Changes a byte of the number at this offset from the end of the data: 1 becomes another number near to it.
    fn change(path: &Path, from_end: u64, after_data: u64) {
        let mut file = std::fs::read(path).expect("the file");
        let at = file.len() - (after_data + from_end) as usize + 7;
        file[at] ^= 1;
        std::fs::write(path, file).expect("the file");
    }

    /// Exports slices of a file. Its slice 2 changes between the judgement and the export.
    fn export_changed(path: &Path, after_data: u64) -> [anyhow::Result<()>; 2] {
        [1, 2].map(|slice| {
            let intact = std::fs::read(path).expect("the file");
            let file = rereadable(path).expect("the file");
            let report = report_on(&file, path, &WITH_SLICE_SUMS).expect("the file");
            let trust = admitted(&report, path, Permission::default()).expect("an intact file");
            change(path, 2 * SLICE, after_data);
            let exported = data(&of_slice(path, slice), file, &trust, None, &mut Vec::new());
            std::fs::write(path, intact).expect("the file");
            exported
        })
    }

    #[track_caller]
    fn assert_names_slice(exported: [anyhow::Result<()>; 2]) {
        let [intact, changed] = exported;
        intact.expect("an intact slice");
        let error = format!("{:#}", changed.expect_err("the slice was judged before it was changed"));
        assert!(error.contains("checksum mismatch in time slice 2"), "{error}");
    }

    #[test]
    fn a_slice_that_changes_after_the_judgement_is_an_error() {
        for (target, checksum) in [(Target::Both, true), (Target::Ildg, false)] {
            let folder = tempfile::tempdir().expect("a folder");
            let path = written(folder.path(), |path, lattice, field| {
                let lfn = Some("lfn://example/unit".to_owned());
                let wish = Wish { target: Some(target), lfn, checksum, ..Wish::default() };
                write_fields(path, false, lattice, std::slice::from_ref(field), &wish, &mut Vec::new())
                    .expect("written");
            });
            let opened = linkstream_access::File::open_path(&path).expect("an intact file");
            let (at, length, _) = opened.fields()[0].contiguous().expect("one file");
            assert_eq!(length, DATA);
            let after = std::fs::metadata(&path).expect("the file").len() - at - length;
            assert_names_slice(export_changed(&path, after));
        }
    }

    #[test]
    fn a_slice_of_an_archive_that_changes_after_the_judgement_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = written(folder.path(), |path, lattice, field| {
            let form = ArchiveForm {
                rows: linkstream_access::write::Rows::Full,
                order: ByteOrder::Big,
                tolerance: None,
            };
            let texts = ArchiveTexts::default();
            write_field_as_archive(path, false, form, lattice, field, &texts, &mut Vec::new())
                .expect("written");
        });
        // The judgement keeps no sums of archives, so all data are compared with the checksum again.
        for exported in export_changed(&path, 0) {
            let error = format!("{:#}", exported.expect_err("the data are verified before the export"));
            assert!(error.contains("checksum mismatch: stored"), "{error}");
        }
    }

    #[test]
    fn a_slice_of_a_set_that_changes_after_the_judgement_is_an_error() {
        let folder = tempfile::tempdir().expect("a folder");
        let path = written(folder.path(), |path, lattice, field| {
            let form =
                SetForm { nodes: vec![1, 1, 1, 2], io: None, layout: Layout::default(), is_multifile: false };
            let arrays = std::slice::from_ref(field);
            let wish = Wish { as_set: true, ..Wish::default() };
            write_fields_as_set(path, false, &form, lattice, arrays, &wish, &mut Vec::new())
                .expect("written");
        });
        let volumes = volumes_of(&path, &Layout::default()).expect("a set").expect("a set");
        let (_, last) = volumes.last().expect("two volumes");
        let intact = std::fs::read(last).expect("a volume");
        // The second volume has slices 2 and 3.
        let one = 1.0_f64.to_be_bytes();
        let at = intact.windows(8).position(|bytes| *bytes == one).expect("the data");
        let after = intact.len() as u64 - at as u64 - 2 * SLICE;
        assert_names_slice([1, 2].map(|slice| {
            let exported = with_fields_of_set(&path, &volumes, Permission::default(), |set, trust| {
                change(last, 2 * SLICE, after);
                field::export(set, trust, (None, Some(slice), None), &mut Vec::new())
            });
            std::fs::write(last, &intact).expect("a volume");
            exported
        }));
    }
}
