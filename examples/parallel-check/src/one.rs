//! One file, read by all ranks.

use std::cell::{Cell, RefCell};
use std::path::Path;

use embedded_io::Seek as _;
use linkstream_parallel::comm::Comm;
use linkstream_parallel::error::agree;
use linkstream_parallel::file::{Access, Engine, SharedFile};
use linkstream_parallel::{Error, Fault};
use linkstream_report::identify::identify;
use linkstream_report::report::Report;
use linkstream_report::survey::{BySeeking, SurveyError, survey_elsewhere};

use crate::divided::{Lead, follow, lost};
use crate::message::END;
use crate::settings::Settings;
use crate::source::FirstRank;

/// Collective: reads a regular file, and makes the report that a single process makes. The report is on rank 0; other
/// ranks get `None`. `name` is the name of the file in the report.
///
/// # Errors
/// The file cannot be opened or read, or the ranks cannot communicate. [`reason`] is the message of a single process.
pub fn file<C: Comm, E: Engine<C>>(
    comm: &C,
    engine: &E,
    path: &Path,
    name: &str,
    settings: &Settings<'_>,
) -> Result<Option<Report>, Error> {
    let opened = engine.open(comm, path, Access::Read).and_then(|mut file| {
        let size = if comm.rank() == 0 { regular(path).and_then(|()| file.size())? } else { 0 };
        Ok((file, size))
    });
    let (file, size) = agree(comm, opened)?;
    let file = RefCell::new(file);
    let (failed, outcome) = if comm.rank() == 0 {
        let (failed, outcome) = lead(comm, &file, size, name, settings);
        // No rank waits for another message if the ranks cannot communicate.
        comm.broadcast(0, &mut { END })
            .map_err(|error| failed.clone().unwrap_or_else(|| lost(comm, error)))?;
        (failed, outcome.map(Some))
    } else {
        (follow(comm, &file, settings)?, Ok(None))
    };
    // An error of the file is the reason of the report. Closing a file that was read loses nothing.
    let closed = file.into_inner().close(comm);
    let agreed = agree(comm, outcome.and_then(|report| closed.map(|()| report)));
    match failed {
        Some(error) => Err(error),
        None => agreed,
    }
}

/// The reason why a file cannot be read, in the words of a single process.
#[must_use]
pub fn reason(error: &Error, path: &Path) -> String {
    let message = &error.fault.message;
    let name = format!("{}: ", path.display());
    message.strip_prefix(&name).unwrap_or(message).to_owned()
}

/// Fails if the ranks cannot share a file: a pipe can be read only once.
fn regular(path: &Path) -> Result<(), Fault> {
    match std::fs::metadata(path) {
        Ok(about) if about.is_dir() => Err(Fault::usage("is a directory")),
        Ok(about) if !about.is_file() => {
            Err(Fault::usage("is not a regular file, and ranks cannot share it"))
        }
        // An engine can have files that the system does not know.
        Ok(_) | Err(_) => Ok(()),
    }
}

/// The first rank makes the report. Returns the common error of all ranks, and its own outcome.
fn lead<C: Comm, F: SharedFile<C>>(
    comm: &C,
    file: &RefCell<F>,
    size: u64,
    name: &str,
    settings: &Settings<'_>,
) -> (Option<Error>, Result<Report, Fault>) {
    let lead = Lead { comm, file, size, settings, failed: Cell::default() };
    let mut source = FirstRank::<C, F>::new(file, size);
    let report = identify(&mut source).map_err(SurveyError::Io).and_then(|(first, format)| {
        source.rewind().map_err(SurveyError::Io)?;
        let options = settings.options;
        let mut report =
            survey_elsewhere::<BySeeking, _>(source, Some(&lead), name, &first, format, Some(size), options)?;
        report.bytes = size;
        Ok(report)
    });
    let outcome = report.map_err(|error| match error {
        SurveyError::Io(error) => Fault::system(None, &error),
        other => Fault::usage(other.to_string()),
    });
    (lead.failed.into_inner(), outcome)
}
