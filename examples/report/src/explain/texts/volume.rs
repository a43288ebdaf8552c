//! File sets of QIO.

use super::super::row::Text;
use super::remedies::COPY_VOLUME;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "volume-single-file",
        meaning: "The file is complete by itself; it is not a volume of a file set.",
        causes: "A single file in the directory of a file set, or one that is named like a volume.",
        remedy: "Check it by its own name, and remove it from the set.",
    },
    Text {
        rule: "volume-site-list-missing",
        meaning: "The volume does not state the sites that it contains, so that its data cannot be placed.",
        causes: "The beginning of the volume was lost; or a set that was not written by QIO.",
        remedy: "Copy the volume again from the node that wrote it.",
    },
    Text {
        rule: "volume-site-list-repeated",
        meaning: "The site list appears again. The data are not in doubt, but QIO cannot read what follows.",
        causes: "QIO writes file document and site list again when a program appends a field to a set.",
        remedy: "`linkstream convert NAME OUT --volumes 1` writes a single file; with other numbers, a new set.",
    },
    Text {
        rule: "volume-site-list-differs",
        meaning: "A second site list in the same volume names other sites, so the sites of the data are \
                  unknown.",
        causes: "Volumes of two runs with different layouts in one file: an append from another number of \
                 nodes.",
        remedy: "Use the volumes of the run before the append.",
    },
    Text {
        rule: "volume-site-list-length",
        meaning: "The site list is not a whole number of 4-byte entries.",
        causes: "Damage, or a copy in text mode.",
        remedy: COPY_VOLUME,
    },
    Text {
        rule: "volume-site-list-sites",
        meaning: "The site list has another number of sites than the data: neither 4 nor 8 bytes for each of \
                  them.",
        causes: "A volume of another set, damage, or records of different runs.",
        remedy: COPY_VOLUME,
    },
    Text {
        rule: "volume-data-length",
        meaning: "The data of this volume are not a whole number of sites, or more than the lattice has.",
        causes: "A volume of another set with the same name, or one that was cut or overwritten.",
        remedy: "Compare the dates and lengths of the volumes, and copy the volume that differs again.",
    },
    Text {
        rule: "volume-data-sites",
        meaning: "The data have more or fewer sites than the site list.",
        causes: "A volume of another set, or one from a run on another number of nodes.",
        remedy: "Compare the dates and lengths of the volumes, and copy the volume that differs again.",
    },
    Text {
        rule: "volume-record-missing",
        meaning: "This volume has fewer data records than the first volume announces.",
        causes: "The job ended before all nodes had written their last field, or the volume is older than the \
                 others.",
        remedy: "Copy the volume again. If the job ended early, write the set again.",
    },
    Text {
        rule: "volume-record-surplus",
        meaning: "This volume has more data records than the first volume announces.",
        causes: "A volume of another set, or an append that the first volume does not have.",
        remedy: "Compare the dates and lengths of the volumes, and copy the volume that differs again.",
    },
    Text {
        rule: "volume-site-outside",
        meaning: "The site list names sites that the lattice does not have.",
        causes: "A volume of a larger lattice under this name, or damage in the site list.",
        remedy: COPY_VOLUME,
    },
    Text {
        rule: "volume-site-repeated",
        meaning: "Two volumes contain the same site, perhaps with different values.",
        causes: "A volume copied under the number of another one, or volumes of runs with different layouts.",
        remedy: "Compare the volumes; copy the wrong one again.",
    },
    Text {
        rule: "volume-surplus",
        meaning: "All sites of this volume are in other volumes already. It does not belong to the set.",
        causes: "The set was written again with fewer nodes, and old volumes were left.",
        remedy: "Move the volume away after comparing its date with the other volumes.",
    },
    Text {
        rule: "volume-sites-unordered",
        meaning: "The sites of a partition are not in ascending order, as QIO writes them. Nothing is lost, \
                  because the site list states the place of each site.",
        causes: "A set written by another program, or a multifile set declared as a partition.",
        remedy: "`linkstream convert NAME OUT --volumes 1` writes a single file; with other numbers, a standard \
                 set.",
    },
    Text {
        rule: "volume-missing",
        meaning: "Volumes are missing. Their sites have no values, and the checksum of the set cannot be \
                  verified.",
        causes: "A node's directory that was not copied or not mounted, or a node that failed. QIO's numbers \
                 can have gaps (with I/O families), so a gap alone means nothing.",
        remedy: "Fetch the missing volumes. If they are in other directories: `linkstream check NAME --from \
                 TABLE`.",
    },
    Text {
        rule: "volume-sites-missing",
        meaning: "All volumes that are announced are there, but some sites are in none of them.",
        causes: "A volume was replaced by one of another run, or a layout that leaves sites out.",
        remedy: "Compare the dates and lengths of the volumes, and copy the volume that differs again.",
    },
    Text {
        rule: "volume-first-missing",
        meaning: "The volume that describes lattice and fields is missing: usually NAME.vol0000. Without it no \
                  data can be read.",
        causes: "It was not copied, or the node that wrote it used another directory.",
        remedy: "Fetch it. If the volumes are in different directories: `linkstream check NAME --from \
                 TABLE`.",
    },
    Text {
        rule: "volume-first-repeated",
        meaning: "Two volumes begin like the first one of a set.",
        causes: "Volumes of two file sets in one directory, or one volume copied under two numbers.",
        remedy: "Separate the sets: compare dates and documents with `linkstream inspect --volume FILE`.",
    },
    Text {
        rule: "volume-first-misplaced",
        meaning: "The volume with the descriptions does not have the lowest number. QIO's master is usually \
                  node 0.",
        causes: "Volumes renamed or swapped, or a master node other than 0.",
        remedy: "If the volumes were renamed, restore their names. Site lists and data are verified all the \
                 same.",
    },
    Text {
        rule: "volume-format-mixed",
        meaning: "The volumes state different volume formats: they belong to different file sets.",
        causes: "Files of two sets under the same name.",
        remedy: "Separate the sets: compare dates and documents with `linkstream inspect --volume FILE`.",
    },
];
