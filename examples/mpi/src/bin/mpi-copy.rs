//! Copies the fields of a file from one division to another, with all ranks of a job: single files and QIO file sets.

use std::path::{Path, PathBuf};
use std::process::ExitCode;

use clap::{Parser, ValueEnum};
use linkstream::field::{Form, Verdict};
use linkstream::lattice::{Extents, Precision};
use linkstream_mpi::{EngineName, Outcome, Program, World, run_with, start_with};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::field::{
    FieldReader, FieldWriter, FoundField, Grid, Layout, Raw, SetReader, SetWriter, Source, Volumes,
};
use linkstream_parallel::file::{Engine, SharedFile, SystemDisk};
use linkstream_parallel::{Error, Fault};

/// Copies the fields of a SciDAC or ILDG file, or of a QIO file set, verified.
///
/// Each field is read once, compared with its checksum, written, and read back. A single file appears under its name
/// only when it is complete.
#[derive(Debug, Parser)]
#[command(after_help = "\
Examples:
  mpirun -n 4 mpi-copy set.lime single.lime
  mpirun -n 4 mpi-copy --volumes rank single.lime set.lime
  mpirun -n 4 mpi-copy --precision 32 double.lime float.lime

Exit status: 0, or 1 after an error. Damaged data are refused; so are data without
a checksum, unless --unverified is given. The dates of gauge fields are not kept.")]
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
    #[arg(long, value_delimiter = ',', value_name = "X,Y,Z,T")]
    grid: Vec<u32>,
    /// Precision of gauge fields in bits: 32 or 64. Without it, it is not changed.
    #[arg(long, value_parser = ["32", "64"])]
    precision: Option<String>,
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
        let mut input = Input::open(world, engine, &self.input)?;
        let fields = input.fields().to_vec();
        let title = input.title().to_owned();
        let Some(first) = fields.first() else { return Err("the file has no fields".into()) };
        let lattice = first.layout().extents;
        let grid = self.grid(&lattice, world.size())?;
        let [layout, own_layout] = [(); 2].map(|()| Layout::grid(&grid, world.rank()));
        let part = if self.volumes.is_some() { self.output.clone() } else { beside(&self.output) };
        let mut output = match self.volumes {
            None => Output::Single(Box::new(
                FieldWriter::create(world, engine, &part, own_layout)?.verify_written(true),
            )),
            Some(division) => {
                let volumes = match division {
                    Division::Rank => Volumes::each_rank(world),
                    Division::Node => Volumes::each_node(world),
                };
                let volumes = if self.directories { volumes.in_directories() } else { volumes };
                let set = SetWriter::create(world, SystemDisk, &part, own_layout, volumes)?;
                Output::Set(Box::new(set.verify_written(true)))
            }
        };
        if !title.is_empty() {
            match &mut output {
                Output::Single(file) => file.set_title(&title),
                Output::Set(set) => set.set_title(&title),
            }
        }
        for (index, field) in fields.iter().enumerate() {
            self.copy(&mut input, index, field, &layout, world.rank(), &mut output)?;
        }
        match output {
            Output::Single(file) => file.finish()?,
            Output::Set(set) => set.finish()?,
        }
        let renamed = if world.rank() == 0 && part != self.output {
            std::fs::rename(&part, &self.output).map_err(|error| Fault::system(None, &error))
        } else {
            Ok(())
        };
        agree(world, renamed)?;
        if world.rank() == 0 {
            println!("{}: {} copied and verified", self.output.display(), counted(fields.len()));
        }
        Ok(0)
    }
}

fn counted(fields: usize) -> String {
    if fields == 1 { "1 field".to_owned() } else { format!("{fields} fields") }
}

/// Name of the file while it is incomplete.
fn beside(path: &Path) -> PathBuf {
    let mut name = path.file_name().unwrap_or_default().to_owned();
    name.push(".incomplete");
    path.with_file_name(name)
}

impl Arguments {
    fn grid(&self, lattice: &Extents, ranks: usize) -> Result<Grid, Fault> {
        if !self.grid.is_empty() {
            return Grid::new(lattice, &self.grid);
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
            let mut numbers = vec![0.0_f64; size(each / own.bytes() as u64)?];
            self.judge(input.read(index, layout, &mut numbers[..])?)?;
            return Ok(output.field(field, wanted, &numbers[..])?);
        }
        let mut data = vec![0; size(each)?];
        self.judge(input.read(index, layout, Raw(&mut data[..]))?)?;
        Ok(output.field(field, own.unwrap_or(Precision::F32), Raw(&data[..]))?)
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
