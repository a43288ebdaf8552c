//! Converts a file or a set to a set of volumes: `convert --volumes`.

use std::path::Path;

use linkstream_access::write::Wish;
use linkstream_report::report::Report;

use super::form::SetForm;
use super::input::with_source;
use super::layout::Layout;
use super::publish::{NewVolumes, checksums, disk, names, reported, verified};
use super::sink::SetSink;
use crate::failure::of_input;
use crate::fields::write;
use crate::judged::Permission;

/// Converts `input` to the set `out`; on an error, nothing is written. `layout` gives the folders of the volumes if
/// `input` is a set.
pub fn write_set(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: &Wish,
    form: &SetForm,
) -> anyhow::Result<()> {
    let mut new = NewVolumes::new(out.to_owned(), form.layout.clone(), force);
    let mut sink = SetSink::new(form, &mut new);
    let written = with_source(input, layout, permission, |source, origin| {
        origin.warn_of_lost(wish);
        let (_, sums) = write(source, &origin.trust, wish, &mut sink)?;
        Ok((sums, origin.trust.damage.is_none()))
    });
    let (sums, is_sound) = written.map_err(|error| of_input(error, input))?;
    let volumes = sink.into_volumes()?;
    let is_same = |report: &Report| checksums(report).into_iter().eq(sums.into_iter().map(Some));
    // Damage that was copied is found again.
    let report =
        if is_sound { verified(&volumes) } else { reported(&volumes, &names(&volumes), true, false) };
    let report = report.map_err(disk)?;
    if !is_same(&report) {
        return Err(disk(anyhow::anyhow!("their data differ")));
    }
    new.keep(volumes)
}
