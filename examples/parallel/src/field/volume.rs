//! The sites of one volume of a file set, which a family of ranks holds, and the names of volumes.

use std::ffi::OsString;
use std::ops::Range;
use std::path::{Path, PathBuf};

use linkstream::field::{BoxPart, Field};
use linkstream::lattice::{Extents, Hypercube, Region};
use linkstream::scidac::VolumeFormat;
use linkstream::volume::{BoxSites, NodeOrder};

use crate::error::Fault;

/// The path of a volume, as QIO names it: `NAME.volNNNN`, or `volNNNN/NAME` if each volume has a directory.
pub(super) fn volume_path(set: &Path, format: VolumeFormat, number: u64) -> PathBuf {
    let name = set.file_name().unwrap_or_default();
    if format == VolumeFormat::PartitionDirectory {
        return set.with_file_name(format!("vol{number:04}")).join(name);
    }
    let mut name: OsString = name.to_owned();
    name.push(format!(".vol{number:04}"));
    set.with_file_name(name)
}

/// The sites of a volume: the boxes of the ranks of a family, as one sequence in the order of the site list.
#[derive(Debug, Clone)]
pub(super) struct VolumeSites {
    lattice: Extents,
    boxes: Vec<Hypercube>,
    order: NodeOrder,
}

impl VolumeSites {
    pub(super) const fn new(lattice: Extents, boxes: Vec<Hypercube>, order: NodeOrder) -> Self {
        Self { lattice, boxes, order }
    }

    pub(super) fn sites(&self) -> u64 {
        self.boxes.iter().map(Hypercube::sites).sum()
    }

    pub(super) fn largest_rank(&self) -> u64 {
        self.boxes.iter().filter_map(|cube| self.lattice.rank(cube.upper())).max().unwrap_or(0)
    }

    /// The sites that have data of a field.
    pub(super) fn of_field(&self, field: &Field) -> Result<FieldSites, Fault> {
        let refused = |error: &dyn std::fmt::Display| Fault::usage(error.to_string());
        let parts: Result<Vec<_>, _> = self.boxes.iter().map(|cube| BoxPart::new(field, *cube)).collect();
        let parts = parts.map_err(|error| refused(&error))?;
        if self.order == NodeOrder::Lexicographic {
            return Ok(FieldSites::Ascending { field: *field, parts });
        }
        let [cube] = self.boxes[..] else {
            return Err(Fault::usage("a volume of a multifile set has the sites of one rank"));
        };
        let sites = BoxSites::new(&self.lattice, &cube, self.order).map_err(|error| refused(&error))?;
        let sites = match &field.region {
            Region::Hypercube(cube) => sites.within(cube),
            _ => Some(sites),
        };
        Ok(FieldSites::OneBox { sites })
    }
}

/// The sites of a volume that have data of one field, in the order of the data.
#[derive(Debug)]
pub(super) enum FieldSites {
    /// Ascending ranks, of the parts of several ranks.
    Ascending { field: Field, parts: Vec<BoxPart> },
    /// The order of one node; `None` without sites.
    OneBox { sites: Option<BoxSites> },
}

/// Consecutive sites of the data of a volume that one rank has.
#[derive(Debug, Clone, Copy)]
pub(super) struct Stretch {
    /// Index of the first site in the data of the volume.
    pub(super) index: u64,
    /// Its rank in the lattice.
    pub(super) rank: u64,
    /// The sites.
    pub(super) window: BoxPart,
}

impl FieldSites {
    /// Number of sites.
    pub(super) fn sites(&self) -> u64 {
        match self {
            Self::Ascending { parts, .. } => parts.iter().map(BoxPart::sites).sum(),
            Self::OneBox { sites } => sites.map_or(0, |sites| sites.sites()),
        }
    }

    /// Number of the sites before a place in the stored order of the whole field.
    fn before(parts: &[BoxPart], stored: u64) -> u64 {
        parts.iter().map(|part| part.stored(0..stored).sites()).sum()
    }

    /// The place in the stored order of the whole field before which there are this many sites of the volume.
    fn stored_at(field: &Field, parts: &[BoxPart], index: u64) -> u64 {
        let (mut low, mut high) = (0, field.sites());
        while low < high {
            let middle = low + (high - low) / 2;
            if Self::before(parts, middle) < index { low = middle + 1 } else { high = middle }
        }
        low
    }

    /// The sites with these indices in the volume that a rank has, whose part of the field this is.
    pub(super) fn stretches(&self, own: &BoxPart, indices: Range<u64>) -> Vec<Stretch> {
        match self {
            Self::Ascending { field, parts } => {
                let start = Self::stored_at(field, parts, indices.start);
                // All sites of the field come before its end, also those that other volumes have.
                let end = Self::stored_at(field, parts, indices.end);
                let window = own.stored(start..end);
                let first = field.record.payload_offset();
                let runs = window.runs().filter_map(|run| {
                    let stored = (run.offset - first).checked_div(field.bytes_per_site)?;
                    let window = window.window(run.first..run.first + run.sites).ok()?;
                    Some(Stretch { index: Self::before(parts, stored), rank: run.rank, window })
                });
                runs.collect()
            }
            Self::OneBox { sites } => {
                let (Some(sites), Some(region)) = (sites, own.region()) else { return Vec::new() };
                let extents = own.field().extents;
                let count = usize::try_from(indices.end - indices.start).unwrap_or(usize::MAX);
                let ranks = sites.ranks_from(indices.start).take(count).zip(indices.start..);
                let places = ranks.filter_map(|(rank, index)| {
                    let own_index = match region {
                        Region::Hypercube(cube) => cube.index(&extents.coordinates(rank)?)?,
                        _ => rank,
                    };
                    Some(Stretch { index, rank, window: own.window(own_index..own_index + 1).ok()? })
                });
                places.collect()
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use linkstream::field::FieldDocuments;
    use linkstream::lattice::Precision;
    use linkstream::scidac::PrivateRecord;

    use super::super::grid::Grid;

    #[test]
    fn stretches_of_all_ranks_are_the_volume_in_ascending_order() {
        let lattice = Extents::new(&[4, 3, 5]).unwrap();
        let grid = Grid::new(&lattice, &[2, 1, 2]).unwrap();
        let field = FieldDocuments::scidac(PrivateRecord::real_field(Precision::F32)).layout(&lattice).unwrap();
        // The ranks 0, 1 and 3: no box.
        let boxes: Vec<_> = [0, 1, 3].into_iter().filter_map(|rank| grid.part(rank)).collect();
        let expected: Vec<u64> = (0..60)
            .filter(|rank| boxes.iter().any(|cube| cube.contains(&lattice.coordinates(*rank).unwrap())))
            .collect();
        let sites = VolumeSites::new(lattice, boxes.clone(), NodeOrder::Lexicographic).of_field(&field).unwrap();
        assert_eq!(sites.sites(), expected.len() as u64);
        for step in [1, 7, 100] {
            let mut found = Vec::new();
            for start in (0..sites.sites()).step_by(step) {
                let indices = start..(start + step as u64).min(sites.sites());
                for cube in &boxes {
                    let own = BoxPart::new(&field, *cube).unwrap();
                    for stretch in sites.stretches(&own, indices.clone()) {
                        found.extend(
                            (0..stretch.window.sites()).map(|i| (stretch.index + i, stretch.rank + i)),
                        );
                    }
                }
            }
            found.sort_unstable();
            assert!(found.iter().copied().eq((0..).zip(expected.iter().copied())), "{step}: {found:?}");
        }
    }

    #[test]
    fn names_of_volumes() {
        let set = Path::new("directory/lat.lime");
        let path = |format, number| volume_path(set, format, number);
        assert_eq!(path(VolumeFormat::Partition, 2), Path::new("directory/lat.lime.vol0002"));
        assert_eq!(path(VolumeFormat::PartitionDirectory, 12345), Path::new("directory/vol12345/lat.lime"));
    }
}
