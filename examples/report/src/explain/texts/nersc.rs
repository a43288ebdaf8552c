//! NERSC archives.

use super::super::row::Text;
use super::remedies::{COPY_AGAIN, CORRECT_LINE};

pub const TEXTS: &[Text] = &[
    Text {
        rule: "nersc-magic",
        meaning: "The file does not begin with BEGIN_HEADER, so it is not a NERSC archive.",
        causes: "Damage, a compressed file, or a file that begins with white space or a byte order mark.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "nersc-line",
        meaning: "A line of the header is not KEY = value. linkstream skips it. The function qcdhdr_get_hdr \
                  of MILC and of QIO's converter crashes at a line without a space, or without `=` after the \
                  first space.",
        causes: "Comments or empty lines, or a value that was broken into two lines.",
        remedy: CORRECT_LINE,
    },
    Text {
        rule: "nersc-line-too-long",
        meaning: "A header line is longer than the 1023 bytes that MILC and QIO's converter read \
                  (qcdhdr_get_hdr). QDP++ reads only 127.",
        causes: "Run parameters in one line, as in MILC_INFO.",
        remedy: CORRECT_LINE,
    },
    Text {
        rule: "nersc-header-too-long",
        meaning: "The first 16 MiB of the file have no line END_HEADER. The longest header of known files has \
                  522 bytes.",
        causes: "Another file that begins with BEGIN_HEADER, or a header whose last line is damaged.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "nersc-line-end",
        meaning: "A header line ends with white space. Programs take it for a part of the value. The \
                  function qcdhdr_get_hdr of MILC and of QIO's converter crashes if it follows END_HEADER.",
        causes: "The header was edited on Windows, or the line was padded with spaces.",
        remedy: CORRECT_LINE,
    },
    Text {
        rule: "nersc-repeated-key",
        meaning: "A key appears twice. The first value is used, as QIO and MILC do; other programs may use the \
                  last.",
        causes: "A header extended by a script.",
        remedy: CORRECT_LINE,
    },
    Text {
        rule: "nersc-dimension-missing",
        meaning: "The extent of a direction is missing, so the data cannot be read.",
        causes: "An incomplete header, or one written for fewer dimensions.",
        remedy: "Add the line to the header with an editor for binary files, if you know the extent.",
    },
    Text {
        rule: "nersc-dimension",
        meaning: "The extent of a direction is not a positive number.",
        causes: "Damage, or an unset variable.",
        remedy: "Correct the line of the header with an editor for binary files, if you know the extent.",
    },
    Text {
        rule: "nersc-datatype-missing",
        meaning: "The header does not state the group and the rows of the links.",
        causes: "An incomplete header.",
        remedy: "Add the line DATATYPE = 4D_SU3_GAUGE (two rows) or 4D_SU3_GAUGE_3x3 (three rows), according to \
                 the length of the file.",
    },
    Text {
        rule: "nersc-datatype",
        meaning: "The archive contains data other than links of SU(N) with all rows or all but the last one. MILC and QIO's \
                  converter read every other DATATYPE as two rows.",
        causes: "Other data of Grid and CPS use the same header. So do links of more than 99 colors, or of more than 10 \
                 without their last row.",
        remedy: "Read it with the program that wrote it.",
    },
    Text {
        rule: "nersc-floating-point-missing",
        meaning: "The header does not state the precision: 32 bits are assumed, and the checksum decides the \
                  byte order. Grid, GPT and PyQUDA need the line.",
        causes: "MILC writes archives without FLOATING_POINT.",
        remedy: "Nothing to do if the checksum is OK. `linkstream convert --to nersc FILE OUT` adds the \
                 line.",
    },
    Text {
        rule: "nersc-floating-point",
        meaning: "FLOATING_POINT has an unknown value. QDP++ ends the program; QIO's converter takes it for \
                  32 bits.",
        causes: "A misspelt value, the formats of random-number states (UINT32, UINT64), or TIDSP32, the numbers of \
                 the processors of QCDSP, which the programs of that time convert.",
        remedy: "Correct it to IEEE32BIG, IEEE32LITTLE, IEEE64BIG or IEEE64LITTLE.",
    },
    Text {
        rule: "nersc-checksum-missing",
        meaning: "The header has no checksum. MILC, QIO's converter, Grid, GPT, SIMULATeQCD and PyQUDA refuse \
                  the file.",
        causes: "Scripts that write the format, since all programs write the line.",
        remedy: "`linkstream check FILE` prints the computed plaquette, link trace and checksum (word_sum). \
                 If plaquette and link trace agree with the header, add the line CHECKSUM to it.",
    },
    Text {
        rule: "nersc-checksum-form",
        meaning: "The checksum is not a hexadecimal number of 32 bits, so the data are not verified.",
        causes: "A decimal number, or 64 bits.",
        remedy: "`linkstream check FILE` prints the computed plaquette, link trace and checksum (word_sum). \
                 If plaquette and link trace agree with the header, correct the line.",
    },
    Text {
        rule: "nersc-number",
        meaning: "PLAQUETTE, LINK_TRACE or another value is not a number, so that it is not compared with the \
                  data. Programs that need it, such as Grid and GPT, can fail.",
        causes: "A word such as `missing`, or more digits than a number has.",
        remedy: CORRECT_LINE,
    },
    Text {
        rule: "nersc-size-overflow",
        meaning: "The extents of the header give more data than a file can have.",
        causes: "Damage, or an overflow in the writing program.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "nersc-header-truncated",
        meaning: "The file ends within its header.",
        causes: "A copy or a job that ended early.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "nersc-data-truncated",
        meaning: "The file ends before the last link.",
        causes: "A copy or a job that ended early; or a header that announces three rows or 64 bits before \
                 data with two rows or 32 bits.",
        remedy: "Copy the file again. If its length is exactly 2/3 or 1/2 of what is expected, compare DATATYPE \
                 and FLOATING_POINT with the data.",
    },
    Text {
        rule: "nersc-checksum",
        meaning: "Checksum mismatch: the data have the checksum of the header in neither byte order.",
        causes: "Damage; or a header that was taken from another configuration. MILC and QIO's converter \
                 only print a message. Grid stops, but its exit status of 0 hides the error.",
        remedy: "Take another copy. If plaquette and link trace in the header agree with the data, the \
                 checksum alone may be wrong: `linkstream convert --damaged FILE OUT` keeps the data.",
    },
    Text {
        rule: "nersc-byte-order",
        meaning: "FLOATING_POINT states one byte order, but the checksum proves the other. Programs that \
                  believe the header read wrong numbers.",
        causes: "IEEE32 without BIG or LITTLE means big-endian for MILC and QDP++, little-endian for Grid, GPT \
                 and PyQUDA; a header kept while the data were swapped.",
        remedy: "Correct FLOATING_POINT in the header (IEEE32BIG and IEEE32LITTLE are not ambiguous).",
    },
    Text {
        rule: "nersc-trailing-bytes",
        meaning: "Bytes follow the last link. Programs that derive the length from the header ignore them; GPT \
                  refuses the file.",
        causes: "A header that announces two rows or 32 bits before data with three rows or 64 bits; \
                 otherwise, bytes appended by a copy.",
        remedy: "If the checksum is OK, `linkstream convert --to nersc FILE OUT` leaves them out.",
    },
];
