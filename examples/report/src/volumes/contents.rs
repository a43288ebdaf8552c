//! The contents of a set in addition to those of a single file.

use linkstream::scidac::VolumeFormat;

use crate::findings::Findings;

/// A set, or a single volume of it.
#[derive(Debug)]
pub struct SetContents {
    /// The volume format in the first volume; `None` without a first volume.
    pub format: Option<VolumeFormat>,
    pub volumes: Vec<VolumeEntry>,
    /// Only one volume was requested.
    pub is_alone: bool,
}

/// One volume.
#[derive(Debug)]
pub struct VolumeEntry {
    /// The name of its file.
    pub file: String,
    /// The number in its name.
    pub number: Option<u64>,
    /// Number of entries in its site list.
    pub sites: u64,
    pub findings: Findings,
}

/// Numbers that are listed in a message.
const MANY: usize = 10;

impl VolumeEntry {
    /// Whether its file is called `NAME.volNNNN`, as opposed to `volNNNN/NAME`.
    fn has_number_at_end(&self) -> bool {
        let digits = self.file.rsplit_once(".vol").map(|(_, digits)| digits);
        digits.is_some_and(|digits| digits.len() >= 4 && digits.bytes().all(|byte| byte.is_ascii_digit()))
    }
}

/// The distances between the numbers of volumes, which are in ascending order: as many nodes share a volume.
fn distances(numbers: &[u64]) -> impl Iterator<Item = u64> + '_ {
    numbers.windows(2).map(|pair| pair[1].saturating_sub(pair[0]))
}

/// The names of volumes that are missing, judged by the numbers of the others and by how many sites no volume has.
pub fn missing_names(volumes: &[(u64, u64)], missing_sites: u64) -> String {
    let mut volumes = volumes.to_vec();
    volumes.sort_unstable();
    let numbers: Vec<u64> = volumes.iter().map(|(number, _)| *number).collect();
    let step = distances(&numbers).min().unwrap_or(1).max(1);
    let (Some(first), Some(last)) = (numbers.first().copied(), numbers.last().copied()) else {
        return String::new();
    };
    // The first volume has the number of the first node.
    let between = (0..first).chain(first..last).step_by(usize::try_from(step).unwrap_or(usize::MAX));
    let mut missing: Vec<u64> =
        between.filter(|number| numbers.binary_search(number).is_err()).take(MANY + 1).collect();
    let largest = volumes.iter().map(|(_, sites)| *sites).max().unwrap_or(0).max(1);
    let count = usize::try_from(missing_sites.div_ceil(largest)).unwrap_or(usize::MAX).min(MANY + 1);
    let after = (1..).map_while(|n: u64| last.checked_add(n.checked_mul(step)?));
    missing.extend(after.take(count.saturating_sub(missing.len())));
    let names: Vec<String> = missing.iter().take(MANY).map(|number| format!("vol{number:04}")).collect();
    let more = if missing.len() > MANY { ", …" } else { "" };
    format!("by their numbers and sites: {}{more}", names.join(", "))
}

impl SetContents {
    /// Whether the files are named in the way of the other formats: QIO looks for `volNNNN/NAME` if the first volume
    /// has format 3, else for `NAME.volNNNN`.
    pub fn has_other_names(&self) -> bool {
        let in_folders = self.format == Some(VolumeFormat::PartitionDirectory);
        self.volumes.iter().any(|volume| volume.has_number_at_end() == in_folders)
    }

    /// Whether volumes may have been swapped.
    pub fn is_out_of_order(&self) -> bool {
        let mut findings = self.volumes.iter().flat_map(|volume| volume.findings.as_slice());
        findings.any(|finding| finding.rule == "volume-order")
    }

    /// Whether the numbers of the volumes cannot be those of nodes: nodes from one number to the next share a volume,
    /// but a volume of more nodes has no more sites than one of fewer.
    pub fn has_other_numbers(&self) -> bool {
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

    #[test]
    fn missing_volumes_have_names() {
        let names = |volumes: &[(u64, u64)], sites| missing_names(volumes, sites);
        let words = |names: &str| format!("by their numbers and sites: {names}");
        assert_eq!(names(&[(0, 32), (1, 32), (3, 32)], 32), words("vol0002"));
        assert_eq!(names(&[(3, 32), (0, 32)], 64), words("vol0006, vol0009"));
        assert_eq!(names(&[(0, 32), (1, 32)], 33), words("vol0002, vol0003"));
        assert_eq!(names(&[(1, 32), (2, 32)], 32), words("vol0000"));
        assert!(names(&[(0, 1), (1, 1)], 1 << 40).ends_with("vol0011, …"));
    }
}
