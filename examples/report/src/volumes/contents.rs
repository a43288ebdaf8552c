//! The contents of a file set in addition to the contents of a single file.

use linkstream::scidac::VolumeFormat;

use linkstream_access::set::VolumeEntry;

/// A file set, or a single volume of it.
#[derive(Debug)]
pub struct SetContents {
    /// The volume format in the first volume; `None` without a first volume.
    pub format: Option<VolumeFormat>,
    pub volumes: Vec<VolumeEntry>,
    /// Only one volume was requested.
    pub is_alone: bool,
}

/// The distances between the numbers of volumes, which are in ascending order: as many nodes share a volume.
fn distances(numbers: &[u64]) -> impl Iterator<Item = u64> + '_ {
    numbers.iter().zip(numbers.iter().skip(1)).map(|(number, next)| next.saturating_sub(*number))
}

impl SetContents {
    /// True if a name has the form of another volume format: QIO looks for `volNNNN/NAME` if the first volume has
    /// format 3, else for `NAME.volNNNN`.
    pub(crate) fn has_other_names(&self) -> bool {
        let in_folders = self.format == Some(VolumeFormat::PartitionDirectory);
        self.volumes.iter().any(|volume| volume.has_number_at_end() == in_folders)
    }

    /// True if volumes may have been swapped.
    pub(crate) fn is_out_of_order(&self) -> bool {
        let mut findings = self.volumes.iter().flat_map(|volume| volume.findings.as_slice());
        findings.any(|finding| finding.rule == "volume-order")
    }

    /// True if the numbers of the volumes cannot be numbers of nodes. The nodes from one number to the next share a
    /// volume; the numbers are impossible if a volume of more nodes has no more sites than a volume of fewer.
    pub(crate) fn has_other_numbers(&self) -> bool {
        let mut volumes: Vec<(u64, u64)> =
            self.volumes.iter().filter_map(|volume| Some((volume.number?, volume.sites))).collect();
        volumes.sort_unstable();
        let numbers: Vec<u64> = volumes.iter().map(|(number, _)| *number).collect();
        if self.format == Some(VolumeFormat::Multifile) {
            return (0..).zip(&numbers).any(|(node, number): (u64, &u64)| node != *number);
        }
        let of_nodes: Vec<(u64, u64)> =
            distances(&numbers).zip(&volumes).map(|(nodes, (_, sites))| (nodes, *sites)).collect();
        let Some(fewest) = of_nodes.iter().min() else { return false };
        let is_short = |volume: &(u64, u64)| volume.0 > fewest.0 && volume.1 <= fewest.1;
        numbers.first().is_some_and(|first| *first != 0) || of_nodes.iter().any(is_short)
    }

    /// The format as a word.
    pub const fn format_name(&self) -> Option<&'static str> {
        match self.format {
            Some(VolumeFormat::Single) => Some("single"),
            Some(VolumeFormat::Multifile) => Some("multifile"),
            Some(VolumeFormat::Partition) => Some("partition"),
            Some(VolumeFormat::PartitionDirectory) => Some("partition-directory"),
            None => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::findings::Findings;

    fn set(format: VolumeFormat, volumes: &[(&str, u64, u64)]) -> SetContents {
        let entry = |(file, number, sites): &(&str, u64, u64)| VolumeEntry {
            file: (*file).to_owned(),
            number: Some(*number),
            sites: *sites,
            findings: Findings::new(true),
        };
        SetContents { format: Some(format), volumes: volumes.iter().map(entry).collect(), is_alone: false }
    }

    #[test]
    fn numbers_are_those_of_nodes() {
        let fits = |format, numbers: &[(u64, u64)]| {
            let volumes: Vec<_> = numbers.iter().map(|(number, sites)| ("a", *number, *sites)).collect();
            !set(format, &volumes).has_other_numbers()
        };
        let partition = |numbers: &[(u64, u64)]| fits(VolumeFormat::Partition, numbers);
        assert!(partition(&[(0, 64)]) && partition(&[(0, 64), (2, 64)]));
        assert!(partition(&[(0, 40), (1, 40), (2, 20)]) && partition(&[(0, 32), (1, 64), (3, 32)]));
        assert!(!partition(&[(0, 32), (1, 32), (2, 32), (5, 32)]));
        assert!(!partition(&[(1, 32), (2, 32)]));
        assert!(fits(VolumeFormat::Multifile, &[(0, 32), (1, 32)]));
        assert!(!fits(VolumeFormat::Multifile, &[(0, 32), (2, 32)]));
    }

    #[test]
    fn names_are_those_of_the_format() {
        let names = |format, file| set(format, &[(file, 0, 1)]).has_other_names();
        assert!(
            !names(VolumeFormat::Partition, "a/b.vol0000") && !names(VolumeFormat::Multifile, "b.vol12345")
        );
        assert!(!names(VolumeFormat::PartitionDirectory, "vol0000/b"));
        assert!(
            names(VolumeFormat::PartitionDirectory, "b.vol0000")
                && names(VolumeFormat::Partition, "vol0000/b")
        );
    }
}
