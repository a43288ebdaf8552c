//! Saved states that were changed and given a matching checksum.

use linkstream::LoadError;

/// Calls `take` with states in which each byte has several other values, and the checksum matches.
pub fn each_changed<const N: usize>(saved: [u8; N], mut take: impl FnMut(&[u8; N])) {
    for at in 0..N - 4 {
        for value in [0, 1, 2, 3, 4, 5, 6, 7, 8, 0x40, 0x7f, 0x80, 0xff] {
            let mut changed = saved;
            changed[at] = value;
            let sum = crc32fast::hash(&changed[..N - 4]);
            changed[N - 4..].copy_from_slice(&sum.to_be_bytes());
            take(&changed);
        }
    }
}

/// The state with a matching checksum.
pub fn resealed<const N: usize>(mut saved: [u8; N]) -> [u8; N] {
    let (body, sum) = saved.split_last_chunk_mut::<4>().expect("longer than its checksum");
    *sum = crc32fast::hash(body).to_be_bytes();
    saved
}

/// Verifies that impossible states are refused: each of these bytes is set to this value, alone.
pub fn refused<const N: usize>(
    saved: [u8; N],
    changes: &[(usize, u8)],
    load: fn(&[u8; N]) -> Result<(), LoadError>,
) {
    assert_eq!(load(&saved), Ok(()));
    for (at, value) in changes {
        let mut changed = saved;
        assert_ne!(changed[*at], *value, "byte {at} must change");
        changed[*at] = *value;
        let (body, sum) = changed.split_last_chunk_mut::<4>().expect("longer than its checksum");
        *sum = crc32fast::hash(body).to_be_bytes();
        assert_eq!(load(&changed), Err(LoadError::Inconsistent), "byte {at}, {value}");
    }
}
