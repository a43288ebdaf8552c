//! Small files: valid ones of every form, and one for each error. They are written as text, not by the code under test.

use linkstream::lattice::Checksum;

use super::again::fold;
use super::repair;
use crate::raw::{MB, ME, Raw};

/// A record's type and its payload.
type Part<'a> = (&'a str, &'a [u8]);

fn message(parts: &[Part<'_>]) -> Raw {
    let last = parts.len() - 1;
    let flags = |i: usize| if i == 0 { MB } else { 0 } | if i == last { ME } else { 0 };
    let raw = |(i, part): (usize, &Part<'_>)| Raw::record(flags(i), part.0.as_bytes(), part.1);
    parts.iter().enumerate().map(raw).reduce(Raw::then).expect("a message has parts")
}

fn file_text(version: &str, dims: &str, volumes: &str) -> String {
    let spacetime = dims.split_whitespace().count();
    format!(
        "<?xml version=\"1.0\"?><scidacFile><version>{version}</version>\
         <spacetime>{spacetime}</spacetime><dims>{dims}</dims>{volumes}</scidacFile>\0"
    )
}

fn head(text: &str) -> Raw {
    message(&[("scidac-private-file-xml", text.as_bytes()), ("scidac-file-xml", b"title")])
}

fn on(dims: &str) -> Raw {
    head(&file_text("1.1", dims, "<volfmt>0</volfmt>"))
}

/// `covers` is `recordtype` and the bounds of a hypercube.
fn record_text(covers: &str, datatype: &str, size: usize, count: usize) -> String {
    let precision = datatype.chars().nth(4).unwrap_or('D');
    format!(
        "<?xml version=\"1.0\"?><scidacRecord><version>1.1</version><date>now</date>\
         {covers}<datatype>{datatype}</datatype><precision>{precision}</precision><colors>3</colors>\
         <typesize>{size}</typesize><datacount>{count}</datacount></scidacRecord>\0"
    )
}

const FIELD: &str = "<recordtype>0</recordtype>";

fn sums(ranks: &[u64], data: &[u8]) -> String {
    let mut sum = Checksum::default();
    for (rank, site) in ranks.iter().zip(data.chunks(data.len() / ranks.len())) {
        fold(&mut sum, *rank, site);
    }
    repair::checksum(sum.suma, sum.sumb)
}

/// A record with its data and their checksum.
fn body(record: &str, data: &[u8], checksum: &str) -> Raw {
    message(&[
        ("scidac-private-record-xml", record.as_bytes()),
        ("scidac-record-xml", b"plaquette"),
        ("scidac-binary-data", data),
        ("scidac-checksum", checksum.as_bytes()),
    ])
}

fn some_bytes(n: usize) -> Vec<u8> {
    (0..n).map(|i| (i * 7) as u8).collect()
}

/// A record with four doubles on a 2x1x2 lattice, and their checksum.
fn plain_body() -> Raw {
    let data = some_bytes(32);
    body(&record_text(FIELD, "QDP_D_Real", 8, 1), &data, &sums(&[0, 1, 2, 3], &data))
}

fn with_file(text: &str) -> Raw {
    head(text).then(plain_body())
}

fn with_record(text: &str) -> Raw {
    let data = some_bytes(32);
    on("2 1 2 ").then(body(text, &data, &sums(&[0, 1, 2, 3], &data)))
}

fn with_checksum(text: &str) -> Raw {
    on("2 1 2 ").then(body(&record_text(FIELD, "QDP_D_Real", 8, 1), &some_bytes(32), text))
}

fn scidac() -> Vec<(&'static str, Raw)> {
    let box_type = "<recordtype>2</recordtype><spacetime>3</spacetime><hyperlower>0 1 0 </hyperlower>\
                    <hyperupper>2 1 1 </hyperupper>";
    let matrices = some_bytes(2 * 144);
    let words = some_bytes(6 * 4);
    // More than 29 and 31 sites: these are the periods of the rotations in the checksum.
    let many = some_bytes(40);
    let plain = record_text(FIELD, "QDP_D_Real", 8, 1);
    let version = |record: &str, more: &str| record.replace("1.1<", "1.0<").replace(FIELD, more);
    let replaced = |from: &str, to: &str| with_record(&plain.replace(from, to));
    let plain_sums = sums(&[0, 1, 2, 3], &some_bytes(32));
    let text = |from: &str, to: &str| {
        let changed = plain.replace(from, to);
        message(&[("scidac-private-record-xml", changed.as_bytes()), ("scidac-record-xml", b"plaquette")])
    };
    vec![
        ("scidac-field", on("2 1 2 ").then(plain_body())),
        ("scidac-two-fields", on("2 1 2 ").then(plain_body()).then(plain_body())),
        (
            "scidac-hypercube",
            on("3 2 2 ").then(body(
                &record_text(box_type, "QLA_I_Int", 4, 1),
                &words,
                &sums(&[3, 4, 5, 9, 10, 11], &words),
            )),
        ),
        (
            "scidac-global",
            on("4 4 4 8 ").then(body(
                &record_text("<recordtype>1</recordtype>", "QLA_F_Real", 4, 6),
                &words,
                &sums(&[0], &words),
            )),
        ),
        (
            "scidac-matrices",
            on("1 2 ").then(body(
                &record_text(FIELD, "QDP_F3_ColorMatrix", 72, 2),
                &matrices,
                &sums(&[0, 1], &matrices),
            )),
        ),
        (
            "scidac-many-sites",
            on("8 5").then(body(
                &record_text(FIELD, "QLA_U_Char", 1, 1),
                &many,
                &sums(&(0..40).collect::<Vec<_>>(), &many),
            )),
        ),
        ("scidac-eight-dimensions", on("1 1 2 1 1 1 1 2").then(plain_body())),
        ("file-version-1.0", with_file(&file_text("1.0", "2 1 2", "<multifile>1</multifile>"))),
        ("file-one-of-a-set", with_file(&file_text("1.1", "2 1 2", "<volfmt>2</volfmt>"))),
        ("file-extent-0", with_file(&file_text("1.1", "2 0 2", "<volfmt>0</volfmt>"))),
        ("file-nine-dimensions", with_file(&file_text("1.1", "1 1 1 1 1 1 1 1 4", "<volfmt>0</volfmt>"))),
        ("file-overflow", with_file(&file_text("1.1", "4294967295 4294967295 9", "<volfmt>0</volfmt>"))),
        ("file-missing", plain_body()),
        ("record-version-1.0", with_record(&version(&plain, "<globaldata>0</globaldata>"))),
        ("record-version-1.0-short", with_record(&version(&plain, ""))),
        ("record-length-0", replaced("<typesize>8<", "<typesize>0<")),
        ("record-longer", replaced("<datacount>1<", "<datacount>4294967295<")),
        ("record-missing-date", replaced("<date>now</date>", "")),
        ("record-twice", replaced("<date>", "<date>x</date><date>")),
        ("record-outside", replaced(FIELD, box_type)),
        ("text-comments", text("<date>", "<!-- <a> -- ---><?pi ??><other a='>'><b/></other><date>")),
        ("text-references", text("now", "&lt;&#65;&#x42;&amp;<![CDATA[ <x>]] ]]]>&quot;&#32;")),
        ("text-control-characters", text("now", "a\u{10}b\rc")),
        ("text-reference-to-a-control-character", text("now", "a&#16;b")),
        ("text-white-space", text("><", ">\r\n\t<")),
        ("text-empty-element", text("<date>now</date>", "<date/>")),
        ("text-byte-order-mark", text("<?xml", "\u{feff}<?xml")),
        ("text-attribute-open", text("<scidacRecord>", "<scidacRecord a=\"b>")),
        ("text-doctype", text("<scidacRecord>", "<!DOCTYPE scidacRecord><scidacRecord>")),
        ("text-nested", text("now", "<now>")),
        ("text-unclosed", text("</scidacRecord>", "")),
        ("text-after", text("</scidacRecord>\0", "</scidacRecord>more\0")),
        ("text-after-nul", text("</scidacRecord>\0", "</scidacRecord>\0more")),
        ("text-wrong-root", text("scidacRecord", "scidacFile")),
        ("text-long-value", text("now", &"n".repeat(130))),
        ("sums-differ", with_checksum(&repair::checksum(1, 2))),
        ("sums-absent", with_checksum("<scidacChecksum><version>1.0</version></scidacChecksum>")),
        ("sums-as-others-write", with_checksum(&plain_sums.replace("<suma>", "<suma> 0X00"))),
        ("sums-unreadable", with_checksum("<scidacChecksum><version>1.0</version><suma>g</suma>")),
        ("sums-alone", on("2").then(message(&[("scidac-checksum", sums(&[0], b"data").as_bytes())]))),
        (
            "sums-missing",
            on("2 1 2").then(message(&[
                ("scidac-private-record-xml", plain.as_bytes()),
                ("scidac-binary-data", &some_bytes(32)),
            ])),
        ),
        (
            "described-elsewhere",
            on("2 1 2")
                .then(message(&[("scidac-private-record-xml", plain.as_bytes())]))
                .then(message(&[("scidac-binary-data", &some_bytes(32))])),
        ),
        ("undescribed", message(&[("scidac-binary-data", &some_bytes(9)), ("scidac-sitelist", b"123")])),
        ("cut-in-document", on("2 1 2 ").then(plain_body()).cut(700)),
        ("cut-in-data", on("2 1 2 ").then(plain_body()).cut(1300)),
    ]
}

/// `more` is `rows`, or nothing.
fn format_text(kind: &str, more: &str, bits: u32, extents: [u32; 4]) -> String {
    let [lx, ly, lz, lt] = extents;
    format!(
        "<ildgFormat><version>1.2</version><field>{kind}</field>{more}<precision>{bits}</precision>\
         <lx>{lx}</lx><ly>{ly}</ly><lz>{lz}</lz><lt>{lt}</lt></ildgFormat>"
    )
}

/// The same document with a prefix for its namespace.
fn prefixed(document: &str) -> String {
    let tags = document.replace("</", "\u{1}").replace('<', "<i:").replace('\u{1}', "</i:");
    tags.replacen("Format>", "Format xmlns:i=\"http://www.lqcd.org/ildg\">", 1)
}

fn gauge(format: &str, data: &[u8]) -> Raw {
    message(&[("ildg-format", format.as_bytes()), ("ildg-binary-data", data), ("ildg-data-lfn", b"lfn://a")])
}

fn updated(format: &str, data: &[u8], update: &[u8]) -> Raw {
    message(&[("ildg-format", format.as_bytes()), ("ildg-update", update), ("ildg-binary-data", data)])
}

fn ildg() -> Vec<(&'static str, Raw)> {
    let u1 = format_text("u1gauge", "", 32, [2, 1, 1, 2]);
    let data = some_bytes(64);
    let two_rows = "<rows>2</rows>";
    let both = |datatype, count, data: &[u8]| {
        on("2 1 1 1").then(message(&[
            ("scidac-private-record-xml", record_text(FIELD, datatype, 8, count).as_bytes()),
            ("ildg-format", format_text("u1gauge", "", 32, [2, 1, 1, 1]).as_bytes()),
            ("ildg-binary-data", data),
            ("scidac-checksum", sums(&[0, 1], data).as_bytes()),
            ("ildg-data-lfn", b"lfn://a"),
        ]))
    };
    vec![
        ("ildg-su3", gauge(&format_text("su3gauge", "", 32, [2, 1, 1, 1]), &some_bytes(144))),
        ("ildg-su3-rows", gauge(&format_text("su3gauge", two_rows, 32, [2, 1, 1, 1]), &some_bytes(96))),
        ("ildg-su2", gauge(&format_text("su2gauge", "", 32, [2, 2, 1, 1]), &some_bytes(256))),
        ("ildg-so3", gauge(&format_text("so3gauge", two_rows, 64, [2, 1, 1, 1]), &some_bytes(96))),
        ("ildg-sp4", gauge(&format_text("sp4gauge", two_rows, 32, [1, 1, 1, 2]), &some_bytes(128))),
        (
            "ildg-u1phase-open",
            gauge(&format_text("u1phase", "", 32, [2, 1, 1, 2]), &[&data[..28], &[0xff; 4]].concat()),
        ),
        ("ildg-no-directions", gauge(&format_text("su3gauge", "", 64, [1; 4]), b"")),
        ("ildg-rows-wrong", gauge(&format_text("su3gauge", "<rows>1</rows>", 32, [2, 1, 1, 1]), &data)),
        ("ildg-kind-wrong", gauge(&format_text("sp3gauge", "", 32, [2, 1, 1, 1]), &data)),
        ("ildg-data-longer", gauge(&format_text("u1gauge", "", 64, [2, 1, 1, 1]), &data)),
        ("ildg-overflow", gauge(&format_text("su9999gauge", "", 64, [65536, 65536, 65536, 65535]), &data)),
        ("ildg-not-ascii", gauge(&u1.replace("1.2", "1.2<!-- \u{e9} -->"), &data)),
        ("ildg-updates", updated(&u1, &data, b"10").then(updated(&u1, &data, b" 20 "))),
        ("ildg-update-not-digits", updated(&u1, &data, b"1 0").then(gauge(&u1, &data))),
        ("ildg-lfn-empty", gauge(&u1, &data).then(message(&[("ildg-data-lfn", b"")]))),
        (
            "ildg-update-misplaced",
            message(&[("ildg-update", b"1"), ("ildg-format", u1.as_bytes()), ("ildg-binary-data", &data)]),
        ),
        (
            "ildg-update-twice",
            message(&[
                ("ildg-format", u1.as_bytes()),
                ("ildg-update", b"1"),
                ("ildg-update", b"2"),
                ("ildg-binary-data", &data),
            ]),
        ),
        ("ildg-field-repeated", updated(&u1, &data, b"10").then(updated(&u1, &data, b"10"))),
        ("ildg-format-after", message(&[("ildg-binary-data", &data), ("ildg-format", u1.as_bytes())])),
        (
            "ildg-format-twice",
            message(&[
                ("ildg-format", u1.as_bytes()),
                ("ildg-format", u1.as_bytes()),
                ("ildg-binary-data", &data),
            ]),
        ),
        ("ildg-reserved-type", gauge(&u1, &data).then(message(&[("ildg-more", b"x")]))),
        ("ildg-lfn-twice", gauge(&u1, &data).then(message(&[("ildg-data-lfn", b"lfn://b c")]))),
        ("ildg-order", gauge(&u1.replace("<lx>2</lx>", "").replace("</lt>", "</lt><lx>2</lx>"), &data)),
        (
            "ildg-namespace",
            gauge(
                &u1.replace("Format>", "Format xmlns='http://www.lqcd.org/ildg'>")
                    .replace("</ildgFormat xmlns='http://www.lqcd.org/ildg'>", "</ildgFormat>"),
                &data,
            ),
        ),
        ("ildg-prefix", gauge(&prefixed(&u1), &data)),
        ("ildg-open-in-part", gauge(&u1, &[&data[..48], &[0; 8], &data[56..]].concat())),
        ("ildg-data-missing", message(&[("ildg-format", u1.as_bytes())])),
        (
            "ildg-before-data-of-a-spoilt-record",
            on("2 1 1 2").then(message(&[("scidac-private-record-xml", b"<scidacRecord>")])).then(message(
                &[("ildg-format", u1.as_bytes()), ("ildg-binary-data", &data), ("scidac-binary-data", &data)],
            )),
        ),
        ("both", both("QDP_F_U1", 1, &some_bytes(16))),
        ("both-four-links", both("QDP_F_U1", 4, &data)),
        ("both-differ", both("QDP_F_U1", 3, &some_bytes(48))),
    ]
}

#[must_use]
pub fn seeds() -> Vec<(String, Vec<u8>)> {
    scidac().into_iter().chain(ildg()).map(|(name, raw)| (name.to_owned(), raw.bytes)).collect()
}
