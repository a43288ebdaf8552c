//! Arguments about a store that several commands have.

use std::fs::Metadata;
use std::path::PathBuf;
use std::time::{Duration, SystemTime};

use clap::{Args, ValueEnum};
use glob::Pattern;
use linkstream_access::digest::HashFunction;

/// Selection of the files of a store.
#[derive(Debug, Default, Args)]
pub struct Which {
    /// Leave out files and directories whose path in the directory that is read, or whose last part, matches PATTERN, such as `*.tmp` or
    /// `logs`. Can be repeated.
    #[arg(long, value_name = "PATTERN", value_parser = pattern)]
    pub exclude: Vec<Pattern>,
    /// Leave out files that were modified less than AGE ago, such as 1h or 30min: they may still be written.
    #[arg(long, value_name = "AGE", value_parser = age)]
    pub min_age: Option<Duration>,
    /// Keep in JOURNAL what has been read, and continue from there if the run is killed and started again with the same
    /// arguments. JOURNAL is removed when the run is complete.
    #[arg(long, value_name = "JOURNAL")]
    pub resume: Option<PathBuf>,
    /// Also keep the value of the XML element or attribute at PATH, such as `beta`, `action/beta` or `field/@name`, of each
    /// LIME file [default: beta]. Can be repeated.
    #[arg(long, value_name = "PATH")]
    pub xml: Vec<String>,
}

impl Which {
    /// True if a file was modified too short a time ago.
    pub fn is_too_young(&self, about: &Metadata) -> bool {
        let Some(least) = self.min_age else { return false };
        let modified = about.modified().unwrap_or(SystemTime::UNIX_EPOCH);
        SystemTime::now().duration_since(modified).unwrap_or_default() < least
    }

    /// True if a file or a directory of the store is left out by its name.
    pub fn excludes(&self, name: &[u8]) -> bool {
        let name = String::from_utf8_lossy(name);
        let last = name.rsplit('/').next().unwrap_or_default();
        self.exclude.iter().any(|pattern| pattern.matches(&name) || pattern.matches(last))
    }
}

/// A hash function, as an argument.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Hash {
    Sha256,
    Blake3,
}

impl From<Hash> for HashFunction {
    fn from(hash: Hash) -> Self {
        match hash {
            Hash::Sha256 => Self::Sha256,
            Hash::Blake3 => Self::Blake3,
        }
    }
}

fn pattern(text: &str) -> Result<Pattern, String> {
    Pattern::new(text).map_err(|error| format!("at character {}: {}", error.pos.saturating_add(1), error.msg))
}

fn age(text: &str) -> Result<Duration, String> {
    humantime::parse_duration(text).map_err(|_| "an age such as 1h or 30min is expected".to_owned())
}

/// In how many runs the whole store is read again: `7d` is a seventh in each.
pub fn runs(text: &str) -> Result<u32, String> {
    let days = text.strip_suffix('d').unwrap_or(text).parse().ok();
    days.filter(|days| (1..=3660).contains(days))
        .ok_or_else(|| "a number of days is expected, such as 7d".to_owned())
}
