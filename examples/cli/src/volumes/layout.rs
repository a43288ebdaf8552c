//! The location of the volumes of a set: in one folder, in folders `volNNNN`, or in the folders of a table.

use std::collections::BTreeMap;
use std::convert::Infallible;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use anyhow::Context as _;
use linkstream::scidac::VolumeFormat;
use linkstream_access::set::{volume_folder, volume_name};

use crate::human::{one_line, shown_path};

/// A layout as named on the command line: `same`, `directory`, or the path of a table.
#[derive(Debug, Clone, Default)]
pub enum LayoutName {
    #[default]
    Same,
    Directory,
    Table(PathBuf),
}

impl FromStr for LayoutName {
    type Err = Infallible;

    fn from_str(text: &str) -> Result<Self, Infallible> {
        Ok(match text {
            "same" => Self::Same,
            "directory" => Self::Directory,
            table => Self::Table(table.into()),
        })
    }
}

impl LayoutName {
    /// Reads the table, if there is one.
    pub fn read(&self) -> anyhow::Result<Layout> {
        match self {
            Self::Same => Ok(Layout::Same),
            Self::Directory => Ok(Layout::Directory),
            Self::Table(path) => {
                let name = || shown_path(path);
                let text = std::fs::read_to_string(path).with_context(name)?;
                Ok(Layout::Table(table(&text).with_context(name)?))
            }
        }
    }
}

/// The location of the volumes of a set.
#[derive(Debug, Clone, Default)]
pub enum Layout {
    /// `NAME.volNNNN`, all in one folder.
    #[default]
    Same,
    /// `volNNNN/NAME`.
    Directory,
    /// `NAME.volNNNN`, each in the folder of its node.
    Table(BTreeMap<u64, PathBuf>),
}

/// Parses lines of a number and a path, as for `qio-convert-mesh-pfs` (QIO 2.3, section 4.5). Empty lines and lines
/// that begin with `#` are ignored.
fn table(text: &str) -> anyhow::Result<BTreeMap<u64, PathBuf>> {
    let mut folders = BTreeMap::new();
    for (number, line) in (1..).zip(text.lines().map(str::trim)) {
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        let entry = line.split_once(char::is_whitespace);
        let entry = entry.and_then(|(node, path)| Some((node.parse().ok()?, path.trim())));
        let (node, path) = entry.with_context(|| {
            format!("line {number} is not the number of a node and a path: {}", one_line(line))
        })?;
        if folders.insert(node, path.into()).is_some() {
            anyhow::bail!("line {number}: node {node} is in the table already");
        }
    }
    Ok(folders)
}

impl Layout {
    /// The name of the layout in the private file XML.
    pub const fn format(&self) -> VolumeFormat {
        match self {
            Self::Same | Self::Table(_) => VolumeFormat::Partition,
            Self::Directory => VolumeFormat::PartitionDirectory,
        }
    }

    /// The path of a volume of the set `name`, which may include a folder.
    pub fn path(&self, name: &Path, number: u64) -> anyhow::Result<PathBuf> {
        let file = name.file_name().context("a set needs a name")?;
        let folder = name.parent().unwrap_or(Path::new(""));
        match self {
            Self::Same => Ok(folder.join(volume_name(file, number))),
            Self::Directory => Ok(folder.join(volume_folder(number)).join(file)),
            Self::Table(folders) => {
                let of_node = folders.get(&number);
                let of_node =
                    of_node.with_context(|| format!("the table of paths has no line for node {number}"))?;
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
