//! Times, as a manifest has them: `2026-11-29T01:02:03.456789012Z`.

use std::time::{Duration, SystemTime};

use serde::de::{Deserialize, Deserializer, Error as _};
use serde::ser::{Serialize, Serializer};

/// A time in the years 1970 to 9999, in universal time.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub struct Stamp(SystemTime);

impl Stamp {
    /// 1970.
    pub const EPOCH: Self = Self(SystemTime::UNIX_EPOCH);

    /// `None` if the time is in none of these years.
    #[must_use]
    pub fn of(time: SystemTime) -> Option<Self> {
        let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
        (since < Duration::from_secs(253_402_300_800)).then_some(Self(time))
    }

    /// True if the time is earlier than the other by more than this.
    #[must_use]
    pub fn is_before(self, other: Self, by: Duration) -> bool {
        other.0.duration_since(self.0).is_ok_and(|between| between > by)
    }

    /// Time without parts of seconds, such as 2026-11-28T23:59:59Z.
    #[must_use]
    pub fn seconds(self) -> String {
        humantime::format_rfc3339_seconds(self.0).to_string()
    }

    /// Date in UTC, such as 2026-11-28.
    #[must_use]
    pub fn date(self) -> String {
        self.to_string().chars().take(10).collect()
    }
}

impl std::fmt::Display for Stamp {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        humantime::format_rfc3339_nanos(self.0).fmt(f)
    }
}

impl std::str::FromStr for Stamp {
    type Err = &'static str;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let time = humantime::parse_rfc3339(text).ok().and_then(Self::of);
        time.ok_or("a time is written like 2026-11-29T01:02:03Z")
    }
}

impl Serialize for Stamp {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Stamp {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(D::Error::custom)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_come_back() {
        for (seconds, nanos) in [(0, 0), (1_764_377_913, 123_456_789), (253_402_300_799, 999_999_999)] {
            let stamp = Stamp::of(SystemTime::UNIX_EPOCH + Duration::new(seconds, nanos)).expect("a time");
            let text = serde_json::to_string(&stamp).expect("a text");
            assert_eq!(serde_json::from_str::<Stamp>(&text).expect("a time"), stamp, "{text}");
        }
        assert_eq!(Stamp::of(SystemTime::UNIX_EPOCH - Duration::from_secs(1)), None);
        assert_eq!(Stamp::of(SystemTime::UNIX_EPOCH + Duration::from_secs(253_402_300_800)), None);
        for wrong in ["\"\"", "\"2026\"", "5", "\"2026-13-01T00:00:00Z\""] {
            assert!(serde_json::from_str::<Stamp>(wrong).is_err());
        }
    }
}
