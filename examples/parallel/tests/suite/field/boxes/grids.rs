//! All process grids of a small lattice.

use super::{checkerboard, part};
use host_tests::cases::{Case, cases, grid, grids, sites};
use linkstream::Encode as _;
use linkstream::io::FieldReader;
use linkstream::lattice::{Checksum, Float};
use linkstream_parallel::field::BoxPart;
use std::collections::HashMap;

const EXTENTS: [u32; 4] = [3, 2, 1, 4];

/// A word type of the memory.
trait Memory: Float + PartialEq + std::fmt::Debug + Default {
    fn of(value: f64) -> Self;
}

impl Memory for f32 {
    fn of(value: f64) -> Self {
        value as Self
    }
}

impl Memory for f64 {
    fn of(value: f64) -> Self {
        value
    }
}

/// The numbers of a part in memory, in stored order or as a checkerboard.
fn memory<T: Memory>(case: &Case, part: &BoxPart, stored: bool) -> Vec<T> {
    let count = case.count();
    let mut numbers = vec![T::default(); part.box_sites() as usize * count];
    let Some(mut site) = part.first_site() else { return numbers };
    for index in 0..part.box_sites() as usize {
        let place = if stored { index } else { checkerboard(part, &site) };
        for (to, from) in numbers[place * count..][..count].iter_mut().zip(case.site(site.rank())) {
            *to = T::of(from);
        }
        site.step();
    }
    numbers
}

/// Writes a part to `file` in windows of at most `room` bytes. Returns its checksum.
fn write<T: Memory>(case: &Case, part: &BoxPart, room: usize, stored: bool, file: &mut [u8]) -> Checksum {
    let numbers = memory::<T>(case, part, stored);
    let (mut sum, mut buffer) = (Checksum::default(), vec![0; room]);
    for window in part.windows(room).expect("room for a site") {
        let bytes = if stored {
            window.fill(&numbers, &mut buffer).expect("of this field")
        } else {
            window.fill_from(&numbers, |site| checkerboard(part, site), &mut buffer).expect("of this field")
        };
        for run in window.runs() {
            let at = run.offset as usize;
            let bytes = run.slice(bytes).expect("of this window");
            assert!(file[at..at + bytes.len()].iter().all(|byte| *byte == 0xaa), "written twice");
            file[at..at + bytes.len()].copy_from_slice(bytes);
        }
        sum = sum.combine(window.checksum(bytes).expect("of this window"));
    }
    sum
}

/// Reads a part of `file` in windows, and compares it. Returns its checksum.
fn read<T: Memory>(case: &Case, part: &BoxPart, room: usize, stored: bool, file: &[u8]) -> Checksum {
    let expected = memory::<T>(case, part, stored);
    let mut numbers = vec![T::default(); expected.len()];
    let (mut sum, mut buffer) = (Checksum::default(), vec![0; room]);
    for window in part.windows(room).expect("room for a site") {
        let buffer = &mut buffer[..window.byte_count() as usize];
        for run in window.runs() {
            let at = run.offset as usize;
            run.slice_mut(buffer)
                .expect("of this window")
                .copy_from_slice(&file[at..at + run.length as usize]);
        }
        sum = sum.combine(window.checksum(buffer).expect("of this window"));
        if stored {
            window.take(buffer, &mut numbers).expect("of this field");
        } else {
            window.take_to(buffer, |site| checkerboard(part, site), &mut numbers).expect("of this field");
        }
    }
    assert_eq!(numbers, expected);
    sum
}

/// Writes a field by the processes of a grid and compares it with the file of one process; reads it under another
/// distribution of the windows.
fn crossed<T: Memory>(case: &Case, processes: &[u32; 4], serial: &[u8], stored: bool) {
    let (encoder, documents) = case.begun();
    assert_eq!(documents.len(), 1 + usize::from(case.has_file()), "{}", case.name);
    let documents = documents.concat();
    let field = *encoder.field().expect("a message with data");
    assert_eq!(
        (field.record.payload_offset(), encoder.position()),
        (documents.len() as u64, documents.len() as u64)
    );
    let site = case.layout().bytes_per_site as usize;
    let mut file = vec![0xaa; serial.len()];
    file[..documents.len()].copy_from_slice(&documents);
    let parts: Vec<_> = grid(&EXTENTS, processes).into_iter().map(|cube| part(&field, cube)).collect();
    let sums = parts.iter().zip(0..).map(|(part, q)| {
        // Each process has a buffer of another length.
        write::<T>(case, part, site * (1 + q % 5), stored, &mut file)
    });
    let sum = sums.fold(Checksum::default(), Checksum::combine);
    let (at, end) = case.end(encoder, sum);
    file[at as usize..].copy_from_slice(&end);
    assert!(file == serial, "{} on {processes:?}", case.name);
    let again = parts.iter().map(|part| read::<T>(case, part, site * 4, stored, &file));
    assert_eq!(again.fold(Checksum::default(), Checksum::combine), sum);
}

#[test]
fn every_grid_writes_the_bytes_of_one_process() {
    for case in cases(&EXTENTS) {
        let serial = case.serial();
        // The file is one that is read and verified.
        let mut buffer = [0; 16384];
        let mut reader = FieldReader::new(&serial[..], &mut buffer);
        let mut field = reader.next_field().expect("legal").expect("a field");
        field.verdict().expect("legal").require_match().expect("a checksum");
        for (processes, i) in grids(&EXTENTS).iter().zip(0..) {
            match i % 4 {
                0 => crossed::<f32>(&case, processes, &serial, true),
                1 => crossed::<f64>(&case, processes, &serial, true),
                2 => crossed::<f32>(&case, processes, &serial, false),
                _ => crossed::<f64>(&case, processes, &serial, false),
            }
        }
    }
}

/// A process of a grid of 2x1x1x2 on a lattice of 4x4x4x8 has 64 stretches.
#[test]
fn the_number_of_stretches_is_not_limited() {
    for case in cases(&[4, 4, 4, 8]) {
        let (encoder, _) = case.begun();
        let field = *encoder.field().expect("a message with data");
        let boxes = grid(&[4, 4, 4, 8], &[2, 1, 1, 2]);
        let mut owner = HashMap::new();
        for (q, cube) in boxes.iter().enumerate() {
            let part = part(&field, *cube);
            if case.name == "complex" {
                assert_eq!((part.runs().count(), part.sites_per_run()), (64, 2));
            }
            for (_, index) in sites(&field, *cube) {
                assert_eq!(owner.insert(index, q), None);
            }
        }
        assert_eq!(owner.len() as u64, field.sites());
    }
}
