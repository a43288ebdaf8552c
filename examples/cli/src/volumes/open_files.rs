//! The limit of open files: sets have one open file for each volume.

#[cfg(unix)]
use std::sync::atomic::{AtomicU64, Ordering};

/// Files that are open beside the volumes: standard streams, folders, tables.
#[cfg(unix)]
const OTHERS: u64 = 32;

/// Volumes that this process has been allowed to open: those of the input and those of the output are open together.
#[cfg(unix)]
static ALLOWED: AtomicU64 = AtomicU64::new(0);

/// So many volumes can be open until this is dropped.
#[derive(Debug)]
pub struct Allowed(#[cfg(unix)] u64);

#[cfg(unix)]
impl Drop for Allowed {
    fn drop(&mut self) {
        ALLOWED.fetch_sub(self.0, Ordering::Relaxed);
    }
}

/// Makes sure that so many more volumes can be open, if necessary by raising the soft limit of this process.
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
