//! Runs the program on sets and compares their files.

use std::path::{Path, PathBuf};

use host_tests::fixtures::Fixtures;

use crate::common::{linkstream, said, status};

/// The path of a fixture written by QIO.
pub fn qio(name: &str) -> PathBuf {
    Fixtures::Ours.join("qio").join(name)
}

/// Runs the program in a directory. Returns its exit status and its messages.
pub fn go(folder: &Path, arguments: &[&dyn AsRef<std::ffi::OsStr>]) -> (i32, String) {
    let mut command = linkstream();
    command.current_dir(folder);
    for argument in arguments {
        command.arg(argument.as_ref());
    }
    let output = command.output().expect("the program runs");
    (status(&output), said(&output))
}

/// Runs the program, which must succeed.
pub fn well(folder: &Path, arguments: &[&dyn AsRef<std::ffi::OsStr>]) {
    let (status, said) = go(folder, arguments);
    assert_eq!(status, 0, "{said}");
}

/// The bytes of the volumes with these numbers, for any layout.
pub fn volumes(name: &Path, numbers: &[u64]) -> Vec<Vec<u8>> {
    let (folder, file) = (name.parent().expect("a folder"), name.file_name().expect("a name"));
    let read = |number: &u64| {
        let beside = folder.join(format!("{}.vol{number:04}", file.display()));
        let below = folder.join(format!("vol{number:04}")).join(file);
        std::fs::read(if beside.exists() { beside } else { below }).expect("a volume")
    };
    numbers.iter().map(read).collect()
}

/// Every file below a directory, in the order of the names.
pub fn tree(folder: &Path) -> Vec<String> {
    let mut names = Vec::new();
    for entry in std::fs::read_dir(folder).expect("a readable folder") {
        let path = entry.expect("an entry").path();
        let name = path.file_name().expect("a name").display().to_string();
        if path.is_dir() {
            names.push(format!("{name}/"));
            names.extend(tree(&path).into_iter().map(|below| format!("{name}/{below}")));
        } else {
            names.push(name);
        }
    }
    names.sort();
    names
}
