//! The sites of a MILC file with a site list, each with its rank.

use std::ops::Range;

use linkstream::lattice::ByteOrder;
use linkstream::milc::{HEADER_LEN, SITE_LEN};
use linkstream::volume::SiteAccount;

use super::contents::Shape;

/// Number of sites that are read at a time.
const SITES: usize = 512;

/// Reads the list and the data in parallel, each forwards, and passes the sites whose rank is wanted to `each`, in the
/// order of the list. `read` fills a buffer from an offset on. Returns whether the list contains each site of the
/// lattice exactly once: the sums by which `milc::Decoder` checks a list do not detect every repeated site.
pub fn for_each_listed<E>(
    shape: &Shape,
    wanted: &Range<u64>,
    mut read: impl FnMut(u64, &mut [u8]) -> Result<(), E>,
    mut each: impl FnMut(u64, &[u8]) -> Result<(), E>,
) -> Result<bool, E> {
    let (mut ranks, mut data) = ([0; 4 * SITES], vec![0; SITE_LEN * SITES]);
    let sites = shape.extents.sites();
    let Ok(length) = usize::try_from(SiteAccount::map_length(&shape.extents)) else { return Ok(false) };
    let mut map = vec![0; length];
    let Ok(mut account) = SiteAccount::with_map(&shape.extents, &mut map) else { return Ok(false) };
    account.begin_volume();
    let order = shape.order.unwrap_or(ByteOrder::Big);
    let mut done = 0;
    while done < sites {
        let count = (sites - done).min(SITES as u64) as usize;
        let ranks = &mut ranks[..4 * count];
        read(HEADER_LEN as u64 + 4 * done, ranks)?;
        let ranks: Vec<u64> = ranks.as_chunks().0.iter().map(|rank| order.u32(*rank).into()).collect();
        ranks.iter().for_each(|rank| account.take(*rank));
        let is_wanted = |rank: &u64| wanted.contains(rank);
        if let (Some(first), Some(last)) =
            (ranks.iter().position(is_wanted), ranks.iter().rposition(is_wanted))
        {
            let data = &mut data[..SITE_LEN * (last + 1 - first)];
            read(shape.data_at + SITE_LEN as u64 * (done + first as u64), data)?;
            let sites = ranks[first..].iter().zip(data.chunks_exact(SITE_LEN));
            for (rank, site) in sites.filter(|(rank, _)| is_wanted(rank)) {
                each(*rank, site)?;
            }
        }
        done += count as u64;
    }
    Ok(account.end().is_none())
}
