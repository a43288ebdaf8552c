//! Data, their descriptions and checksums, in LIME files.

use super::super::row::Text;
use super::remedies::CORRECT;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "scidac-volume-set",
        meaning: "The file holds only some of the sites: it is one volume of a file set of QIO.",
        causes: "QIO wrote the field as partition or multifile, one file for one or several nodes.",
        remedy: "Name the set instead (`linkstream check NAME`, with all volumes NAME.volNNNN in one place, or \
                 with --from). `linkstream convert NAME OUT --volumes 1` makes a single file.",
    },
    Text {
        rule: "data-undescribed",
        meaning: "Nothing in the file states the lattice, the precision and the kind of numbers of these \
                  data.",
        causes: "lyncs_io writes ildg-binary-data without an ildg-format; QIO does so when it converts an ILDG \
                 partition to a SciDAC file; or the record with the description was lost or follows the data.",
        remedy: "If you know the description, extract the data (`linkstream lime extract FILE MESSAGE RECORD \
                 OUT`) and make a new file: `linkstream ildg make OUT --data DATA --extents 8x8x8x16`.",
    },
    Text {
        rule: "scidac-file-missing",
        meaning: "The record states the contents of a site, but not how large the lattice is: that is in \
                  scidac-private-file-xml, which is missing.",
        causes: "The beginning of the file was lost, a message was extracted from a larger file, or the file is \
                 a volume without its first volume.",
        remedy: "Get the complete file, or put the missing record in front with `linkstream lime unpack \
                 --damaged` and `linkstream lime pack`.",
    },
    Text {
        rule: "data-length-overflow",
        meaning: "The description asks for more bytes than 64 bits can count, so it cannot be right.",
        causes: "A damaged or hand-written document, typically with the values of typesize and datacount \
                 exchanged.",
        remedy: CORRECT,
    },
    Text {
        rule: "data-length",
        meaning: "The data are longer or shorter than lattice, precision and numbers per site require. The \
                  description or the length can be wrong.",
        causes: "Data of fewer rows or links than described, single precision described as double, extents of \
                 another lattice, or a copy without its end. Grid, PyQUDA and Gaugefields.jl do not check the \
                 length and read on into the following bytes.",
        remedy: "Compare the extents, the precision and `rows` in the output of `linkstream inspect FILE` with \
                 the run that wrote the file. If the document is wrong, correct it: `linkstream lime unpack \
                 --damaged FILE`, edit, `linkstream lime pack FILE.contents/list OUT`.",
    },
    Text {
        rule: "checksum-mismatch",
        meaning: "Checksum mismatch: the data do not have the SciDAC checksum in the file. Data, checksum or \
                  both were changed after they were computed.",
        causes: "Damage on disk or in transfer; data that were replaced without replacing the checksum; or a \
                 program that computed the checksum over other bytes, for example before swapping them. QIO \
                 reads plain ILDG files without verifying the checksum, so damage can go unnoticed there.",
        remedy: "Take another copy and check it. If there is none, `linkstream convert --damaged FILE OUT` \
                 keeps the data, without a checksum and with a note.",
    },
];
