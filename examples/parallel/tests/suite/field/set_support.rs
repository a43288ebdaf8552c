//! File sets with known numbers, written by the serial writer and by many ranks.

use std::path::{Path, PathBuf};

use linkstream::field::{OutgoingMessage, SiteMut, Verdict};
use linkstream::ildg::GaugeKind;
use linkstream::io::{Fill, VolumeWriter};
use linkstream::lattice::{Checksum, Precision, Region};
use linkstream::scidac::{PrivateFile, VolumeFormat};
use linkstream::volume::{Encoder, VolumeKind};
use linkstream_parallel::Error;
use linkstream_parallel::comm::Comm;
use linkstream_parallel::field::{Grid, Layout, SetReader, SetWriter, Sites, Volumes};
use linkstream_parallel::file::Disk;

use super::support::{LFN, Memory, TEXT, TITLE, What, lattice, layout, number, numbers};

/// Number of a volume, and the ranks of its sites in the order of its list.
pub type List = (u64, Vec<u64>);

/// The path of a volume.
pub fn path_of(set: &Path, format: VolumeFormat, number: u64) -> PathBuf {
    let name = set.file_name().unwrap().to_str().unwrap();
    match format {
        VolumeFormat::PartitionDirectory => set.with_file_name(format!("vol{number:04}")).join(name),
        _ => set.with_file_name(format!("{name}.vol{number:04}")),
    }
}

/// Writes a set with one process.
pub fn serial(set: &Path, fields: &[What], lists: &[List], format: VolumeFormat) {
    let mut all = vec![Checksum::default(); fields.len()];
    let first = lists[0].0;
    let document = PrivateFile::new(&lattice()).with_volume_format(format);
    for (number_of_volume, ranks) in lists.iter().rev() {
        let kind = if *number_of_volume == first { VolumeKind::First } else { VolumeKind::Other };
        let largest = ranks.iter().copied().max().unwrap();
        let (mut file, mut buffer) = (vec![0; 4 << 20], vec![0; 8192]);
        let room = file.len();
        let mut sink = &mut file[..];
        let mut writer = VolumeWriter::with_encoder(
            &mut sink,
            &mut buffer,
            Encoder::new(kind, ranks.len() as u64, largest),
        );
        writer
            .write_file(&OutgoingMessage::file(&document, TITLE.as_bytes()), ranks.iter().copied())
            .unwrap();
        for (n, field) in fields.iter().enumerate() {
            let documents = field.documents();
            let mut message = documents.message(if n == 0 { TEXT.as_bytes() } else { b"" });
            if n == 0 {
                message = message.with_lfn(LFN);
            }
            let layout = documents.layout(&lattice()).unwrap();
            let own = ranks.iter().copied().filter(|rank| match layout.region {
                Region::Hypercube(cube) => cube.contains(&lattice().coordinates(*rank).unwrap()),
                _ => true,
            });
            let fill = |site: &mut SiteMut<'_>| {
                let numbers = (0..field.numbers()).map(|i| number(site.rank(), i));
                match field.precision() {
                    Precision::F32 => site.put(&numbers.map(|number| number as f32).collect::<Vec<_>>()),
                    Precision::F64 => site.put(&numbers.collect::<Vec<_>>()),
                }
            };
            let is_global = layout.region == Region::Global && kind == VolumeKind::Other;
            let sum = writer.write(&message, own, Fill::sites(fill)).unwrap();
            if kind == VolumeKind::First {
                writer.write_checksum(&message, all[n]).unwrap();
            } else if !is_global {
                all[n] = all[n].combine(sum);
            }
        }
        writer.finish().unwrap();
        let left = sink.len();
        file.truncate(room - left);
        let path = path_of(set, format, *number_of_volume);
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, file).unwrap();
    }
}

/// Writes a set with all ranks.
pub fn write<C: Comm, D: Disk>(
    comm: &C,
    disk: D,
    path: &Path,
    layout: Layout<'_>,
    data: impl Fn(&What) -> Vec<f64>,
    fields: &[What],
    (volumes, memory, verify): (Volumes, usize, bool),
) -> Result<(), Error> {
    let set = SetWriter::create(comm, disk, path, layout, volumes)?;
    let mut set = set.with_memory(memory).verify_written(verify);
    for (n, field) in fields.iter().enumerate() {
        if n == 0 {
            set.set_title(TITLE);
            set.next_text(TEXT);
            set.next_lfn(LFN);
        }
        let numbers = data(field);
        match field.clone() {
            What::Gauge(precision, form) => {
                set.gauge_field(GaugeKind::SU3, precision, form, &numbers[..])?;
            }
            What::Record(record) if n % 2 == 1 && !numbers.is_empty() => {
                let each = Sites::new(|site, numbers: &mut [f64]| {
                    (0..numbers.len()).for_each(|i| numbers[i] = number(site.rank(), i));
                    Ok(())
                });
                set.scidac_field(record, each)?;
            }
            What::Record(record) => {
                set.scidac_field(record, &numbers[..])?;
            }
        }
    }
    set.finish()
}

/// Reads all fields with all ranks and compares their numbers. Returns the verdicts.
pub fn read<C: Comm, D: Disk + Clone>(
    comm: &C,
    disk: D,
    path: &Path,
    grid: &Grid,
    fields: &[What],
    held: Memory,
    memory: usize,
) -> Result<Vec<Verdict>, Error> {
    let rank = comm.rank();
    let mut set = SetReader::open(comm, disk, path)?.with_memory(memory);
    assert_eq!(set.fields().len(), fields.len());
    assert_eq!((set.title(), set.fields()[0].text(), set.fields()[0].lfn()), (TITLE, TEXT, LFN));
    let mut verdicts = Vec::new();
    for (n, field) in fields.iter().enumerate() {
        let found = &set.fields()[n];
        assert_eq!(found.format().is_some(), matches!(field, What::Gauge(_, linkstream::field::Form::Both)));
        assert!(found.record().is_some() && found.checksum().is_some());
        let expected = numbers(grid, rank, field, held);
        let mut found = vec![-1.0_f64; expected.len()];
        verdicts.push(set.read(n, &layout(grid, rank, held), &mut found[..])?);
        assert!(found == expected, "field {n} of rank {rank}");
    }
    set.close()?;
    Ok(verdicts)
}
