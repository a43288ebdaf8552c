//! The constants `LSE_KIND_…`: all rules of the four formats, and the names in `src/kinds.rs` of the library.

use std::collections::{BTreeMap, BTreeSet};
use std::error::Error;
use std::fs;
use std::path::{Path, PathBuf};

use linkstream::{Rule, field, inebin, lime, scda, xml};

/// The number of a kind with this name: FNV-1a of 32 bits.
pub fn number(name: &str) -> u32 {
    name.bytes().fold(0x811c_9dc5, |hash, byte| (hash ^ u32::from(byte)).wrapping_mul(0x0100_0193))
}

fn library() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

fn source(path: &Path) -> Result<String, Box<dyn Error>> {
    Ok(fs::read_to_string(path).map_err(|error| format!("{}: {error}", path.display()))?)
}

/// The text of the header.
pub fn header() -> Result<String, Box<dyn Error>> {
    let rules: [&[Rule]; 5] = [
        lime::ErrorKind::RULES,
        xml::ErrorKind::RULES,
        field::ErrorKind::RULES,
        scda::PlainDecoder::RULES,
        inebin::ErrorKind::RULES,
    ];
    let mut names: BTreeSet<String> =
        rules.iter().flat_map(|rules| rules.iter().map(|rule| rule.name.to_owned())).collect();
    let words = source(&library().join("src/kinds.rs"))?;
    for line in words.lines().map(str::trim) {
        let name = match line.split_once("=> \"") {
            Some((_, name)) => name.strip_suffix('"'),
            None => line.strip_suffix("\" {").and_then(|line| line.rsplit_once('"')).map(|(_, name)| name),
        };
        names.extend(name.map(str::to_owned));
    }
    let mut of_number = BTreeMap::new();
    let mut text = String::from(
        "/* The kinds of errors: lse_error.kind. A rule of a file has the name that linkstream's rule tables give it; the\n \
         * others are calls that are not allowed. A number does not change between versions. Written by check, see\n \
         * run-tests; do not edit. */\n\
         #ifndef LINKSTREAM_EMBEDDED_KINDS_H\n#define LINKSTREAM_EMBEDDED_KINDS_H\n\n",
    );
    for name in &names {
        let number = number(name);
        if number == 0 {
            return Err(format!("{name} has the number of no error").into());
        }
        if let Some(other) = of_number.insert(number, name) {
            return Err(format!("{name} and {other} have the same number").into());
        }
        text += &format!("#define LSE_KIND_{} {number:#010x}u\n", name.to_uppercase().replace('-', "_"));
    }
    text += "\n#endif\n";
    Ok(text)
}

/// The enums of the codec whose variants have words in the library: file and name of the enum, its path in the library.
const ENUMS: [(&str, &str, &str); 6] = [
    ("error.rs", "Misuse", "Misuse"),
    ("lime/error.rs", "EncodeErrorKind", "lime::EncodeErrorKind"),
    ("scda/error.rs", "EncodeErrorKind", "scda::EncodeErrorKind"),
    ("field/error.rs", "EncodeErrorKind", "field::EncodeErrorKind"),
    ("xml/emit.rs", "EmitError", "EmitError"),
    ("scidac/data.rs", "Contradiction", "Contradiction"),
];

/// Checks that each variant has words: the enums may grow, and the compiler does not say so.
pub fn check_variants() -> Result<(), Box<dyn Error>> {
    let words = source(&library().join("src/kinds.rs"))?;
    let mut count = 0;
    for (file, name, path) in ENUMS {
        let text = source(&library().join("../../../codec/src").join(file))?;
        let body =
            text.split_once(&format!("pub enum {name} {{\n")).ok_or(format!("{file} has no {name}"))?.1;
        // Variants are indented by 8 spaces and begin with a capital letter.
        for line in body.lines().take_while(|line| *line != "    }") {
            let Some(variant) = line
                .strip_prefix("        ")
                .filter(|line| line.starts_with(|c: char| c.is_ascii_uppercase()))
            else {
                continue;
            };
            let variant: String = variant.chars().take_while(|c| c.is_alphanumeric()).collect();
            count += 1;
            // A partition is an error of processes that share a file, which these encoders do not have.
            if variant != "Partition" && !words.contains(&format!("{path}::{variant}")) {
                return Err(format!("{path}::{variant} has no words in src/kinds.rs").into());
            }
        }
    }
    if count < 50 {
        return Err(format!("only {count} variants found: the search is broken").into());
    }
    Ok(())
}
