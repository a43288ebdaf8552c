//! Copies the fields of a file from one division to another, with all ranks of a job: single files and QIO file sets.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use linkstream::field::{Form, Verdict};
use linkstream::lattice::{Extents, Precision};
use linkstream_access::set::{Meaning, Meanings};
use linkstream_mpi::{EngineName, Existing, Outcome, Program, World, run_with, start_with};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::field::{
    FieldReader, FieldWriter, FoundField, Grid, Layout, Raw, SetReader, SetWriter, Source, Volumes,
};
use linkstream_parallel::file::{Engine, SharedFile, SystemDisk};
use linkstream_parallel::{Error, Fault};

/// Copies the fields of a SciDAC or ILDG file, or of a QIO file set, verified.
///
/// Each field is read once, compared with its checksum, written, and read back. The copy appears under its name when it
/// is complete; until then it is called .OUTPUT.part. Records that do not belong to a field are not copied.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  mpirun -n 4 mpi-copy set.lime single.lime
  mpirun -n 4 mpi-copy --volumes rank single.lime set.lime
  mpirun -n 4 mpi-copy --precision 32 double.lime float.lime

Exit status: 0; 1 after an error; 2 if the arguments are wrong. Damaged data are refused; so
are data without a checksum, unless --unverified is given. The dates of gauge fields are not
kept. Warnings name records that are left out.")]
struct Arguments {
    /// The file, or the name of the set.
    input: PathBuf,
    /// The new file, or the name of the new set.
    output: PathBuf,
    /// Write a file set: a volume for each rank or node.
    #[arg(long, value_name = "DIVISION")]
    volumes: Option<Division>,
    /// Put each volume into a directory of its own.
    #[arg(long, requires = "volumes")]
    directories: bool,
    /// Numbers of ranks in each direction. Without it, the last direction is divided.
    #[arg(long, value_delimiter = 'x', value_name = "1x1x1x4")]
    grid: Vec<u32>,
    /// Precision of gauge fields in bits: 32 or 64. Without it, it is not changed; nor is it for other fields.
    #[arg(long, value_parser = ["32", "64"])]
    precision: Option<String>,
    /// Replace an existing file. Existing file sets are never replaced.
    #[arg(long, conflicts_with = "volumes")]
    force: bool,
    /// Copy data without a checksum as well.
    #[arg(long)]
    unverified: bool,
    /// Access to single files: io-ranks or mpi-io.
    #[arg(long, default_value = "io-ranks")]
    engine: EngineName,
}

/// Division of a file set into volumes.
#[derive(Debug, Clone, Copy, ValueEnum)]
enum Division {
    Rank,
    Node,
}

fn main() -> ExitCode {
    start_with(|world, arguments: Arguments| run_with(world, arguments.engine, arguments))
}

/// A file that is read.
enum Input<'w, F> {
    Single(Box<FieldReader<'w, World, F>>),
    Set(Box<SetReader<'w, World, SystemDisk>>),
}

impl<'w, F: SharedFile<World>> Input<'w, F> {
    /// Collective: opens a single file if there is one, otherwise a file set.
    fn open<E: Engine<World, File = F>>(world: &'w World, engine: &E, path: &Path) -> Result<Self, Error> {
        let mut is_file = [u64::from(world.rank() == 0 && path.is_file())];
        let combined = world.combine(linkstream_parallel::comm::Op::Max, &mut is_file);
        agree(world, combined.map_err(Fault::from))?;
        Ok(match is_file {
            [0] => Self::Set(Box::new(SetReader::open(world, SystemDisk, path)?)),
            _ => Self::Single(Box::new(FieldReader::open(world, engine, path)?)),
        })
    }

    fn fields(&self) -> &[FoundField] {
        match self {
            Self::Single(file) => file.fields(),
            Self::Set(set) => set.fields(),
        }
    }

    fn title(&self) -> &str {
        match self {
            Self::Single(file) => file.title(),
            Self::Set(set) => set.title(),
        }
    }

    fn read(
        &mut self,
        index: usize,
        layout: &Layout<'_>,
        to: impl linkstream_parallel::field::Target,
    ) -> Result<Verdict, Error> {
        match self {
            Self::Single(file) => file.read(index, layout, to),
            Self::Set(set) => set.read(index, layout, to),
        }
    }
}

/// A file that is written.
enum Output<'w, 't, F> {
    Single(Box<FieldWriter<'w, 't, World, F>>),
    Set(Box<SetWriter<'w, 't, World, SystemDisk>>),
}

impl<'t, F: SharedFile<World>> Output<'_, 't, F> {
    /// Sets the texts of the next field.
    fn texts(&mut self, text: &'t str, lfn: &'t str, update: &'t str) {
        macro_rules! set {
            ($file:expr) => {{
                if !text.is_empty() {
                    $file.next_text(text);
                }
                if !lfn.is_empty() {
                    $file.next_lfn(lfn);
                }
                if !update.is_empty() {
                    $file.next_update(update);
                }
            }};
        }
        match self {
            Self::Single(file) => set!(file),
            Self::Set(set) => set!(set),
        }
    }

    fn field(&mut self, field: &FoundField, precision: Precision, data: impl Source) -> Result<(), Error> {
        match (self, field.format(), field.record()) {
            (Self::Single(file), Some(format), record) => {
                let form = if record.is_some() { Form::Both } else { Form::Ildg };
                file.gauge_field(format.kind(), precision, form, data).map(drop)
            }
            (Self::Single(file), None, Some(record)) => file.scidac_field(record.clone(), data).map(drop),
            (Self::Set(set), Some(format), _) => {
                set.gauge_field(format.kind(), precision, Form::Both, data).map(drop)
            }
            (Self::Set(set), None, Some(record)) => set.scidac_field(record.clone(), data).map(drop),
            // Every field has one of these documents.
            (_, None, None) => Ok(()),
        }
    }
}

impl Program for Arguments {
    fn run<E: Engine<World>>(self, world: &World, engine: &E) -> Outcome {
        // The listing of one process finds what readers of fields pass over: documents without data, for example.
        let listed = if world.rank() == 0 { list(&self.input) } else { Ok(Vec::new()) };
        let warnings = agree(world, listed).map_err(|error| error.fault.message)?;
        let mut input = Input::open(world, engine, &self.input).map_err(in_file(&self.input))?;
        let fields = input.fields().to_vec();
        let Some(first) = fields.first() else {
            return Err(format!("{}: the file has no fields", self.input.display()).into());
        };
        let grid = self.grid(&first.layout().extents, world.size())?;
        for field in &fields {
            if field.format().is_some() && field.layout().links.is_some_and(|links| links.rows != 3) {
                let text = "fields with two rows of a matrix are not copied; use linkstream convert";
                return Err(format!("{}: {text}", self.input.display()).into());
            }
        }
        let volumes = self.volumes.map(|division| {
            let volumes = match division {
                Division::Rank => Volumes::each_rank(world),
                Division::Node => Volumes::each_node(world),
            };
            if self.directories { volumes.in_directories() } else { volumes }
        });
        let existing = if self.force { Existing::Replaced } else { Existing::Refused };
        let output = match volumes {
            None => linkstream_mpi::Output::file(world, &self.output, existing),
            Some(volumes) => linkstream_mpi::Output::set(world, &self.output, volumes),
        };
        let output = output.map_err(|error| error.fault.message)?;
        match self.copy_all(world, engine, &mut input, &fields, &grid, volumes, output.path()) {
            Ok(()) => output.complete().map_err(|error| error.fault.message)?,
            Err(error) => {
                output.discard();
                return Err(error);
            }
        }
        if world.rank() == 0 {
            for warning in warnings {
                eprintln!("warning: {warning}");
            }
            let is_other = |field: &FoundField| field.format().is_none();
            if self.precision.is_some() && fields.iter().any(is_other) {
                eprintln!("warning: --precision does not change fields other than gauge fields");
            }
            println!("{}: {} copied and verified", self.output.display(), counted(fields.len()));
        }
        Ok(0)
    }
}

/// The types of the records that are copied.
const COPIED: [&str; 11] = [
    "scidac-private-file-xml",
    "scidac-file-xml",
    "scidac-private-record-xml",
    "scidac-record-xml",
    "scidac-binary-data",
    "scidac-checksum",
    "scidac-sitelist",
    "ildg-format",
    "ildg-binary-data",
    "ildg-data-lfn",
    "ildg-update",
];

/// Lists a file strictly, with one process. Returns warnings about records that are left out.
fn list(path: &Path) -> Result<Vec<String>, Fault> {
    let refused = |error: &dyn std::fmt::Display| Fault::usage(format!("{}: {error}", path.display()));
    if path.is_file() && matches!(Meanings::default().of(path), Ok(Meaning::Volume | Meaning::Set(_))) {
        return Err(refused(&"this is one volume of a file set; give the name of the set, without .volNNNN"));
    }
    let file = linkstream_access::File::open_path(path).map_err(|error| refused(&error))?;
    if file.format() != linkstream_access::FileFormat::Lime {
        return Err(refused(&"this is no SciDAC or ILDG file, nor a file set; use linkstream convert"));
    }
    let mut left_out: Vec<String> = file
        .records()
        .iter()
        .map(|entry| String::from_utf8_lossy(&entry.record_type).into_owned())
        .filter(|record_type| !COPIED.contains(&record_type.as_str()))
        .collect();
    left_out.sort();
    left_out.dedup();
    let mut warnings = Vec::new();
    if !left_out.is_empty() {
        warnings.push(format!("records of these types are left out: {}", left_out.join(", ")));
    }
    let names = file.texts("ildg-data-lfn").map_err(|error| refused(&error))?;
    let is_gauge = file.records().iter().any(|entry| entry.record_type == b"ildg-format");
    if !names.is_empty() && !is_gauge {
        warnings.push("the logical file name is left out: no field has an ildg-format".to_owned());
    }
    Ok(warnings)
}

/// Names the file in an error.
fn in_file(path: &Path) -> impl Fn(Error) -> String {
    move |error| format!("{}: {error}", path.display())
}

fn counted(fields: usize) -> String {
    if fields == 1 { "1 field".to_owned() } else { format!("{fields} fields") }
}

impl Arguments {
    /// Copies all fields.
    #[allow(clippy::too_many_arguments, reason = "each is one thing that the copy needs")]
    fn copy_all<E: Engine<World>>(
        &self,
        world: &World,
        engine: &E,
        input: &mut Input<'_, E::File>,
        fields: &[FoundField],
        grid: &Grid,
        volumes: Option<Volumes>,
        part: &Path,
    ) -> Result<(), Box<dyn std::error::Error>> {
        let [layout, own_layout] = [(); 2].map(|()| Layout::grid(grid, world.rank()));
        let title = input.title().to_owned();
        let mut output = match volumes {
            None => Output::Single(Box::new(
                FieldWriter::create(world, engine, part, own_layout)
                    .map_err(in_file(&self.output))?
                    .verify_written(true),
            )),
            Some(volumes) => {
                let set = SetWriter::create(world, SystemDisk, part, own_layout, volumes);
                Output::Set(Box::new(set.map_err(in_file(&self.output))?.verify_written(true)))
            }
        };
        if !title.is_empty() {
            match &mut output {
                Output::Single(file) => file.set_title(&title),
                Output::Set(set) => set.set_title(&title),
            }
        }
        for (index, field) in fields.iter().enumerate() {
            self.copy(input, index, field, &layout, world.rank(), &mut output)?;
        }
        let finished = match output {
            Output::Single(file) => file.finish(),
            Output::Set(set) => set.finish(),
        };
        Ok(finished.map_err(in_file(&self.output))?)
    }

    fn grid(&self, lattice: &Extents, ranks: usize) -> Result<Grid, Fault> {
        if !self.grid.is_empty() {
            let grid = Grid::new(lattice, &self.grid)?;
            return match grid.ranks() {
                needed if needed <= ranks => Ok(grid),
                needed => Err(Fault::usage(format!("--grid needs {needed} ranks, but there are {ranks}"))),
            };
        }
        // Slabs of the last direction. More ranks than that have no sites.
        let mut grid = vec![1; lattice.as_slice().len()];
        if let (Some(last), Some(extent)) = (grid.last_mut(), lattice.as_slice().last()) {
            *last = u32::try_from(ranks).unwrap_or(u32::MAX).min(*extent);
        }
        Grid::new(lattice, &grid)
    }

    fn copy<'t, F: SharedFile<World>>(
        &self,
        input: &mut Input<'_, F>,
        index: usize,
        field: &'t FoundField,
        layout: &Layout<'_>,
        rank: usize,
        output: &mut Output<'_, 't, F>,
    ) -> Result<(), Box<dyn std::error::Error>> {
        output.texts(field.text(), field.lfn(), field.update());
        let own = field.layout().precision;
        let wanted = match self.precision.as_deref() {
            Some("32") => Some(Precision::F32),
            Some("64") => Some(Precision::F64),
            _ => own,
        };

        let sites = field.sites_of(layout, rank)?;
        let size = |each: u64| {
            usize::try_from(sites.saturating_mul(each)).map_err(|_| "the data do not fit into memory")
        };
        let each = field.layout().bytes_per_site;
        // Gauge fields of another precision are converted; all other data are copied byte by byte.
        if let (Some(own), Some(wanted), true) = (own, wanted, field.format().is_some() && wanted != own) {
            let mut numbers = vec![0.0_f64; size(each / own.size() as u64)?];
            self.judge(input.read(index, layout, &mut numbers[..]).map_err(in_file(&self.input))?)?;
            return Ok(output.field(field, wanted, &numbers[..]).map_err(in_file(&self.output))?);
        }
        let mut data = vec![0; size(each)?];
        self.judge(input.read(index, layout, Raw(&mut data[..])).map_err(in_file(&self.input))?)?;
        let copied = output.field(field, own.unwrap_or(Precision::F32), Raw(&data[..]));
        Ok(copied.map_err(in_file(&self.output))?)
    }

    fn judge(&self, verdict: Verdict) -> Result<(), Box<dyn std::error::Error>> {
        if self.unverified {
            verdict.require_not_refuted()?;
        } else {
            verdict.require_match()?;
        }
        Ok(())
    }
}
