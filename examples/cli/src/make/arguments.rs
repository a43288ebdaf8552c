//! The arguments of `make propagator`.

use std::path::PathBuf;

use clap::Args;
use linkstream::lattice::Precision;
use linkstream::usqcd::{FileType, Label};

use crate::convert::date;
use crate::counting::from_zero;
use crate::fields::precision;
use crate::ildg::extents;
use crate::xml_text::content;

#[derive(Debug, Args)]
pub struct Arguments {
    /// The file to write; `-` is standard output.
    pub out: PathBuf,
    /// Type of the file: C1D12, CD_PAIRS, DD_PAIRS, LHPC, C1V3, CV_PAIRS or VV_PAIRS.
    #[arg(long = "type", value_name = "TYPE", value_parser = file_type)]
    pub file_type: FileType,
    /// Data of a source: raw numbers, or a NumPy array (NPY file); `-` is standard input. Can be repeated.
    #[arg(long = "source", value_name = "FILE")]
    pub sources: Vec<PathBuf>,
    /// Data of a solution, in the same forms. Can be repeated.
    #[arg(long = "solution", value_name = "FILE", required = true)]
    pub solutions: Vec<PathBuf>,
    /// The lattice, as LXxLYxLZxLT [default: as in the array of solutions; required for raw data].
    #[arg(long, value_name = "4x4x4x8", value_parser = extents)]
    pub extents: Option<[u32; 4]>,
    /// Precision: bits per number [default: 64, or as in the array of solutions].
    #[arg(long, value_name = "32|64", value_parser = precision)]
    pub precision: Option<Precision>,
    /// The raw data are little-endian.
    #[arg(long, conflicts_with = "big_endian")]
    pub little_endian: bool,
    /// The raw data are big-endian, as in the file (the default).
    #[arg(long)]
    pub big_endian: bool,
    /// Also accept numbers that are infinite or NaN, or that seem to have the other byte order.
    #[arg(long)]
    pub any_numbers: bool,
    /// Time slice of a source that covers only one [default: sources cover the whole lattice].
    #[arg(long = "time", value_name = "T", value_parser = from_zero::<u32>)]
    pub times: Vec<u32>,
    /// The user's text about the file.
    #[arg(long, value_name = "TEXT", default_value = "", hide_default_value = true, value_parser = content)]
    pub info: String,
    /// The user's text about a source.
    #[arg(long = "source-info", value_name = "TEXT", value_parser = content)]
    pub source_infos: Vec<String>,
    /// The user's text about a solution.
    #[arg(long = "solution-info", value_name = "TEXT", value_parser = content)]
    pub solution_infos: Vec<String>,
    /// Source spin and color of a solution; of a staggered one, only COLOR.
    #[arg(long = "label", value_name = "SPIN,COLOR", value_parser = label)]
    pub labels: Vec<Label>,
    /// Spin and color of a source; of a staggered one, only COLOR [default: none].
    #[arg(long = "source-label", value_name = "SPIN,COLOR", value_parser = label)]
    pub source_labels: Vec<Label>,
    /// Date of the records [default: now].
    #[arg(long, value_name = "TEXT", value_parser = date)]
    pub date: Option<String>,
    /// Replace the file if it exists.
    #[arg(long)]
    pub force: bool,
    /// Print one JSON object: the files read and written, with the report of `inspect --json`, and the warnings.
    #[arg(long)]
    pub json: bool,
}

fn file_type(text: &str) -> Result<FileType, String> {
    let found = FileType::ALL.into_iter().find(|known| known.as_str().eq_ignore_ascii_case(text));
    found.ok_or_else(|| format!("expected {}", FileType::ALL.map(FileType::as_str).join(", ")))
}

/// Parses `SPIN,COLOR` or `COLOR`.
fn label(text: &str) -> Result<Label, String> {
    let number = |text: &str, limit: u8| text.parse().ok().filter(|number| *number < limit);
    let label = match text.split_once(',') {
        Some((spin, color)) => {
            number(spin, 4).zip(number(color, 3)).map(|(spin, color)| (Some(spin), Some(color)))
        }
        None => number(text, 3).map(|color| (None, Some(color))),
    };
    let (spin, color) =
        label.ok_or("expected a spin from 0 to 3 and a color from 0 to 2 like 1,2, or a color")?;
    Ok(Label { spin, color })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn labels_are_a_color_or_a_spin_and_a_color() {
        assert_eq!(label("3,2"), Ok(Label { spin: Some(3), color: Some(2) }));
        assert_eq!(label("1"), Ok(Label { spin: None, color: Some(1) }));
        for wrong in ["", "4,0", "0,3", "3", "1,", ",1", "1,1,1", "-1", "a"] {
            assert!(label(wrong).is_err(), "{wrong}");
        }
        assert_eq!(file_type("dd_pairs"), Ok(FileType::DdPairs));
        assert!(file_type("pairs").is_err_and(|error| error.contains("C1D12, CD_PAIRS")));
    }
}
