//! Division of a collective call into rounds, so that its memory is bounded.

use std::ops::Range;

use super::shared::check_order;
use crate::comm::{Comm, CommError, Op};
use crate::error::Fault;

/// I/O ranks begin and end at multiples of this offset: a multiple of the stripes of common parallel file systems.
pub(super) const ALIGNMENT: u64 = 1 << 20;

/// Division of one call into rounds: in each, every I/O rank has one contiguous part of the file. Its parts of all rounds are
/// contiguous, too, or the I/O ranks take turns, so that the parts of all I/O ranks in a round are contiguous.
#[derive(Debug, Clone, Copy)]
pub struct Rounds {
    start: u64,
    end: u64,
    /// Bytes of each I/O rank in the whole call.
    each: u64,
    buffer: u64,
    number: u64,
    /// Number of I/O ranks that take turns; 0 if they do not.
    turns: u64,
}

impl Rounds {
    /// Collective: divides the bytes between the first and the last one of all ranks among so many I/O ranks, in parts
    /// of at most `buffer` bytes. Replaces the numbers in `largest` by the largest ones of all ranks, each below 2^63.
    /// One small collective call.
    ///
    /// # Errors
    /// The ranks cannot communicate.
    pub fn agree(
        comm: &impl Comm,
        range: Option<Range<u64>>,
        io: usize,
        buffer: u64,
        largest: &mut [u64],
    ) -> Result<Self, CommError> {
        const LARGEST: u64 = u64::MAX >> 1;
        // The smallest start is found as the largest distance from the end of all numbers.
        let [distance, end] = range.map_or([0, 0], |range| [LARGEST - range.start, range.end]);
        let mut numbers = vec![distance, end];
        numbers.extend_from_slice(largest);
        comm.combine(Op::Max, &mut numbers)?;
        largest.copy_from_slice(&numbers[2..]);
        let (distance, end) = (numbers[0], numbers[1]);
        let start = (LARGEST - distance) / ALIGNMENT * ALIGNMENT;
        if end <= start {
            return Ok(Self { start: 0, end: 0, each: ALIGNMENT, buffer, number: 0, turns: 0 });
        }
        let each = (end - start).div_ceil(io as u64).div_ceil(ALIGNMENT) * ALIGNMENT;
        Ok(Self { start, end, each, buffer, number: each.min(end - start).div_ceil(buffer), turns: 0 })
    }

    /// The rounds if so many I/O ranks take turns, with parts that are whole stripes of this many bytes.
    #[must_use]
    pub fn striped(self, io: usize, stripe: u64) -> Self {
        if stripe == 0 || self.number == 0 {
            return self;
        }
        let start = self.start / stripe * stripe;
        let buffer = (self.buffer / stripe).max(1).saturating_mul(stripe);
        let turns = io as u64;
        let number = (self.end - start).div_ceil(buffer.saturating_mul(turns));
        let each = (self.end - start).div_ceil(turns).div_ceil(ALIGNMENT) * ALIGNMENT;
        Self { start, each, buffer, number, turns, ..self }
    }

    /// Number of rounds. The same on all ranks.
    #[must_use]
    pub const fn number(&self) -> u64 {
        self.number
    }

    /// Offset after the last byte of all ranks, or 0 if there are none.
    #[must_use]
    pub const fn end(&self) -> u64 {
        self.end
    }

    /// The rounds if each rank accesses the next bytes of its own pieces instead: bytes of a rank in a round, at least
    /// 1 MiB, and number of rounds. `None` unless the pieces are long and so far apart that most windows would be
    /// empty. `demands` are the largest numbers from [`demands`] of all ranks, `memory` the bytes of a rank in a round.
    #[must_use]
    pub fn of_own_pieces(&self, [are_short, bytes]: [u64; 2], memory: u64) -> Option<(u64, u64)> {
        let share = memory.max(ALIGNMENT);
        let number = bytes.div_ceil(share);
        (are_short == 0 && self.number > number.saturating_mul(2)).then_some((share, number))
    }

    /// The parts of the I/O rank with this index in all rounds together.
    #[must_use]
    pub fn domain(&self, io: usize) -> Range<u64> {
        let first = self.start.saturating_add((io as u64).saturating_mul(self.each)).min(self.end);
        first..first.saturating_add(self.each).min(self.end)
    }

    /// The part of the I/O rank with this index in this round. Empty if it has none.
    #[must_use]
    pub fn window(&self, io: usize, round: u64) -> Range<u64> {
        if self.turns > 0 {
            let parts = round.saturating_mul(self.turns).saturating_add(io as u64);
            let first = self.start.saturating_add(parts.saturating_mul(self.buffer)).min(self.end);
            return first..first.saturating_add(self.buffer).min(self.end);
        }
        let first = self.start.saturating_add((io as u64).saturating_mul(self.each));
        let end = first.saturating_add(self.each).min(self.end);
        let from = first.saturating_add(round.saturating_mul(self.buffer)).min(end);
        from..from.saturating_add(self.buffer).min(end)
    }
}

/// The numbers of one rank that [`Rounds::of_own_pieces`] needs, as the largest of all ranks: whether its pieces are
/// short and many, and the number of their bytes.
#[must_use]
pub fn demands(pieces: &[(u64, usize)]) -> [u64; 2] {
    let bytes: u64 = pieces.iter().map(|(_, length)| *length as u64).sum();
    let filled = pieces.iter().filter(|(_, length)| *length > 0).count() as u64;
    [u64::from(filled > 1 && bytes / filled < ALIGNMENT), bytes]
}

/// The parts of ordered pieces that are in a window: index of the piece, and the range of its bytes.
pub fn within(
    pieces: &[(u64, usize)],
    window: Range<u64>,
) -> impl Iterator<Item = (usize, Range<usize>)> + use<'_> {
    let first = pieces.partition_point(|(offset, length)| offset + *length as u64 <= window.start);
    let Range { start, end } = window;
    pieces[first..].iter().enumerate().take_while(move |(_, (offset, _))| *offset < end).filter_map(
        move |(i, (offset, length))| {
            let from = start.saturating_sub(*offset) as usize;
            let to = (*length as u64).min(end - offset) as usize;
            (from < to).then_some((first + i, from..to))
        },
    )
}

/// The parts of ordered pieces that have these of all their bytes, counted from the first one of the first piece: index
/// of the piece, and the range of its bytes.
pub fn counted(
    pieces: &[(u64, usize)],
    bytes: Range<u64>,
) -> impl Iterator<Item = (usize, Range<usize>)> + use<'_> {
    let mut before = 0_u64;
    pieces.iter().enumerate().filter_map(move |(i, (_, length))| {
        let start = before;
        before += *length as u64;
        let from = bytes.start.clamp(start, before) - start;
        let to = bytes.end.clamp(start, before) - start;
        (from < to).then_some((i, from as usize..to as usize))
    })
}

/// Checks pieces. A rank whose pieces are refused takes part in the call without any.
pub fn accepted(pieces: Vec<(u64, usize)>) -> (Vec<(u64, usize)>, Result<(), Fault>) {
    match check_order(pieces.iter().copied()) {
        Ok(()) => (pieces, Ok(())),
        Err(fault) => (Vec::new(), Err(fault)),
    }
}

/// The bytes from the first to the last one.
#[must_use]
pub fn span(pieces: &[(u64, usize)]) -> Option<Range<u64>> {
    let mut filled = pieces.iter().filter(|(_, length)| *length > 0);
    let first = filled.next()?;
    let last = filled.next_back().unwrap_or(first);
    Some(first.0..last.0 + last.1 as u64)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn windows_cover_the_range_once() {
        let comm = crate::comm::Solo;
        for (range, io) in
            [(5..7 << 20, 3), (0..1, 4), (3 << 20..(3 << 20) + 1, 2), (100..40 << 20, 2), (0..40 << 20, 1)]
        {
            let contiguous = Rounds::agree(&comm, Some(range.clone()), io, 2 << 20, &mut []).unwrap();
            for stripe in [0, 1000, 1 << 20, 3 << 19, 8 << 20] {
                cover(contiguous.striped(io, stripe), &range, io, stripe);
            }
        }
    }

    fn cover(rounds: Rounds, range: &Range<u64>, io: usize, stripe: u64) {
        {
            let mut windows: Vec<_> = (0..rounds.number())
                .flat_map(|round| (0..io).map(move |io| rounds.window(io, round)))
                .filter(|window| !window.is_empty())
                .collect();
            windows.sort_by_key(|window| window.start);
            assert!(windows[0].start <= range.start && windows.last().unwrap().end == range.end, "{range:?}");
            assert!(windows.windows(2).all(|pair| pair[0].end == pair[1].start), "{windows:?}");
            assert!(windows.iter().all(|window| window.end - window.start <= stripe.max(2 << 20)));
            let domains: Vec<_> =
                (0..io).map(|io| rounds.domain(io)).filter(|domain| !domain.is_empty()).collect();
            assert!(domains[0].start <= range.start && domains.last().unwrap().end == range.end, "{range:?}");
            assert!(domains.windows(2).all(|pair| pair[0].end == pair[1].start), "{domains:?}");
            if stripe > 0 {
                assert!(windows.iter().all(|window| window.start % stripe == 0));
                // The parts of a round are neighbours.
                let round: Vec<_> = (0..io).map(|io| rounds.window(io, 0)).collect();
                assert!(round.windows(2).all(|pair| pair[0].end == pair[1].start), "{round:?}");
            }
        }
    }

    #[test]
    fn ranks_access_their_own_pieces_if_these_are_long_and_far_apart() {
        let own = |pieces: &[(u64, usize)], memory| {
            let mut largest = demands(pieces);
            let rounds = Rounds::agree(&crate::comm::Solo, span(pieces), 1, 1 << 20, &mut largest).unwrap();
            rounds.of_own_pieces(largest, memory)
        };
        assert_eq!(own(&[(0, 1 << 20), (64 << 20, 1 << 20)], 0), Some((1 << 20, 2)));
        assert_eq!(own(&[(0, 1 << 20), (64 << 20, 1 << 20)], 8 << 20), Some((8 << 20, 1)));
        // Neighbours; short pieces; a single short one, far from the pieces of other ranks.
        assert_eq!(own(&[(0, 2 << 20), (3 << 20, 2 << 20)], 0), None);
        assert_eq!(own(&[(0, 1000), (64 << 20, 1000)], 0), None);
        let mut largest = demands(&[(0, 1000)]);
        let span = Some(0..64 << 20);
        let rounds = Rounds::agree(&crate::comm::Solo, span, 1, 1 << 20, &mut largest).unwrap();
        assert_eq!(rounds.of_own_pieces(largest, 0), Some((1 << 20, 1)));
    }

    #[test]
    fn parts_in_a_window() {
        let pieces = [(0, 4), (4, 0), (10, 10), (30, 5)];
        let parts = |window| within(&pieces, window).collect::<Vec<_>>();
        assert_eq!(parts(0..40), [(0, 0..4), (2, 0..10), (3, 0..5)]);
        assert_eq!(parts(3..12), [(0, 3..4), (2, 0..2)]);
        assert_eq!(parts(12..13), [(2, 2..3)]);
        assert_eq!(parts(20..30), []);
        let parts = |bytes| counted(&pieces, bytes).collect::<Vec<_>>();
        assert_eq!(parts(0..40), [(0, 0..4), (2, 0..10), (3, 0..5)]);
        assert_eq!(parts(3..6), [(0, 3..4), (2, 0..2)]);
        assert_eq!(parts(14..15), [(3, 0..1)]);
        assert_eq!(parts(19..40), []);
    }
}
