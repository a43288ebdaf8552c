//! Volumes written by several processes. Each process writes some of the sites, in any order.

use std::cell::RefCell;
use std::convert::Infallible;
use std::rc::Rc;

use embedded_io::{ErrorType, Seek, SeekFrom, Write};
use linkstream::State;
use linkstream::field::SiteMut;
use linkstream::io::{Positioned, VolumeWriter};
use linkstream::lattice::Checksum;
use linkstream::volume::{Encoder, IndexedSite, VolumeKind};

use crate::volume::support::ReadSet;
use crate::volume::write::{Documents, each_set};

/// One file that several processes have opened.
#[derive(Debug, Clone, Default)]
pub struct Shared {
    file: Rc<RefCell<Vec<u8>>>,
    at: usize,
}

impl Shared {
    pub fn bytes(&self) -> Vec<u8> {
        self.file.borrow().clone()
    }
}

impl ErrorType for Shared {
    type Error = Infallible;
}

impl Write for Shared {
    fn write(&mut self, bytes: &[u8]) -> Result<usize, Infallible> {
        let mut file = self.file.borrow_mut();
        let end = self.at + bytes.len();
        let length = file.len().max(end);
        file.resize(length, 0);
        file[self.at..end].copy_from_slice(bytes);
        self.at = end;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> Result<(), Infallible> {
        Ok(())
    }
}

impl Seek for Shared {
    fn seek(&mut self, to: SeekFrom) -> Result<u64, Infallible> {
        let SeekFrom::Start(at) = to else { panic!("{to:?}") };
        self.at = at as usize;
        Ok(at)
    }
}

/// A process that writes to a volume. Between two calls it keeps only the saved state of its encoder.
struct Process {
    number: u64,
    saved: State<Encoder>,
    file: Shared,
}

impl Process {
    fn go_on<T>(&mut self, work: impl FnOnce(&mut VolumeWriter<Positioned<Shared>, &mut [u8]>) -> T) -> T {
        let mut buffer = [0; 1024];
        let encoder = Encoder::load(&self.saved).expect("as it was saved");
        let sink = Positioned::new(self.file.clone());
        // The last one is the root: it writes everything except data, after the data.
        let mut writer = VolumeWriter::part(sink, &mut buffer[..], encoder, self.number == 2);
        let done = work(&mut writer);
        self.saved = writer.into_parts().1.save();
        done
    }
}

/// The sites of one of three processes: scattered ones, in descending order for the second. The last one has none at
/// times.
fn part(ranks: impl Iterator<Item = u64>, number: u64) -> impl Iterator<Item = IndexedSite> + Clone {
    let all = (0..).zip(ranks).map(|(index, rank)| IndexedSite { index, rank });
    let mut own: Vec<_> = all.filter(|site| site.rank.wrapping_mul(7) / 4 % 3 == number).collect();
    if number == 1 {
        own.reverse();
    }
    own.into_iter()
}

/// Writes all volumes of a set in parallel, beginning with the first.
fn write(set: &ReadSet, documents: &[Documents]) -> Vec<Vec<u8>> {
    let mut all = Vec::new();
    for (index, ranks) in set.lists.values().enumerate() {
        let kind = if index == 0 { VolumeKind::First } else { VolumeKind::Other };
        let largest = ranks.iter().copied().max().unwrap_or(0);
        let saved = Encoder::new(kind, ranks.len() as u64, largest).save();
        let file = Shared::default();
        for number in 0..3 {
            let mut process = Process { number, saved, file: file.clone() };
            process.go_on(|volume| {
                let own = part(ranks.iter().copied(), number);
                volume.file_part(&documents[0].message(), own).expect("a file message");
            });
            all.push((kind, ranks, process));
        }
    }
    for (field, documents) in set.fields.iter().zip(&documents[1..]) {
        let message = documents.message();
        let mut sums = Vec::new();
        for (_, ranks, process) in &mut all {
            let number = process.number;
            let of_field = ranks.iter().copied().filter(|rank| field.sites.contains_key(rank));
            let (sites, own) = (of_field.clone().count() as u64, part(of_field, number));
            let fill = |site: &mut SiteMut<'_>| {
                let bytes = &field.sites[&site.rank()];
                site.bytes_mut().copy_from_slice(bytes);
            };
            let part = process.go_on(|volume| {
                volume.field_part(&message, sites, own, fill).map(|sum| (sum, volume.encoder().kind()))
            });
            let is_global = field.field.region == linkstream::lattice::Region::Global;
            let (sum, kind) = part.expect("a part");
            sums.push(if is_global && kind == VolumeKind::Other { Checksum::default() } else { sum });
        }
        let whole = sums.iter().copied().fold(Checksum::default(), Checksum::combine);
        for ((kind, _, process), own) in all.iter_mut().zip(sums) {
            if *kind == VolumeKind::First {
                // Sums combine by exclusive or. Combining the total with a process's own sum leaves the sum of the
                // others.
                process.go_on(|volume| volume.checksum(&message, whole.combine(own)).expect("due"));
            }
        }
    }
    all.iter_mut().for_each(|(_, _, process)| process.go_on(|volume| volume.complete().expect("complete")));
    all.chunks(3).map(|processes| processes[0].2.file.bytes()).collect()
}

#[test]
fn parts_make_the_volumes_of_qio() {
    each_set(|set, documents, _| write(set, documents));
}
