//! The fixtures of the project, and what the codec says about them on this machine.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result, ensure};
use dma_ring::verifier::Verifier;

#[derive(Debug)]
pub struct Sample {
    pub name: String,
    pub contents: Vec<u8>,
}

pub fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../host-tests/fixtures")
}

pub fn read(name: &str) -> Result<Vec<u8>> {
    fs::read(root().join(name)).with_context(|| name.to_owned())
}

/// A gauge configuration of 149,800 bytes in single precision.
pub const SINGLE: &str = "qio/ildg/ildg_f_4x4x4x8.lime";
/// One of 71,472 bytes in double precision.
pub const DOUBLE: &str = "qio/ildg/ildg_d_2x3x4x5.lime";

/// All fixtures in these folders, sorted by their names.
pub fn fixtures(folders: &[&str]) -> Result<Vec<Sample>> {
    let mut paths = Vec::new();
    for folder in folders {
        collect(&root().join(folder), &mut paths)?;
    }
    paths.sort();
    ensure!(paths.len() > 200, "only {} fixtures are there", paths.len());
    paths
        .into_iter()
        .map(|path| {
            let name = path.strip_prefix(root())?.display().to_string();
            Ok(Sample { name, contents: fs::read(&path)? })
        })
        .collect()
}

fn collect(folder: &Path, paths: &mut Vec<PathBuf>) -> Result<()> {
    for entry in fs::read_dir(folder).with_context(|| folder.display().to_string())? {
        let path = entry?.path();
        if path.is_dir() {
            collect(&path, paths)?;
        } else if path.extension().is_some_and(|extension| extension != "toml" && extension != "md") {
            paths.push(path);
        }
    }
    Ok(())
}

/// Verdict of the codec on this machine, which has the whole file at once.
pub fn verdict(contents: &[u8]) -> String {
    let mut verifier = Verifier::new();
    match verifier.push(contents).and_then(|()| verifier.finish()) {
        Ok(facts) => facts.to_string(),
        Err(fault) => fault.to_string(),
    }
}
