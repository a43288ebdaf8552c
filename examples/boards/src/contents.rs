//! Compares the output of the program `verify` with the content of the file as `linkstream-access` reads it.

use std::path::Path;

use linkstream_access::{File, Stored};

/// Describes the first difference between the program's output and the file: in its records, fields and verdicts.
/// Returns `None` if there is none.
pub fn difference(path: &Path, said: &[String]) -> Option<String> {
    let contents = match contents(path) {
        Ok(contents) => contents,
        Err(error) => return Some(format!("linkstream-access refuses the file: {error}")),
    };
    for (kind, expected) in contents {
        let lines = said.iter().filter_map(|line| line.split_once(' ')).map(|(_, line)| line.trim_start());
        let found: Vec<&str> = lines.filter(|line| line.starts_with(kind)).collect();
        if found != expected {
            let expected = expected.join("\n  ");
            return Some(format!("expected\n  {expected}\nfound\n  {}", found.join("\n  ")));
        }
    }
    None
}

/// The lines of each kind that are expected for a file. Each kind is identified by its first words.
fn contents(path: &Path) -> Result<[(&'static str, Vec<String>); 3], linkstream_access::Error> {
    let file = File::open_path(path)?;
    let records = file.records().iter().map(|entry| {
        let (name, record) = (entry.record_type.escape_ascii(), entry.record);
        format!("record b\"{name}\": {} bytes at {}", record.length, record.offset)
    });
    let fields = file.fields().iter().map(|field| {
        let layout = field.layout();
        format!("field on {:?}, {} bytes at a site", layout.extents.as_slice(), layout.bytes_per_site)
    });
    let mut matches = Vec::new();
    for field in file.fields() {
        if let (true, Stored::Scidac { suma: Some(suma), sumb: Some(sumb), .. }) =
            (field.verify()?.is_verified(), field.stored())
        {
            let sums = format!("Checksum {{ suma: {suma}, sumb: {sumb} }}");
            matches.push(format!("verdict Match {{ stored: {sums}, computed: {sums} }}"));
        }
    }
    Ok([("record ", records.collect()), ("field ", fields.collect()), ("verdict Match ", matches)])
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::input::configuration;
    use crate::toolchain::firmware;

    #[test]
    fn the_expected_output_agrees_with_the_file() {
        let expected = std::fs::read_to_string(firmware().join("expected/verify.txt")).expect("a text");
        let said: Vec<String> = expected.lines().map(str::to_owned).collect();
        assert_eq!(difference(&configuration(), &said), None);
        for (from, to) in
            [("147456 bytes", "147448 bytes"), ("288 bytes", "576 bytes"), ("Match", "Mismatch")]
        {
            let other: Vec<String> = said.iter().map(|line| line.replace(from, to)).collect();
            assert!(difference(&configuration(), &other).is_some(), "{from}");
        }
        assert!(difference(Path::new("no such file"), &said).is_some());
    }
}
