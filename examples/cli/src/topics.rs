//! Texts of `check --help` that are also topics of `linkstream help`.

/// The topics: name, purpose, and texts.
pub const TOPICS: [(&str, &str, &[&str]); 6] = [
    ("verdicts", "ok, unverified, wrong, unreadable; errors and warnings", &[VERDICTS, VERIFIED, SEVERITIES]),
    ("links", "what is computed from links and compared with the texts of a file", &[LINKS]),
    ("directories", "files that are skipped, and file sets", &[DIRECTORIES, FILE_SETS]),
    ("manifests", "what changed in a store: `check --manifest`", &[MANIFESTS]),
    ("memory", "memory that the program needs", &[MEMORY]),
    ("programs", "other programs: `check --for` and `convert --for`", &[PROGRAMS]),
];

pub const VERDICTS: &str = "\
Verdicts (words of the JSON; --quiet prints them in capitals):
  ok          no errors; stored checksums verify all data
  unverified  no errors; data have no stored checksum, or there are no data
  wrong       there are errors: damage, or a broken rule
  unreadable  the file could not be opened or read";

pub const VERIFIED: &str = "\
Verified data:
Texts do not count as data: no format has checksums for them. INEBIN and openQCD
have no checksums: such files are at best unverified. In scda files, only
compressed sections have a checksum: a file is ok if all its sections are
compressed. A SciDAC checksum is compared with the data of its message, or else
with the nearest data that have none, before or after it (CL2QCD, SIMULATeQCD,
GLU). Records of other types that are no text are named: no checksum covers
them.";

pub const SEVERITIES: &str = "\
Errors and warnings:
If data are certainly not what was written, that is an error, whatever shows it.
A broken rule that leaves the data certain is an error too, except with
--lenient. Data that were never verified are never ok.
`linkstream explain RULE` explains a finding; RULE is the name in brackets.
  finding                                           severity  exit status
  the file ends too early                           error     1
  a description of a lattice, but no data           error     1
  checksum mismatch                                 error     1
  data without description, or of another length    error     1
  documents that disagree about the numbers         error     1
  a note by linkstream that the data were damaged   error     1
  numbers of links not finite, or beyond 1000       error     1
  links not unitary                                 error     1
    the same, if a SciDAC checksum is OK            warning   0
  recorded observables that differ                  error     1
  recorded checksums that differ                    error     1
    the same, if a SciDAC checksum is OK            warning   0
  a broken rule that leaves the data certain        error     1
    the same with --lenient                         warning   0
  remarks                                           warning   0
  data without a checksum                           none      0
    the same with --require-checksum                none      1
Remarks are about Python pickles, a missing logical file name, colors that
differ from the datatype, and user texts that begin like XML but have tags,
comments or an encoding that XML does not allow. Other texts are not checked.
If a checksum is OK, but links are not unitary or recorded checksums differ, the
names of these rules follow the verdict.

Commands that write another file refuse more than this: `export --help` lists
it.";

pub const LINKS: &str = "\
Links and observables:
Links of a gauge field must be unitary, and those of SU(N) must have the
determinant 1. The deviation is the largest absolute value of an element of
U U+ - 1, or of det U - 1. Rounding explains up to 1000 epsilon: 1.2e-4 in
single precision, 2.2e-13 in double precision. In double precision, more than
2.2e-13 is a warning. In both, more than 1.2e-4 is an error, because no
precision explains it (MILC refuses more than 1e-4). Numbers that are not
finite, and zeros inside the lattice, are errors too.

If a SciDAC checksum is OK, a program wrote the links so, and deviations up to
1000 are a warning; so are zeros, but only with --lenient. Numbers that are not
finite, and larger deviations, are always errors. The sums of NERSC and MILC
files prove nothing here: they do not depend on the order of the data.

In three cases, a deviation of up to 1000 is only a warning:
  - A text of a LIME file names smeared, fat or long links (such as `Fat links`
    of MILC). If a SciDAC checksum is OK as well, the links are not checked.
  - No document of a LIME file says that its matrices are a gauge field (an
    ildg-format, or the words gauge or plaq).
  - No link in a LIME file is unitary, or none has the determinant 1. This does
    not apply if the only document is an ildg-format for SU(3).

Texts can record plaquette, link trace and checksums (usqcdInfo of MILC and
Grid, headers of NERSC archives, xlf-info of tmLQCD, grid-format) or the squared
norm of a gauge field (FieldNormMetaData of Grid). A recorded value may differ
from that of the data by one unit of its last digit, plus the rounding of the
stored links: 1e-6 in single precision, 1e-12 in double precision. These are
absolute differences; for the norm they are relative. In double precision, a
larger difference of up to 1e-6 is a warning. More is an error, for a NERSC
header and for the texts of a LIME file alike.

The Polyakov loop is tr L / N, averaged over the sites of space, where L is the
product of all links in the direction of time.

--no-observables computes none of these numbers.";

pub const DIRECTORIES: &str = "\
Directories:
In a directory, files of other formats, as recognised by their first bytes, are
skipped and counted; -v lists them with the reason. Files that may be damaged or
compressed data are not skipped but fail. Such a file
  - is empty and not hidden, or begins with zeros; or
  - is called *.lime, *.ildg, *.scidac, *.scda, *.inebin or *.nersc; or
  - is named like a recognised file, except for numbers; or
  - is exactly as long, 1 KiB or more, as a recognised file in the same
    directory, or as another unrecognised binary file whose name differs only in
    a number; or
  - is compressed with lz4 or zip, and contains such a file or is named like
    one.
Fields in formats of other programs, such as FNAL, MDP, HiRep and Qlattice, are
listed as RECOGNISED, with the program that reads them, and do not fail; so are
files such as HDF5 that are named like a recognised file. Named by themselves,
or with --all, they fail.
Random-number states of Grid and CPS beside configurations are listed as STATE
and not counted otherwise. They are verified if their header has a checksum;
states without a header are skipped.
Files compressed with gzip, xz, zstd or bzip2, and the files of tar archives,
compressed or not, are read as they are, without a copy on the disk:
`old.tar.gz!lat.0360: OK`; also by the other commands, which read such a name,
and which copy the content to a temporary file (--spool-limit). A compression or
an archive that is cut or damaged is an error in any case. A volume of a file
set in an archive is checked by itself; an archive in an archive, and a sparse
file in one, are named as not read.
--all skips no file. Symbolic links to directories are not followed.";

pub const FILE_SETS: &str = "\
File sets:
A QIO file set is checked as one file: give the name of the set (NAME), one of
its volumes (NAME.vol0000, vol0000/NAME), or a directory. --volume checks each
volume by itself, without the checksum of the set. If the volumes are in the
directories of many nodes, --from finds them by the table that was used to write
them (`convert --layout TABLE`). All volumes are open at the same time.";

pub const MANIFESTS: &str = "\
Manifests:
--manifest compares a store with the manifest that `linkstream manifest` wrote.
One line per file tells what has happened, and a line at the end counts it:
  NEW, GONE      the file was not there before, or is no longer
  MODIFIED       the content differs: texts, data or both
  MOVED, COPIED  the content is that of another name of the manifest
  DAMAGED        the verdict became worse, or the content changed although size
                 and time of modification did not
  STILL DAMAGED  it was damaged in the manifest already
  REPAIRED       it was damaged in the manifest
The exit status is 0 if nothing has changed, 3 if something has, 1 if a file is
damaged or gone or a new one is wrong, and 2 if a file is unreadable.
Files whose size and times are those of the manifest are not read, unless it is
their turn by --scrub; the summary counts them. The next manifest keeps the time
when each file was really read. With --exclude and --min-age, nothing is said
about the files that are left out. Names of the manifest are never opened.";

pub const PROGRAMS: &str = "\
Other programs:
--for predicts whether a program accepts a gauge configuration in a LIME, NERSC
or MILC file, refuses it, or misreads it: then the program continues with wrong
numbers. The rules are derived from the source of each program; no program is
run. Each rule is shown with its place in the source and its basis: read in the
source, inferred from it, or observed when the program ran. If a program is
named that cannot read a file, the file fails; `--for all` does not change the
exit status.";

pub const MEMORY: &str = "\
Memory:
Memory use depends neither on the length of a file nor on the number of its
records. About 1 MiB per thread is needed, up to 60 MiB for the lists of a
report, 16 MiB for a pipe, and 3.25 time slices of a gauge field in double
precision unless --no-observables is given: 491 MB for SU(3) and 64x64x64 sites
in a slice. Compressed scda sections need up to 32 MiB per thread and 8 bytes
per element (at most 32 MiB). A file set needs 4 more bytes per site for the
observables (8 if there are more than 2^32 sites), and 1 bit per site for
verification.";

pub const JSON: &str = "\
JSON:
A report lists at most 100,000 records or sections, 10,000 fields and 1,000
findings; text lists fewer. All of them are checked, and those that are not
listed are counted (`records_left_out`). `--json=records` prints all records,
fields and findings of LIME files and all sections and findings of scda files.
The objects follow examples/report/schema.json in the source; their entry
`schema` is the version. `text` contains up to 65,536 bytes of the text of a
record, and up to 4 MiB of all texts of a file; `text_cut` marks longer texts.
Names that are not UTF-8 are also given in hexadecimal (`file_hex`,
`type_hex`).";

/// The text after the options of `check`.
pub fn of_check(before: &str) -> String {
    let texts = [
        VERDICTS,
        before,
        MANIFESTS,
        VERIFIED,
        SEVERITIES,
        LINKS,
        DIRECTORIES,
        FILE_SETS,
        PROGRAMS,
        MEMORY,
        JSON,
    ];
    texts.join("\n\n")
}
