//! Archives of tar, in the forms of POSIX (ustar, pax) and GNU.

use std::io::{self, Read};
use std::ops::ControlFlow;

use super::counted::Counted;
use super::fault::{Fault, What};

/// Headers of one file with long names and the like have at most so many bytes.
const LONGEST_HEADER: u64 = 1 << 20;
/// Offset of the mark in a header, and the beginning of the mark in both forms.
const MARK: (usize, &[u8]) = (257, b"ustar");

/// Size of a header in bytes.
const BLOCK: usize = 512;
const NO_END: &str = "its end is missing, and perhaps more files";

/// True for an archive that begins with these bytes.
pub(super) fn is_tar(first: &[u8]) -> bool {
    let (at, mark) = MARK;
    first.get(at..).is_some_and(|rest| rest.starts_with(mark))
}

/// Type of an entry of an archive.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Kind {
    File,
    /// A file whose zeros are not in the archive. Its content is not read.
    Sparse,
    /// A symbolic or hard link to another entry.
    Link,
    /// A device or a pipe.
    Device,
    /// The rest of a file that begins in another archive (GNU tar, several volumes).
    Rest,
}

/// Type of an entry that has the label of an archive, and of the rest of a file, in archives of GNU tar.
const LABEL: u8 = b'V';
const REST: u8 = b'M';

/// A file of an archive.
pub(super) struct Member<'r> {
    /// Its path, as the archive has it. It can be anything, and is used for nothing but messages and comparisons.
    pub name: Vec<u8>,
    /// Number of bytes that its header states.
    pub size: u64,
    pub kind: Kind,
    /// The content; empty unless it is a file.
    pub content: &'r mut dyn Read,
}

/// Calls `each` with every entry of an archive other than directories, in their order, until it ends the loop. The rest of
/// a content that it leaves is read, too. Returns what is wrong with the archive, with the position in it.
///
/// # Errors
/// The source failed, or an error of `each`.
pub(super) fn members<R: Read, E: From<io::Error>>(
    source: R,
    mut each: impl FnMut(Member<'_>) -> Result<ControlFlow<()>, E>,
) -> Result<Option<Fault>, E> {
    let (counted, watch) = Counted::new(source);
    let mut archive = tar::Archive::new(counted);
    let damaged_at = |offset: u64, message: &str| {
        let message = format!("the tar archive is damaged: {message}");
        Ok(Some(Fault { what: What::Archive, offset, message }))
    };
    let damaged = |message: &str| damaged_at(watch.state().bytes, message);
    let failed = |error: io::Error| match watch.failure() {
        Some(failure) => Err(failure.into()),
        None => damaged(&error.to_string()),
    };
    let mut entries = archive.entries()?;
    // Bytes of a content that is not read, which the next header follows.
    let mut passed_over = 0_u64;
    loop {
        watch.allow(Some(LONGEST_HEADER.saturating_add(passed_over)));
        let mut entry = match entries.next() {
            None if watch.state().has_ended => return damaged(NO_END),
            None => break,
            Some(Err(error)) => return failed(error),
            Some(Ok(entry)) => entry,
        };
        passed_over = 0;
        let (name, size, typed) =
            (entry.path_bytes().into_owned(), entry.size(), entry.header().entry_type());
        // Global headers are read here, the others were read before.
        watch.allow(Some(LONGEST_HEADER));
        let mut is_sparse = typed.is_gnu_sparse();
        match entry.pax_extensions() {
            Err(error) => return failed(error),
            Ok(None) => {}
            Ok(Some(mut extensions)) => {
                let is_whole = extensions.all(|of| {
                    of.is_ok_and(|of| {
                        is_sparse |= of.key_bytes().starts_with(b"GNU.sparse.");
                        // The library takes the size of the first header if it cannot read this one.
                        let stated = of.value().ok().and_then(|value| value.parse().ok());
                        of.key_bytes() != b"size" || typed.is_gnu_sparse() || stated == Some(size)
                    })
                });
                if !is_whole {
                    return damaged("an extended header is malformed");
                }
            }
        }
        watch.allow(None);
        if typed.as_byte() == LABEL
            || typed.is_dir()
            || typed.is_pax_global_extensions()
            || is_folder_of_old_form(&name, size)
        {
            passed_over = size;
            continue;
        }
        let kind = match typed {
            _ if typed.as_byte() == REST => Kind::Rest,
            _ if is_sparse => Kind::Sparse,
            _ if typed.is_symlink() || typed.is_hard_link() => Kind::Link,
            _ if typed.is_block_special() || typed.is_character_special() || typed.is_fifo() => Kind::Device,
            _ => Kind::File,
        };
        if kind != Kind::File {
            passed_over = entry.header().entry_size().unwrap_or_default();
            let member = Member { name, size, kind, content: &mut io::empty() };
            if each(member)?.is_break() {
                return Ok(None);
            }
            continue;
        }
        let shown = String::from_utf8_lossy(&name).into_owned();
        let mut content = Whole { entry: &mut entry, read: 0 };
        let flow = each(Member { name, size, kind, content: &mut content })?;
        if flow.is_break() {
            return Ok(None);
        }
        if let Err(error) = io::copy(&mut content, &mut io::sink()) {
            return failed(error);
        }
        let read = content.read;
        if read < size {
            return damaged(&format!("it ends after {read} of {size} bytes of {shown}"));
        }
    }
    // Two blocks of zeros end an archive. Only zeros may follow (POSIX, pax, ustar interchange format).
    watch.allow(None);
    let (mut rest, mut part, mut zeros) = (archive.into_inner(), [0; BLOCK], 0_u64);
    loop {
        let n = match rest.read(&mut part) {
            Err(error) => return failed(error),
            Ok(0) if zeros < BLOCK as u64 => return damaged(NO_END),
            Ok(0) => return Ok(None),
            Ok(n) => n,
        };
        if let Some(at) = part.iter().take(n).position(|byte| *byte != 0) {
            let offset = watch.state().bytes.saturating_sub(n.saturating_sub(at) as u64);
            return damaged_at(
                offset,
                "there are data behind its end: a header is zero, or archives were joined",
            );
        }
        zeros = zeros.saturating_add(n as u64);
    }
}

/// Archives from before POSIX have no type of directories, but a slash at the end of the name.
fn is_folder_of_old_form(name: &[u8], size: u64) -> bool {
    name.ends_with(b"/") && size == 0
}

/// A content whose bytes are counted.
struct Whole<'e, R> {
    entry: &'e mut R,
    read: u64,
}

impl<R: Read> Read for Whole<'_, R> {
    fn read(&mut self, out: &mut [u8]) -> io::Result<usize> {
        let n = self.entry.read(out)?;
        self.read = self.read.saturating_add(n as u64);
        Ok(n)
    }
}
