//! Good files of every format: fixtures, the sample, and files that the program writes.

use std::path::Path;

use host_tests::archives;
use host_tests::fixtures::Fixtures;
use linkstream::sniff::{self, Sniff, sniff};
use linkstream_report::report::Report;
use linkstream_report::verdict::Verdict;

use super::outcome::surveyed;
use crate::common::linkstream;

/// Longer fixtures would take most of the time.
const LONGEST: usize = 400_000;

/// Way of reading the files.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    Lime,
    /// The volumes of a QIO file set.
    Set,
    Scda,
    Inebin,
    Nersc,
    Milc,
}

impl Format {
    /// True if a file is a list of messages or sections, and the format does not fix their number.
    pub fn is_a_list(self) -> bool {
        matches!(self, Self::Lime | Self::Set | Self::Scda)
    }

    /// True if the checksum is a sum of words, which many changes leave as it is.
    pub fn has_weak_sums(self) -> bool {
        matches!(self, Self::Nersc | Self::Milc)
    }
}

/// A good file or set.
pub struct Subject {
    pub name: String,
    pub format: Format,
    pub files: Vec<Vec<u8>>,
    pub report: Report,
}

/// One of these subjects is chosen with the same probability as one of the other classes.
pub struct Class {
    pub name: &'static str,
    pub subjects: Vec<Subject>,
}

/// All subjects. Classes without verified data are small, since their verdict cannot be `ok`.
pub fn subjects(folder: &Path) -> Vec<Class> {
    let mut all = Vec::new();
    for path in ["lime", "qio", "scda", "inebin"] {
        fixtures(&Fixtures::Ours.join(path), &mut all);
    }
    for set in ["qio/convert/sci_part4.lime", "qio/multi/part2.lime"] {
        let volumes = (0..).map(|number| Fixtures::Ours.join(&format!("{set}.vol{number:04}")));
        let volumes = volumes.take_while(|path| path.exists());
        let files = volumes.map(|path| std::fs::read(path).expect("it exists")).collect();
        all.extend(subject(set.to_owned(), Format::Set, files));
    }
    made(folder, &mut all);
    let is_ok = |subject: &Subject| subject.report.verdict() == Verdict::Ok;
    type Wanted = fn(Format) -> bool;
    let classes: [(&'static str, bool, Wanted); 8] = [
        ("LIME", true, |format| format == Format::Lime),
        ("sets", true, |format| format == Format::Set),
        ("scda", true, |format| format == Format::Scda),
        ("NERSC", true, |format| format == Format::Nersc),
        ("MILC", true, |format| format == Format::Milc),
        ("LIME", true, |format| format == Format::Lime),
        ("sets", true, |format| format == Format::Set),
        ("without a checksum", false, |_| true),
    ];
    let mut chosen = Vec::new();
    // The two classes that occur twice are more probable.
    for (name, verified, wanted) in classes {
        let these: Vec<_> =
            all.iter().filter(|subject| is_ok(subject) == verified && wanted(subject.format)).collect();
        assert!(!these.is_empty(), "no good file of the class {name}");
        let subjects = these.into_iter().filter_map(|s| subject(s.name.clone(), s.format, s.files.clone()));
        chosen.push(Class { name, subjects: subjects.collect() });
    }
    chosen
}

/// A good file; `None` if it has errors.
fn subject(name: String, format: Format, files: Vec<Vec<u8>>) -> Option<Subject> {
    let report = surveyed(format, &files, false);
    (report.verdict() != Verdict::Wrong).then_some(Subject { name, format, files, report })
}

/// A file of a known format.
fn one(name: String, bytes: Vec<u8>) -> Option<Subject> {
    let format = match sniff(&bytes) {
        Sniff::Is(sniff::Format::Lime) => Format::Lime,
        Sniff::Is(sniff::Format::Scda) => Format::Scda,
        Sniff::Is(sniff::Format::Inebin) => Format::Inebin,
        Sniff::Is(sniff::Format::Nersc) => Format::Nersc,
        Sniff::Is(sniff::Format::Milc) => Format::Milc,
        _ => return None,
    };
    (bytes.len() <= LONGEST).then(|| subject(name, format, vec![bytes]))?
}

/// The good files in a directory, except volumes of sets.
fn fixtures(folder: &Path, all: &mut Vec<Subject>) {
    let entries = std::fs::read_dir(folder).expect("the fixtures are part of the repository");
    let mut paths: Vec<_> = entries.map(|entry| entry.expect("a readable folder").path()).collect();
    paths.sort();
    for path in paths {
        let name = path.display().to_string();
        if path.is_dir() {
            fixtures(&path, all);
        } else if !name.contains("vol0") {
            all.extend(one(name, std::fs::read(&path).expect("a readable file")));
        }
    }
}

/// Files that the commands of the program write.
fn made(folder: &Path, all: &mut Vec<Subject>) {
    let sample = concat!(env!("CARGO_MANIFEST_DIR"), "/../su3-4x4x4x8.lime");
    std::fs::copy(sample, folder.join("sample")).expect("the sample is part of the repository");
    std::fs::write(folder.join("text"), "some text\n".repeat(3000)).expect("a writable folder");
    std::fs::write(folder.join("table"), "1.5 2 3\n4 5 6.25\n".repeat(40)).expect("a writable folder");
    let commands = [
        "convert sample double --to both --precision 64",
        "convert sample scidac --to scidac",
        "convert sample ildg --to ildg --rows reduced",
        "convert sample nersc --to nersc",
        "convert sample nersc64 --to nersc --precision 64",
        "ildg make made --from sample --lfn lfn://damage/test --update 7",
        "scda create --compress packed array:links:64=sample varray:texts=text,table block:text=text",
        "scda create plain text:step=42 block:text=text",
        "inebin from-csv --type R table matrix",
        "convert sample set --volumes 2x1x1x2 --to scidac",
    ];
    for command in commands {
        let words = command.split(' ');
        let output = linkstream().current_dir(folder).args(words).output().expect("the program runs");
        assert!(output.status.success(), "{command}: {}", String::from_utf8_lossy(&output.stderr));
    }
    let read = |name: &str| std::fs::read(folder.join(name)).expect("the program wrote it");
    let names =
        ["sample", "double", "scidac", "ildg", "nersc", "nersc64", "made", "packed", "plain", "matrix"];
    all.extend(names.iter().filter_map(|name| one((*name).to_owned(), read(name))));
    let links = &read("sample")[1944 + 144..][..147_456];
    let little: Vec<u8> =
        links.chunks_exact(4).flat_map(|word| word.iter().rev().copied().collect::<Vec<_>>()).collect();
    let list: Vec<u32> = (0..512).collect();
    for (name, list, links, is_big) in [
        ("milc", None, links, true),
        ("milc-little", None, &little, false),
        ("milc-list", Some(&list[..]), links, true),
    ] {
        all.extend(one(name.to_owned(), archives::milc([4, 4, 4, 8], list, links, is_big)));
    }
    let volumes = (0..4).map(|number| read(&format!("set.vol{number:04}"))).collect();
    all.extend(subject("set".to_owned(), Format::Set, volumes));
}
