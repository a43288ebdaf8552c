//! The tables of rules of all formats: each rule is reached, and each names its clause.

mod clauses;
mod reached;
mod reference;
mod requirements;

use linkstream::Decode;

/// The error that an event reports, if it is a finding.
pub type Finding<D> = fn(<D as Decode>::Event) -> Option<<D as Decode>::ErrorKind>;

/// All errors that the decoder reports for a file, up to the one that stops it.
pub fn reported<D: Decode>(mut decoder: D, finding: Finding<D>, file: &[u8]) -> Vec<D::ErrorKind> {
    let mut reported = Vec::new();
    let mut rest = file;
    loop {
        match decoder.push(rest) {
            Ok(step) => {
                rest = &rest[step.consumed..];
                let Some(event) = step.event else { break };
                reported.extend(finding(event));
            }
            Err(error) => return [reported, vec![error.kind]].concat(),
        }
    }
    loop {
        match decoder.finish() {
            Ok(Some(event)) => reported.extend(finding(event)),
            Ok(None) => return reported,
            Err(error) => return [reported, vec![error.kind]].concat(),
        }
    }
}

/// The files in a directory and its subdirectories.
fn files(folder: &std::path::Path) -> Vec<Vec<u8>> {
    let mut files = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable directory") {
        let path = entry.expect("an entry").path();
        if path.is_dir() {
            files.extend(self::files(&path));
        } else {
            files.push(std::fs::read(path).expect("a file"));
        }
    }
    files
}
