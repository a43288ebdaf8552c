//! USQCD documents and propagator files. An input consists of texts separated by NUL: the file XML, and the record XML
//! of each data record. `file_of` writes the file that contains them, with the data that each text describes.

use linkstream::Encode as _;
use linkstream::conformance::{Decoder, ErrorKind, Event};
use linkstream::field::{Encoder, OutgoingMessage, Want};
use linkstream::lattice::{Extents, Precision, Region};
use linkstream::scidac::{PrivateFile, PrivateRecord};
use linkstream::usqcd::{Document, FileType, Label, Root};
use linkstream::xml::Spacing;
use linkstream::{Error, Mode, drive};

use crate::field::Watched;
use crate::stream::{self, FEW_WAYS, WAYS};

/// Maximum number of records. The longest format has 13.
const MAX_RECORDS: usize = 16;

/// Checks the documents, and the file that contains them.
pub fn check(input: &[u8]) {
    let texts: Vec<&[u8]> = input.split(|byte| *byte == 0).take(1 + MAX_RECORDS).collect();
    for text in &texts {
        come_back(text);
    }
    let Some((file, records)) = texts.split_first() else { return };
    let file = file_of(file, records);
    let strict = stream::check(|| Watched::new(Mode::Strict), &file, &FEW_WAYS);
    let lenient = stream::check(|| Watched::new(Mode::Lenient), &file, &FEW_WAYS);
    let survey = stream::check(|| Watched::new(Mode::Survey), &file, &WAYS);
    stream::milder::<Watched>(&strict, &lenient);
    stream::milder::<Watched>(&lenient, &survey);
    let mut found = Vec::new();
    let finding = |event, _: &[u8], _: &Decoder| {
        if let Event::Finding(Error { kind: ErrorKind::Usqcd(kind), .. }) = event {
            found.push(kind);
        }
    };
    drive(&mut Decoder::new(Mode::Survey), &file, finding).expect("the LIME file is valid");
    // The decoder must not report an error that makes `parse` fail if `parse` accepts all documents.
    if texts.iter().all(|text| Document::parse(text).is_ok()) {
        let broken = found.iter().find(|kind| {
            use linkstream::usqcd::ErrorKind::{Duplicate, Missing, NotNumber, Range, Truncated, Xml};
            matches!(
                kind,
                Xml { .. }
                    | Missing { .. }
                    | Duplicate { .. }
                    | NotNumber { .. }
                    | Range { .. }
                    | Truncated(_)
            )
        });
        assert_eq!(broken, None);
    }
}

/// Checks that a document that can be read is the same after it is written and read again.
fn come_back(text: &[u8]) {
    let Ok(document) = Document::parse(text) else { return };
    let mut buffer = vec![0; text.len() + 1024];
    let length = document
        .emit(Spacing::Line, &mut buffer)
        .expect("the document is well-formed and fits into the buffer");
    assert_eq!(Document::parse(&buffer[..length]), Ok(document));
}

/// A file with these texts, with fields on a lattice of one site.
fn file_of(file_text: &[u8], records: &[&[u8]]) -> Vec<u8> {
    let lattice = PrivateFile::new(&Extents::new(&[1, 1, 1, 1]).expect("the extents are valid"));
    let mut file = Vec::new();
    let mut encoder = Encoder::new();
    write(&mut encoder, &OutgoingMessage::file(&lattice, file_text), &mut file);
    let file_type = Document::parse(file_text).ok().and_then(|document| document.summary().file_type);
    let is_staggered = file_type.is_some_and(FileType::is_staggered);
    for text in records {
        let is_source = text.windows(15).any(|name| name == Root::SourceInfo.as_str().as_bytes());
        let record = match (is_source, is_staggered) {
            (true, _) => PrivateRecord::complex_field(Precision::F32),
            (false, true) => PrivateRecord::color_vector(Precision::F32),
            (false, false) => PrivateRecord::dirac_fermion(Precision::F32),
        };
        let record = record.covering(&Region::Lattice);
        write(&mut encoder, &OutgoingMessage::scidac(&record, text), &mut file);
    }
    file
}

fn write(encoder: &mut Encoder, message: &OutgoingMessage<'_>, file: &mut Vec<u8>) {
    let mut scratch = [0; 1024];
    let begun = encoder.begin(message, &mut scratch).expect("the message is valid");
    loop {
        match encoder.next(&begun, &mut scratch).expect("the message is valid") {
            Want::Bytes(bytes) => file.extend_from_slice(bytes),
            Want::Data(length) => {
                let data = vec![1; usize::try_from(length).expect("the data of one site are short")];
                encoder.put(&data).expect("as many bytes as the encoder wants");
                file.extend_from_slice(&data);
            }
            _ => break,
        }
    }
}

/// A file of each type, and documents with one change each.
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    let text = |document: Document<'_>| {
        let mut buffer = [0; 512];
        let length = document.emit(Spacing::Line, &mut buffer).expect("the texts are short");
        buffer[..length].to_vec()
    };
    let mut seeds = Vec::new();
    for file_type in FileType::ALL {
        let mut all = text(Document::file(file_type, b"file"));
        let pairs = file_type.solutions().is_none();
        for number in 0..file_type.solutions().unwrap_or(2) {
            if pairs || number == 0 {
                all.extend(text(Document::source(b"<s>source</s>")));
            }
            let label = Label::of_solution(number, file_type.is_staggered());
            all.extend(text(Document::solution(file_type, b"").with_label(label)));
        }
        seeds.push((file_type.as_str().to_lowercase(), all));
    }
    let lattice = text(Document::lattice(b"0.5", b"-1e-3", b"a &amp; <b>c</b>"));
    let named = |name: &str, lattice: Vec<u8>| (name.to_owned(), [&b"<title/>\0"[..], &lattice].concat());
    let replaced = |from: &str, to: &str| {
        String::from_utf8(lattice.clone()).expect("the document is UTF-8").replacen(from, to, 1).into_bytes()
    };
    seeds.extend([
        named("lattice", lattice.clone()),
        named("ampersand", replaced("&amp;", "&")),
        named("duplicate", replaced("<plaq>", "<plaq>1</plaq><plaq>")),
        named("missing", replaced("<linktr>-1e-3</linktr>", "")),
        named("no-number", replaced("0.5", "half")),
        named("nested-number", replaced("0.5", "<a/>0.5")),
        named("open", replaced("</info>", "")),
        named("version", replaced("<version>1.0", "<version>2.0")),
        named("comment", replaced("<info>", "<!-- <info> --><info>")),
        named("cdata", replaced("<b>", "<![CDATA[</info>]]><b>")),
        named("long", replaced("<b>", &"<b>text</b>".repeat(100)[..1019])),
    ]);
    seeds
}
