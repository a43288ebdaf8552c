//! Everything that a file says about itself is in the output, or is named in a warning, for each pair of forms.

use tempfile::TempDir;

use crate::common::gauge::{go, payloads, well};
use crate::common::{said, status};

const NAME: &str = "lfn://carried/name";
const ID: &str = "carried-id";
const NUMBER: &str = "4242";
/// As long as the title that the program writes.
const WORDS: &str = "user words";
const FORMS: [&[&str]; 7] = [
    &["--to", "nersc"],
    &["--to", "ildg"],
    &["--to", "scidac"],
    &["--to", "both"],
    &["--to", "openqcd"],
    &["--to", "scidac", "--volumes", "1x1x1x2"],
    &["--to", "both", "--volumes", "1x1x1x2"],
];

/// A text, the words of a warning about its loss, and the type of its record if it can only be there.
struct Item {
    text: &'static str,
    named: &'static [&'static str],
    record_type: Option<&'static str>,
}

const ITEMS: [Item; 5] = [
    Item { text: ID, named: &["ENSEMBLE_ID"], record_type: None },
    Item { text: NUMBER, named: &["SEQUENCE_NUMBER", NUMBER], record_type: None },
    Item { text: NAME, named: &[NAME], record_type: None },
    Item { text: WORDS, named: &["text in scidac-file-xml"], record_type: Some("scidac-file-xml") },
    Item { text: WORDS, named: &["text in scidac-record-xml"], record_type: Some("scidac-record-xml") },
];

fn has(bytes: &[u8], text: &str) -> bool {
    bytes.windows(text.len()).any(|part| part == text.as_bytes())
}

impl Item {
    fn is_in(&self, file: &[u8]) -> bool {
        match self.record_type {
            // Only LIME files have records.
            Some(name) if file.starts_with(&[0x45, 0x67, 0x89, 0xab]) => {
                payloads(file, name).iter().any(|payload| has(payload, self.text))
            }
            Some(_) => false,
            None => has(file, self.text),
        }
    }
}

fn converted(input: &[u8], options: &[&str]) -> (Vec<u8>, String) {
    let folder = TempDir::new().expect("a temporary folder");
    let (out, made) = if options.contains(&"--volumes") { ("set", "set.vol0000") } else { ("out", "out") };
    let output = go(&folder, &[&["convert", "-", out], options].concat(), input);
    assert_eq!(status(&output), 0, "{options:?}: {}", said(&output));
    (std::fs::read(folder.path().join(made)).expect("an output"), said(&output))
}

/// The file with other words for the title in each text.
fn with_words(mut file: Vec<u8>) -> Vec<u8> {
    let title = b"<title>linkstream</title>";
    while let Some(at) = file.windows(title.len()).position(|part| part == title) {
        file[at + 7..][..WORDS.len()].copy_from_slice(WORDS.as_bytes());
    }
    file
}

fn sources() -> Vec<(&'static str, Vec<u8>)> {
    let folder = TempDir::new().expect("a temporary folder");
    well(&folder, &["sample", "su3.lime"], b"");
    let sample = std::fs::read(folder.path().join("su3.lime")).expect("a file");
    let (mut nersc, _) = converted(&sample, &["--to", "nersc"]);
    // The program does not know them.
    for (line, known) in [
        ("ENSEMBLE_ID = unknown", format!("ENSEMBLE_ID = {ID}")),
        ("SEQUENCE_NUMBER = 0", format!("SEQUENCE_NUMBER = {NUMBER}")),
    ] {
        let at = nersc.windows(line.len()).position(|part| part == line.as_bytes()).expect("a line");
        nersc.splice(at..at + line.len(), known.bytes());
    }
    let (ildg, _) = converted(&nersc, &["--to", "ildg", "--lfn", NAME]);
    assert_eq!(payloads(&ildg, "ildg-update"), [NUMBER.as_bytes()]);
    vec![
        ("scidac with lines", converted(&nersc, &["--to", "scidac"]).0),
        ("both with lines", converted(&nersc, &["--to", "both", "--lfn", NAME]).0),
        ("scidac with words", with_words(converted(&ildg, &["--to", "scidac"]).0)),
        ("both with words", with_words(converted(&ildg, &["--to", "both"]).0)),
        ("nersc", nersc),
        ("ildg", ildg),
    ]
}

#[test]
fn everything_is_carried_or_named() {
    let (mut kept, mut lost) = (0, 0);
    for (name, source) in sources() {
        assert!(ITEMS.iter().any(|item| item.is_in(&source)), "{name}");
        for form in FORMS {
            let (made, said) = converted(&source, form);
            for item in ITEMS.iter().filter(|item| item.is_in(&source)) {
                let is_named = item.named.iter().any(|words| said.contains(words));
                let is_kept = item.is_in(&made);
                assert_ne!(
                    is_kept, is_named,
                    "{name} {form:?}, {} in {:?}: {said}",
                    item.text, item.record_type
                );
                kept += u32::from(is_kept);
                lost += u32::from(is_named);
            }
        }
    }
    assert!(kept > 40 && lost > 30, "{kept} {lost}");
}

/// The number of the configuration comes back from ILDG, where it is the update number.
#[test]
fn the_number_is_in_each_form() {
    for (name, source) in sources() {
        let (nersc, said) = converted(&source, &["--to", "nersc"]);
        let count = |file: &[u8]| String::from_utf8_lossy(file).matches("SEQUENCE_NUMBER = 4242\n").count();
        let has_number = has(&source, NUMBER);
        assert_eq!(count(&nersc), usize::from(has_number), "{name}");
        assert!(!said.contains(NUMBER), "{name}: {said}");
        if has_number {
            let (ildg, _) = converted(&nersc, &["--to", "ildg", "--lfn", NAME]);
            assert_eq!(payloads(&ildg, "ildg-update"), [NUMBER.as_bytes()], "{name}");
        }
    }
}

/// Each record has its own header lines.
#[test]
fn lines_are_those_of_the_chosen_record() {
    let sources = sources();
    let (_, one) = sources.iter().find(|(name, _)| *name == "scidac with lines").expect("a source");
    let mut other = one.clone();
    let at = one.windows(ID.len()).position(|part| part == ID.as_bytes()).expect("a line");
    other[at..][..ID.len()].make_ascii_uppercase();
    let both = [&one[..], &other].concat();
    for (field, id) in [("0", ID.to_owned()), ("1", ID.to_uppercase())] {
        let (nersc, _) = converted(&both, &["--to", "nersc", "--field", field]);
        assert!(has(&nersc, &format!("ENSEMBLE_ID = {id}\n")), "{field}");
    }
}
