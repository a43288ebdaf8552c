//! Output files, which are written completely or not at all.

use std::io::{BufWriter, ErrorKind, Seek as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::failure::{Failure, is_output, output_name};
use crate::human::shown_path;
use crate::new_file::{NewFile, Unsynced, folder, publish};
use crate::stdio::stdout;
use crate::system::{File, link_metadata, metadata, read_link, uninterrupted};
use crate::there::if_there;

/// A file that is not yet complete.
pub struct Output {
    new: NewFile,
    /// The path as the user named it.
    out: PathBuf,
    force: bool,
}

impl Output {
    /// Begins a file that will be called `out`, which must not exist unless `force`, and must not be a device. A
    /// symbolic link is kept: the new file replaces its target.
    pub fn create(out: &Path, force: bool) -> anyhow::Result<Self> {
        let name = || output_name(out);
        let target = followed(out).map_err(Failure::Output).with_context(name)?;
        match if_there(metadata(&target)).map_err(Failure::Output).with_context(name)? {
            // A device must not be replaced by a file.
            Some(about) if !about.is_file() => anyhow::bail!("{} is not a file", name()),
            Some(_) if !force => anyhow::bail!("{} exists; --force replaces it", name()),
            // Reported now rather than after everything has been written.
            None if !force && target != out => {
                anyhow::bail!(
                    "{} is a symbolic link to a file that does not exist; --force creates that file",
                    name()
                )
            }
            _ => {}
        }
        let folder = folder(&target);
        let shown = shown_path(folder);
        let about = metadata(folder).with_context(|| format!("{}: folder {shown}", name()))?;
        if !about.is_dir() {
            anyhow::bail!("{}: {shown} is not a folder", name());
        }
        let new = NewFile::create(&target).map_err(Failure::Output).with_context(name)?;
        Ok(Self { new, out: out.to_owned(), force })
    }

    pub const fn file(&self) -> &File {
        self.new.file()
    }

    /// Gives the complete file its name and prints the name.
    pub fn keep(self) -> anyhow::Result<()> {
        let name = output_name(&self.out);
        self.keep_silently()?;
        let _ = writeln!(std::io::stderr(), "wrote {name}");
        Ok(())
    }

    /// Gives the complete file its name without printing it.
    pub fn keep_silently(self) -> anyhow::Result<()> {
        keep_all(vec![self])
    }

    /// Gives the complete file its name, as one of many: `unsynced` gets its folder, which must be synchronised after
    /// the last of them.
    pub fn keep_unsynced(self, unsynced: &mut Unsynced) -> anyhow::Result<()> {
        keep(vec![self], Some(unsynced))
    }
}

/// Gives complete files their names: all of them, or none if existing files are not to be replaced and one of the names
/// is not available.
pub fn keep_all(outputs: Vec<Output>) -> anyhow::Result<()> {
    keep(outputs, None)
}

fn keep(outputs: Vec<Output>, unsynced: Option<&mut Unsynced>) -> anyhow::Result<()> {
    let force = outputs.iter().any(|output| output.force);
    let (mut files, mut names) = (Vec::new(), Vec::new());
    for Output { new, out, .. } in outputs {
        // A full disk may be reported only now, and publishing would already have replaced an existing file.
        new.file().sync_all().map_err(Failure::Output).with_context(|| output_name(&out))?;
        files.push(new);
        names.push(out);
    }
    publish(&files, force, unsynced).map_err(|(index, error)| {
        let name = names.get(index).map_or_else(String::new, |out| output_name(out));
        anyhow::Error::from(Failure::Output(error)).context(name)
    })
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file().flush()
    }
}

/// The target of a symbolic link, which need not exist.
fn followed(out: &Path) -> std::io::Result<PathBuf> {
    // The limit of Linux.
    const MAX_LINKS: usize = 40;
    let mut target = out.to_owned();
    for _ in 0..MAX_LINKS {
        if !if_there(link_metadata(&target))?.is_some_and(|about| about.is_symlink()) {
            return Ok(target);
        }
        target = folder(&target).join(read_link(&target)?);
    }
    Err(std::io::Error::other("too many symbolic links"))
}

/// Writes a file completely or not at all; standard output (`-`) likewise.
pub fn whole<T>(
    out: &Path,
    force: bool,
    write: impl FnOnce(&File) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if out != Path::new("-") {
        let output = Output::create(out, force)?;
        let made = write(output.file()).map_err(|error| of_output(error, out))?;
        output.keep()?;
        return Ok(made);
    }
    let mut stdout = stdout().with_context(|| output_name(out))?;
    let mut whole = temporary()?;
    let made = write(&whole).map_err(of_temporary)?;
    whole.rewind().map_err(Failure::Temporary)?;
    let copied = std::io::copy(&mut whole, &mut stdout).map(|_| ());
    copied.map_err(Failure::Output).with_context(|| output_name(out))?;
    Ok(made)
}

/// Writes a file completely or not at all; standard output (`-`) receives the bytes as they are produced.
pub fn streamed(
    out: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    let into = |sink: &File| {
        let mut sink = BufWriter::new(sink);
        let written = write(&mut sink).and_then(|()| Ok(sink.flush().map_err(Failure::Output)?));
        written.map_err(|error| of_output(error, out))
    };
    if out == Path::new("-") {
        return into(&stdout().with_context(|| output_name(out))?);
    }
    let output = Output::create(out, force)?;
    into(output.file())?;
    output.keep()
}

/// A file without a name, which is removed when it is closed.
pub fn temporary() -> Result<File, Failure> {
    Ok(uninterrupted(tempfile::tempfile).map_err(Failure::Temporary)?.into())
}

/// Adds the output's name to an error of the output.
fn of_output(error: anyhow::Error, out: &Path) -> anyhow::Error {
    if is_output(&error) { error.context(output_name(out)) } else { error }
}

/// Turns an error of the output into one of a temporary file that is written in its place.
pub fn of_temporary(error: anyhow::Error) -> anyhow::Error {
    if !is_output(&error) {
        return error;
    }
    match error.downcast() {
        Ok(Failure::Output(error)) => Failure::Temporary(error).into(),
        Ok(other) => other.into(),
        Err(error) => error,
    }
}

/// For reports to people: a reader that closes the pipe early, as in `… | head`, is not an error. If the output is data,
/// it is one, because the reader did not get all of them.
pub fn unless_nobody_reads(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if nobody_reads(&error) => Ok(()),
        other => other,
    }
}

/// Whether the output is a pipe that its reader has closed.
pub fn nobody_reads(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref();
    matches!(failure, Some(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_folder_of_many_files_is_synchronised_once() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let mut unsynced = Unsynced::default();
        for (number, force) in [(0, false), (1, false), (1, true)] {
            let path = folder.path().join(number.to_string());
            let output = Output::create(&path, force).expect("it is writable");
            output.keep_unsynced(&mut unsynced).expect("it is writable");
            assert!(path.exists());
            assert_eq!(unsynced.folders(), [folder.path()]);
        }
        unsynced.sync().expect("a folder");
    }
}
