//! The rules that are in no table of the library: `linkstream-access` and this package apply them themselves.

use linkstream::Class;
use linkstream_access::isolated;

use super::row::Case;

const WITHOUT_PROOF: &str = "error, warning if the difference is small or a SciDAC checksum is OK";
const CONTRADICTION: &str = "error, warning if the difference is small";

/// Name, severity, class, clause and message of each rule.
const ROWS: [(&str, &str, Class, &str, &str); 29] = [
    (isolated::RULE, "error", Class::Unsupported, "", "internal error ({what}), please report"),
    ("file-empty", "error", Class::Truncated, "", "the file is empty"),
    ("format-unknown", "error", Class::Magic, "", "not a file that linkstream reads: it begins with {bytes}"),
    (
        "format-not-read",
        "error",
        Class::Unsupported,
        "",
        "this is {format}, which is recognised but not read",
    ),
    (
        "compression-damaged",
        "error",
        Class::Decode,
        "",
        "the {compression} data are damaged within the first {bytes} bytes: {why}",
    ),
    ("archive-damaged", "error", Class::Format, "", "the tar archive is damaged: {why}"),
    ("nersc-other-group", "warning", Class::Rule, "", "the data have exactly the length of {datatype}"),
    (
        "file-named-like-data",
        "error",
        Class::Magic,
        "",
        "the file has no known format, but is named like {other} ({format})",
    ),
    (
        "file-long-as-data",
        "error",
        Class::Magic,
        "",
        "the file has no known format, but is as long as {other} ({format})",
    ),
    (
        "file-begins-like-data",
        "error",
        Class::Magic,
        "",
        "the file begins like an openQCD configuration, as others beside it, but has {found} bytes instead of {bytes}",
    ),
    (
        "file-begins-with-zeros",
        "error",
        Class::Magic,
        "",
        "the file begins with zeros, as if its beginning was never written",
    ),
    (
        "files-alike",
        "error",
        Class::Magic,
        "",
        "the file has no known format, but is as long as {other}, whose name differs only in a number",
    ),
    (
        "entries-left-out",
        "warning; error in a volume of a file set, which is then not read further",
        Class::Limit,
        "",
        "{count} more {entries} after the first {listed} are checked, but not listed",
    ),
    (
        "findings-left-out",
        "the highest severity of the findings left out",
        Class::Limit,
        "",
        "{count} more findings from here on are not listed",
    ),
    (
        "checksum-sums-lost",
        "error",
        Class::Checksum,
        "QIO 2.3, section 2.1.1",
        "the checksum record has no sums, although neither sum of the data is zero: they have been lost",
    ),
    (
        "bqcd-cksum",
        "error, warning if the record is not a number",
        Class::Checksum,
        "",
        "checksum mismatch: the record has the sum {stored} of the command cksum, the data have {computed}",
    ),
    (
        "state-checksum",
        "error",
        Class::Checksum,
        "",
        "checksum mismatch: the header has {stored}, the words have {computed}",
    ),
    (
        "openqcd-length",
        "error",
        Class::Truncated,
        "",
        "the file ends after {found} bytes, but its lattice has {expected}",
    ),
    (
        "field-may-be-links",
        "warning",
        Class::Type,
        "",
        "no document says that these data are links, but a site has as many numbers as links of {kind}",
    ),
    (
        "volume-file-repeated",
        "error",
        Class::Rule,
        "",
        "this is the same file as {other}, under another name",
    ),
    (
        "volume-order",
        "warning",
        Class::Rule,
        "QIO 2.3, section 4.5",
        "its sites precede the sites of a volume with a lower number: the volumes may be swapped",
    ),
    (
        "damage-noted",
        "error",
        Class::Rule,
        "",
        "according to a note, the data were damaged when this copy was made",
    ),
    ("record-pickle", "warning", Class::Rule, "", "this record is a Python pickle"),
    (
        "links-not-finite",
        "error, warning if a SciDAC checksum is OK and no document says that the matrices are a gauge field",
        Class::Decode,
        "",
        "links contain numbers that are infinite, not numbers, or too large to be squared",
    ),
    (
        "links-not-unitary",
        WITHOUT_PROOF,
        Class::Decode,
        "",
        "links are not unitary: the largest deviation is {deviation}, above {threshold}",
    ),
    (
        "recorded-plaquette-differs",
        CONTRADICTION,
        Class::Rule,
        "",
        "{record} records {value} as plaquette, but the data give {computed}",
    ),
    (
        "recorded-link-trace-differs",
        CONTRADICTION,
        Class::Rule,
        "",
        "{record} records {value} as link trace, but the data give {computed}",
    ),
    (
        "recorded-norm-differs",
        CONTRADICTION,
        Class::Rule,
        "",
        "{record} records {value} as squared norm, but the data give {computed}",
    ),
    (
        "recorded-checksum-differs",
        "error, warning if a SciDAC checksum is OK",
        Class::Checksum,
        "",
        "{record} records {value} as checksum, but the data give {computed}",
    ),
];

/// The rules with their cases.
pub(super) fn cases() -> Vec<(&'static str, Case)> {
    let case = |(name, severity, class, clause, message)| {
        let message = str::to_owned(message);
        (name, Case { severity, class, clause, message })
    };
    ROWS.map(case).to_vec()
}
