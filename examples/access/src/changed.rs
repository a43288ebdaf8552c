//! The place of damage in a field whose checksum does not match, if only one byte has changed.

use std::ffi::OsStr;
use std::path::Path;

use linkstream::field::Field;
use linkstream::lattice::Region;
use linkstream_arithmetic::{PERIOD, changed_bytes};

use crate::set::Joined;
use crate::sums::Sum;

/// Damage that can be in more places is not placed.
const MOST: u64 = 16;

/// The places whose change explains the sums: one of them has changed.
#[derive(Debug, Clone)]
pub struct Changed(
    /// Absolute offsets of the byte; at least one.
    Vec<u64>,
);

impl Changed {
    /// The changes of one byte that explain both sums of a field; `None` if there are none or too many. `outlier` is a
    /// site whose links are not in their group: among several sites, it is the one that has changed.
    #[must_use]
    pub fn of(field: &Field, computed: Sum, stored: Sum, outlier: Option<u64>) -> Option<Self> {
        let sites = Some(field.sites()).filter(|_| field.region == Region::Lattice)?;
        let found = changed_bytes(computed.0, stored.0, field.bytes_per_site, sites);
        let offset = |site: u64, byte: u64| {
            let in_data = site.checked_mul(field.bytes_per_site)?.checked_add(byte)?;
            field.record.payload_offset().checked_add(in_data)
        };
        let of_outlier = |site: u64| {
            let same = found.iter().filter(move |one| site.checked_rem(PERIOD) == Some(one.site));
            same.map(|one| offset(site, one.byte)).collect::<Option<Vec<_>>>().filter(|all| !all.is_empty())
        };
        if let Some(places) = outlier.and_then(of_outlier) {
            return Some(Self(places));
        }
        let counts = found.iter().map(|one| sites.saturating_sub(one.site).div_ceil(PERIOD));
        if !(1..=MOST).contains(&counts.sum()) {
            return None;
        }
        let sites_of = |first: u64| (first..sites).step_by(PERIOD as usize);
        let each = found.iter().flat_map(|one| sites_of(one.site).map(|site| offset(site, one.byte)));
        let mut places = each.collect::<Option<Vec<_>>>()?;
        places.sort_unstable();
        Some(Self(places))
    }

    /// Adds the places in a file to the message about its checksum.
    #[must_use]
    pub fn explain(&self, message: &str) -> String {
        let names: Vec<_> = self.0.iter().map(|place| format!("byte {place}")).collect();
        with(message, &names)
    }
}

fn with(message: &str, places: &[String]) -> String {
    let among = if places.len() > 1 { ", one of these" } else { "" };
    format!("{message}; the sums differ as if only one byte had changed{among}: {}", places.join(", "))
}

/// The message about the checksum of all volumes of a set, with the possible places of the damage. Also the index of the
/// volume and the first offset there, if they are all in the same volume.
#[must_use]
pub fn blame<E: embedded_io::Error + Send>(
    message: &str,
    changed: Option<&Changed>,
    joined: &Joined<'_, E>,
) -> (String, Option<(usize, u64)>) {
    let Some(Changed(places)) = changed else {
        return (format!("{message}; it is the checksum of the data of all volumes together"), None);
    };
    let mut places: Vec<_> = places.iter().map(|place| joined.origin(*place)).collect();
    places.sort_unstable();
    let name = |(volume, offset): &(usize, u64)| {
        let file = joined.set.volumes.get(*volume).map_or("", |volume| &volume.entry.file);
        let file = Path::new(file).file_name().and_then(OsStr::to_str).unwrap_or(file);
        format!("byte {offset} of {file}")
    };
    let message = with(message, &places.iter().map(name).collect::<Vec<_>>());
    let first = places.first().copied();
    let is_same = |(volume, _): &(usize, u64)| places.iter().all(|(other, _)| other == volume);
    (message, first.filter(is_same))
}
