//! Compressed files and archives as inputs: `old.tar.gz` has the files `old.tar.gz!lat.0360` and so on.

use std::ffi::OsString;
use std::io::{self, Read, Seek as _};
use std::path::{Path, PathBuf};

use linkstream_access::packed::{FIRST, Fault, Kind, is_packed};
use linkstream_report::findings::Findings;
use linkstream_report::report::{Body, Report};

use crate::system::{File, metadata};

/// The first bytes of a source, as many as show whether it is packed.
pub fn beginning<R: Read + ?Sized>(source: &mut R) -> io::Result<Vec<u8>> {
    let mut first = Vec::new();
    source.take(FIRST as u64).read_to_end(&mut first)?;
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
    let name = path.as_os_str().as_encoded_bytes();
    // A file that exists, or whose metadata cannot be read, is opened by this name.
    let is_absent = || {
        let kinds = [io::ErrorKind::NotFound, io::ErrorKind::NotADirectory];
        metadata(path).is_err_and(|error| kinds.contains(&error.kind()))
    };
    if !name.contains(&b'!') || !is_absent() {
        return None;
    }
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

/// Name of an entry that is not a file.
pub const fn not_a_file(kind: Kind) -> Option<&'static str> {
    match kind {
        Kind::File => None,
        Kind::Sparse => Some("a sparse file, which must be unpacked first,"),
        Kind::Link => Some("a link"),
        Kind::Device => Some("a device or a pipe"),
        Kind::Rest => Some("the rest of a file that begins in another volume,"),
    }
}
