//! Copies of input that cannot be read twice, such as a pipe, in the temporary directory.

use std::io::{ErrorKind, Read, Write as _};
use std::ops::ControlFlow;
use std::path::Path;
use std::sync::OnceLock;

use linkstream::io::FromStd;
use linkstream_access::open_qcd;
use linkstream_access::packed::{Content, Fault, Kind, Unpacked, is_packed, unpack};
use linkstream_access::text::thousands;
use linkstream_report::identify;

use crate::failure::Failure;
use crate::foreign::for_this_command;
use crate::human::{shown_name, shown_path};
use crate::output::temporary;
use crate::own_input;
use crate::packed::{beginning, member_path, not_a_file};
use crate::system::File;

/// Number of bytes read at a time.
pub const BUFFER: usize = 256 << 10;

/// The limit that the user chose.
static LIMIT: OnceLock<u64> = OnceLock::new();

/// Sets the limit of a copy for this run.
pub fn limit(bytes: Option<u64>) {
    bytes.into_iter().for_each(|bytes| {
        let _ = LIMIT.set(bytes);
    });
}

/// Parses a number of bytes, which may end in K, M, G or T.
pub fn size(text: &str) -> Result<u64, String> {
    let (digits, shift) = match text.as_bytes().last() {
        Some(b'K') => (&text[..text.len() - 1], 10),
        Some(b'M') => (&text[..text.len() - 1], 20),
        Some(b'G') => (&text[..text.len() - 1], 30),
        Some(b'T') => (&text[..text.len() - 1], 40),
        _ => (text, 0),
    };
    let number = digits.parse::<u64>().ok().and_then(|number| number.checked_mul(1 << shift));
    number.ok_or_else(|| "expected a number of bytes, such as 1000000, 64M or 2G".to_owned())
}

/// The limit: as chosen, or the free space of the temporary directory minus a tenth.
fn most() -> u64 {
    LIMIT.get().copied().unwrap_or_else(|| free().map_or(u64::MAX, |free| free - free / 10))
}

#[cfg(unix)]
fn free() -> Option<u64> {
    let about = rustix::fs::statvfs(std::env::temp_dir()).ok()?;
    about.f_bavail.checked_mul(about.f_frsize)
}

#[cfg(not(unix))]
fn free() -> Option<u64> {
    None
}

/// Copies a source that must have a known format. Other sources are refused by their first bytes. `path` is the name
/// of the source.
pub fn known(mut source: impl Read, file: Option<&File>, path: &Path) -> anyhow::Result<File> {
    let first = beginning(&mut source).map_err(Failure::Input)?;
    let whole = first.chain(source);
    if is_packed(&first) {
        return packed(whole, None, path);
    }
    known_bytes(whole, file, path)
}

/// Copies a file of a known format in a packed file.
fn known_content(mut content: impl Read, path: &Path) -> anyhow::Result<File> {
    let first = beginning(&mut content).map_err(Failure::Input)?;
    if is_packed(&first) {
        return Err(Failure::invalid(&NESTED).into());
    }
    known_bytes(first.chain(content), None, path)
}

/// Copies the content of a packed source to a temporary file: the content of a compressed file, or the file `wanted` of an
/// archive. If several files have that name, the last one counts. Without a name, the archive must have
/// one file. `input` is the name of the source in messages.
pub fn packed(source: impl Read, wanted: Option<&[u8]>, input: &Path) -> anyhow::Result<File> {
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
        let content = known_content(content.reader, &name);
        // A content that is damaged at its beginning has no known format.
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

fn damaged(fault: &Fault) -> anyhow::Error {
    let finding = fault.finding();
    Failure::invalid(&format!("{} [{}]", finding.message, finding.rule)).into()
}

/// Why a packed file in a packed file is not read.
pub const NESTED: &str = "this is a packed file in a packed file: unpack the outer one first";

fn known_bytes(mut source: impl Read, file: Option<&File>, path: &Path) -> anyhow::Result<File> {
    let (first, format) = identify::identify(&mut FromStd(&mut source)).map_err(Failure::Input)?;
    if format.is_none() && open_qcd::Header::of(&first, None).is_none() {
        let name = path.display().to_string();
        let found = if first.is_empty() { identify::empty() } else { identify::unknown(&first, None, &name) };
        return Err(Failure::invalid(&for_this_command(&found.message)).into());
    }
    any(first.chain(source), file)
}

/// Copies a source. `file` is what is read, if that is known: a device other than a terminal may have no end.
pub fn any(mut source: impl Read, file: Option<&File>) -> anyhow::Result<File> {
    let mut kept = temporary()?;
    let (mut copied, most) = (0, most());
    let mut buffer = vec![0; BUFFER];
    // Not `std::io::copy`: its error does not say whether the source or the temporary file failed.
    loop {
        match source.read(&mut buffer) {
            Ok(0) => return Ok(kept),
            Ok(n) => {
                if file.is_some_and(is_device) {
                    anyhow::bail!("is a device, which may have no end; a pipe or a file can be read");
                }
                copied += n as u64;
                if copied > most {
                    anyhow::bail!(
                        "this input must be copied to {} before it is read, and has more than {} bytes; write it to \
                         a file, set TMPDIR to a directory with more space, or raise --spool-limit",
                        std::env::temp_dir().display(),
                        thousands(most)
                    );
                }
                kept.write_all(&buffer[..n]).map_err(Failure::Temporary)?;
            }
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            Err(error) => return Err(Failure::Input(error).into()),
        }
    }
}

/// Returns whether a file is a character device other than a terminal, such as `/dev/zero`.
#[cfg(unix)]
fn is_device(file: &File) -> bool {
    use std::os::unix::fs::FileTypeExt as _;

    let is_device = file.metadata().is_ok_and(|about| about.file_type().is_char_device());
    is_device && !rustix::termios::isatty(file)
}

#[cfg(not(unix))]
fn is_device(_: &File) -> bool {
    false
}

#[cfg(test)]
mod tests {
    use super::size;

    #[test]
    fn sizes_have_units() {
        for (text, bytes) in
            [("0", 0), ("1000", 1000), ("64K", 64 << 10), ("3M", 3 << 20), ("2G", 2 << 30), ("1T", 1 << 40)]
        {
            assert_eq!(size(text), Ok(bytes), "{text}");
        }
        for text in ["", "K", "1k", "-1", "1.5G", "20000000T", "1KB"] {
            assert!(size(text).is_err(), "{text}");
        }
    }
}
