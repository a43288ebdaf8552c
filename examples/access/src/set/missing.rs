//! Names of the volumes that an incomplete set lacks.

/// Numbers that are listed in a message.
const MANY: usize = 10;
/// Maximum number of nodes to a volume in the search for names of missing volumes.
const MOST_NODES: u64 = 1 << 16;

/// A volume of an incomplete set.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Present {
    /// The number in its name.
    pub number: u64,
    pub sites: u64,
    /// The lowest rank in its site list.
    pub lowest: Option<u64>,
}

/// The names of missing volumes that contain `missing` sites. `first` is the lowest rank of these sites, if it is
/// known. `None` if the names are not certain.
///
/// Every volume has the number of its first node and as many nodes as the others. Its sites follow the sites of the
/// volumes with lower numbers (QIO 2.3, section 4.5). Numbers of nodes to a volume that contradict this are excluded;
/// the names are certain if one number is left.
#[expect(
    clippy::arithmetic_side_effects,
    reason = "the divisors are numbers of sites and steps, which are not 0"
)]
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
    // The step is the number of nodes that share a volume. Each node has a site, so it is at most the number of sites,
    // and every number is a multiple of it.
    let most = numbers.iter().find(|number| **number > 0).copied().unwrap_or(1).min(sites);
    let mut steps = (1..=most.min(MOST_NODES)).filter(fits);
    let step = steps.next().filter(|_| steps.next().is_none() && most <= MOST_NODES && numbers.len() > 1)?;
    let names: Vec<String> = absent(step).take(MANY).map(|number| format!("vol{number:04}")).collect();
    let more = if absent(step).nth(MANY).is_some() { ", …" } else { "" };
    Some(format!("by their numbers and sites: {}{more}", names.join(", ")))
}

#[cfg(test)]
mod tests {
    use super::*;

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
