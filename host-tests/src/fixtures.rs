//! The location of the fixtures.

use std::path::{Path, PathBuf};

/// Files described by manifests, by owner.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fixtures {
    /// Files made for this project: `host-tests/fixtures`, part of the repository.
    Ours,
    /// Files of other projects, which are never part of the repository: `../shared/fixtures` beside the project, or the
    /// directory in the environment variable `LINKSTREAM_FIXTURES`. Their tests are written with
    /// [`of_other_projects!`](crate::of_other_projects).
    OfOthers,
}

impl Fixtures {
    /// The directory of the files.
    ///
    /// # Panics
    /// If there is no such directory.
    pub fn folder(self) -> PathBuf {
        let package = Path::new(env!("CARGO_MANIFEST_DIR"));
        let path = match (self, std::env::var_os("LINKSTREAM_FIXTURES")) {
            (Self::Ours, _) => package.join("fixtures"),
            (Self::OfOthers, Some(path)) => path.into(),
            (Self::OfOthers, None) => package.join("../../shared/fixtures"),
        };
        assert!(path.is_dir(), "there is no directory {}", path.display());
        path
    }

    /// The path of a file.
    pub fn join(self, path: &str) -> PathBuf {
        self.folder().join(path)
    }

    /// The content of a file.
    ///
    /// # Panics
    /// If it cannot be read.
    pub fn read(self, path: &str) -> Vec<u8> {
        let path = self.join(path);
        std::fs::read(&path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
    }

    /// True if a file described by the manifest of a directory is one of these. The manifests in the repository also
    /// describe files of other projects.
    pub fn includes(self, folder: &str, path: &str) -> bool {
        let of_others = folder == "wild"
            || folder == "qio" && path.starts_with("wild/")
            || folder == "scda" && path == "libsc-sc_test_scda.scd";
        of_others == (self == Self::OfOthers)
    }
}

/// Declares the module `of_other_projects` with tests that use [`Fixtures::OfOthers`]. The tests are ignored if these
/// files do not exist.
#[cfg(other_projects)]
#[macro_export]
macro_rules! of_other_projects {
    ($(fn $test:ident() $body:block)+) => {
        mod of_other_projects {
            use super::*;
            $(
                #[test]
                fn $test() $body
            )+
        }
    };
}

/// Declares the module `of_other_projects` with tests that use [`Fixtures::OfOthers`]. The tests are ignored if these
/// files do not exist.
#[cfg(not(other_projects))]
#[macro_export]
macro_rules! of_other_projects {
    ($(fn $test:ident() $body:block)+) => {
        mod of_other_projects {
            use super::*;
            $(
                #[test]
                #[ignore = "the files of other projects, ../shared/fixtures, are not beside the project"]
                fn $test() $body
            )+
        }
    };
}

#[cfg(test)]
mod tests {
    use super::Fixtures;
    use crate::{manifest, matrices, sections};
    use std::collections::BTreeSet;
    use std::path::Path;

    fn collect(folder: &Path, files: &mut BTreeSet<String>) {
        for entry in std::fs::read_dir(folder).expect("a readable directory") {
            let path = entry.expect("an entry").path();
            if path.is_dir() {
                collect(&path, files);
            } else {
                files.insert(path.to_str().expect("UTF-8").to_owned());
            }
        }
    }

    /// Each file of the repository is described by exactly one manifest, and `bytes` verifies its hash: no line ending
    /// was changed, no file is missing, and none belongs to another project.
    #[test]
    fn the_repository_has_the_files_of_its_manifests_and_no_others() {
        let root = Fixtures::Ours.folder();
        let mut described = BTreeSet::from([root.join(".gitattributes").to_str().expect("UTF-8").to_owned()]);
        let mut describe = |folder: &str, path: &str| {
            let path = root.join(folder).join(path);
            assert!(
                described.insert(path.to_str().expect("UTF-8").to_owned()),
                "{} is described twice",
                path.display()
            );
        };
        for folder in ["lime", "qio", "broken", "foreign"] {
            for entry in manifest::load(Fixtures::Ours, folder) {
                assert!(entry.sha256.is_some(), "{folder}/{} has no hash", entry.path);
                entry.bytes();
                describe(folder, &entry.path);
            }
        }
        for file in sections::load(Fixtures::Ours) {
            file.bytes();
            describe("scda", &file.path);
        }
        for file in sections::load_broken(Fixtures::Ours) {
            file.bytes();
            describe("broken-scda", &file.path);
        }
        for file in matrices::load(Fixtures::Ours) {
            file.bytes();
            describe("inebin", &file.path);
        }
        for file in matrices::load_broken(Fixtures::Ours) {
            file.bytes();
            describe("broken-inebin", &file.path);
        }
        for folder in ["lime", "qio", "broken", "foreign", "scda", "broken-scda", "inebin", "broken-inebin"] {
            let path = root.join(folder).join("MANIFEST.toml");
            described.insert(path.to_str().expect("UTF-8").to_owned());
        }
        let mut found = BTreeSet::new();
        collect(&root, &mut found);
        assert_eq!(found, described);
    }
}
