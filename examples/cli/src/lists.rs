//! Lists that the user names: of files, records, directories. They are kept in memory, so that their length is limited.

use std::io::{BufRead as _, BufReader, Error, ErrorKind, Read, Result};
use std::path::{Path, PathBuf};

use anyhow::Context as _;
use linkstream_memory as memory;

use crate::human::shown_path;
use crate::system::uninterrupted;

/// Maximum length of a line in bytes: longer than any path.
const LONGEST_LINE: usize = 64 << 10;
/// Maximum length of a list in bytes.
const LONGEST: usize = 256 << 20;

/// Reads a list to its end. This byte ends each line, or each name.
pub fn read(source: impl Read, end: u8) -> Result<Vec<u8>> {
    let mut source = BufReader::new(source);
    let (mut list, mut line) = (Vec::new(), Vec::new());
    for number in 1_u64.. {
        line.clear();
        // One byte for the line feed, and one that is too many.
        if source.by_ref().take(LONGEST_LINE as u64 + 2).read_until(end, &mut line)? == 0 {
            break;
        }
        if line.strip_suffix(&[end]).unwrap_or(&line).len() > LONGEST_LINE {
            return Err(invalid(format!("line {number} of the list has more than {LONGEST_LINE} bytes")));
        }
        if list.len() + line.len() > LONGEST {
            return Err(invalid(format!("the list has more than {LONGEST} bytes")));
        }
        memory::extend(&mut list, &line)?;
    }
    Ok(list)
}

/// The directory below which the files of a list must be. A list can come from somebody else, and would otherwise put any
/// file that the user can read into the output.
#[derive(Debug)]
pub struct Below {
    /// Without links; `None` if the files may be anywhere.
    folder: Option<PathBuf>,
}

impl Below {
    /// The directory of a list; the current one if the list is standard input.
    pub fn of(list: &Path, is_anywhere: bool) -> anyhow::Result<Self> {
        if is_anywhere {
            return Ok(Self { folder: None });
        }
        let folder = match list.parent() {
            Some(folder) if list != Path::new("-") && folder != Path::new("") => folder,
            _ => Path::new("."),
        };
        let found = uninterrupted(|| folder.canonicalize()).with_context(|| shown_path(folder))?;
        Ok(Self { folder: Some(found) })
    }

    /// Refuses a file that is elsewhere, even if a link below the directory leads to it.
    pub fn admits(&self, file: &Path) -> anyhow::Result<()> {
        let Some(folder) = self.folder.as_ref().filter(|_| file != Path::new("-")) else { return Ok(()) };
        let found = match uninterrupted(|| file.canonicalize()) {
            // An error when it is opened.
            Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
            found => found.with_context(|| shown_path(file))?,
        };
        anyhow::ensure!(
            found.starts_with(folder),
            "{} is not below {}, the directory of the list; --anywhere permits it",
            shown_path(file),
            shown_path(folder)
        );
        Ok(())
    }
}

fn invalid(why: String) -> Error {
    Error::new(ErrorKind::InvalidData, why)
}

#[cfg(test)]
mod tests {
    use std::io::{Read as _, repeat};

    use super::{LONGEST_LINE, read};

    /// Lines that have one end in each piece that is read.
    struct Endless;

    impl std::io::Read for Endless {
        fn read(&mut self, out: &mut [u8]) -> std::io::Result<usize> {
            out.fill(b'x');
            out.last_mut().into_iter().for_each(|byte| *byte = b'\n');
            Ok(out.len())
        }
    }

    #[test]
    fn lines_and_lists_have_a_limit() {
        let longest = [&b"x".repeat(LONGEST_LINE)[..], b"\nsecond"].concat();
        assert_eq!(read(&longest[..], b'\n').expect("a list"), longest);
        let longer = [b"first\nx", &longest[..]].concat();
        for source in [&mut &longer[..] as &mut dyn std::io::Read, &mut b"first\n".chain(repeat(0))] {
            let error = read(source, b'\n').expect_err("a long line").to_string();
            assert_eq!(error, "line 2 of the list has more than 65536 bytes");
        }
        let error = read(Endless, b'\n').expect_err("an endless list").to_string();
        assert_eq!(error, "the list has more than 268435456 bytes");
    }
}
