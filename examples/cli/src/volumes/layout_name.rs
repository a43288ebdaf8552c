//! The options `--layout`, `--from`, `--volumes` and `--io`.

use std::convert::Infallible;
use std::path::PathBuf;
use std::str::FromStr;

use anyhow::Context as _;
pub use linkstream_access::set::Layout;

use crate::human::shown_path;
use crate::system::File;
use crate::{lists, own_input};

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
                own_input::reading(path).with_context(name)?;
                let text = lists::read(File::open(path).with_context(name)?, b'\n').with_context(name)?;
                let text = String::from_utf8(text).with_context(name)?;
                Layout::of_table(&text).with_context(name)
            }
        }
    }
}

/// Parses numbers with `x` between them.
pub fn numbers(text: &str) -> Result<Vec<u32>, String> {
    let numbers = text.split('x').map(|number| number.parse().ok().filter(|number| *number > 0));
    let numbers: Option<Vec<u32>> = numbers.collect();
    numbers.ok_or_else(|| "expected numbers like 2x1x2x2, one for each dimension that is divided".to_owned())
}
