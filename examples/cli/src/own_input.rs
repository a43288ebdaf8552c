//! An output must not be one of the files of the input: it would replace data that cannot be had again, such as a
//! configuration by an array, or a volume of a set by a file that is none. The files that a run reads and the files
//! that it is about to replace are listed here; whichever comes second is refused. So is an output that was meant to
//! replace its input, if it turns out that something is left out, and data for standard output if that is a file of the
//! input.

use std::collections::BTreeSet;
use std::io::{self, ErrorKind};
use std::path::Path;
use std::sync::{Mutex, MutexGuard, PoisonError};

use crate::failure::Failure;
use crate::system::{File, metadata};

/// Identity of a file under all its names: device and inode.
#[cfg(unix)]
type Identity = (u64, u64);
/// The path without links, where files have no numbers.
#[cfg(not(unix))]
type Identity = std::path::PathBuf;

#[derive(Debug)]
struct Files {
    read: BTreeSet<Identity>,
    /// Outputs that do not have their names yet.
    replaced: BTreeSet<Identity>,
    /// Inputs that the command may replace.
    in_place: BTreeSet<Identity>,
    /// The file that standard output is, if data are written to it.
    stdout: Option<Identity>,
    /// Contents of the input that the output lacks.
    left_out: Vec<String>,
}

static FILES: Mutex<Files> = Mutex::new(Files {
    read: BTreeSet::new(),
    replaced: BTreeSet::new(),
    in_place: BTreeSet::new(),
    stdout: None,
    left_out: Vec::new(),
});

fn files() -> MutexGuard<'static, Files> {
    FILES.lock().unwrap_or_else(PoisonError::into_inner)
}

/// `None` if there is no such file. Devices and pipes are not replaced.
fn identity(path: &Path) -> io::Result<Option<Identity>> {
    // Standard input can be a file, too.
    let path = if path == Path::new("-") { Path::new("/dev/stdin") } else { path };
    let about = match metadata(path) {
        Err(error) if matches!(error.kind(), ErrorKind::NotFound | ErrorKind::NotADirectory) => {
            return Ok(None);
        }
        about => about?,
    };
    #[cfg(unix)]
    {
        Ok(number(&about))
    }
    #[cfg(not(unix))]
    {
        if about.is_file() { path.canonicalize().map(Some) } else { Ok(None) }
    }
}

#[cfg(unix)]
fn number(about: &std::fs::Metadata) -> Option<Identity> {
    use std::os::unix::fs::MetadataExt as _;
    about.is_file().then(|| (about.dev(), about.ino()))
}

fn refused() -> anyhow::Error {
    anyhow::anyhow!("the output would replace this file, which is read; choose another name")
}

fn is_stdout() -> anyhow::Error {
    anyhow::anyhow!("standard output is this file, which is read; choose another file")
}

/// Notes that data are written to standard output. Fails if it is a file that is read: they would be written over it,
/// or after its end.
#[cfg(unix)]
pub fn writing_to_stdout(stdout: &File) -> anyhow::Result<()> {
    let Some(identity) = number(&stdout.metadata().map_err(Failure::Output)?) else { return Ok(()) };
    let mut files = files();
    if files.read.contains(&identity) {
        return Err(is_stdout());
    }
    files.stdout = Some(identity);
    Ok(())
}

/// Nothing is known about the name of the file that standard output is.
#[cfg(not(unix))]
pub fn writing_to_stdout(_: &File) -> anyhow::Result<()> {
    Ok(())
}

/// Allows the command to replace this input: it is meant to be changed, or the output has everything that it contains
/// (see [`left_out`]).
pub fn in_place(path: &Path) -> io::Result<()> {
    let identity = identity(path)?;
    files().in_place.extend(identity);
    Ok(())
}

/// Notes that something of the input is not in the output. Its rest would be lost if the output replaced the
/// input.
pub fn left_out(what: String) {
    files().left_out.push(what);
}

/// Notes that a file is read; `-` is standard input. Fails if it is about to be replaced.
pub fn reading(path: &Path) -> anyhow::Result<()> {
    let Some(identity) = identity(path)? else { return Ok(()) };
    let mut files = files();
    if files.stdout.as_ref() == Some(&identity) {
        return Err(is_stdout());
    }
    if files.replaced.contains(&identity) && !files.in_place.contains(&identity) {
        return Err(refused());
    }
    files.read.insert(identity);
    Ok(())
}

/// Fails if a file that is about to be replaced is read.
pub fn not_read(path: &Path) -> anyhow::Result<()> {
    to_be_replaced(path).map(drop)
}

/// The file that an output replaces, unless it is read.
fn to_be_replaced(path: &Path) -> anyhow::Result<Option<Identity>> {
    let identity = identity(path).map_err(Failure::Output)?;
    let files = files();
    let is_read = |identity| files.read.contains(identity) && !files.in_place.contains(identity);
    if identity.as_ref().is_some_and(is_read) { Err(refused()) } else { Ok(identity) }
}

/// A file that is about to be replaced, until this is dropped.
#[derive(Debug)]
pub struct Replacing(Option<Identity>);

impl Replacing {
    /// Notes that a file is about to be replaced, if there is one. Fails if it is read.
    pub fn new(path: &Path) -> anyhow::Result<Self> {
        let identity = to_be_replaced(path)?;
        files().replaced.extend(identity.iter().cloned());
        Ok(Self(identity))
    }

    /// Fails if the file that is about to be replaced is read, and something of it is left out.
    pub fn loses_nothing(&self) -> anyhow::Result<()> {
        let files = files();
        let is_read = self.0.as_ref().is_some_and(|identity| files.read.contains(identity));
        match files.left_out.first() {
            Some(what) if is_read => anyhow::bail!(
                "the output would replace this file, which is read, but {what}; choose another name"
            ),
            _ => Ok(()),
        }
    }
}

impl Drop for Replacing {
    fn drop(&mut self) {
        if let Some(identity) = &self.0 {
            files().replaced.remove(identity);
        }
    }
}
