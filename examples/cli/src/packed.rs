//! Compressed files and archives as inputs: `old.tar.gz` has the files `old.tar.gz!lat.0360` and so on.

use std::ffi::OsString;
use std::io::{self, Read, Seek as _};
use std::ops::ControlFlow;
use std::path::{Path, PathBuf};

use linkstream_access::packed::{Content, FIRST, Fault, Kind, Unpacked, is_packed, unpack};

use linkstream_report::findings::Findings;
use linkstream_report::report::{Body, Report};

use crate::failure::Failure;
use crate::human::{shown_name, shown_path};
use crate::own_input;
use crate::source::filled;
use crate::spool;
use crate::system::{File, metadata};

/// The first bytes of a source, as many as show whether it is packed.
pub fn beginning<R: Read + ?Sized>(source: &mut R) -> io::Result<Vec<u8>> {
    let mut first = vec![0; FIRST];
    let n = filled(&mut &mut *source, &mut first)?;
    first.truncate(n);
    Ok(first)
}

/// Returns whether a file is packed. Returns to its start.
pub fn is(mut file: &File) -> io::Result<bool> {
    let first = beginning(&mut file)?;
    file.rewind()?;
    Ok(is_packed(&first))
}

/// The name of a file in an archive.
pub fn member_path(archive: &Path, member: &[u8]) -> PathBuf {
    let mut path = archive.as_os_str().to_owned();
    path.push("!");
    path.push(os_name(member));
    path.into()
}

#[cfg(unix)]
fn os_name(name: &[u8]) -> OsString {
    use std::os::unix::ffi::OsStrExt as _;
    std::ffi::OsStr::from_bytes(name).to_owned()
}

#[cfg(not(unix))]
fn os_name(name: &[u8]) -> OsString {
    String::from_utf8_lossy(name).into_owned().into()
}

/// The archive, and the name in it, of a path such as `old.tar.gz!lat.0360`, if there is no file of that name.
pub fn in_archive(path: &Path) -> Option<(PathBuf, Vec<u8>)> {
    if metadata(path).is_ok() {
        return None;
    }
    let name = path.as_os_str().as_encoded_bytes();
    let marks = name.iter().enumerate().filter(|(_, byte)| **byte == b'!');
    for (at, _) in marks {
        let (archive, member) = name.split_at(at);
        let archive = PathBuf::from(os_name(archive));
        if metadata(&archive).is_ok_and(|about| about.is_file()) {
            return Some((archive, member.get(1..)?.to_vec()));
        }
    }
    None
}

/// Copies the content of a packed source to a temporary file: the content of a compressed file, or the file `wanted` of an
/// archive. If several files have that name, the last one counts. Without a name, the archive must have
/// one file. `input` is the name of the source in messages.
pub fn copied(source: impl Read, wanted: Option<&[u8]>, input: &Path) -> anyhow::Result<File> {
    let mut copy = None;
    let mut files: u64 = 0;
    let is_wanted = |content: &Content<'_>| match (wanted, &content.name) {
        (Some(wanted), Some(name)) => name == wanted,
        (Some(_), None) => false,
        (None, _) => content.kind == Kind::File,
    };
    let Unpacked { fault, .. } = unpack(source, |content| {
        if !is_wanted(&content) {
            return anyhow::Ok(ControlFlow::Continue(()));
        }
        let name = content.name.as_deref().map_or_else(|| input.to_owned(), |name| member_path(input, name));
        if let Some(what) = not_a_file(content.kind) {
            anyhow::bail!("{} is {what} in an archive", shown_path(&name));
        }
        files += 1;
        if wanted.is_none() && files > 1 {
            anyhow::bail!("this is an archive of several files; name one, such as {}", shown_path(&name));
        }
        let content = spool::known_content(content.reader, &name);
        // What is damaged at its beginning has no known format.
        let flow = if content.is_ok() { ControlFlow::Continue(()) } else { ControlFlow::Break(()) };
        copy = Some(content);
        Ok(flow)
    })?;
    if let Some(fault) = fault {
        return Err(damaged(&fault));
    }
    let none = || match wanted {
        Some(wanted) => Failure::invalid(&format!(
            "there is no file {} in the archive",
            shown_name(&String::from_utf8_lossy(wanted))
        )),
        None => Failure::invalid(&"there is no file in the archive"),
    };
    own_input::left_out("it is read from a compressed file or an archive".to_owned());
    copy.ok_or_else(none)?
}

/// The report on a packed file whose content is unknown, because of the fault.
pub fn unknown(path: &Path, fault: &Fault) -> Report {
    let mut findings = Findings::new(false);
    findings.push(fault.finding());
    Report {
        file: path.display().to_string(),
        file_bytes: None,
        bytes: fault.offset,
        body: Body::Unknown,
        findings,
        require_checksum: false,
        readers: Vec::new(),
        packing: Vec::new(),
    }
}

fn damaged(fault: &Fault) -> anyhow::Error {
    let finding = fault.finding();
    Failure::invalid(&format!("{} [{}]", finding.message, finding.rule)).into()
}

/// Name of an entry that is not a file.
pub const fn not_a_file(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::File => None,
        Kind::Sparse => Some("a sparse file, which must be unpacked first,"),
        Kind::Link => Some("a link"),
        Kind::Device => Some("a device or a pipe"),
    }
}
