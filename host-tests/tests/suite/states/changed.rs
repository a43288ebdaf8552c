//! Saved states that were changed and given a matching checksum.

use host_tests::long;
use linkstream::{LoadError, Resumable, State};

/// Bytes before the fields of a state: its tag and its version, without which nothing else is read.
const HEAD: usize = 2;
/// Number of states that are kept, to be spliced with later ones.
const KEPT: usize = 6;
/// One forged state in so many is tested, unless all are wanted. No divisor of the number of changes at a byte, so that
/// the next bytes are changed in the other ways.
const SHARE: usize = 5;

/// Makes forged states of one type from genuine ones, the same in every run.
pub struct Forger {
    /// Some of the genuine states so far.
    earlier: Vec<Vec<u8>>,
    /// Number of genuine states so far.
    count: usize,
    /// Number of forged states so far.
    forged: usize,
    random: u64,
}

impl Forger {
    pub const fn new() -> Self {
        Self { earlier: Vec::new(), count: 0, forged: 0, random: 0x9e37_79b9_7f4a_7c15 }
    }

    /// Calls `take` with forged states, whose checksums match: single bytes with several other values, integers of 16,
    /// 32 and 64 bits with extreme values, several bytes changed at a time, and splices with earlier states.
    pub fn each<T: Resumable>(&mut self, saved: State<T>, mut take: impl FnMut(&State<T>)) {
        // A state with another tag or version is refused before a decoder sees it.
        let is_long = long::is_wanted();
        let mut forged = self.forged;
        let mut take = |changed: Vec<u8>| {
            forged += 1;
            if !is_long && !forged.is_multiple_of(SHARE) {
                return;
            }
            match resealed(changed) {
                Ok(state) => take(&state),
                Err(error) => assert_eq!(error, LoadError::Foreign),
            }
        };
        let saved = saved.as_bytes().to_vec();
        let n = saved.len();
        for at in 0..n - 4 {
            for value in [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x40, 0x7f, 0x80, 0xff] {
                let mut changed = saved.clone();
                changed[at] = value;
                take(changed);
            }
            // Fields are not aligned.
            for extreme in [u64::MAX, u64::MAX - 1, u64::MAX - 7, i64::MAX as u64, 1 << 63, 0] {
                put(&saved, at, &extreme.to_be_bytes(), &mut take);
            }
            for extreme in [u32::MAX, u32::MAX - 1, i32::MAX as u32, 0] {
                put(&saved, at, &extreme.to_be_bytes(), &mut take);
            }
            put(&saved, at, &u16::MAX.to_be_bytes(), &mut take);
        }
        for _ in 0..n {
            let mut changed = saved.clone();
            for _ in 0..2 + self.random(7) {
                let at = HEAD + self.random(n - 4 - HEAD);
                // Small numbers are more often valid: variants, flags and counts.
                changed[at] = if self.random(2) == 0 { self.random(9) } else { self.random(256) } as u8;
            }
            take(changed);
        }
        for other in 0..self.earlier.len() {
            let other = self.earlier[other].clone();
            if other == saved {
                continue;
            }
            for at in
                (HEAD + 1..n - 4).filter(|at| saved[at - 1] != other[at - 1] || saved[*at] != other[*at])
            {
                let mut changed = saved.clone();
                changed[at..].copy_from_slice(&other[at..]);
                take(changed);
                let mut changed = other.clone();
                changed[at..].copy_from_slice(&saved[at..]);
                take(changed);
                // One field, or a few, of the other state.
                let end = (at + 1 + self.random(40)).min(n - 4);
                let mut changed = saved.clone();
                changed[at..end].copy_from_slice(&other[at..end]);
                take(changed);
            }
        }
        self.forged = forged;
        // The first states belong to headers and documents; later ones replace each other.
        if self.earlier.len() < KEPT {
            self.earlier.push(saved);
        } else if self.count.is_multiple_of(5) {
            let place = self.random(KEPT);
            self.earlier[place] = saved;
        }
        self.count += 1;
    }

    /// A random number below `end`.
    fn random(&mut self, end: usize) -> usize {
        self.random ^= self.random << 13;
        self.random ^= self.random >> 7;
        self.random ^= self.random << 17;
        usize::try_from(self.random >> 33).expect("31 bits") % end
    }
}

/// Passes the state with these bytes at `at`, if there is room before the checksum.
fn put(saved: &[u8], at: usize, bytes: &[u8], take: &mut impl FnMut(Vec<u8>)) {
    if at + bytes.len() <= saved.len() - 4 {
        let mut changed = saved.to_vec();
        changed[at..at + bytes.len()].copy_from_slice(bytes);
        take(changed);
    }
}

/// The state of these bytes with a matching checksum.
pub fn resealed<T: Resumable>(mut saved: Vec<u8>) -> Result<State<T>, LoadError> {
    let (body, sum) = saved.split_last_chunk_mut::<4>().expect("longer than its checksum");
    *sum = crc32fast::hash(body).to_be_bytes();
    State::from_bytes(&saved)
}

/// Verifies that impossible states are refused: each of these bytes is set to this value, alone.
pub fn refused<T: Resumable>(
    saved: State<T>,
    changes: &[(usize, u8)],
    load: fn(&State<T>) -> Result<(), LoadError>,
) {
    assert_eq!(load(&saved), Ok(()));
    for (at, value) in changes {
        let mut changed = saved.as_bytes().to_vec();
        assert_ne!(changed[*at], *value, "byte {at} must change");
        changed[*at] = *value;
        let loaded = resealed(changed).and_then(|state| load(&state));
        assert_eq!(loaded, Err(LoadError::Inconsistent), "byte {at}, {value}");
    }
}
