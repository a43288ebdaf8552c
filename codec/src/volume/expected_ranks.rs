//! Which ranks an encoder of a volume takes: in its site list, and with data.

use super::encoder::Encoder;
use super::entry::Entry;
use super::rank_sums::RankSums;
use super::write_error::EncodeErrorKind;
use crate::counter::Counter as _;
use crate::lattice::{Extents, Region};

impl Encoder {
    /// Takes account of the next rank of the site list.
    pub(super) fn pass_entry(&mut self, rank: u64) -> Result<Entry, EncodeErrorKind> {
        let due = self.extents.filter(|extents| {
            rank < extents.sites() && rank <= self.largest && self.is_due(rank, &Region::Lattice, extents)
        });
        let entry = due.and_then(|_| Entry::new(rank, self.width));
        let entry = entry.ok_or(EncodeErrorKind::Rank { rank })?;
        self.list_digest = self.list_digest.wrapping_add(digest(self.missing, rank));
        self.pass(rank);
        Ok(entry)
    }

    /// Takes account of the next rank of the data.
    pub(super) fn pass_rank(&mut self, rank: u64) -> Result<(), EncodeErrorKind> {
        let is_site = self.field.as_ref().is_some_and(|field| match &field.region {
            // Compared with the list at the end.
            Region::Lattice => true,
            Region::Global => rank == 0,
            Region::Hypercube(cube) => {
                field.extents.coordinates(rank).is_some_and(|site| cube.contains(&site))
                    && self.is_due(rank, &field.region, &field.extents)
            }
        });
        if !is_site {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        self.data_digest = self.data_digest.wrapping_add(digest(self.missing, rank));
        self.pass(rank);
        Ok(())
    }

    /// Whether a rank can come next: they ascend in partitions, and in other sets none follows itself; if the volume
    /// has all sites of the region, each must have come once.
    fn is_due(&self, rank: u64, region: &Region, extents: &Extents) -> bool {
        let follows = self.last.is_none_or(|last| if self.is_partition { last < rank } else { last != rank });
        let mut ranks = self.ranks;
        ranks.take(rank);
        let is_whole = self.missing == 1 && ranks.count == region.sites(extents);
        follows && (!is_whole || ranks == RankSums::of(region, extents))
    }

    fn pass(&mut self, rank: u64) {
        self.missing.take_away(1);
        self.last = Some(rank);
        self.ranks.take(rank);
    }

    /// Whether the data of the lattice that have been written are not those of the site list in its order.
    pub(super) fn is_in_other_order(&self) -> bool {
        let is_lattice = self.field.as_ref().is_some_and(|field| field.region == Region::Lattice);
        is_lattice && self.data_digest != self.list_digest
    }

    /// Checks the ranks of the message that has just begun, before anything of it is written. Those of global data are
    /// not used.
    pub(crate) fn check_ranks(&self, ranks: impl Iterator<Item = u64>) -> Result<(), EncodeErrorKind> {
        if self.field.as_ref().is_some_and(|field| field.region == Region::Global) {
            return Ok(());
        }
        let mut trial = self.clone();
        for rank in ranks {
            if trial.missing == 0 {
                return Err(EncodeErrorKind::SitesDiffer);
            }
            match trial.field {
                Some(_) => trial.pass_rank(rank)?,
                None => trial.pass_entry(rank).map(|_| ())?,
            }
        }
        if trial.missing > 0 || trial.is_in_other_order() {
            return Err(EncodeErrorKind::SitesDiffer);
        }
        Ok(())
    }
}

/// A rank at its place, so that the sum over a list changes with its order (SplitMix64's finaliser).
const fn digest(place: u64, rank: u64) -> u64 {
    let mut z = place.wrapping_mul(0x9e37_79b9_7f4a_7c15) ^ rank;
    z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    z ^ (z >> 31)
}
