//! New volumes: once all of them are complete and verified, all get their names; otherwise none does.

use std::path::{Path, PathBuf};

use linkstream::lattice::Extents;
use linkstream::volume::Mesh;

use super::atomic::{AtomicFile, FileError, FileErrorKind};
use super::error::Error;
use super::incomplete::Incomplete;
use super::new_folders::NewFolders;
use super::refusal::Refusal;
use crate::set::{Layout, SetName};
use crate::system::{exists, link_metadata};

/// The nodes of a set and its volumes.
#[derive(Debug, Clone)]
pub struct SetForm {
    /// Number of nodes in each dimension.
    pub nodes: Vec<u32>,
    /// Number of volumes in each dimension; `None`: one per node.
    pub io: Option<Vec<u32>>,
    /// Places of the volumes.
    pub layout: Layout,
    /// True for a multifile set, whose volumes have the even sites before the odd ones, like the memory of programs with
    /// the usual layout. Otherwise, it is a partition set, and sites are in lexicographic order.
    pub is_multifile: bool,
}

impl SetForm {
    /// The assignment of a lattice's sites to volumes.
    ///
    /// # Errors
    /// The lattice cannot be divided so.
    pub fn mesh(&self, lattice: &Extents) -> Result<Mesh, Refusal> {
        let io = self.io.as_ref().unwrap_or(&self.nodes);
        Mesh::new(lattice, &self.nodes, io).map_err(|why| Refusal::Mesh {
            lattice: *lattice,
            nodes: self.nodes.clone(),
            io: io.clone(),
            why,
        })
    }
}

/// A volume that has no name yet.
#[derive(Debug)]
pub struct NewVolume {
    /// Its number.
    pub number: u64,
    /// The file, which knows its future name.
    pub file: AtomicFile,
}

/// A new file set.
#[derive(Debug)]
pub struct NewSet {
    name: PathBuf,
    layout: Layout,
    replace: bool,
    folders: NewFolders,
    incomplete: Incomplete,
}

impl NewSet {
    /// The volumes of a new file set called `name`. Existing ones are replaced if `replace`.
    #[must_use]
    pub fn new(name: PathBuf, layout: Layout, replace: bool, incomplete: Incomplete) -> Self {
        Self { name, layout, replace, folders: NewFolders::new(incomplete.clone()), incomplete }
    }

    /// The name of the set.
    #[must_use]
    pub fn name(&self) -> &Path {
        &self.name
    }

    /// Begins the volumes with these numbers. Each takes an open file. Volumes with other numbers must not exist,
    /// because they would look like a part of the new file set.
    ///
    /// # Errors
    /// There is another volume, or a file cannot be created.
    pub fn create(&mut self, numbers: &[u64]) -> Result<Vec<NewVolume>, Error> {
        let mut paths = Vec::new();
        for number in numbers {
            paths.push(self.layout.path(&self.name, *number)?);
        }
        if let Some(other) = self.there()?.into_iter().find(|path| !paths.contains(path)) {
            return Err(Error::OtherSet(other));
        }
        let mut volumes = Vec::new();
        for (number, path) in numbers.iter().zip(paths) {
            let own = path.parent().filter(|folder| !folder.as_os_str().is_empty());
            if let Some(folder) = own.filter(|_| !matches!(self.layout, Layout::Same)) {
                let failed = |error| FileError { path: folder.to_owned(), why: FileErrorKind::Io(error) };
                self.folders.make(folder).map_err(failed)?;
                let is_own = matches!(self.layout, Layout::Directory);
                if is_own && link_metadata(folder).map_err(failed)?.is_symlink() {
                    let why = FileErrorKind::NotAFolder(folder.to_owned());
                    return Err(FileError { path, why }.into());
                }
            }
            let file = AtomicFile::create_inside(&path, self.replace, &self.incomplete)?;
            volumes.push(NewVolume { number: *number, file });
        }
        Ok(volumes)
    }

    /// The existing volumes of sets of this name, even if there is also a file of this name.
    fn there(&self) -> Result<Vec<PathBuf>, Error> {
        let mut there = Vec::new();
        if let Layout::Table(folders) = &self.layout {
            for number in folders.keys() {
                let path = self.layout.path(&self.name, *number)?;
                if exists(&path).map_err(Error::Output)? {
                    there.push(path);
                }
            }
        } else {
            for set in SetName::called(&self.name) {
                there.extend(set.volumes().map_err(Error::Output)?.into_iter().map(|(_, path)| path));
            }
        }
        Ok(there)
    }

    /// Gives complete and verified volumes their names.
    ///
    /// # Errors
    /// A volume cannot be written or renamed.
    pub fn keep(self, volumes: Vec<NewVolume>) -> Result<(), Error> {
        AtomicFile::keep_all(volumes.into_iter().map(|volume| volume.file).collect(), None)?;
        self.folders.keep();
        Ok(())
    }
}
