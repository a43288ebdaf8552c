//! Writes a gauge field as a configuration of openQCD.

use std::path::Path;
use std::sync::Arc;

use indicatif::ProgressBar;
use linkstream_access as access;
use linkstream_access::write::{self, Wish};

use super::import::of_links;
use crate::fields::{self, Terminal, converted, warn, written_to};
use crate::judged::{Asked, Permission};
use crate::output::temporary;
use crate::source::FileParts;
use crate::volumes::{Layout, with_source};

/// Writes the gauge field in `input` as the configuration `out`; on an error, nothing is written.
pub fn write_open_qcd(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: &Wish,
) -> anyhow::Result<()> {
    written_to(input, out, force, |mut file| {
        // The links are first converted to all rows in double precision.
        let links = temporary()?;
        let is_damaged = with_source(input, layout, permission, |source, origin| {
            let found = fields::make(source, &origin.trust, wish, &links)?;
            for text in found.texts_without_documents(None) {
                warn(&text);
            }
            Ok(origin.trust.damage.is_some())
        })?;
        anyhow::ensure!(
            !is_damaged,
            "a configuration of openQCD has no place for a note that its data are damaged"
        );
        let source = FileParts::new(links, &ProgressBar::hidden());
        let opened = access::File::open(Arc::new(source)).map_err(of_links)?;
        write::write_open_qcd(opened.field(0).map_err(of_links)?, &mut file, &mut Terminal)
            .map_err(converted)?;
        Ok(Some(Asked { copies: true, ..Asked::default() }))
    })
}
