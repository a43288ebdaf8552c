//! The command `edit`: changes texts of a LIME file, whose data stay what they are. The file is replaced by its copy,
//! which was checked: at every moment there is the old file or the new one.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use anyhow::Context as _;
use clap::Args;
use linkstream_access::write::{Edits, edit};
use linkstream_access::{self as access, FileSource};
use linkstream_report::judgement::Asked;

use crate::batch::{Batch, Paths};
use crate::complain::{done, message};
use crate::convert::{lfn, update};
use crate::counting::from_zero;
use crate::failure::{Failure, failed, of_input, wrong_arguments};
use crate::fields::made;
use crate::human::shown_path;
use crate::ildg::locked;
use crate::judged::{Permission, edit_not_wrong, judged};
use crate::output::Output;
use crate::own_input;
use crate::system::File;
use crate::xml_text::document;

pub const EXAMPLES: &str = "\
Exit status:
  0  the file has the new texts
  1  the file is damaged, and unchanged
  2  the file cannot be read or replaced, has no place for the text, or the
     arguments are wrong; it is unchanged

Examples:
  linkstream edit lat.lime --update 190 --record-xml '<beta>6.0</beta>'
  linkstream edit lat.ildg --lfn lfn://example/lat

The numbers and their checksum stay as they are. The file is copied with the new
texts, the copy is checked, and then replaces the file at once; a file that has
these texts stays as it is. In Python: `linkstream.edit`. Texts about a field
can only be changed if the file has SciDAC documents. To take a text from a
file: --record-xml \"$(cat FILE)\". Other hard links to the file keep the old
texts: a message names their number.";

#[derive(Args)]
pub struct Edit {
    /// The file, which its edited copy replaces.
    file: PathBuf,
    /// Logical file name of ILDG; it replaces the present one.
    #[arg(long, value_name = "NAME", value_parser = lfn)]
    lfn: Option<String>,
    /// Update number of the field (ILDG 1.2, section 2.4).
    #[arg(long, value_name = "NUMBER", value_parser = update)]
    update: Option<String>,
    /// Text about the field, XML. A note that its data were unverified or damaged stays.
    #[arg(long, value_name = "TEXT", value_parser = document)]
    record_xml: Option<String>,
    /// Text about the file, XML.
    #[arg(long, value_name = "TEXT", value_parser = document)]
    file_xml: Option<String>,
    /// Number of the field, counted from 0.
    #[arg(long, value_name = "NUMBER", default_value_t = 0, value_parser = from_zero::<usize>)]
    field: usize,
    #[command(flatten)]
    permission: Permission,
    #[command(flatten)]
    _batch: Batch,
}

impl Edit {
    /// The file that it changes.
    pub fn paths(&self) -> Paths {
        Paths { input: self.file.clone(), output: None, force: true }
    }
}

pub fn run(how: Edit) -> anyhow::Result<()> {
    let Edit { file: path, lfn, update, record_xml, file_xml, field, permission, .. } = how;
    let edits = Edits { lfn, update, record_xml, file_xml, field };
    if edits == (Edits { field, ..Edits::default() }) {
        wrong_arguments!("nothing is to be changed: give --lfn, --update, --record-xml or --file-xml");
    }
    if path == Path::new("-") {
        wrong_arguments!("standard input cannot be modified in place: name a file");
    }
    let shown = || shown_path(&path);
    let source = locked(&path).with_context(shown)?;
    judged(&source, &path, permission).map_err(|error| of_input(error, &path))?;
    match replace(&path, source, &edits)? {
        Some(links) => said(&format!("edited {}", shown()), &links),
        None => done(format_args!("{} has these texts already", shown())),
    }
    Ok(())
}

/// Prints what was done if the user wants to know, and in any case that other names still lead to the old file.
pub fn said(what: &str, links: &str) {
    if links.is_empty() {
        done(what);
    } else {
        message(format_args!("{what}{links}"));
    }
}

/// Replaces a file by a copy with these texts, which is checked before. Returns the end of the message about it, or `None`
/// if the file has these texts: it stays as it is.
pub fn replace(path: &Path, source: File, edits: &Edits) -> anyhow::Result<Option<String>> {
    let shown = || shown_path(path);
    own_input::in_place(path).map_err(Failure::Input)?;
    let copy = std::fs::File::from(source.try_clone().map_err(Failure::Input)?);
    let file = access::File::open(Arc::new(FileSource::from(copy))).map_err(failed).with_context(shown)?;
    if edits.are_in(&file).map_err(made).with_context(shown)? {
        return Ok(None);
    }
    let output = Output::create(path, true)?;
    let texts = edit(&file, edits, &mut output.file(), &mut Vec::new());
    let texts = texts.map_err(made).with_context(shown)?;
    edit_not_wrong(output.file(), path, Asked { copies: true, ..Asked::default() }, &texts)?;
    let copy = std::fs::File::from(output.file().try_clone().map_err(Failure::Output)?);
    let edited = access::File::open(Arc::new(FileSource::from(copy))).map_err(failed);
    edited.with_context(|| format!("{} with the new texts", shown()))?;
    file.check_unchanged().map_err(failed).with_context(shown)?;
    let links = other_links(&source).map_err(Failure::Input)?;
    let links = links.map(|links| format!("; {links}")).unwrap_or_default();
    // Windows replaces no open file. On Unix, its lock must be held until then.
    #[cfg(windows)]
    drop((source, file));
    output.keep_silently()?;
    Ok(Some(links))
}

/// The message about the other hard links of a file that a new one replaces: they lead to the old one.
pub fn other_links(old: &File) -> std::io::Result<Option<String>> {
    #[cfg(unix)]
    let others = std::os::unix::fs::MetadataExt::nlink(&old.metadata()?).saturating_sub(1);
    #[cfg(not(unix))]
    let others = old.metadata().map(|_| 0)?;
    Ok(match others {
        0 => None,
        1 => Some("1 other hard link keeps the old file".to_owned()),
        more => Some(format!("{more} other hard links keep the old file")),
    })
}
