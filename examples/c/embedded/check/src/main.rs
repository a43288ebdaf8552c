//! The codec's outcome of every fixture, and the files that its writers write, for comparison with
//! the C library; the header with the kinds of errors; and a search for kinds that are missing in it.

mod kinds;
mod trace;
mod written;

use std::error::Error;
use std::path::{Path, PathBuf};
use std::{env, fs, process};

fn main() {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    let result = match words.as_slice() {
        ["outcomes", root, file] => outcomes(Path::new(root), Path::new(file)),
        ["written", folder] => written::all(Path::new(folder)),
        ["kinds"] => kinds::header().map(|header| print!("{header}")),
        ["variants"] => kinds::check_variants(),
        _ => Err("usage: embedded-check outcomes ROOT FILE | written FOLDER | kinds | variants".into()),
    };
    if let Err(error) = result {
        eprintln!("error: {error}");
        process::exit(1);
    }
}

/// Folders of fixtures, and the decoders that read them.
const FOLDERS: [(&str, &[&str]); 7] = [
    ("lime", &["lime", "field"]),
    ("qio", &["lime", "field"]),
    ("broken", &["lime", "field"]),
    ("scda", &["scda"]),
    ("broken-scda", &["scda"]),
    ("inebin", &["inebin"]),
    ("broken-inebin", &["inebin"]),
];

/// Writes, for each fixture, decoder and mode, what is read: once with the payload, once with the payload skipped.
fn outcomes(root: &Path, to: &Path) -> Result<(), Box<dyn Error>> {
    let mut text = String::new();
    let mut number = 0;
    for (folder, formats) in FOLDERS {
        let mut files = Vec::new();
        files_below(&root.join("host-tests/fixtures").join(folder), &mut files)?;
        if folder == "lime" {
            files.push(root.join("examples/su3-4x4x4x8.lime"));
        }
        files.sort();
        if files.len() < 3 {
            return Err(format!("only {} fixtures in {folder}", files.len()).into());
        }
        for file in files {
            let bytes = fs::read(&file)?;
            let place = file.strip_prefix(root)?.to_str().ok_or("a name that is not UTF-8")?.to_owned();
            for format in formats {
                for mode in 1..=3 {
                    for skip in [false, true] {
                        text += &format!("case {format} {mode} {} {} {place}\n", u8::from(skip), bytes.len());
                        text += &trace::of(format, mode, skip, &bytes)?;
                        text += "stop\n";
                        number += 1;
                    }
                }
            }
        }
    }
    fs::write(to, text)?;
    println!("{number} outcomes of the codec");
    Ok(())
}

fn files_below(folder: &Path, files: &mut Vec<PathBuf>) -> Result<(), Box<dyn Error>> {
    for entry in fs::read_dir(folder).map_err(|error| format!("{}: {error}", folder.display()))? {
        let path = entry?.path();
        if path.is_dir() {
            files_below(&path, files)?;
        } else if path.file_name().is_some_and(|name| name != "MANIFEST.toml") {
            files.push(path);
        }
    }
    Ok(())
}
