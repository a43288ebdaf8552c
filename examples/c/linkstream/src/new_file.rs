//! New files that one call writes.

use std::sync::Arc;

use linkstream_access::meter::Meter;
use linkstream_access::write::{AtomicFile, Counting, Error};
use linkstream_report::job::Open;
use linkstream_report::judgement::{Asked, judge_new};

use crate::answer::{Answer, DOUBTFUL, OK, Refused};
use crate::progress::{self, Progress};

/// Writes a file and reads it back with `prepare`, checks it as `linkstream check` does, and gives it its name. The data
/// have `bytes` bytes.
///
/// # Errors
/// The file cannot be written, is wrong, or the caller cancels the call. Then nothing of it remains.
pub fn written(
    progress: &Progress,
    bytes: u64,
    prepare: impl FnOnce(&mut Counting) -> Result<AtomicFile, Error> + Send,
) -> Answer {
    let meter = Arc::<Meter>::default();
    let mut counting = Counting::new(meter.clone());
    // Written, and read back.
    let total = bytes.saturating_mul(2);
    let file = progress::run(&meter, progress, total, || {
        let file = prepare(&mut counting)?;
        judge_new(&Open::source(Arc::new(file.source()?), String::new()), Asked::default())?;
        Ok(file)
    })?;
    file.keep().map_err(Error::from)?;
    match counting.warnings.first() {
        Some(warning) => Err(Refused::new(DOUBTFUL, warning.to_string())),
        None => Ok(OK),
    }
}
