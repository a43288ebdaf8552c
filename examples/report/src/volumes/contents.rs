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
/// Maximum number of nodes to a volume for which names of missing volumes are looked for.
const MOST_NODES: u64 = 1 << 16;

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

/// A volume of an incomplete set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Present {
    /// The number in its name.
    pub number: u64,
    pub sites: u64,
    /// The lowest rank in its site list.
    pub lowest: Option<u64>,
}

/// The names of volumes that are missing: `missing` sites, of which `first` has the lowest rank, if it is known. `None`
/// if they are not certain.
///
/// Every volume has the number of its first node, as many nodes as the others, and sites after those of the volumes
/// with lower numbers (QIO 2.3, section 4.5). Numbers of nodes to a volume that contradict this are excluded; the names
/// are certain if one is left.
pub fn missing_names(volumes: &[Present], missing: u64, first: Option<u64>) -> Option<String> {
    let mut volumes = volumes.to_vec();
    volumes.sort_unstable();
    let sites = volumes.first()?.sites;
    let is_even = sites > 0 && missing.is_multiple_of(sites) && volumes.iter().all(|one| one.sites == sites);
    if !is_even {
        return None;
    }
    let numbers: Vec<u64> = volumes.iter().map(|volume| volume.number).collect();
    let count = (numbers.len() as u64).checked_add(missing / sites)?;
    let absent = |step: u64| {
        let all = (0..count).map_while(move |nth: u64| nth.checked_mul(step));
        all.filter(|number| numbers.binary_search(number).is_err())
    };
    let fits = |step: &u64| {
        let is_whole = numbers.iter().all(|number| number.is_multiple_of(*step) && number / step < count);
        let lost = absent(*step).next();
        is_whole
            && volumes.iter().all(|volume| {
                let (Some(first), Some(lowest), Some(lost)) = (first, volume.lowest, lost) else {
                    return true;
                };
                (lowest < first) == (volume.number < lost)
            })
    };
    // As many nodes share a volume as one has sites at most, and the first difference is a multiple of that.
    let most = numbers.iter().find(|number| **number > 0).copied().unwrap_or(1).min(sites);
    let mut steps = (1..=most.min(MOST_NODES)).filter(fits);
    let step = steps.next().filter(|_| steps.next().is_none() && most <= MOST_NODES && numbers.len() > 1)?;
    let names: Vec<String> = absent(step).take(MANY).map(|number| format!("vol{number:04}")).collect();
    let more = if absent(step).nth(MANY).is_some() { ", …" } else { "" };
    Some(format!("by their numbers and sites: {}{more}", names.join(", ")))
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
        let names = |volumes: &[(u64, u64)], sites: u64, missing: u64, first: u64| {
            let present =
                |(number, lowest): &(u64, u64)| Present { number: *number, sites, lowest: Some(*lowest) };
            let present: Vec<_> = volumes.iter().map(present).collect();
            let of = |first| {
                let names = missing_names(&present, missing, first)?;
                Some(names.strip_prefix("by their numbers and sites: ")?.to_owned())
            };
            (of(Some(first)).unwrap_or_default(), of(None).is_some())
        };
        let named = |names: &str, is_certain| (names.to_owned(), is_certain);
        assert_eq!(names(&[(0, 0), (1, 32), (3, 96)], 32, 32, 64), named("vol0002", true));
        assert_eq!(names(&[(1, 32), (2, 64)], 32, 32, 0), named("vol0000", true));
        assert_eq!(names(&[(0, 0), (1, 32)], 32, 64, 64), named("vol0002, vol0003", true));
        // One or three nodes to a volume: the place of the missing sites decides.
        assert_eq!(names(&[(0, 0), (3, 96)], 32, 64, 32), named("vol0001, vol0002", false));
        assert_eq!(names(&[(3, 32), (0, 0)], 32, 64, 64), named("vol0006, vol0009", false));
        assert_eq!(names(&[(0, 0), (2, 64)], 32, 64, 32), named("vol0001, vol0003", false));
        // Volumes of different sizes, and a volume alone.
        assert_eq!(names(&[(0, 0), (1, 32)], 32, 33, 64), named("", false));
        assert_eq!(names(&[(0, 0)], 32, 32, 32), named("", false));
        let many = names(&[(0, 0), (1, 1)], 1, 1 << 40, 2).0;
        assert!(many.ends_with("vol0011, …"), "{many}");
    }
}
