//! scda files.

use super::super::row::Text;
use super::remedies::{COPY_AGAIN, OTHER_SECTIONS};

pub const TEXTS: &[Text] = &[
    Text {
        rule: "scda-magic",
        meaning: "The file does not begin with scdata0, so it is not an scda file.",
        causes: "Damage, or another format under this name.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "scda-version",
        meaning: "The version is not a0. The format allows later versions, but none exists. libsc does not \
                  accept them either.",
        causes: "Damage, or a file of a later version.",
        remedy: "Use a later version of linkstream if the format has a new version; otherwise copy the file \
                 again.",
    },
    Text {
        rule: "scda-no-space",
        meaning: "A byte that must be a space is not one, so the section is not at the expected place.",
        causes: "Damage, or an earlier section whose length is wrong.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "scda-section-letter",
        meaning: "A section does not begin with its letter. Everything from here on cannot be read.",
        causes: "Bytes appended to a complete file, damage, or an earlier section whose count is wrong.",
        remedy: "Copy the file again. The sections before this offset can still be read: `linkstream scda \
                 cat --damaged FILE NUMBER` extracts one of them.",
    },
    Text {
        rule: "scda-second-header",
        meaning: "A file header appears inside the file.",
        causes: "Two scda files were joined with cat.",
        remedy: "Split the file at this offset.",
    },
    Text {
        rule: "scda-vendor",
        meaning: "The name of the writing program is not padded as the format requires.",
        causes: "A writer that pads with zeros or spaces, or damage.",
        remedy: "Report it to the author of the writing program. libsc refuses the file, too.",
    },
    Text {
        rule: "scda-user",
        meaning: "The title of a section is not padded as the format requires.",
        causes: "A writer that pads with zeros or spaces, or damage.",
        remedy: "Report it to the author of the writing program. libsc refuses the file, too.",
    },
    Text {
        rule: "scda-count-letter",
        meaning: "A count does not begin with the letter of its kind (N or E).",
        causes: "Counts in the wrong order, or damage.",
        remedy: "Report it to the author of the writing program, or copy the file again.",
    },
    Text {
        rule: "scda-count",
        meaning: "A count is not written as decimal digits with the padding that the format requires.",
        causes: "Leading zeros, a sign or a missing space; or damage. libsc reads leading zeros and signs \
                 without an error.",
        remedy: "Report it to the author of the writing program, or copy the file again.",
    },
    Text {
        rule: "scda-too-long",
        meaning: "The counts give a section that no file can hold.",
        causes: "Damage, or an overflow in the writing program. libsc reads 2^33 elements of 2^31 bytes as an \
                 empty array.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "scda-padding",
        meaning: "The padding after the data is neither the Unix nor the MIME form. The scda paper permits any \
                  bytes when reading, so this is only a warning; libsc refuses the file.",
        causes: "A writer with its own padding, or line ends that were converted.",
        remedy: "Extract the data (`linkstream scda cat FILE NUMBER`), and write them with `linkstream scda \
                 create OUT`, if libsc must read them.",
    },
    Text {
        rule: "scda-head-truncated",
        meaning: "The file ends within the header of a section.",
        causes: "A copy or a job that ended early, or a few bytes appended to a complete file.",
        remedy: "Copy the file again. The sections before it are complete.",
    },
    Text {
        rule: "scda-sizes-truncated",
        meaning: "The file ends within the list of element sizes of a variable array.",
        causes: "A copy or a job that ended early.",
        remedy: "Copy the file again. The sections before it are complete.",
    },
    Text {
        rule: "scda-data-truncated",
        meaning: "The file ends within the data of a section.",
        causes: "A copy or a job that ended early. libsc reports success for blocks of 4 GiB and more that it \
                 did not write.",
        remedy: "Copy the file again. The sections before it are complete.",
    },
    Text {
        rule: "scda-padding-truncated",
        meaning: "The data of the last section are complete, but its padding is not. libsc refuses such a file.",
        causes: "A copy or a job that ended a few bytes early.",
        remedy: "Copy the file again, or extract the data: `linkstream scda cat --damaged FILE NUMBER`.",
    },
    Text {
        rule: "scda-uncompressed-size",
        meaning: "The size before compression, in the first half of a compressed section, is not a number.",
        causes: "Damage, or a program that writes an ordinary section with the title of a compressed one.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-entry-size",
        meaning: "A compressed variable array begins with the list of its sizes, each in 32 bytes. Here they \
                  have another length.",
        causes: "An error of the writing program.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-second-half",
        meaning: "A compressed section consists of two sections. The second one is of the wrong type.",
        causes: "The second section was lost, or an ordinary section has the title of a compressed one.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-first-half",
        meaning: "A compressed section consists of two sections. The first one differs in a single byte from what \
                  would make it one, and is followed by a section that can be the second one: the byte is damaged.",
        causes: "Damage of one byte, for example by a disk or memory without error correction.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "scda-second-half-missing",
        meaning: "The file ends after the first half of a compressed section: its data are missing.",
        causes: "A copy or a job that ended exactly between two sections.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "scda-elements-differ",
        meaning: "There are more or fewer compressed elements than sizes.",
        causes: "An error of the writing program, or sections of two files.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-text-length",
        meaning: "Compressed data are stored as base64 in lines, so that only certain lengths are possible. \
                  This is not one of them.",
        causes: "Lines that were wrapped or joined again, or lost bytes.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-base64",
        meaning: "A byte of the compressed data is not base64.",
        causes: "Damage, or line ends that were converted.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-text-truncated",
        meaning: "The compressed data of an element end too early.",
        causes: "Lost bytes, or a wrong size of the element.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-format-byte",
        meaning: "The mark z, which announces zlib data, is missing.",
        causes: "Another compression method, or damage.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-size-differs",
        meaning: "The element and its section have different sizes before compression.",
        causes: "An error of the writing program, or damage.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-deflate",
        meaning: "The compressed data cannot be decompressed.",
        causes: "Damage.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-adler32",
        meaning: "The decompressed data do not have the checksum that is stored with them.",
        causes: "Damage on disk or in transfer.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-too-much",
        meaning: "An element decompresses to more bytes than its section says.",
        causes: "A wrong size, damage, or a file made to fill memory.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-too-little",
        meaning: "An element decompresses to fewer bytes than its section says.",
        causes: "A wrong size, or damage.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-left-over",
        meaning: "Further bytes follow the compressed data of an element.",
        causes: "An error of the writing program.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-sizes-differ",
        meaning: "The sizes of the elements of a variable array differ from the list before it.",
        causes: "An error of the writing program, or damage in the list.",
        remedy: OTHER_SECTIONS,
    },
    Text {
        rule: "scda-buffer-too-small",
        meaning: "The element is larger than the memory that was set aside for decompression. The file itself \
                  can be right.",
        causes: "Elements of more than 32 MiB.",
        remedy: "Use a computer with more memory, or write the data in smaller elements.",
    },
];
