//! The limit on open files: a set needs one open file per volume.

#[cfg(unix)]
use std::sync::atomic::{AtomicU64, Ordering};

/// Number of open files besides the volumes: standard streams, directories, tables.
#[cfg(unix)]
const OTHERS: u64 = 32;

/// Number of volumes that this process may have open. The volumes of the input and of the output are open at the same
/// time.
#[cfg(unix)]
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// Permission to open a number of volumes, until it is dropped.
#[derive(Debug)]
pub struct Allowed(#[cfg(unix)] u64);

#[cfg(unix)]
impl Drop for Allowed {
    fn drop(&mut self) {
        ALLOWED.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Ensures that `volumes` more files can be open, if necessary by raising the soft limit of this process.
#[cfg(unix)]
pub fn allow_open_files(volumes: u64) -> anyhow::Result<Allowed> {
    use rustix::process::{Resource, Rlimit, getrlimit, setrlimit};

    let allowed = Allowed(volumes);
    let volumes = ALLOWED.fetch_add(volumes, Ordering::Relaxed).saturating_add(volumes);
    let needed = volumes.saturating_add(OTHERS);
    let Rlimit { current, maximum } = getrlimit(Resource::Nofile);
    if current.is_none_or(|current| current >= needed) {
        return Ok(allowed);
    }
    let raised = maximum.is_none_or(|maximum| maximum >= needed)
        && setrlimit(Resource::Nofile, Rlimit { current: Some(needed), maximum }).is_ok();
    if !raised {
        let most = maximum.or(current).unwrap_or(0);
        anyhow::bail!("{volumes} volumes need {needed} open files, but the limit is {most} (ulimit -Hn)");
    }
    Ok(allowed)
}

#[cfg(not(unix))]
pub fn allow_open_files(_: u64) -> anyhow::Result<Allowed> {
    Ok(Allowed())
}
