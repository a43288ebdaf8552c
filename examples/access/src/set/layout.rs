//! The location of the volumes of a set: in one directory, in directories `volNNNN`, or in the directories of a table.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use linkstream::scidac::VolumeFormat;

use super::names::{volume_folder, volume_name};
use crate::text::one_line;

/// The location of the volumes of a set.
#[derive(Debug, Clone, Default)]
pub enum Layout {
    /// `NAME.volNNNN`, all in one directory.
    #[default]
    Same,
    /// `volNNNN/NAME`.
    Directory,
    /// `NAME.volNNNN`, each in the directory of its node.
    Table(BTreeMap<u64, PathBuf>),
}

/// Reason why a text is no table of directories.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// A line is not of this form.
    #[error("line {number} is not the number of a node and a path: {}", one_line(line))]
    Line {
        /// The number of the line, from 1.
        number: usize,
        /// Text of the line.
        line: String,
    },
    /// A node has two lines.
    #[error("line {number}: node {node} is in the table already")]
    Repeated {
        /// The number of the second line, from 1.
        number: usize,
        /// The number of the node.
        node: u64,
    },
}

/// Reason why a file set has no path for a volume.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum LayoutError {
    /// The set has no name.
    #[error("a file set needs a name")]
    NoName,
    /// The table has no line for this node.
    #[error("the table of paths has no line for node {0}")]
    NoNode(u64),
}

/// Parses lines of a number and a path, as for `qio-convert-mesh-pfs` (QIO 2.3, section 4.5). Empty lines and lines
/// that begin with `#` are ignored.
fn table(text: &str) -> Result<BTreeMap<u64, PathBuf>, TableError> {
    let mut folders = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = line.split_once(char::is_whitespace);
        let entry = entry.and_then(|(node, path)| Some((node.parse().ok()?, path.trim())));
        let (node, path) = entry.ok_or_else(|| TableError::Line { number, line: line.to_owned() })?;
        if folders.insert(node, path.into()).is_some() {
            return Err(TableError::Repeated { number, node });
        }
    }
    Ok(folders)
}

impl Layout {
    /// The directories in a table: a line for each node, with its number, spaces and a path, as for
    /// `qio-convert-mesh-pfs` (QIO 2.3, section 4.5). Empty lines and lines that begin with `#` are ignored.
    ///
    /// # Errors
    /// A line is something else, or a node has two lines.
    pub fn of_table(text: &str) -> Result<Self, TableError> {
        table(text).map(Self::Table)
    }

    /// The name of the layout in the private file XML.
    #[must_use]
    pub const fn format(&self) -> VolumeFormat {
        match self {
            Self::Same | Self::Table(_) => VolumeFormat::Partition,
            Self::Directory => VolumeFormat::PartitionDirectory,
        }
    }

    /// The path of a volume of the set `name`, which may include a directory.
    ///
    /// # Errors
    /// The set has no name, or the table has no directory for the volume.
    pub fn path(&self, name: &Path, number: u64) -> Result<PathBuf, LayoutError> {
        let file = name.file_name().ok_or(LayoutError::NoName)?;
        let folder = name.parent().unwrap_or(Path::new(""));
        match self {
            Self::Same => Ok(folder.join(volume_name(file, number))),
            Self::Directory => Ok(folder.join(volume_folder(number)).join(file)),
            Self::Table(folders) => {
                let of_node = folders.get(&number).ok_or(LayoutError::NoNode(number))?;
                Ok(of_node.join(volume_name(file, number)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn tables_are_numbers_and_paths() {
        let read = |text| table(text).map_err(|error| error.to_string());
        let two = BTreeMap::from([(0, "/a".into()), (2, "/b c".into())]);
        assert_eq!(read("# nodes\n0 /a\n\n  2\t/b c \n"), Ok(two));
        for (wrong, why) in
            [("/a", "line 1"), ("0 /a\nx /b", "line 2"), ("1 /a\n1 /b", "already"), ("3", "line 1")]
        {
            let said = read(wrong).expect_err("no table");
            assert!(said.contains(why), "{wrong}: {said}");
        }
    }

    #[test]
    fn names_follow_the_layout() {
        let path = |layout: &Layout| layout.path(Path::new("a/lat"), 12).map_err(|error| error.to_string());
        assert_eq!(path(&Layout::Same), Ok("a/lat.vol0012".into()));
        assert_eq!(path(&Layout::Directory), Ok("a/vol0012/lat".into()));
        let of_table = |node| Layout::Table(BTreeMap::from([(node, "/scratch".into())]));
        assert_eq!(path(&of_table(12)), Ok("/scratch/lat.vol0012".into()));
        assert!(path(&of_table(1)).is_err_and(|said| said.contains("node 12")));
    }
}
