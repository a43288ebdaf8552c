//! The files that the programs read. They are created with the program `linkstream`, so that only a checkout is needed.
//! The environment variable `LINKSTREAM` can name the program; otherwise it is built.

use std::env;
use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use anyhow::{Context as _, Result, ensure};
use tempfile::TempDir;

use crate::toolchain::root;

/// A temporary directory of files, deleted when this value is dropped.
#[derive(Debug)]
pub struct Inputs {
    folder: TempDir,
}

impl Inputs {
    pub fn make() -> Result<Self> {
        let inputs = Self { folder: TempDir::new()? };
        let rows = (0..5).map(|row| (0..40).map(|column| entry(row, column)).collect::<Vec<_>>().join(","));
        inputs.text("table.csv", &rows.collect::<Vec<_>>().join("\n"))?;
        let numbers: Vec<u8> = (0..600).flat_map(|n| (f64::from(n) / 8.0).to_le_bytes()).collect();
        fs::write(inputs.path("numbers"), numbers)?;
        inputs.linkstream(&["inebin", "from-csv", "--type", "R", "table.csv", "matrix.bin"])?;
        let create = [
            "scda",
            "create",
            "plain.scda",
            "text:step=42",
            "array:numbers:8=numbers",
            "block:csv=table.csv",
        ];
        inputs.linkstream(&create)?;
        let pieces = ["--compress", "array:rows:600=numbers", "block:all=numbers"];
        inputs.linkstream(&[&["scda", "create", "packed.scda"][..], &pieces].concat())?;
        fs::write(inputs.path("foreign.lime"), foreign()?)?;
        for (name, change) in UNVERIFIED {
            fs::write(inputs.path(name), change(fs::read(configuration())?)?)?;
        }
        Ok(inputs)
    }

    fn text(&self, name: &str, text: &str) -> Result<()> {
        Ok(fs::write(self.path(name), text)?)
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.folder.path().join(name)
    }

    /// Runs the program `linkstream` in the directory of the files.
    pub fn linkstream(&self, arguments: &[&str]) -> Result<()> {
        let mut program = match env::var_os("LINKSTREAM") {
            Some(path) => Command::new(std::path::absolute(path)?),
            None => cargo_run()?,
        };
        program.current_dir(self.folder.path()).args(arguments);
        let output = program.output().with_context(|| format!("{program:?} cannot be run"))?;
        ensure!(
            output.status.success(),
            "linkstream {}: {}{}",
            arguments.join(" "),
            String::from_utf8_lossy(&output.stdout),
            String::from_utf8_lossy(&output.stderr)
        );
        Ok(())
    }
}

/// The command that builds and runs the program. Its arguments can follow.
fn cargo_run() -> Result<Command> {
    let mut cargo = Command::new(env::var_os("CARGO").unwrap_or_else(|| "cargo".into()));
    cargo.args(["run", "--quiet", "--release", "--package", "linkstream-cli", "--manifest-path"]);
    cargo.arg(root().join("Cargo.toml")).arg("--");
    if let Some(folder) = env::var_os("CARGO_TARGET_DIR") {
        cargo.env("CARGO_TARGET_DIR", fs::canonicalize(folder)?);
    }
    Ok(cargo)
}

/// A change of the gauge configuration.
type Change = fn(Vec<u8>) -> Result<Vec<u8>>;

/// The gauge configuration, changed so that nothing verifies its data, by name.
pub const UNVERIFIED: [(&str, Change); 5] = [
    ("geometry-missing", |bytes| Ok(bytes.get(..checksum(&bytes)?).unwrap_or_default().to_vec())),
    ("geometry-truncated", |mut bytes| {
        bytes.truncate(checksum(&bytes)? + HEADER + 100);
        Ok(bytes)
    }),
    ("geometry-malformed", |bytes| replaced(bytes, "<suma>", "<sumc>")),
    ("geometry-doubled", |mut bytes| {
        let record = bytes.get(checksum(&bytes)?..).unwrap_or_default().to_vec();
        bytes.extend(record);
        // The second one begins a message of its own.
        let flags = bytes.len() - HEADER - DOCUMENT + 6;
        *bytes.get_mut(flags).context("the file is too short")? |= 0x80;
        Ok(bytes)
    }),
    ("geometry-mismatch", |bytes| replaced(bytes, "<suma>4", "<suma>5")),
];
/// Length of a LIME header, and of the checksum document in the configuration.
const HEADER: usize = 144;
const DOCUMENT: usize = 136;

/// Offset of the record of the checksum.
fn checksum(bytes: &[u8]) -> Result<usize> {
    let at = bytes.len() - HEADER - DOCUMENT;
    let is_header = bytes.get(at + 16..).is_some_and(|rest| rest.starts_with(b"scidac-checksum\0"));
    ensure!(is_header, "the configuration does not end with its checksum");
    Ok(at)
}

fn replaced(mut bytes: Vec<u8>, own: &str, other: &str) -> Result<Vec<u8>> {
    let at = bytes.windows(own.len()).position(|window| window == own.as_bytes());
    let at = at.context("the configuration has other documents than were expected")?;
    bytes.splice(at..at + own.len(), other.bytes());
    Ok(bytes)
}

fn entry(row: i32, column: i32) -> String {
    format!("{}", f64::from(row * 40 + column - 50) / 4.0)
}

/// The gauge configuration as another program might write it: with white space before an XML declaration, and with a
/// record of a reserved type instead of the logical file name.
fn foreign() -> Result<Vec<u8>> {
    let mut bytes = fs::read(configuration())?;
    for (own, other) in [
        (r#"<?xml version="1.0" encoding="UTF-8"?>"#, r#" <?xml version="1.0" encoding="UTF8"?>"#),
        ("ildg-data-lfn", "ildg-data-xyz"),
    ] {
        ensure!(own.len() == other.len(), "the records keep their lengths");
        bytes = replaced(bytes, own, other)?;
    }
    Ok(bytes)
}

/// The gauge configuration in the repository.
pub fn configuration() -> PathBuf {
    root().join("examples/su3-4x4x4x8.lime")
}

/// The fixtures in the directory `kind` with this file extension, in alphabetical order.
pub fn fixtures(kind: &str, ending: &str) -> Vec<PathBuf> {
    let mut files = Vec::new();
    collect(&root().join("host-tests/fixtures").join(kind), OsStr::new(ending), &mut files);
    files.sort();
    files
}

fn collect(folder: &Path, ending: &OsStr, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let path = entry.path();
        if path.extension() == Some(ending) {
            files.push(path);
        }
    }
}
