//! INEBIN matrices.

use super::super::row::Text;
use super::remedies::COPY_AGAIN;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "inebin-magic",
        meaning: "The file does not begin with INEBIN. Aion would read it as a table in text form (CSV).",
        causes: "A text file under this name, or damage.",
        remedy: "If it is a table of numbers: `linkstream inebin from-csv --type R FILE OUT`. Otherwise copy \
                 the file again.",
    },
    Text {
        rule: "inebin-reserved-byte",
        meaning: "The byte after INEBIN must be zero. Aion does not look at it.",
        causes: "A program that does not clear its buffer, or damage.",
        remedy: "Change the byte with offset 6 to zero; or `linkstream inebin to-csv FILE TABLE` and \
                 `linkstream inebin from-csv --type TYPE TABLE OUT`.",
    },
    Text {
        rule: "inebin-type",
        meaning: "The letter for the type of the numbers is not B, Z, R or C. Aion refuses the file.",
        causes: "Lower case, I instead of Z for integers, or damage.",
        remedy: "If you know the type, change the byte with offset 7 (Z is 5a in hexadecimal).",
    },
    Text {
        rule: "inebin-size-overflow",
        meaning: "Rows times columns is more than a file can contain. Aion computes a wrong length and reads \
                  outside its memory.",
        causes: "Big-endian numbers in the header, or damage.",
        remedy: "If rows and columns are in the wrong byte order, write the file again with little-endian \
                 numbers.",
    },
    Text {
        rule: "inebin-header-truncated",
        meaning: "The file has fewer than the 16 bytes of a header.",
        causes: "A copy or a job that ended early.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "inebin-data-truncated",
        meaning: "The file ends before the last entry. Aion refuses it.",
        causes: "A copy or a job that ended early, or big-endian numbers of rows and columns.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "inebin-unused-bits",
        meaning: "Bits after the last entry of a boolean matrix are set. No entry is affected.",
        causes: "A program that fills whole bytes.",
        remedy: "`linkstream inebin to-csv FILE TABLE`, then `linkstream inebin from-csv --type TYPE TABLE \
                 OUT`.",
    },
    Text {
        rule: "inebin-trailing-bytes",
        meaning: "Bytes follow the last entry. Aion ignores them.",
        causes: "A matrix overwritten by a smaller one, an appended line feed, or a wrong number of rows or \
                 columns.",
        remedy: "If rows and columns are right: `linkstream inebin to-csv --damaged FILE TABLE`, then \
                 `linkstream inebin from-csv --type TYPE TABLE OUT`.",
    },
];
