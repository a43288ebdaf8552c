//! Output files, which are written completely or not at all.

use std::fmt;
use std::fs::File;
use std::io::{BufWriter, ErrorKind, Seek as _, Write};
use std::path::{Path, PathBuf};

use anyhow::Context as _;

use crate::human::one_line;

/// A file under a temporary name in the folder where it will be.
pub struct Output {
    temporary: tempfile::NamedTempFile,
    out: PathBuf,
    force: bool,
}

impl Output {
    /// To be called `out`, which must not exist unless `force`d, and is no device in any case.
    pub fn create(out: &Path, force: bool) -> anyhow::Result<Self> {
        let name = || one_line(&out.display().to_string());
        match out.metadata() {
            // A device would be replaced by a file.
            Ok(about) if !about.is_file() => anyhow::bail!("{} is not a file", name()),
            Ok(_) if !force => anyhow::bail!("{} exists; --force replaces it", name()),
            // Not to be found out when all is written.
            Err(_) if !force && out.is_symlink() => {
                anyhow::bail!("{} exists, a link to nothing; --force replaces it", name())
            }
            _ => {}
        }
        let folder = out.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        // The temporary file's name would mean nothing to whoever reads of an error.
        let shown = one_line(&folder.display().to_string());
        let about = folder.metadata().with_context(|| format!("{}: folder {shown}", name()))?;
        if !about.is_dir() {
            anyhow::bail!("{}: {shown} is not a folder", name());
        }
        let temporary = temporary(folder).with_context(name)?;
        Ok(Self { temporary, out: out.to_owned(), force })
    }

    pub fn file(&self) -> &File {
        self.temporary.as_file()
    }

    /// On the disk, which may only now be found to be full: a file that is replaced is lost with its name.
    pub fn sync(&self) -> std::io::Result<()> {
        self.temporary.as_file().sync_all()
    }

    /// Gives the complete file its name, and prints that name.
    pub fn keep(self) -> anyhow::Result<()> {
        let name = one_line(&self.out.display().to_string());
        self.sync().with_context(|| name.clone())?;
        self.keep_silently()?;
        let _ = writeln!(std::io::stderr(), "wrote {name}");
        Ok(())
    }

    /// The same for one of many files.
    pub fn keep_silently(self) -> anyhow::Result<()> {
        let name = || one_line(&self.out.display().to_string());
        let kept = if self.force {
            self.temporary.persist(&self.out)
        } else {
            // It may have come into being since we looked.
            self.temporary.persist_noclobber(&self.out)
        };
        kept.map_err(|error| error.error).with_context(name)?;
        Ok(())
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.temporary.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.temporary.flush()
    }
}

/// Writes a file completely or not at all; a pipe (`-`) likewise.
pub fn whole<T>(
    out: &Path,
    force: bool,
    write: impl FnOnce(&File) -> anyhow::Result<T>,
) -> anyhow::Result<T> {
    if out != Path::new("-") {
        let output = Output::create(out, force)?;
        let made = write(output.file())?;
        output.keep()?;
        return Ok(made);
    }
    let mut whole = tempfile::tempfile()?;
    let made = write(&whole)?;
    whole.rewind()?;
    let mut stdout = std::io::stdout().lock();
    let copied = std::io::copy(&mut whole, &mut stdout).and_then(|_| stdout.flush());
    unless_nobody_reads(copied.map_err(|error| anyhow::Error::from(OutputError(error)).context(STDOUT)))?;
    Ok(made)
}

/// Writes a file completely or not at all; a pipe (`-`) receives the bytes as they are produced.
pub fn streamed(
    out: &Path,
    force: bool,
    write: impl FnOnce(&mut dyn Write) -> anyhow::Result<()>,
) -> anyhow::Result<()> {
    if out == Path::new("-") {
        return unless_nobody_reads(write(&mut BufWriter::new(std::io::stdout().lock())));
    }
    let output = Output::create(out, force)?;
    write(&mut BufWriter::new(output.file()))?;
    output.keep()
}

const STDOUT: &str = "standard output";

/// A file that others may read as any new one, where the system knows of such things.
fn temporary(folder: &Path) -> std::io::Result<tempfile::NamedTempFile> {
    let mut builder = tempfile::Builder::new();
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt as _;
        builder.permissions(std::fs::Permissions::from_mode(0o666));
    }
    builder.tempfile_in(folder)
}

/// What is written to has failed, not what is read.
#[derive(Debug)]
pub struct OutputError(pub std::io::Error);

impl fmt::Display for OutputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(f)
    }
}

impl std::error::Error for OutputError {}

/// An error with the name of the file it concerns.
pub fn blame(error: anyhow::Error, input: &Path, output: &Path) -> anyhow::Error {
    let (concerned, stream) =
        if error.is::<OutputError>() { (output, STDOUT) } else { (input, "standard input") };
    let name = if concerned == Path::new("-") {
        stream.to_owned()
    } else {
        one_line(&concerned.display().to_string())
    };
    error.context(name)
}

/// A reader that closes the pipe early, as in `… | head`, is not an error.
pub fn unless_nobody_reads(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error)
            if error
                .downcast_ref::<OutputError>()
                .is_some_and(|OutputError(error)| error.kind() == ErrorKind::BrokenPipe) =>
        {
            Ok(())
        }
        other => other,
    }
}
