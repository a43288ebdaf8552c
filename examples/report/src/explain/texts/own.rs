//! Rules that belong to no format: about files as a whole, and about the numbers of gauge fields.

use super::super::row::Text;
use super::remedies::COPY_AGAIN;

pub const TEXTS: &[Text] = &[
    Text {
        rule: "internal-error",
        meaning: "linkstream has a defect: the code that handled the file stopped. Nothing is known about the \
                  file, which may be intact. The other files of the run are not affected.",
        causes: "A file of an unusual form, or damage that no test has.",
        remedy: "Report the message, with the file or its first kilobytes if possible. Until then, read the \
                 file with another program.",
    },
    Text {
        rule: "file-empty",
        meaning: "The file has no bytes. In LIME this is a file without records, but no program writes one \
                  on purpose.",
        causes: "A full disk or quota, a job that ended, or a failed transfer.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "format-unknown",
        meaning: "The file does not begin with the first bytes of any format that linkstream reads: 45 67 89 ab \
                  (LIME), INEBIN, scdata0 (scda), BEGIN_HEADER (NERSC), 00 00 4e 87 or 87 4e 00 00 (MILC), or \
                  four extents and a plaquette (openQCD).",
        causes: "A file of another format; compressed or encrypted data; or a damaged beginning (zeros, for \
                 example).",
        remedy: "Look at the bytes (`xxd FILE | head`). If the file used to be readable, take another copy.",
    },
    Text {
        rule: "format-not-read",
        meaning: "The format is recognised, but linkstream does not read it: a compression other than gzip, xz, zstd \
                  and bzip2, an archive in an archive, or a format of another program such as FNAL, MDP or HDF5. `check` \
                  of a directory only lists files of other programs.",
        causes: "A compressed or packed file that was passed as it is, or data for another program.",
        remedy: "Decompress it into a pipe: `lz4cat FILE | linkstream check -`. Other formats are converted by \
                 the programs that write them.",
    },
    Text {
        rule: "compression-damaged",
        meaning: "A compressed file ends too early, does not begin as its name says, or its content does not have the \
                  sum or the length that the compression states. Everything that the content shows is reported, too, as far as it goes.",
        causes: "A failed transfer, a damaged disk, or a job that ended while it compressed.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "archive-damaged",
        meaning: "A tar archive has a header with a wrong sum or a malformed extended header, ends within a file or \
                  without its end, or continues after its end: files may be missing. Those before the damage are \
                  reported on.",
        causes: "A failed transfer, a damaged disk, or a job that ended while it packed.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "bqcd-cksum",
        meaning: "The data do not have the checksum that BQCD stored after them in the record bqcd-cksum: the sum \
                  of the command `cksum` (POSIX) over the data record, in decimal. The data or the record are \
                  damaged.",
        causes: "A failed transfer, or a damaged disk.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "state-checksum",
        meaning: "A random-number state of Grid does not have the sum of words that its header states: the state or \
                  the header is damaged.",
        causes: "A failed transfer, or a damaged disk.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "nersc-other-group",
        meaning: "A NERSC archive does not have the length that its header implies, but exactly the length for \
                  links of another SU(N), or with another number of rows. They are not read as such: the header \
                  may be wrong in other respects, too.",
        causes: "Old versions of Grid wrote DATATYPE = 4D_SU3_GAUGE_3x3 for any number of colors.",
        remedy: "If you know the group, correct the line DATATYPE in a copy, for example \
                 `LC_ALL=C sed '1,20s/SU3_GAUGE_3x3/SU2_GAUGE_2x2/' FILE > COPY`, and check the copy: its CHECKSUM \
                 and PLAQUETTE show whether the correction is right.",
    },
    Text {
        rule: "openqcd-length",
        meaning: "The header of an openQCD configuration states another lattice than the file has links for. It is \
                  only found in a pipe: in a file, the format is recognised by its length.",
        causes: "A job that was killed, a failed transfer, or a full disk.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "field-may-be-links",
        meaning: "The documents give a type of data that linkstream does not know, but each site has one item for \
                  each direction, of the size of a matrix of the group. linkstream does not take such data for \
                  links by itself, and does not measure them.",
        causes: "A program that names its own type, such as numpy.ndarray.",
        remedy: "If they are links, `linkstream convert FILE OUT --kind su3gauge` writes documents that say so, and \
                 `linkstream export FILE OUT --kind su3gauge` gives the array the axes of links.",
    },
    Text {
        rule: "file-named-like-data",
        meaning: "`check DIR` skips files of no known format, but the name of this one differs from the name of \
                  data in the same directory only in a number, or not at all. It may have lost its beginning.",
        causes: "A job that was killed while it wrote the file, a failed transfer, or a full disk.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "file-long-as-data",
        meaning: "`check DIR` skips files of no known format, but this one has exactly the length of data in the \
                  same directory. It may have lost its beginning.",
        causes: "A job that was killed while it wrote the file, or damage of the first bytes.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "file-begins-like-data",
        meaning: "The file begins like an openQCD configuration, and there are whole ones beside it, but \
                  the length does not agree with the lattice. It was cut off, or something was added.",
        causes: "A job that was killed, a failed transfer, or a full disk.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "file-begins-with-zeros",
        meaning: "The file begins with zeros only. Programs that write the beginning last leave such a file if \
                  they are killed, and file systems can after a power cut.",
        causes: "A job that was killed while it wrote the file, or a power cut.",
        remedy: COPY_AGAIN,
    },
    Text {
        rule: "files-alike",
        meaning: "There are at least two files of the same length and of no known format, whose names differ only \
                  in a number, as in an ensemble. They may be data that lost their beginning.",
        causes: "Files of a format that linkstream does not know; or damage that hit all of them.",
        remedy: "Look at the bytes (`xxd FILE | head`). If the files are not lattice data, check the others by name.",
    },
    Text {
        rule: "entries-left-out",
        meaning: "The file has more records, fields or sections than a report lists: 100,000 records or sections, \
                  10,000 fields. All of them were read, and the verdict is about all of them. The first volume of a \
                  file set has more than 1,000,000 records; the rest of it was not read.",
        causes: "A program that writes very many small records, or a file that was made to fill memory.",
        remedy: "`linkstream check --json=records FILE` prints all of them, one on each line.",
    },
    Text {
        rule: "findings-left-out",
        meaning: "The file has more findings than are listed. This finding has the highest severity of the \
                  findings left out.",
        causes: "One mistake that is repeated in each record, usually.",
        remedy: "Repair the first findings and check again.",
    },
    Text {
        rule: "checksum-sums-lost",
        meaning: "The checksum record has no sums, although neither sum of the data is zero. QIO leaves the \
                  sums out only if one of them is zero, so they were removed or lost.",
        causes: "Damage or editing of the checksum record, or a program that writes an empty one.",
        remedy: "Take another copy. `linkstream convert --damaged FILE OUT` keeps the data, without a checksum.",
    },
    Text {
        rule: "volume-file-repeated",
        meaning: "The same file is given as two volumes, for example by a link.",
        causes: "A link in place of a missing volume, or the same directory twice in the table of --from.",
        remedy: "Remove the link or correct the table, and fetch the volume that is missing.",
    },
    Text {
        rule: "volume-order",
        meaning: "Volumes are usually numbered in the order of their sites. Here a volume with a higher number \
                  has earlier sites. The data are placed by their site lists, so nothing is lost.",
        causes: "Volumes that were renamed or swapped, or a program that numbers its nodes differently.",
        remedy: "Nothing to do if all other checks pass. QIO reads the set only on the layout that wrote it.",
    },
    Text {
        rule: "damage-noted",
        meaning: "According to a note in the file, it was copied from damaged data. A checksum in this file \
                  proves only that the copy is intact, so the file is wrong whatever its checksum says.",
        causes: "linkstream writes the note when a conversion was forced with --damaged.",
        remedy: "Use the original data from another copy. Do not publish this file.",
    },
    Text {
        rule: "record-pickle",
        meaning: "The record is a Python pickle, which can run any program when it is opened. linkstream does \
                  not open it.",
        causes: "lyncs_io stores its metadata in this form.",
        remedy: "Open the file with lyncs_io only if you trust its author. linkstream reads the data without \
                 the pickle.",
    },
    Text {
        rule: "links-not-finite",
        meaning: "A gauge field contains infinite numbers, NaN, or numbers too large to be squared. A checksum that is \
                  OK shows only that a program wrote them so.",
        causes: "Damage; the wrong byte order; or a run that diverged.",
        remedy: "Take another copy. Raw data in the other byte order are read by `linkstream ildg make OUT \
                 --data DATA --little-endian`.",
    },
    Text {
        rule: "links-not-unitary",
        meaning: "Links of a gauge field are unitary up to rounding, and links of SU(N) have the determinant 1; these \
                  do not. Small deviations are a warning, larger ones an error, unless a SciDAC checksum proves that \
                  the links were written so; beyond 1000 they are an error in any case.",
        causes: "Damage; the wrong precision or byte order in a description; smeared, fat or long links, which \
                 are not unitary by nature (name them so in a text of the file); links times a phase, which are in \
                 U(N); or a long run in single precision without reunitarisation. MILC refuses deviations above \
                 1e-4.",
        remedy: "Compare with another copy. For smeared links, say so in the user's text and keep a SciDAC \
                 checksum.",
    },
    Text {
        rule: "recorded-plaquette-differs",
        meaning: "A text in the file, or the header, records a plaquette that differs from the plaquette of \
                  the links. A difference beyond 1e-6 is an error.",
        causes: "Damage that the checksum of the format does not see; a header or text copied from another \
                 configuration; or a value with another normalisation.",
        remedy: "Compare the other recorded values and another copy of the file. Grid refuses files whose \
                 plaquette differs by more than 1e-5.",
    },
    Text {
        rule: "recorded-link-trace-differs",
        meaning: "A text in the file, or the header, records a mean link trace that differs from the \
                  computed one. A difference beyond 1e-6 is an error.",
        causes: "A gauge transformation or a boundary condition applied after the value was computed, a text \
                 copied from another configuration, or damage. A file written by GPT after it read a 32-bit \
                 ILDG file: it exchanges real and imaginary parts, which changes the link trace but not the \
                 plaquette.",
        remedy: "Compare the plaquette. If it agrees, the field may have been transformed; otherwise take \
                 another copy.",
    },
    Text {
        rule: "recorded-norm-differs",
        meaning: "Grid records the sum of the squares of all numbers (FieldNormMetaData), and the sum of the \
                  data differs. Grid refuses the file.",
        causes: "Damage, or a text copied from another file.",
        remedy: "Take another copy.",
    },
    Text {
        rule: "recorded-checksum-differs",
        meaning: "A checksum in a text of the file (NERSC checksum in MILC's parameters, SciDAC checksum in \
                  Grid's header) differs from the checksum of the data.",
        causes: "The text was kept when the field was converted to another precision or changed, or damage.",
        remedy: "If a SciDAC checksum is OK, the text is out of date and nothing needs to be done. Otherwise \
                 take another copy.",
    },
];
