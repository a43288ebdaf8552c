//! Whether the volumes of a set have each site once.

use linkstream::scidac::VolumeFormat;
use linkstream::volume::SiteAccount;

use super::open::OpenSet;
use super::open_volume::for_each_rank;
use crate::reading::SurveyError;

/// A bit for each site may take so much memory, or as much as the site lists.
const MAP: u64 = 64 << 20;

/// Counts the sites of all volumes, and reports what is wrong with them. One volume alone is judged by itself.
pub fn count_sites<E: embedded_io::Error + Send>(
    set: &mut OpenSet<'_, E>,
    is_alone: bool,
) -> Result<(), SurveyError<E>> {
    let is_partition = set.format() != Some(VolumeFormat::Multifile);
    let first = set.volumes.first().and_then(|volume| volume.decoder.private_file());
    let Some(lattice) = first.and_then(|file| file.extents()) else { return Ok(()) };
    let lists: u64 = set.volumes.iter().map(|volume| volume.entry.sites).sum();
    let needed = SiteAccount::map_length(&lattice);
    let mut map =
        if needed <= MAP.max(lists.saturating_mul(4)) { vec![0; needed as usize] } else { Vec::new() };
    let mut account = match SiteAccount::with_map(&lattice, &mut map) {
        Ok(account) => account,
        Err(_) => SiteAccount::new(&lattice),
    };
    for volume in &mut set.volumes {
        let Some(list) = volume.decoder.site_list() else { continue };
        account.begin_volume();
        for_each_rank(volume, |rank| account.take(rank))?;
        let width = volume.decoder.entry_width();
        account.end_volume(&list, width, is_partition).for_each(|error| volume.report(&error));
    }
    if !is_alone {
        account.end().into_iter().for_each(|kind| set.report(kind));
    }
    Ok(())
}
