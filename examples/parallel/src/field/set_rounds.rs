//! Rounds of writing file sets: each family of ranks has its own stretch of its volume in a round.

use std::ops::Range;

use super::boxes::BoxPart;
use linkstream::field::Field;
use linkstream::lattice::{Region, SiteOrder};

use super::families::Family;
use super::layout::OwnPart;
use linkstream_memory as memory;

use crate::comm::{Comm, CommError, Message, Op};
use crate::error::Fault;

/// The rounds of one field of a file set.
#[derive(Debug, Clone)]
pub(super) struct SetRounds {
    /// Index of the first site of the family in the stored order of the field.
    start: u64,
    /// Sites of a round: of the stored order of the field, or of the rank's sites.
    step: u64,
    /// True if ranks send their sites to the ranks that write. Then all ranks have the same number of rounds.
    pub(super) is_shared: bool,
    pub(super) number: u64,
    /// Number of rounds that some rank needs at least.
    least: u64,
    /// The stretches of the family that have sites, if others are left out.
    kept: Option<Vec<u64>>,
}

/// The numbers that ranks compare to agree on their rounds: the largest of each.
pub(super) const NUMBERS: usize = 3;

/// Largest exponent of the step.
const LEVELS: u64 = 62;

impl SetRounds {
    /// The requirements of one rank.
    pub(super) fn require(family: &Family, field: &Field, part: &OwnPart, memory: usize) -> [u64; NUMBERS] {
        if !is_shared(family, field) || part.sites() == 0 {
            return [0; NUMBERS];
        }
        let [start, end] = stretch(family, field);
        let base = sites_in(field, memory, family.size);
        let fits = |level: &u64| {
            let step = 1 << level;
            let mut starts = (start..end).step_by(usize::try_from(step).unwrap_or(usize::MAX));
            starts.all(|start: u64| part.sites_stored(start..start.saturating_add(step)) <= base)
        };
        // All sites in one round, or at least as many as fit if they are consecutive.
        let most = u64::from((end - start).next_power_of_two().trailing_zeros()).min(LEVELS);
        let least = u64::from(base.ilog2()).min(most);
        let level = (least..=most).rev().find(fits).unwrap_or(least);
        [LEVELS - level, end - start, part.sites().div_ceil(base)]
    }

    /// The rounds that meet the largest requirements.
    pub(super) fn new(
        family: &Family,
        field: &Field,
        part: &OwnPart,
        memory: usize,
        largest: &[u64],
    ) -> Self {
        if !is_shared(family, field) {
            let step = sites_in(field, memory, 1);
            let number = part.sites().div_ceil(step);
            return Self { start: 0, step, is_shared: false, number, least: number, kept: None };
        }
        let [level, length, least] = [0, 1, 2].map(|i| largest.get(i).copied().unwrap_or(0));
        let step = 1 << LEVELS.saturating_sub(level);
        let start = stretch(family, field)[0];
        Self { start, step, is_shared: true, number: length.div_ceil(step), least, kept: None }
    }

    /// Collective: leaves out the stretches without sites of the family, if there would be more than twice as many
    /// rounds as the memory requires. Then two exchanges and one small collective call, otherwise none.
    pub(super) fn without_empty(
        mut self,
        comm: &impl Comm,
        family: &Family,
        part: &OwnPart,
    ) -> Result<Self, CommError> {
        if !self.is_shared || self.number <= self.least.saturating_mul(2) {
            return Ok(self);
        }
        // One bit for each stretch.
        let mut bits = vec![0_u8; usize::try_from(self.number.div_ceil(8)).unwrap_or(usize::MAX)];
        for (round, bit) in (0..self.number).zip((0..8).cycle()) {
            let has_sites = part.sites_stored(self.stretch(round)) > 0;
            bits[(round / 8) as usize] |= u8::from(has_sites) << bit;
        }
        let own = (part.sites() > 0).then(|| Message { rank: family.head, bytes: bits.clone() });
        let inbox = comm.exchange(own.into_iter().collect())?;
        let mut all = vec![0; bits.len()];
        for message in &inbox {
            all.iter_mut().zip(&message.bytes).for_each(|(all, bits)| *all |= bits);
        }
        let answers = inbox.iter().map(|message| Message { rank: message.rank, bytes: all.clone() });
        let inbox = comm.exchange(answers.collect())?;
        let all = inbox.first().map_or(&[][..], |message| &message.bytes);
        let has_sites =
            |round: &u64| all.get((round / 8) as usize).is_some_and(|byte| byte >> (round % 8) & 1 == 1);
        let kept: Vec<u64> = (0..self.number).filter(has_sites).collect();
        let mut number = [kept.len() as u64];
        comm.combine(Op::Max, &mut number)?;
        (self.number, self.kept) = (number[0], Some(kept));
        Ok(self)
    }

    /// The indices in the stored order of the field that a stretch has.
    const fn stretch(&self, number: u64) -> Range<u64> {
        let start = self.start.saturating_add(number.saturating_mul(self.step));
        start..start.saturating_add(self.step)
    }

    /// The windows of a rank in a round.
    pub(super) fn windows(&self, part: &OwnPart, round: u64) -> Vec<BoxPart> {
        let stretch = match &self.kept {
            None => self.stretch(round),
            Some(kept) => kept.get(round as usize).map_or(0..0, |number| self.stretch(*number)),
        };
        let mut windows = if self.is_shared {
            part.stored(stretch)
        } else {
            let sites = part.sites();
            part.own(stretch.start.min(sites)..stretch.end.min(sites))
        };
        windows.retain(|window| window.sites() > 0);
        windows
    }
}

/// True if ranks send data of a field to others, which write them.
fn is_shared(family: &Family, field: &Field) -> bool {
    match field.region {
        Region::Global => family.first != 0,
        _ => family.is_shared,
    }
}

/// Number of sites of a rank whose data fit into this memory of the rank that writes, at least one.
fn sites_in(field: &Field, memory: usize, ranks: u64) -> u64 {
    let bytes = field.bytes_per_site.saturating_mul(ranks.max(1));
    (memory as u64).checked_div(bytes).unwrap_or(u64::MAX >> 1).clamp(1, u64::MAX >> 1)
}

/// The indices of the sites of a family in the stored order of a field: at least these.
fn stretch(family: &Family, field: &Field) -> [u64; 2] {
    match field.region {
        Region::Global => [0, 1],
        _ => {
            let [lowest, largest] = family.bounds;
            [stored_at(field, lowest), stored_at(field, largest + 1)]
        }
    }
}

/// Number of sites of a field whose rank is lower than this one.
fn stored_at(field: &Field, rank: u64) -> u64 {
    if field.region == Region::Lattice {
        return rank;
    }
    let (mut low, mut high) = (0, field.sites());
    while low < high {
        let middle = low + (high - low) / 2;
        let is_lower = SiteOrder::at(field.extents, field.region, middle).rank() < rank;
        if is_lower { low = middle + 1 } else { high = middle }
    }
    low
}

/// The sites of windows as consecutive ones: index of the first in the stored order of the field, and their number.
pub(super) fn stretches<'w>(
    field: &Field,
    windows: &'w [BoxPart],
) -> impl Iterator<Item = (u64, u64)> + use<'w> {
    let (first, size) = (field.record.payload_offset(), field.bytes_per_site);
    let runs = windows.iter().flat_map(BoxPart::runs);
    runs.map(move |run| ((run.offset - first).checked_div(size).unwrap_or(0), run.sites))
}

/// A message to the rank that writes: number of stretches, start and length of each, and the bytes of all. Empty
/// without sites.
pub(super) fn gather(field: &Field, windows: &[BoxPart], bytes: Option<&[u8]>) -> Vec<u8> {
    let heads: Vec<(u64, u64)> = stretches(field, windows).collect();
    if heads.is_empty() {
        return Vec::new();
    }
    let length = 8 + 16 * heads.len() + bytes.map_or(0, <[u8]>::len);
    let mut message = memory::unwinding::or_end(memory::room(length));
    message.extend_from_slice(&(heads.len() as u64).to_le_bytes());
    for number in heads.iter().flat_map(|(start, count)| [start, count]) {
        message.extend_from_slice(&number.to_le_bytes());
    }
    message.extend_from_slice(bytes.unwrap_or_default());
    message
}

/// Index of the first site in the stored order, number of sites, and their bytes.
type Stretch<'b> = (u64, u64, &'b [u8]);

/// The stretches of all messages in ascending order, each with its bytes. `size` is the number of bytes of a site.
pub(super) fn run_heads(inbox: &[Message], size: u64) -> Result<Vec<Stretch<'_>>, Fault> {
    let mut all = Vec::new();
    for message in inbox {
        let parts = parts(&message.bytes, size);
        all.extend(parts.ok_or_else(|| CommError::new("a message between ranks is malformed"))?);
    }
    all.sort_unstable_by_key(|(start, ..)| *start);
    Ok(all)
}

fn parts(message: &[u8], size: u64) -> Option<Vec<Stretch<'_>>> {
    let (number, rest) = message.split_first_chunk::<8>()?;
    let heads = usize::try_from(u64::from_le_bytes(*number)).ok()?;
    let (heads, mut bytes) = rest.split_at_checked(heads.checked_mul(16)?)?;
    let mut parts = Vec::new();
    for head in heads.as_chunks::<16>().0 {
        let (start, count) = head.split_at(8);
        let [start, count] = [start, count].map(|word| word.try_into().map_or(0, u64::from_le_bytes));
        let (own, after) = bytes.split_at_checked(usize::try_from(count.checked_mul(size)?).ok()?)?;
        parts.push((start, count, own));
        bytes = after;
    }
    Some(parts)
}
