//! Positions in the data of a record.

use linkstream_c_border::Failure;

/// Origin of a position.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whence {
    /// The beginning of the data.
    Start,
    /// The current position.
    Current,
}

/// Outcome of a seek.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Moved {
    /// The position, in the data or at their end.
    pub to: u64,
    /// Description of the error, if the requested position is outside.
    pub outside: Option<Failure>,
}

/// The position that a program requests. One that is outside becomes the first or the last (LIME 1.2, section 3).
#[must_use]
pub fn moved(offset: i64, whence: Whence, now: u64, length: u64) -> Moved {
    let from = match whence {
        Whence::Start => 0,
        Whence::Current => now,
    };
    let requested = i128::from(from) + i128::from(offset);
    let to = u64::try_from(requested.max(0)).unwrap_or(u64::MAX).min(length);
    let message =
        || format!("position {requested} is outside of the data, which have {length} bytes: {to} is used");
    let outside = (requested != i128::from(to)).then(|| Failure::usage(message()));
    Moved { to, outside }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn positions_outside_become_the_nearest() {
        let place = |offset, whence, now, length| {
            let moved = moved(offset, whence, now, length);
            (moved.to, moved.outside.is_some())
        };
        assert_eq!(place(5, Whence::Start, 3, 10), (5, false));
        assert_eq!(place(10, Whence::Start, 3, 10), (10, false));
        assert_eq!(place(11, Whence::Start, 3, 10), (10, true));
        assert_eq!(place(-1, Whence::Start, 3, 10), (0, true));
        assert_eq!(place(-3, Whence::Current, 3, 10), (0, false));
        assert_eq!(place(-4, Whence::Current, 3, 10), (0, true));
        assert_eq!(place(i64::MAX, Whence::Current, u64::MAX - 1, u64::MAX), (u64::MAX, true));
        assert_eq!(place(i64::MIN, Whence::Current, 7, u64::MAX), (0, true));
        assert_eq!(place(0, Whence::Start, 0, 0), (0, false));
    }
}
