//! The rules of SciDAC and ILDG that go beyond single records.

use super::super::row::Text;
use super::remedies::REWRITE;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "data-described-in-another-message",
        meaning: "The description of these data is in another LIME message than the data. Most programs follow \
                  the order of the records and read the file.",
        causes: "Records written one per message, as CL2QCD and SIMULATeQCD do, or a message flag that is \
                 missing.",
        remedy: REWRITE,
    },
    Text {
        rule: "data-missing",
        meaning: "A description is there, but the data that should follow it in the same message are not.",
        causes: "A job that ended between the records, a record that was lost, or a program that wrote the \
                 header first and failed later.",
        remedy: "Copy the file again or write the field again: nothing in this file replaces the data.",
    },
    Text {
        rule: "file-without-data",
        meaning: "The file describes a lattice but has no data at all. A LIME file looks like this if it was \
                  cut off exactly between two records.",
        causes: "A job or a copy that ended early, or a quota that was reached.",
        remedy: "Copy the file again. If it should contain only documents, it can be kept, but no program \
                 reads a field from it.",
    },
    Text {
        rule: "scidac-file-absent",
        meaning: "The SciDAC documents of the file (scidac-private-file-xml) are missing, although its records \
                  have SciDAC documents. An ildg-format makes the data readable nevertheless.",
        causes: "The beginning of the file is missing, or the messages were put together by hand.",
        remedy: "Compare with the original. If the data are complete, `linkstream convert FILE OUT` writes the \
                 missing documents.",
    },
    Text {
        rule: "descriptions-differ",
        meaning: "The file describes the same data twice, as SciDAC and as ILDG, with different extents, \
                  precision or kind of links. Programs read different numbers, depending on which description \
                  they use.",
        causes: "A document that was edited or copied from another configuration. QIO writes the whole lattice \
                 in the ildg-format of a time slice, which is only a warning.",
        remedy: "Find out which description is right, then correct the other one: `linkstream lime unpack \
                 --damaged FILE`, edit, `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "scidac-record-contradiction",
        meaning: "Elements of the SciDAC record exclude each other, such as datatype, precision, colors and \
                  typesize. If the size of an item agrees with the datatype, the numbers are certain and this \
                  is a warning; else it is an error.",
        causes: "Old versions of QUDA write wrong numbers of colors and spins; double precision stored under \
                 the name of the single-precision datatype; documents edited by hand.",
        remedy: "If it is a warning, nothing needs to be done. Otherwise correct the record: `linkstream lime \
                 unpack --damaged FILE`, edit, `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "checksum-missing",
        meaning: "The data have a SciDAC record but no checksum follows them. QIO, MILC, Chroma and QUDA refuse \
                  such a file.",
        causes: "The file was cut off before its last record, or a program (not QIO) leaves the checksum out.",
        remedy: "Compare the length with the original, and copy the file again. If there is no other copy, \
                 `linkstream convert --damaged FILE OUT` keeps the data; `check` still reports that they \
                 have no checksum.",
    },
    Text {
        rule: "checksum-absent",
        meaning: "The checksum record lacks one or both of its sums, so that the data are not verified. If \
                  only one is stored, it is compared, but does not verify the data.",
        causes: "QIO leaves out both sums if one of them happens to be zero, which is certain for some constant \
                 fields; it cannot read these files itself.",
        remedy: "`linkstream convert --checksum FILE OUT` writes both sums.",
    },
    Text {
        rule: "checksum-without-data",
        meaning: "No data without a checksum precede this checksum record. If data follow that have no \
                  checksum of their own, they are compared with it; otherwise it is not used.",
        causes: "A program that writes the checksum before the data; or the data were removed or lost, or the \
                 checksum record was written twice.",
        remedy: "If the verdict on the data is OK, `linkstream convert FILE OUT` writes the checksum after the \
                 data, where every program looks for it.",
    },
    Text {
        rule: "scidac-file-xml-missing",
        meaning: "The record for the user's text about the file is missing. QIO reads by position, so it takes \
                  the next record for that text.",
        causes: "A program that writes SciDAC documents without QIO and leaves out the text, or a file cut off \
                 after its first record.",
        remedy: "`linkstream convert FILE OUT` adds the record, if the file is complete.",
    },
    Text {
        rule: "scidac-record-xml-missing",
        meaning: "The record for the user's text about the field is missing. QIO reads by position, so it takes \
                  the next record for that text.",
        causes: "A program that writes SciDAC documents without QIO and leaves out the text.",
        remedy: REWRITE,
    },
    Text {
        rule: "scidac-user-xml",
        meaning: "A text of the user looks like XML but is not. Data are not affected. Programs that parse the \
                  text can fail: Chroma does for the text about the file, Grid for a cut usqcdInfo.",
        causes: "QIO cuts texts that it builds itself after 1023 bytes, so that end tags are missing; MILC's \
                 texts are long enough for this. Other programs write & or < without escaping them.",
        remedy: "Nothing to do for the data. For a text of your own, `linkstream lime unpack FILE`, edit, \
                 `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "ildg-format-missing",
        meaning: "Data are stored as ildg-binary-data, with SciDAC documents but without an ildg-format. QIO \
                  reads them; programs that need ILDG do not.",
        causes: "QIO, when it converts an ILDG partition to a SciDAC file, and Grid's SciDAC writer, which uses \
                 this record type for all fields.",
        remedy: "`linkstream convert --to ildg FILE OUT` (or `--to both`) writes the ildg-format, if the field \
                 is a gauge field.",
    },
    Text {
        rule: "ildg-format-behind-data",
        meaning: "The ildg-format comes after the data that it describes. QIO does not find the data, and \
                  Grid does not know their byte order.",
        causes: "Records that were put together in the wrong order.",
        remedy: "If the data also have SciDAC documents, `linkstream convert FILE OUT`. Otherwise `linkstream \
                 lime unpack --damaged FILE`, move the ildg-format before the data in FILE.contents/list, \
                 `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "ildg-format-repeated",
        meaning: "Two ildg-format records precede the same data. QIO and PyQUDA use the first, GPT the last; \
                  tmLQCD and lyncs_io refuse the file.",
        causes: "Two files were joined, or the record was written again instead of replaced.",
        remedy: "Find the right one, remove the other: `linkstream lime unpack --damaged FILE`, edit \
                 FILE.contents/list, `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "ildg-update-misplaced",
        meaning: "The update number is not between the ildg-format and the data, where ILDG puts it. No known \
                  program but linkstream reads this record.",
        causes: "A record appended or inserted by hand.",
        remedy: REWRITE,
    },
    Text {
        rule: "ildg-update-repeated",
        meaning: "The same data have two update numbers.",
        causes: "The record was added again instead of replaced.",
        remedy: "Remove the wrong one: `linkstream lime unpack FILE`, edit FILE.contents/list, `linkstream lime \
                 pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "ildg-update-not-digits",
        meaning: "The update number contains characters other than digits.",
        causes: "A label such as `traj 100`, or a decimal point, instead of the plain number.",
        remedy: "Copy the field with a number: `linkstream ildg make OUT --from FILE --update 100`.",
    },
    Text {
        rule: "ildg-update-missing",
        meaning: "A file with several gauge fields must state the update (Monte Carlo step) of each of them. \
                  Without this, only their order in the file distinguishes them.",
        causes: "QIO, which does not support ildg-update; or files joined into one.",
        remedy: "Copy each field into its own file: `linkstream ildg make OUT --from FILE --field 0 --update \
                 100`.",
    },
    Text {
        rule: "ildg-field-repeated",
        meaning: "Two gauge fields of the same kind have the same update number, so that it is not clear which \
                  one is meant.",
        causes: "Two files were joined, or the configuration was written twice.",
        remedy: "Compare them (`linkstream export --field 0` and `--field 1`), and copy the right one: \
                 `linkstream ildg make OUT --from FILE --field 0`.",
    },
    Text {
        rule: "ildg-fields-not-judged",
        meaning: "The file has so many gauge fields that only the first ones were compared with each other. \
                  Their data are verified all the same.",
        causes: "Many configurations in one file.",
        remedy: "Nothing to do, or one file for each configuration.",
    },
    Text {
        rule: "ildg-type-unknown",
        meaning: "The record type begins with ildg-, but ILDG does not define it. The prefix is reserved; \
                  programs skip the record.",
        causes: "A misspelt type (upper case, a space, an underscore) or one of a program's own.",
        remedy: "Rename it: `linkstream lime unpack FILE`, edit the type in FILE.contents/list, `linkstream \
                 lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "ildg-text-byte",
        meaning: "A text of ILDG contains a byte that is not printable ASCII, tab or line feed.",
        causes: "Accented letters, a byte order mark (EF BB BF) of an editor, carriage returns, or UTF-16. \
                 The NUL that QIO writes at the end of texts is allowed.",
        remedy: "`linkstream convert FILE OUT` writes the documents in ASCII. A logical file name is replaced \
                 by `linkstream ildg set-lfn --force FILE NAME`.",
    },
    Text {
        rule: "ildg-lfn-repeated",
        meaning: "The logical file name appears more than once. If all are the same, this is a warning, as QIO \
                  writes files with several fields; different names are an error.",
        causes: "QIO repeats the name in the message of each field. Different names come from adding one \
                 without removing the other.",
        remedy: "If all names are the same, nothing needs to be done. With different names, remove the wrong \
                 record: `linkstream lime unpack FILE`, edit FILE.contents/list, `linkstream lime pack \
                 FILE.contents/list OUT`.",
    },
    Text {
        rule: "ildg-lfn-missing",
        meaning: "The file has no logical file name. The ILDG catalogue lists files by this name. Only Grid \
                  refuses to read a file without it.",
        causes: "Chroma, tmLQCD, CL2QCD and Gaugefields.jl write none; the name is usually added before the \
                 upload.",
        remedy: "`linkstream ildg set-lfn FILE lfn://GROUP/ENSEMBLE/NAME`",
    },
    Text {
        rule: "ildg-lfn-empty",
        meaning: "The record for the logical file name is empty. tmLQCD and CL2QCD fail at records without \
                  content.",
        causes: "A script with an unset variable, or a placeholder that was never filled.",
        remedy: "`linkstream ildg set-lfn --force FILE lfn://GROUP/ENSEMBLE/NAME`",
    },
    Text {
        rule: "ildg-lfn-not-single",
        meaning: "The logical file name contains spaces or line feeds. Catalogues and programs treat it as \
                  one word.",
        causes: "Several names in one record, or a title instead of a name.",
        remedy: "`linkstream ildg set-lfn --force FILE lfn://GROUP/ENSEMBLE/NAME`",
    },
    Text {
        rule: "ildg-link-unphysical",
        meaning: "All bits clear (in the kind u1phase: all bits set) mark a link that does not exist. Inside \
                  the lattice, every link exists, so this is an error. With --lenient, it is a warning if a \
                  SciDAC checksum is OK or a text names smeared, fat or long links.",
        causes: "A block of the file was lost and reads as zeros (disk, sparse copy, a rank that never wrote), \
                 or a field that was never filled.",
        remedy: "Take another copy. If there is none, the field must be computed again.",
    },
    Text {
        rule: "ildg-boundary-mixed",
        meaning: "With open boundaries, the links that lead out of the last slice of a direction are all \
                  unphysical. Here some are and others are not.",
        causes: "A program that sets only a part of the last slice to zero, or a lost block in that slice.",
        remedy: "Compare with the original. If the boundary is meant to be open, all links of that slice \
                 must have all bits clear (in the kind u1phase: all bits set).",
    },
];
