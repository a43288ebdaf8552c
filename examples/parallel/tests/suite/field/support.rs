//! Fields with known numbers, written by the serial writer and by many ranks.

use std::path::Path;

use linkstream::field::{FieldDocuments, Form, OutgoingMessage, SiteMut, Verdict};
use linkstream::ildg::GaugeKind;
use linkstream::io::{FieldWriter as SerialWriter, Fill};
use linkstream::lattice::{Coordinates, Extents, Hypercube, Precision, Region};
use linkstream::scidac::{Date, PrivateFile, PrivateRecord};
use linkstream_parallel::comm::Comm;
use linkstream_parallel::field::{FieldReader, FieldWriter, Grid, Layout, Sites};
use linkstream_parallel::file::Engine;
use linkstream_parallel::{Error, Fault};

/// A small lattice.
pub fn lattice() -> Extents {
    Extents::new(&[4, 4, 2, 6]).unwrap()
}

/// Ranks, ranks of a node, grid: boxes that do not divide the lattice, a rank without sites, surplus ranks.
pub const GRIDS: [(usize, usize, &[u32]); 8] = [
    (1, 1, &[1, 1, 1, 1]),
    (4, 2, &[2, 1, 1, 2]),
    (3, 1, &[1, 1, 1, 3]),
    (2, 2, &[2, 1, 1, 1]),
    (7, 3, &[3, 1, 1, 2]),
    (7, 4, &[1, 1, 1, 7]),
    (4, 4, &[1, 3, 1, 1]),
    (2, 1, &[1, 1, 2, 1]),
];

/// A field that is written.
#[derive(Debug, Clone)]
#[allow(clippy::large_enum_variant, reason = "there are only a few")]
pub enum What {
    Gauge(Precision, Form),
    Record(PrivateRecord),
}

impl What {
    /// Numbers of a site.
    pub fn numbers(&self) -> usize {
        let field = self.documents().layout(&lattice()).unwrap();
        field.bytes_per_site as usize / field.precision.unwrap().size()
    }

    pub fn documents(&self) -> FieldDocuments {
        match self {
            Self::Gauge(precision, form) => {
                FieldDocuments::gauge_field(GaugeKind::SU3, *precision, *form, &lattice()).unwrap()
            }
            Self::Record(record) => FieldDocuments::scidac(record.clone()),
        }
    }

    pub fn precision(&self) -> Precision {
        self.documents().layout(&lattice()).unwrap().precision.unwrap()
    }
}

/// Number `i` of a site. Exact in single precision.
pub fn number(rank: u64, i: usize) -> f64 {
    (rank * 600 + i as u64) as f64 / 8.0
}

/// The slice z = 1, t = 2 to 4 of the lattice.
pub fn slice() -> Region {
    let corner = |values| Coordinates::new(values).unwrap();
    Region::Hypercube(Hypercube::new(corner(&[0, 0, 1, 2]), corner(&[3, 3, 1, 4]), &lattice()).unwrap())
}

/// Fields of all kinds.
pub fn mixed() -> Vec<What> {
    let mut slice_record = PrivateRecord::complex_field(Precision::F32).covering(&slice());
    slice_record = slice_record.dated(Date::from_unix(1_704_164_645));
    vec![
        What::Gauge(Precision::F32, Form::Both),
        What::Record(PrivateRecord::real_field(Precision::F64)),
        What::Record(PrivateRecord::propagator(Precision::F32)),
        What::Record(slice_record),
        What::Record(PrivateRecord::global(Precision::F64, 5)),
        What::Gauge(Precision::F64, Form::Scidac),
    ]
}

pub const TITLE: &str = "<title>many ranks</title>";
pub const TEXT: &str = "<info>thermalised</info>";
pub const LFN: &str = "lfn://example/many.ranks";

/// The file that one process writes. Only the first field has a text and the name of the file.
pub fn serial(fields: &[What]) -> Vec<u8> {
    let (mut file, mut buffer) = (vec![0; 4 << 20], vec![0; 8192]);
    let length = file.len();
    let mut rest = &mut file[..];
    let mut writer = SerialWriter::create(&mut rest, &mut buffer, lattice()).unwrap();
    for (n, field) in fields.iter().enumerate() {
        let mut text = "";
        if n == 0 && has_title(fields) {
            let private = PrivateFile::new(&lattice());
            writer.write_message(&OutgoingMessage::file(&private, TITLE.as_bytes())).unwrap();
            text = TEXT;
        }
        let fill = |site: &mut SiteMut<'_>| {
            let numbers = (0..field.numbers()).map(|i| number(site.rank(), i));
            match field.precision() {
                Precision::F32 => site.put(&numbers.map(|number| number as f32).collect::<Vec<_>>()),
                Precision::F64 => site.put(&numbers.collect::<Vec<_>>()),
            }
        };
        let documents = match field {
            What::Gauge(precision, form) => {
                FieldDocuments::gauge_field(GaugeKind::SU3, *precision, *form, &lattice()).unwrap()
            }
            What::Record(record) => FieldDocuments::scidac(record.clone()),
        };
        let message = documents.message(text.as_bytes());
        let message = if n == 0 { message.with_lfn(LFN) } else { message };
        writer.write(&message, Fill::sites(fill)).unwrap();
    }
    writer.finish().unwrap();
    let left = rest.len();
    file.truncate(length - left);
    file
}

/// A file of plain ILDG has no file message.
fn has_title(fields: &[What]) -> bool {
    !matches!(fields[0], What::Gauge(_, Form::Ildg))
}

/// The numbers in the memory of a rank.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Memory {
    F32,
    F64,
    /// Even sites first, and a gap before them.
    Shuffled,
    /// A function for each site.
    Function,
}

/// The layout of a rank.
pub fn layout(grid: &Grid, rank: usize, memory: Memory) -> Layout<'static> {
    let layout = Layout::grid(grid, rank);
    if memory == Memory::Shuffled { layout.in_order(shuffled(grid, rank)) } else { layout }
}

/// Places in memory that are not in lexicographic order: 5, 7, 9 and so on, and then 6, 8 and so on.
pub fn shuffled(grid: &Grid, rank: usize) -> impl Fn(&Coordinates) -> usize + 'static {
    let cube = grid.part(rank);
    move |site| {
        let index = cube.and_then(|cube| cube.index(site)).unwrap() as usize;
        let sites = cube.unwrap().sites() as usize;
        5 + if index.is_multiple_of(2) { index / 2 } else { sites.div_ceil(2) + index / 2 }
    }
}

/// The numbers of a rank in its memory.
pub fn numbers(grid: &Grid, rank: usize, field: &What, memory: Memory) -> Vec<f64> {
    let lattice = *grid.lattice();
    let layout = field.documents().layout(&lattice).unwrap();
    let count = field.numbers();
    let own = |site: &u64| grid.rank_of(&lattice.coordinates(*site).unwrap()) == rank;
    let covered = |site: &u64| match layout.region {
        Region::Hypercube(cube) => cube.contains(&lattice.coordinates(*site).unwrap()),
        Region::Global => *site == 0,
        Region::Lattice => true,
    };
    let sites: Vec<u64> = match layout.region {
        Region::Global if rank == 0 => vec![0],
        Region::Global => Vec::new(),
        _ => (0..lattice.sites()).filter(own).filter(covered).collect(),
    };
    if memory != Memory::Shuffled || layout.region == Region::Global {
        return sites.iter().flat_map(|site| (0..count).map(|i| number(*site, i))).collect();
    }
    let places = grid.part(rank).map_or(0, |cube| cube.sites() as usize + 5);
    let mut all = vec![-1.0; places * count];
    let place = shuffled(grid, rank);
    for site in sites {
        let at = place(&lattice.coordinates(site).unwrap()) * count;
        (0..count).for_each(|i| all[at + i] = number(site, i));
    }
    all
}

/// Writes fields with all ranks. `memory` bytes of each rank are used in a round.
pub fn write<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    grid: &Grid,
    fields: &[What],
    held: Memory,
    memory: usize,
) -> Result<(), Error> {
    let rank = comm.rank();
    let file = FieldWriter::create(comm, engine, path, layout(grid, rank, held))?;
    let mut file = file.with_memory(memory).verify_written(held == Memory::F64);
    for (n, field) in fields.iter().enumerate() {
        if n == 0 {
            if has_title(fields) {
                file.set_title(TITLE);
                file.next_text(TEXT);
            }
            file.next_lfn(LFN);
        }
        // Global data have no order.
        let numbers = numbers(grid, rank, field, held);
        let single: Vec<f32> = numbers.iter().map(|number| *number as f32).collect();
        let each = Sites::new(|site, numbers: &mut [f64]| {
            (0..numbers.len()).for_each(|i| numbers[i] = number(site.rank(), i));
            Ok(())
        });
        match (field.clone(), held) {
            (What::Gauge(precision, form), Memory::F32) => {
                file.gauge_field(GaugeKind::SU3, precision, form, &single[..])?
            }
            (What::Gauge(precision, form), Memory::Function) => {
                file.gauge_field(GaugeKind::SU3, precision, form, each)?
            }
            (What::Gauge(precision, form), _) => {
                file.gauge_field(GaugeKind::SU3, precision, form, &numbers[..])?
            }
            (What::Record(record), Memory::F32) => file.scidac_field(record, &single[..])?,
            (What::Record(record), Memory::Function) => file.scidac_field(record, each)?,
            (What::Record(record), _) => file.scidac_field(record, &numbers[..])?,
        };
    }
    file.finish()
}

/// Reads all fields with all ranks and compares their numbers. Returns the verdicts.
pub fn read<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    grid: &Grid,
    fields: &[What],
    held: Memory,
    memory: usize,
) -> Result<Vec<Verdict>, Error> {
    let rank = comm.rank();
    let mut file = FieldReader::open(comm, engine, path)?.with_memory(memory);
    assert_eq!(file.fields().len(), fields.len());
    if has_title(fields) {
        assert_eq!((file.title(), file.fields()[0].text()), (TITLE, TEXT));
    }
    assert_eq!(file.fields()[0].lfn(), LFN);
    let mut verdicts = Vec::new();
    for (n, field) in fields.iter().enumerate() {
        let layout = layout(grid, rank, held);
        let expected = numbers(grid, rank, field, held);
        verdicts.push(match held {
            Memory::F32 => {
                let mut found = vec![-1.0_f32; expected.len()];
                let verdict = file.read(n, &layout, &mut found[..])?;
                assert!(found.iter().zip(&expected).all(|(found, expected)| f64::from(*found) == *expected));
                verdict
            }
            Memory::Function => {
                let mut sites = 0;
                let verdict = file.read(
                    n,
                    &layout,
                    Sites::taken(|site, numbers: &[f64]| {
                        sites += 1;
                        let is_right = (0..numbers.len()).all(|i| numbers[i] == number(site.rank(), i));
                        if is_right { Ok(()) } else { Err(Fault::usage("another number")) }
                    }),
                )?;
                assert_eq!(sites * field.numbers(), expected.len());
                verdict
            }
            _ => {
                let mut found = vec![-1.0_f64; expected.len()];
                let verdict = file.read(n, &layout, &mut found[..])?;
                assert!(found == expected, "field {n} of rank {rank}");
                verdict
            }
        });
    }
    file.close()?;
    Ok(verdicts)
}
