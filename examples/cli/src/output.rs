//! Output files, which are written completely or not at all.

use std::io::{BufWriter, ErrorKind, Seek as _, Write};
use std::path::Path;

use anyhow::Context as _;
use linkstream_access::write::{AtomicFile, FileError, FileErrorKind, Unsynced};

use crate::complain::done;
use crate::failure::{Failure, is_output, output_name};
use crate::own_input::{self, Replacing};
use crate::signals::incomplete;
use crate::stdio::stdout;
use crate::system::{File, uninterrupted};

/// A file that is not yet complete.
pub struct Output {
    file: AtomicFile,
    /// The file that it will replace, dropped after that.
    replacing: Replacing,
}

impl Output {
    /// Begins a file that will be called `out`, which must not exist unless `force`, and must not be a device or a
    /// file that is read. A symbolic link is kept: the new file replaces its target.
    pub fn create(out: &Path, force: bool) -> anyhow::Result<Self> {
        let incomplete = incomplete().map_err(Failure::Output).with_context(|| output_name(out))?;
        let file = AtomicFile::create(out, force, &incomplete).map_err(of_file)?;
        let replacing = Replacing::new(out).with_context(|| output_name(out))?;
        Ok(Self { file, replacing })
    }

    /// Begins a file like [`create`](Self::create), with a name that the user has not chosen. A symbolic link there is
    /// replaced, not followed.
    pub fn create_inside(out: &Path, force: bool) -> anyhow::Result<Self> {
        let incomplete = incomplete().map_err(Failure::Output).with_context(|| output_name(out))?;
        let file = AtomicFile::create_inside(out, force, &incomplete).map_err(of_file)?;
        let replacing = Replacing::new(out).with_context(|| output_name(out))?;
        Ok(Self { file, replacing })
    }

    pub const fn file(&self) -> &File {
        self.file.file()
    }

    /// Gives the complete file its name, which `-v` prints.
    pub fn keep(self) -> anyhow::Result<()> {
        let name = output_name(self.file.path());
        self.keep_silently()?;
        done(format_args!("wrote {name}"));
        Ok(())
    }

    /// Gives the complete file its name without printing it.
    pub fn keep_silently(self) -> anyhow::Result<()> {
        let Self { file, replacing } = self;
        replacing.loses_nothing().with_context(|| output_name(file.path()))?;
        let kept = file.keep().map_err(of_file);
        drop(replacing);
        kept
    }

    /// Gives the complete file its name, as one of many: `unsynced` gets its directory, which must be synchronised
    /// after the last of them.
    pub fn keep_unsynced(self, unsynced: &mut Unsynced) -> anyhow::Result<()> {
        let Self { file, replacing } = self;
        replacing.loses_nothing().with_context(|| output_name(file.path()))?;
        let kept = AtomicFile::keep_all(vec![file], Some(unsynced)).map_err(of_file);
        drop(replacing);
        kept
    }
}

/// An error of an output file, with the option that helps.
pub fn of_file(error: FileError) -> anyhow::Error {
    let remedy = match error.why {
        FileErrorKind::Io(why) => {
            return anyhow::Error::from(Failure::Output(why)).context(output_name(&error.path));
        }
        FileErrorKind::Exists => "; --force replaces it",
        FileErrorKind::DanglingLink => "; --force creates that file",
        _ => "",
    };
    anyhow::anyhow!("{error}{remedy}")
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.file.file().write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        self.file.file().flush()
    }
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
    let mut stdout = stdout_for_data().with_context(|| output_name(out))?;
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
        return into(&stdout_for_data().with_context(|| output_name(out))?);
    }
    let output = Output::create(out, force)?;
    into(output.file())?;
    output.keep()
}

/// Standard output for data, which must not be a file that is read.
fn stdout_for_data() -> anyhow::Result<File> {
    let stdout = stdout()?;
    own_input::writing_to_stdout(&stdout)?;
    Ok(stdout)
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

/// For reports to people: a reader that closes the pipe early, as in `… | head`, is not an error. If the output is
/// data, it is one, because the reader did not get all of them.
pub fn unless_nobody_reads(written: anyhow::Result<()>) -> anyhow::Result<()> {
    match written {
        Err(error) if nobody_reads(&error) => Ok(()),
        other => other,
    }
}

/// True if the output is a pipe that its reader has closed.
pub fn nobody_reads(error: &anyhow::Error) -> bool {
    let failure = error.downcast_ref();
    matches!(failure, Some(Failure::Output(error)) if error.kind() == ErrorKind::BrokenPipe)
}
