//! Checks that each site is in exactly one volume of a set.

use linkstream::Class;
use linkstream::scidac::VolumeFormat;
use linkstream::volume::{ErrorKind, SiteAccount};
use linkstream_memory as memory;

use super::open::OpenSet;
use super::open_volume::for_each_rank;
use crate::findings::{Finding, Level};
use crate::source::SourceError;

/// Maximum size in bytes of the map with a bit for each site, unless the site lists are larger.
const MAP: u64 = 64 << 20;

/// Counts the sites of all volumes and reports errors. A volume alone is checked only by itself.
pub fn count_sites<E: embedded_io::Error + Send>(
    set: &mut OpenSet<'_, E>,
    is_alone: bool,
) -> Result<(), SourceError<E>> {
    let is_partition = set.format() != Some(VolumeFormat::Multifile);
    let first = set.volumes.first().and_then(|volume| volume.decoder.content().private_file());
    let Some(lattice) = first.and_then(|file| file.extents()) else { return Ok(()) };
    let lists = set.volumes.iter().fold(0, |sites: u64, volume| sites.saturating_add(volume.entry.sites));
    let most = lists.saturating_mul(4).max(MAP);
    let needed =
        usize::try_from(SiteAccount::map_length(&lattice)).ok().filter(|needed| *needed as u64 <= most);
    let mut map = memory::unwinding::zeroed(needed.unwrap_or(0));
    let mut account = match SiteAccount::with_map(&lattice, &mut map) {
        Ok(account) => account,
        Err(_) => SiteAccount::new(&lattice),
    };
    for volume in &mut set.volumes {
        let Some(list) = volume.decoder.site_list() else { continue };
        account.begin_volume();
        let mut lowest = None;
        for_each_rank(volume, |rank| {
            account.take(rank);
            lowest = Some(lowest.map_or(rank, |lowest: u64| lowest.min(rank)));
        })?;
        volume.lowest = lowest;
        let width = volume.decoder.entry_width();
        account.end_volume(&list, width, is_partition).for_each(|error| volume.report(&error));
    }
    match account.end().filter(|_| !is_alone) {
        Some(ErrorKind::Missing { count }) => set.report_missing(count, first_absent(&map)),
        Some(kind) => set.report(kind),
        None => {}
    }
    if set.is_whole() {
        look_at_order(set);
    }
    Ok(())
}

/// The lowest rank whose bit in the map of a [`SiteAccount`] is not set.
fn first_absent(map: &[u8]) -> Option<u64> {
    let (index, byte) = (0_u64..).zip(map).find(|(_, byte)| **byte != u8::MAX)?;
    index.checked_mul(8)?.checked_add(byte.trailing_ones().into())
}

/// Reports volumes that may have been swapped. QIO's programs number nodes in the order of their sites (QIO 2.3,
/// section 4.5), but other programs need not, and the data are not affected. If the volume with the lowest number is
/// not the first volume, this is not reported here.
fn look_at_order<E>(set: &mut OpenSet<'_, E>) {
    let mut order: Vec<usize> = (0..set.volumes.len()).collect();
    order.sort_by_key(|index| set.volumes.get(*index).and_then(|volume| volume.entry.number));
    if order.first() != Some(&0) {
        return;
    }
    let mut before = None;
    for index in order {
        let Some(volume) = set.volumes.get_mut(index) else { continue };
        if volume.lowest.is_some() && volume.lowest < before {
            volume.entry.findings.push(Finding {
                severity: Level::Warning,
                class: Class::Rule,
                rule: "volume-order",
                clause: "QIO 2.3, section 4.5",
                offset: volume.decoder.site_list().map_or(0, |list| list.payload_offset()),
                message:
                    "its sites precede the sites of a volume with a lower number: the volumes may be swapped"
                        .to_owned(),
            });
        }
        before = before.max(volume.lowest);
    }
}
