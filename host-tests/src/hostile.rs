//! Files that are made to be slow to read, for a receiver that must not be kept busy: records with documents of some
//! hundred kilobytes, and empty records. Nothing in them is malformed before a limit is reached, except where the name
//! says so.

/// A file with this document, and its name.
type File = (&'static str, Vec<u8>);

/// All of them. `size` is the number of repetitions in the largest one; with 100,000, the files have 180 to 589 kB.
#[must_use]
pub fn files(size: usize) -> Vec<File> {
    let inside = |text: String| format!("<scidacFile>{text}</scidacFile>");
    let attributes: Vec<String> = (0..size * 3 / 5).map(|n| format!("a{n}=\"\"")).collect();
    let documents = [
        ("attributes", format!("<scidacFile {}></scidacFile>", attributes.join(" "))),
        ("comments", inside("<!---->".repeat(size * 3 / 5))),
        ("digits", inside(format!("<dims>{}</dims>", "1 ".repeat(size)))),
        ("duplicate dims", inside("<dims>4 4 4 8</dims>".repeat(size / 5))),
        ("empty elements", inside("<a/>".repeat(size))),
        ("references", inside(format!("<version>{}</version>", "&#49;".repeat(size)))),
        ("long names", inside(format!("<{}/>", "q".repeat(500)).repeat(size / 250))),
        ("nested elements", format!("<scidacFile>{}", "<a>".repeat(size * 3 / 5))),
    ];
    let mut files: Vec<File> = documents.into_iter().map(|(name, root)| (name, file(&root))).collect();
    files.push(("empty records", header(b"x", 0).repeat(size * 3 / 100)));
    files
}

/// A file of one record, a `scidac-private-file-xml` with this root.
#[must_use]
pub fn file(root: &str) -> Vec<u8> {
    let document = format!("<?xml version=\"1.0\"?>{root}");
    let mut file = header(b"scidac-private-file-xml", document.len());
    file.extend_from_slice(document.as_bytes());
    file.resize(file.len().next_multiple_of(8), 0);
    file
}

/// The header of a record that is a message of its own (LIME 1.2, appendix A).
fn header(record_type: &[u8], length: usize) -> Vec<u8> {
    let mut header =
        [&b"\x45\x67\x89\xab\0\x01\xc0\0"[..], &(length as u64).to_be_bytes(), record_type].concat();
    header.resize(144, 0);
    header
}
