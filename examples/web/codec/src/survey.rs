//! Reports on files and file sets.

use std::{io, slice};

use linkstream::Class;
use linkstream_access::SourceReader;
use linkstream_access::set::{FIRST, is_volume};
use linkstream_access::source::{ReadAtError, fill};
use linkstream_report::identify::identify;
use linkstream_report::json_line;
use linkstream_report::options::Options;
use linkstream_report::report::Report;
use linkstream_report::survey::{SurveyError, survey as survey_file};
#[cfg(feature = "sets")]
use linkstream_report::volumes::survey as survey_set;
use wasm_bindgen::prelude::*;

use crate::failure::Failure;
#[cfg(feature = "sets")]
use crate::source::volumes;
use crate::source::{AsPossible, Source, failed, sources};
use crate::task;

/// Options of a survey.
#[wasm_bindgen]
#[derive(Debug, Clone, Copy)]
pub struct SurveyOptions {
    /// Read and verify the data; otherwise they are passed over.
    pub data: bool,
    /// Measure the observables of gauge fields.
    pub observables: bool,
    /// Measure the observables of each time slice, too.
    pub slices: bool,
    /// Report broken rules that do not affect data as warnings.
    pub lenient: bool,
    /// Files with data that no stored checksum verifies fail.
    pub require_checksum: bool,
    /// The sources are the volumes of a QIO file set.
    pub set: bool,
}

#[wasm_bindgen]
impl SurveyOptions {
    #[wasm_bindgen(constructor)]
    #[allow(clippy::new_without_default, reason = "for JavaScript, which sets each of them")]
    pub fn new() -> Self {
        Self {
            data: true,
            observables: true,
            slices: false,
            lenient: false,
            require_checksum: false,
            set: false,
        }
    }
}

impl SurveyOptions {
    pub const fn options(&self) -> Options {
        Options {
            read_data: self.data,
            observables: self.observables,
            polyakov_loop: self.observables,
            slices: self.slices,
            slice_sums: false,
            lenient: self.lenient,
            require_checksum: self.require_checksum,
            receiver: None,
        }
    }
}

/// Prepares the survey of a file, or of a file set whose volumes are the first `count` sources. The result is the
/// report as a line of JSON. It is empty if the sources are volumes and this module does not read volumes.
#[wasm_bindgen]
pub fn survey(count: u32, name: String, asked: &SurveyOptions) {
    let asked = *asked;
    task::prepare(move || {
        let options = asked.options();
        let report = match sources(count).as_slice() {
            [source] if !asked.set => one(source, &name, &options),
            sources => set(sources, &name, false, &options),
        };
        let mut line = Vec::new();
        if let Some(report) = report.map_err(of_survey)? {
            json_line::write_line(&report, &mut line)
                .map_err(|error| Failure::request(&error.to_string()))?;
        }
        Ok(line)
    });
}

/// The report on a file set, or on one volume alone.
#[cfg(feature = "sets")]
pub fn set(
    sources: &[Source],
    name: &str,
    is_alone: bool,
    options: &Options,
) -> Result<Option<Report>, SurveyError<io::Error>> {
    survey_set(&volumes(sources), name, is_alone, options).map(Some)
}

#[cfg(not(feature = "sets"))]
pub fn set(_: &[Source], _: &str, _: bool, _: &Options) -> Result<Option<Report>, SurveyError<io::Error>> {
    Ok(None)
}

/// A source of JavaScript, or the bytes that were read from it.
pub type AnySource = dyn linkstream_access::source::Source<Error = io::Error>;

pub fn one(source: &Source, name: &str, options: &Options) -> Result<Option<Report>, SurveyError<io::Error>> {
    surveyed(source, source, name, options)
}

/// The report on a file, or on one volume alone. Files are read from `bytes`.
pub fn surveyed(
    source: &Source,
    bytes: &AnySource,
    name: &str,
    options: &Options,
) -> Result<Option<Report>, SurveyError<io::Error>> {
    let size = source.size();
    if begins_a_volume(source).map_err(SurveyError::Io)? {
        return set(slice::from_ref(source), name, true, options);
    }
    let (first, format) = identify(&mut SourceReader::new(bytes)).map_err(SurveyError::Io)?;
    let parts = size.map(|_| bytes);
    let mut report =
        survey_file::<AsPossible, _>(SourceReader::new(bytes), parts, name, &first, format, size, options)?;
    report.bytes = size.unwrap_or(report.bytes);
    Ok(Some(report))
}

/// Returns whether a single source is a volume of a file set, as shown by its first bytes or, if they do not show it,
/// by its name. Streams are taken as files, since a volume is read at several places.
pub fn begins_a_volume(source: &Source) -> io::Result<bool> {
    let Some(size) = source.size() else { return Ok(false) };
    let mut first = vec![0; size.min(FIRST as u64) as usize];
    match fill(source, 0, &mut first) {
        Ok(()) => Ok(is_volume(&first).unwrap_or(source.volume().is_some())),
        // The source has become shorter since its size was asked for. The survey reports the missing bytes.
        Err(ReadAtError::Ended) => Ok(false),
        Err(ReadAtError::Io(error)) => Err(error),
    }
}

/// The error of a survey for JavaScript.
pub fn of_survey(error: SurveyError<io::Error>) -> JsValue {
    match error {
        SurveyError::Io(error) => failed(&error),
        other => Failure::thrown("not-read", Class::Misuse, 0, other.to_string()),
    }
}
