//! Writes a gauge field as a NERSC archive.

use std::path::Path;

use linkstream_access::write::{ArchiveForm, ArchiveTexts, Wish, archive_lines, note, write_archive};

use crate::fields::{self, Terminal, converted, written_to};
use crate::judged::{Asked, Permission};
use crate::output::temporary;
use crate::volumes::{Layout, with_source};

/// Writes the gauge field in `input` as the archive `out`; on an error, nothing is written.
pub fn write_nersc(
    input: &Path,
    layout: &Layout,
    permission: Permission,
    out: &Path,
    force: bool,
    wish: &Wish,
    form: ArchiveForm,
) -> anyhow::Result<()> {
    written_to(input, out, force, |mut file| {
        // The links are first converted to all rows in a known byte order.
        let mut links = temporary()?;
        let texts = with_source(input, layout, permission, |source, origin| {
            let found = fields::make(source, &origin.trust, wish, &links)?;
            let index = wish.field.or_else(|| found.fields.iter().position(|field| field.is_gauge_field()));
            let index = index.unwrap_or(0);
            let header = origin.header.clone();
            let lines = header.unwrap_or_else(|| archive_lines(&found, index, &mut Terminal));
            let note = note(&origin.trust, index);
            Ok(ArchiveTexts { lines, note, is_damaged: origin.trust.damage.is_some() })
        })?;
        write_archive(&mut links, form, &texts, &mut file, &mut Terminal).map_err(converted)?;
        let asked = Asked { copies: true, ..Asked::default() };
        Ok(Some(asked).filter(|_| !texts.is_damaged))
    })
}
