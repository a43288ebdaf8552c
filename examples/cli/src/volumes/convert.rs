//! Converts a file or a set to a file set: `convert --volumes`.

use std::path::Path;

use anyhow::Context as _;
use linkstream_access::set::Layout;
use linkstream_access::write::{Measuring, Plan, SetForm, SetSink, Wish, find};
use linkstream_report::report::Report;

use super::input::with_source;
use super::publish::{checksums, disk, keep, names, new_set, not_read, reported, room_for, verified};
use crate::failure::of_input;
use crate::fields::{Terminal, converted, warn_of_no_effect};
use crate::judged::Permission;

/// Converts `input` to the set `out`; on an error, nothing is written. `layout` gives the directories of the volumes if
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
    let new = new_set(out, &form.layout, force)?;
    let written = with_source(input, layout, permission, |source, origin| {
        origin.warn_of_lost(wish);
        let found = find(source, origin.trust.mode(), &mut Terminal).map_err(converted)?;
        warn_of_no_effect(&found, wish);
        let plan = Plan::new(&found, wish, &origin.trust, &mut Terminal).map_err(converted)?;
        let lattice = plan.file().and_then(|(file, _)| file.extents()).context("the file has no lattice")?;
        let mesh = form.mesh(&lattice).map_err(|refusal| converted(refusal.into()))?;
        let nodes = form.nodes.iter().map(|number| u64::from(*number)).product();
        not_read(out, &form.layout, 0..nodes)?;
        let _allowed = room_for(&new, mesh.volumes())?;
        let mut sink = SetSink::new(form.clone(), new);
        let mut measuring = Measuring::new(&mut sink);
        let sums = plan.write_to(source, &mut measuring, &mut Terminal).map_err(converted)?;
        let texts = measuring.into_texts();
        let (new, mut volumes) = sink.into_volumes().map_err(converted)?;
        if let Some(first) = volumes.first_mut() {
            texts.fill(&mut first.file).map_err(converted)?;
        }
        Ok((sums, new, volumes, origin.trust.damage.is_none()))
    });
    let (sums, new, volumes, is_sound) = written.map_err(|error| of_input(error, input))?;
    let is_same = |report: &Report| checksums(report).into_iter().eq(sums.into_iter().map(Some));
    // Damage that was copied is found again.
    let report =
        if is_sound { verified(&volumes) } else { reported(&volumes, &names(&volumes), true, false) };
    let report = report.map_err(disk)?;
    if !is_same(&report) {
        return Err(disk(anyhow::anyhow!("their data differ")));
    }
    keep(new, volumes)
}
