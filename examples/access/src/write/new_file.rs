//! A new file that has no name, or one that shows its purpose, until it is complete.
//!
//! On Linux, if the file system supports `O_TMPFILE`, the file has no name, and the system removes it when the program
//! ends for any reason. Otherwise it is `.OUT.part` beside `OUT`, which is removed unless the program is killed
//! (`SIGKILL`). Replacing a file needs such a name for a moment in any case, since only `rename` replaces a file, and
//! it requires a name.

use std::collections::BTreeMap;
use std::ffi::{OsStr, OsString};
use std::fs::OpenOptions;
use std::io::{self, ErrorKind};
use std::path::{Path, PathBuf};

use super::incomplete::{Incomplete, Partial};
use crate::system::{File, Folder, metadata, remove_file, rename, uninterrupted};

/// A new file in the directory of its final name.
#[derive(Debug)]
pub(super) struct NewFile {
    file: File,
    /// `None` if the file has no name.
    part: Option<Part>,
    out: PathBuf,
    incomplete: Incomplete,
}

impl NewFile {
    /// Creates a file that will be called `out`.
    pub(super) fn create(out: &Path, incomplete: &Incomplete) -> io::Result<Self> {
        let incomplete = incomplete.clone();
        if let Some(file) = unnamed::create(folder(out))? {
            return Ok(Self { file, part: None, out: out.to_owned(), incomplete });
        }
        let create = |name: &Path| OpenOptions::new().read(true).write(true).create_new(true).open(name);
        let (part, file) = Part::make(out, &incomplete, create)?;
        Ok(Self { file: file.into(), part: Some(part), out: out.to_owned(), incomplete })
    }

    pub(super) const fn file(&self) -> &File {
        &self.file
    }

    /// The final path, which is equal for two files that will have one name.
    pub(super) fn target(&self) -> io::Result<PathBuf> {
        let folder = uninterrupted(|| std::fs::canonicalize(folder(&self.out)))?;
        Ok(self.out.file_name().map_or_else(|| self.out.clone(), |name| folder.join(name)))
    }

    /// Gives the file its name, while the list of incomplete files is locked. An existing file is replaced, or is an
    /// error unless `replace`.
    fn publish(&self, replace: bool, partial: &mut Partial) -> io::Result<()> {
        let name = match &self.part {
            Some(part) => part.name.clone(),
            None if replace => make_part(&self.out, partial, |name| unnamed::link(&self.file, name))?.0,
            None => return unnamed::link(&self.file, &self.out),
        };
        let renamed = if replace { rename(&name, &self.out) } else { rename_beside(&name, &self.out) };
        if renamed.is_ok() {
            partial.files.remove(&name);
        } else if self.part.is_none() && partial.files.remove(&name) {
            let _ = remove_file(&name);
        }
        renamed
    }
}

/// Gives files their names. Those from the index `replacing` on replace existing files; if the name of one before is
/// not available, none of them gets its name. The error contains the index of the file concerned. The list of
/// incomplete files is locked meanwhile. With `unsynced`, the directories are added to it instead of being written to
/// the disk.
pub(super) fn publish(
    files: &[NewFile],
    replacing: usize,
    unsynced: Option<&mut Unsynced>,
) -> Result<(), (usize, io::Error)> {
    let Some(first) = files.first() else { return Ok(()) };
    let mut done = 0_usize;
    let published = first.incomplete.update(|partial| {
        // Opened before anything changes, since that can fail too.
        let mut own = Unsynced::default();
        let is_later = unsynced.is_some();
        let folders = unsynced.unwrap_or(&mut own);
        files.iter().try_for_each(|file| folders.add(folder(&file.out)))?;
        let mut numbered = files.iter().enumerate();
        let published = numbered.try_for_each(|(index, file)| {
            file.publish(index >= replacing, partial).inspect(|()| done = done.saturating_add(1))
        });
        let synced = published.and_then(|()| if is_later { Ok(()) } else { folders.sync() });
        synced.map_err(|error| {
            if replacing < files.len() && done == files.len() {
                let written =
                    format!("the file was written, but its directory was not synchronised: {error}");
                return io::Error::new(error.kind(), written);
            }
            // A file that has replaced another one stays.
            for earlier in files.iter().take(done.min(replacing)) {
                let _ = remove_file(&earlier.out);
            }
            error
        })
    });
    published.map_err(|error| (done.min(files.len().saturating_sub(1)), error))
}

/// Gives a complete file, which several processes have written under another name in the same directory, its name. An
/// existing file is replaced, or is an error unless `replace`. The directory is on the disk afterwards.
///
/// # Errors
/// The name is not available, or the system refuses to rename.
pub fn give_name(part: &Path, out: &Path, replace: bool) -> io::Result<()> {
    let mut folders = Unsynced::default();
    folders.add(folder(out))?;
    if replace { rename(part, out) } else { rename_beside(part, out) }?;
    folders.sync()
}

/// Directories with new names that may not be on the disk yet. Many files are published faster if their directory is
/// written once, after the last of them.
#[derive(Debug, Default)]
pub struct Unsynced(BTreeMap<PathBuf, Folder>);

impl Unsynced {
    fn add(&mut self, folder: &Path) -> io::Result<()> {
        if !self.0.contains_key(folder) {
            self.0.insert(folder.to_owned(), Folder::open(folder)?);
        }
        Ok(())
    }

    /// Writes the names to the disk. Until this succeeds, a power cut can lose them.
    ///
    /// # Errors
    /// Errors of the system.
    pub fn sync(&self) -> io::Result<()> {
        self.0.values().try_for_each(Folder::sync)
    }

    #[cfg(test)]
    pub(super) fn folders(&self) -> Vec<&Path> {
        self.0.keys().map(PathBuf::as_path).collect()
    }
}

/// The directory that contains a file.
pub(super) fn folder(file: &Path) -> &Path {
    file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."))
}

/// The temporary name of an incomplete file. Dropping it removes the file.
#[derive(Debug)]
struct Part {
    name: PathBuf,
    incomplete: Incomplete,
}

/// Maximum number of files of killed programs beside one output.
const MAX_PARTS: u32 = 1000;

impl Part {
    /// Calls `make` with an unused name beside `out`.
    fn make<T>(
        out: &Path,
        incomplete: &Incomplete,
        make: impl FnMut(&Path) -> io::Result<T>,
    ) -> io::Result<(Self, T)> {
        let (name, made) = incomplete.update(|partial| make_part(out, partial, make))?;
        Ok((Self { name, incomplete: incomplete.clone() }, made))
    }
}

/// Implements [`Part::make`] while the list of incomplete files is locked. `partial` gets the name.
fn make_part<T>(
    out: &Path,
    partial: &mut Partial,
    mut make: impl FnMut(&Path) -> io::Result<T>,
) -> io::Result<(PathBuf, T)> {
    for number in 1..=MAX_PARTS {
        let name = folder(out).join(part_name(out.file_name().unwrap_or_default(), number));
        match make(&name) {
            Err(error) if error.kind() == ErrorKind::AlreadyExists => {}
            made => {
                let made = made?;
                partial.files.insert(name.clone());
                return Ok((name, made));
            }
        }
    }
    Err(ErrorKind::AlreadyExists.into())
}

impl Drop for Part {
    fn drop(&mut self) {
        self.incomplete.update(|partial| {
            if partial.files.remove(&self.name) {
                let _ = remove_file(&self.name);
            }
        });
    }
}

/// `.OUT.part`, or `.OUT.part2` and so on if a killed program has left that.
fn part_name(out: &OsStr, number: u32) -> OsString {
    // A name can have at most 255 bytes.
    const ROOM: usize = 240;
    let mut name = OsString::from(".");
    if out.len() <= ROOM {
        name.push(out);
    } else {
        name.push(out.to_string_lossy().chars().take(ROOM / 4).collect::<String>());
    }
    name.push(".part");
    if number > 1 {
        name.push(number.to_string());
    }
    name
}

#[cfg(target_os = "linux")]
mod unnamed {
    use std::io;
    use std::os::fd::{AsFd as _, AsRawFd as _};
    use std::path::{Path, PathBuf};

    use rustix::fs::{AtFlags, CWD, Mode, OFlags};
    use rustix::io::{Errno, retry_on_intr};

    use crate::system::{File, uninterrupted};

    /// Creates a file without a name in a directory; `None` if the system cannot do that, or could not give it a name
    /// later.
    pub fn create(folder: &Path) -> io::Result<Option<File>> {
        // The permissions of any new file.
        let mode = Mode::from_raw_mode(0o666);
        let flags = OFlags::TMPFILE | OFlags::RDWR | OFlags::CLOEXEC;
        match retry_on_intr(|| rustix::fs::open(folder, flags, mode)) {
            Ok(file) => {
                let file = File::from(std::fs::File::from(file));
                let has_name = uninterrupted(|| proc_name(&file).try_exists())?;
                Ok(has_name.then_some(file))
            }
            // Errors of file systems and kernels without this function.
            Err(Errno::OPNOTSUPP | Errno::ISDIR | Errno::INVAL | Errno::NOSYS) => Ok(None),
            Err(error) => Err(error.into()),
        }
    }

    /// Gives the file a name that is not in use.
    pub fn link(file: &File, name: &Path) -> io::Result<()> {
        let from = proc_name(file);
        Ok(retry_on_intr(|| rustix::fs::linkat(CWD, &from, CWD, name, AtFlags::SYMLINK_FOLLOW))?)
    }

    fn proc_name(file: &File) -> PathBuf {
        format!("/proc/self/fd/{}", file.as_fd().as_raw_fd()).into()
    }
}

#[cfg(not(target_os = "linux"))]
mod unnamed {
    use std::io;
    use std::path::Path;

    use crate::system::File;

    pub fn create(_: &Path) -> io::Result<Option<File>> {
        Ok(None)
    }

    pub fn link(_: &File, _: &Path) -> io::Result<()> {
        Err(io::ErrorKind::Unsupported.into())
    }
}

/// Renames a file unless another one has the new name.
#[cfg(any(target_os = "linux", target_vendor = "apple"))]
fn rename_beside(from: &Path, to: &Path) -> io::Result<()> {
    use rustix::fs::{CWD, RenameFlags, renameat_with};
    use rustix::io::{Errno, retry_on_intr};

    match retry_on_intr(|| renameat_with(CWD, from, CWD, to, RenameFlags::NOREPLACE)) {
        // Linux has one number for the last two.
        Err(error) if [Errno::INVAL, Errno::NOSYS, Errno::NOTSUP, Errno::OPNOTSUPP].contains(&error) => {
            link_and_remove(from, to)
        }
        other => Ok(other?),
    }
}

#[cfg(not(any(target_os = "linux", target_vendor = "apple")))]
fn rename_beside(from: &Path, to: &Path) -> io::Result<()> {
    link_and_remove(from, to)
}

/// Renames a file by giving it a second name, which fails if another file has that name.
fn link_and_remove(from: &Path, to: &Path) -> io::Result<()> {
    match uninterrupted(|| std::fs::hard_link(from, to)) {
        Ok(()) => remove_file(from),
        Err(error) if error.kind() == ErrorKind::AlreadyExists => Err(error),
        // FAT and some network file systems have no second names. Their errors differ.
        Err(_) => claim_and_rename(from, to),
    }
}

/// Renames a file after an empty file has taken the new name, which fails if another file has that name.
fn claim_and_rename(from: &Path, to: &Path) -> io::Result<()> {
    drop(uninterrupted(|| OpenOptions::new().write(true).create_new(true).open(to))?);
    rename(from, to).inspect_err(|_| {
        // Another program may have replaced the empty file in the meantime.
        if metadata(to).is_ok_and(|about| about.len() == 0) {
            let _ = remove_file(to);
        }
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_complete_file_replaces_another_one_only_if_it_shall() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let [part, out] = ["part", "out"].map(|name| folder.path().join(name));
        let write = |path: &Path, text: &str| std::fs::write(path, text).expect("it is writable");
        let read = |path: &Path| std::fs::read_to_string(path).expect("it is there");
        write(&part, "new");
        write(&out, "old");
        let refused = give_name(&part, &out, false).expect_err("it exists");
        assert_eq!(refused.kind(), ErrorKind::AlreadyExists);
        assert_eq!((read(&part), read(&out)), ("new".into(), "old".into()));
        give_name(&part, &out, true).expect("it is writable");
        assert_eq!((part.exists(), read(&out)), (false, "new".into()));
        give_name(&out, &part, false).expect("the name is free");
        assert_eq!((out.exists(), read(&part)), (false, "new".into()));
    }

    #[test]
    fn no_way_to_rename_replaces_a_file() {
        type Way = fn(&Path, &Path) -> io::Result<()>;
        let ways: [Way; 3] = [rename_beside, link_and_remove, claim_and_rename];
        for (index, way) in ways.into_iter().enumerate() {
            let folder = tempfile::tempdir().expect("a temporary folder");
            let [from, to, other] = ["from", "to", "other"].map(|name| folder.path().join(name));
            std::fs::write(&from, "new").expect("it is writable");
            std::fs::write(&other, "old").expect("it is writable");
            let refused = way(&from, &other).expect_err("it exists");
            assert_eq!(refused.kind(), ErrorKind::AlreadyExists, "{index}");
            assert_eq!(std::fs::read(&other).expect("it was kept"), b"old");
            way(&from, &to).expect("the name is free");
            assert_eq!((from.exists(), std::fs::read(&to).expect("it is there")), (false, b"new".to_vec()));
            // A failure leaves nothing at the new name.
            assert!(way(&from, &folder.path().join("third")).is_err(), "{index}");
            assert_eq!(std::fs::read_dir(folder.path()).expect("a folder").count(), 2);
        }
    }

    /// A new file as on file systems whose files always have names.
    fn named(out: &Path, incomplete: &Incomplete) -> NewFile {
        let create = |name: &Path| std::fs::File::create_new(name);
        let (part, file) = Part::make(out, incomplete, create).expect("it is writable");
        NewFile { file: file.into(), part: Some(part), out: out.to_owned(), incomplete: incomplete.clone() }
    }

    #[test]
    fn a_file_with_a_temporary_name_replaces_no_other_and_leaves_nothing() {
        let folder = tempfile::tempdir().expect("a temporary folder");
        let (out, incomplete) = (folder.path().join("lat"), Incomplete::default());
        let names = || {
            let entries = std::fs::read_dir(folder.path()).expect("a folder").flatten();
            let mut names: Vec<_> = entries.map(|entry| entry.file_name()).collect();
            names.sort();
            names
        };
        let first = named(&out, &incomplete);
        let second = named(&out, &incomplete);
        assert_eq!(names(), [".lat.part", ".lat.part2"]);
        assert_eq!(incomplete.lock().files.len(), 2);
        publish(&[first], 1, None).expect("the name is free");
        assert_eq!(names(), [".lat.part2", "lat"]);
        std::fs::write(&out, "first").expect("it is writable");
        let files = [second];
        let (index, error) = publish(&files, 1, None).expect_err("the name is taken");
        assert_eq!((index, error.kind()), (0, ErrorKind::AlreadyExists));
        assert_eq!(std::fs::read(&out).expect("it was kept"), b"first");
        drop(files);
        assert_eq!(names(), ["lat"]);
        publish(&[named(&out, &incomplete)], 0, None).expect("it is replaced");
        assert_eq!(std::fs::read(&out).expect("it was kept"), b"");
        assert_eq!(names(), ["lat"]);
        assert!(incomplete.lock().files.is_empty());
    }
}
