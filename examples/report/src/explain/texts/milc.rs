//! MILC's binary files, version 5.

use super::super::row::Text;
use super::remedies::COPY_AGAIN;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "milc-magic",
        meaning: "The file does not begin with the number of MILC's version 5.",
        causes: "Another version of MILC's binary files (1 to 4, 1996), which have no checksums, or damage.",
        remedy: "Older versions are read by MILC, which writes version 5.",
    },
    Text {
        rule: "milc-extent",
        meaning: "The extent of a direction is zero or negative.",
        causes: "Damage in the header.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-size-overflow",
        meaning: "The extents give more data than a file can have.",
        causes: "Damage in the header, or the wrong byte order of a part of it.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-header-truncated",
        meaning: "The file ends within its header.",
        causes: "A copy or a job that ended early.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-site-list-truncated",
        meaning: "The file ends within the list of sites.",
        causes: "A copy or a job that ended early; or damage in the entry that says whether there is a list.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-site-range",
        meaning: "The list of sites names a site outside of the lattice.",
        causes: "Damage in the list or in the extents.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-site-list",
        meaning: "The list of sites leaves sites out and names others twice, so it is not known where the data \
                  belong.",
        causes: "Damage in the list, or a node that wrote the part of another one.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-checksums-truncated",
        meaning: "The file ends within the two checksums that precede the data.",
        causes: "A copy or a job that ended early.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-data-truncated",
        meaning: "The file ends before the last link.",
        causes: "A copy or a job that ended early.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "milc-checksum",
        meaning: "Checksum mismatch: the data do not have the two stored checksums. MILC only prints a \
                  warning, Chroma does not compare them.",
        causes: "Damage, or data replaced without the checksums.",
        remedy: "Take another copy. NAME.info, if it exists, has the checksums and the plaquette that MILC \
                 wrote. `linkstream convert --damaged FILE OUT` keeps the data.",
    },
    Text {
        rule: "milc-trailing-bytes",
        meaning: "Bytes follow the last link. The links before them are complete.",
        causes: "A file rounded up to the block size of a tape or a file system.",
        remedy: "`linkstream convert --to scidac FILE OUT` copies the field, if the checksums are OK.",
    },
];
