//! Compares the output of a program with the expected output.

use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context as _, Result};

use crate::toolchain::firmware;

/// Beginning of the message about the memory that a program used: its last line, except for errors.
pub const MEMORY: &str = "memory: ";

/// Describes the first difference between the expected and the actual output, or returns `None` if there is none. The
/// memory used is not compared: it differs between boards, and the budget limits it.
pub fn with_expected(name: &str, said: &[String]) -> Result<Option<String>> {
    let path = file_of(name);
    let expected = fs::read_to_string(&path).with_context(|| path.display().to_string())?;
    Ok(difference(&expected, said))
}

/// Writes this output to the file of expected output.
pub fn accept(name: &str, said: &[String]) -> Result<()> {
    let path = file_of(name);
    let text: String = kept(said).map(|line| format!("{line}\n")).collect();
    fs::write(&path, text).with_context(|| path.display().to_string())
}

fn file_of(name: &str) -> PathBuf {
    firmware().join("expected").join(name).with_extension("txt")
}

/// The lines that are the same on all boards.
fn kept(said: &[String]) -> impl Iterator<Item = &str> {
    said.iter().map(String::as_str).filter(|line| !line.contains(MEMORY))
}

fn difference(expected: &str, said: &[String]) -> Option<String> {
    let expected: Vec<&str> = expected.lines().collect();
    let said: Vec<&str> = kept(said).collect();
    let line = expected.iter().zip(&said).take_while(|(a, b)| a == b).count();
    if line == expected.len() && line == said.len() {
        return None;
    }
    let show =
        |lines: &[&str]| lines.get(line).map_or("no more lines".to_owned(), |text| format!("'{text}'"));
    Some(format!("line {}: expected {}, found {}", line + 1, show(&expected), show(&said)))
}

/// Bytes of statics and of the largest stack, from the line that begins with [`MEMORY`].
pub fn memory(said: &[String]) -> Option<(u64, u64)> {
    let line = said.iter().find_map(|line| line.split_once(MEMORY))?.1;
    let mut numbers = line.split_whitespace().filter_map(|word| word.parse().ok());
    Some((numbers.next()?, numbers.next()?))
}

/// The name of a file without its directories, for messages.
pub fn short(path: &Path) -> String {
    path.file_name().unwrap_or_default().to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(text: &str) -> Vec<String> {
        text.lines().map(str::to_owned).collect()
    }

    #[test]
    fn the_first_line_that_differs_is_reported() {
        assert_eq!(difference("INFO a\nINFO b\n", &lines("INFO a\nINFO memory: 1 bytes\nINFO b")), None);
        let found = difference("INFO a\nINFO b\n", &lines("INFO a\nINFO c")).unwrap();
        assert_eq!(found, "line 2: expected 'INFO b', found 'INFO c'");
        let found = difference("INFO a\n", &lines("INFO a\nINFO c")).unwrap();
        assert_eq!(found, "line 2: expected no more lines, found 'INFO c'");
        assert!(difference("INFO a\nINFO b\n", &lines("INFO a")).is_some());
    }

    #[test]
    fn memory_is_read_from_its_line() {
        let said = lines("INFO a\nINFO memory: 1180 bytes of statics, 6172 of stack");
        assert_eq!(memory(&said), Some((1180, 6172)));
        assert_eq!(memory(&lines("INFO a")), None);
    }
}
