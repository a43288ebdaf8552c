//! `convert --for`: converts to the form that a given program, or nearly every program, reads.

use std::path::Path;

use indicatif::ProgressBar;
use linkstream_access::write::{Wish, respell_sums};
use linkstream_report::readers::{Audience, not_read_by};

use crate::check::INSPECT;
use crate::failure::Failure;
use crate::fields::{asked, made, make, warn, written_to};
use crate::judged::{LENIENT, Permission, report_on};
use crate::source::survey_file;
use crate::system::File;
use crate::volumes::{Layout, with_source};

/// Converts `input` to `out`. Nothing is written if the program could not read the result.
pub fn run(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: Wish,
    audience: Audience,
) -> anyhow::Result<()> {
    let wish = audience.wish(wish);
    written_to(input, out, force, |file| {
        let asked = with_source(input, layout, permission, |source, origin| {
            make(source, &origin.trust, &wish, file)?;
            Ok(asked(&wish, &origin.trust))
        })?;
        respell_sums(file, audience.has_padded_sums()).map_err(made)?;
        let report = report_on(file, Path::new(""), &LENIENT)?;
        let others = audience.judge(&report).map_err(|unread| Failure::invalid(&unread))?;
        others.iter().for_each(|answer| warn(&answer.to_string()));
        Ok(asked)
    })
}

/// Warns about programs that cannot read a file with reduced rows.
pub fn warn_of_reduced(file: &File) -> anyhow::Result<()> {
    // The report of `inspect`: the data are not read again.
    let report = survey_file(file.try_clone()?, Path::new(""), &INSPECT, &ProgressBar::hidden())?;
    let names: Vec<_> = not_read_by(&report).iter().map(|answer| answer.program.name()).collect();
    if !names.is_empty() {
        warn(&format!("these programs cannot read the file: {} (check --for says why)", names.join(", ")));
    }
    Ok(())
}
