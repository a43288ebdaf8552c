/** The report on a file, and its parts. `examples/report/schema.json` describes the same entries. */

/** A number of any size: integers beyond 2^53 are strings of decimal digits. */
export type Count = number | string;

/**
 * The report on a file: the object that `linkstream check --json` prints. Entries that a format does not have are
 * absent. Sizes and offsets are in bytes.
 */
export interface Report {
  /** Version of the entries. It increases when an entry is moved, renamed or removed, or changes its meaning. */
  schema: number;
  /** Name of the file; of a file set, the name without the number of a volume; `file` if the source has no name. */
  file: string;
  format: 'lime' | 'inebin' | 'scda' | 'nersc' | 'milc' | 'unknown';
  /** Size of the file; of a stream, the number of bytes read. */
  bytes: number;
  /**
   * `ok`: no errors, and all data are verified by checksums stored in the file; `unverified`: no errors, but data have
   * no stored checksum, or there are no data; `wrong`: there are errors. If the program has the verdict `unreadable`,
   * the promise is rejected instead.
   */
  verdict: 'ok' | 'unverified' | 'wrong';
  /** Reasons why data are not verified; empty if all data are, or if they contradict their checksum. */
  unverified: Unverified[];
  /** Null: the file was read. If the program has an error, the promise is rejected instead. */
  error: null;
  findings: Finding[];
  /**
   * Broken rules that show that the numbers of a field cannot be right although a stored checksum verifies them. Absent
   * if there are none. `findings` has these rules as warnings.
   */
  doubts?: string[];
  /**
   * True if there are no errors and, with the option `requireChecksum`, the verdict is `ok`. Without the option,
   * unverified files pass as well.
   */
  ok: boolean;
  /** Records of a LIME file, or of the first volume of a file set. */
  records?: RecordEntry[];
  /**
   * Fields of a LIME file, or the gauge field of a NERSC archive or MILC file; empty if the header cannot be read, and for
   * other formats.
   */
  fields: FieldEntry[];
  /** QIO's layout of a LIME file on volumes; null if the first volume, which states it, is missing. */
  volume_format?: 'single' | 'partition' | 'partition-directory' | 'multifile' | null;
  /**
   * Volumes of a QIO file set, in the order of their numbers. `records`, `fields`, and the offsets of findings whose
   * messages do not begin with the name of a volume, are of the first volume.
   */
  volumes?: VolumeEntry[];
  /** Sections of an scda file. */
  sections?: SectionEntry[];
  /**
   * Type of the matrix of an INEBIN file: `B` booleans, `Z` integers, `R` real numbers, `C` complex numbers. This and
   * the next four entries are null if the header cannot be read.
   */
  type?: 'B' | 'Z' | 'R' | 'C' | null;
  /** Rows of the matrix. */
  rows?: number | null;
  /** Columns of the matrix. */
  columns?: number | null;
  /** Entries of the matrix. */
  entries?: Count | null;
  /** Size of the entries of the matrix. */
  data_bytes?: Count | null;
  /** Keys and values of the header of a NERSC archive or MILC file. */
  header?: [string, string][];
  /** Other entries are described in the schema. */
  [entry: string]: unknown;
}

/** A reason why data are not verified. */
export interface Unverified {
  /** Name of the reason. */
  reason:
    | 'no-data' | 'not-read' | 'no-checksum' | 'empty-checksum' | 'half-checksum' | 'site-list'
    | 'format-without-checksum' | 'not-compressed';
  /** The reason in words. The wording may change with any version. */
  message: string;
  /** Number of fields or sections; 1 for a matrix, 0 if there are no data. */
  parts: number;
  /** Index of the first of them; null if the reason is about the whole file. */
  first: number | null;
}

/** One volume of a QIO file set. */
export interface VolumeEntry {
  /** Name of the file. */
  file: string;
  /** Number of the volume in the name of the file; null if there is none. */
  number: number | null;
  /** Number of sites in the site list of the volume. */
  sites: number;
  /** Findings in this volume. Their offsets are positions in its file. */
  findings: Finding[];
}

/** A broken rule, reported at an offset. */
export interface Finding {
  /** Errors make the verdict `wrong`; warnings do not. */
  severity: 'error' | 'warning';
  /** Class of the rule, common to all formats. */
  class:
    | 'magic' | 'version' | 'format' | 'truncated' | 'trailing' | 'limit' | 'type' | 'flags' | 'padding' | 'decode'
    | 'checksum' | 'rule' | 'unsupported';
  /** Stable name of the rule, such as `lime-payload-truncated`. `linkstream explain RULE` explains it. */
  rule: string;
  /** Document and section of the rule; null if no document has it. */
  clause: string | null;
  /** Position in the file. */
  offset: number;
  /** Explanation in words. The wording may change with any version. */
  message: string;
}

/** A record of a LIME file. */
export interface RecordEntry {
  /** Position of the header of the record. The header has 144 bytes; the payload follows it. */
  offset: number;
  /** Number of the message that contains the record, counted from 1. */
  message: number;
  /** Number of the record within the message, counted from 1. */
  record: number;
  /** Type in the header, such as `ildg-binary-data`. */
  type: string;
  /** Size of the payload, without padding. */
  length: number;
  /** Flag in the header: the record is the first of a message. */
  mb: boolean;
  /** Flag in the header: the record is the last of a message. */
  me: boolean;
  /** Payload up to its first NUL if it is text; null if it is data, or was not read. */
  text: string | null;
  /** True if the payload has more text than `text`, which is at most 64 KiB long; absent otherwise. */
  text_cut?: boolean;
}

/** A field: numbers at the sites of a lattice, or global data. */
export interface FieldEntry {
  /** Position of the header of the data record; in NERSC archives and MILC files, of the first link. */
  offset: number;
  /** Region of the data: `field` for all sites, `hypercube` for some of them, `global` for data without sites. */
  kind: 'field' | 'hypercube' | 'global';
  /** Document or header that describes the data. */
  source: 'scidac' | 'ildg' | 'nersc' | 'milc';
  /** Extents of the lattice, x first. */
  dims: number[];
  /** Coordinates of the first site of a hypercube, x first; absent for other fields. */
  lower?: number[];
  /** Coordinates of the last site of a hypercube, x first; absent for other fields. */
  upper?: number[];
  /** Datatype in the SciDAC document, such as `QDP_F3_ColorMatrix`, the field in ildg-format, or a NERSC DATATYPE. */
  datatype?: string;
  /** Precision in bits; null if the data are not floating-point numbers. */
  precision: 32 | 64 | null;
  /** Size of a site in the file. In `OpenFile.fields`, the size as read. */
  bytes_per_site: number;
  /** Number of sites of the data; 1 for global data. */
  sites: number;
  /**
   * Links of a gauge field: their number at each site, and rows and columns of each matrix in the file. In
   * `OpenFile.fields`, the rows as read. Absent for other fields.
   */
  links?: { per_site: number; rows: number; columns: number; numbers: 'complex' | 'real' };
  /** The numbers as an array, as `readField` returns them and the program exports them. */
  array: ArrayEntry;
  /** NERSC archives and MILC files: byte order of the data; null if neither the header nor the data show it. */
  byte_order?: 'big' | 'little' | null;
  /** MILC files: true if the file lists the order of its sites. False for NERSC archives. */
  site_list?: boolean;
  /**
   * NERSC archives and MILC files: the checksums of the format, in hexadecimal. `stored` is null if the file has none,
   * `computed` if the data were not read.
   */
  checksums?: { name: 'word_sum' | 'sum29' | 'sum31'; stored: string | null; computed: string | null }[];
  /**
   * State of the checksum. `match`: checksum OK; `mismatch`: checksum mismatch; `absent`: no checksum stored; null: not
   * verified, since the data were not read to their end, as by `open`.
   */
  checksum?: 'match' | 'mismatch' | 'absent' | null;
  /**
   * Gauge fields: Re tr U / N of plaquettes, averaged over sites and planes. This and the following observables are
   * absent if they were not measured, and null if they are not finite or no links contribute.
   */
  plaquette?: number | null;
  /** Average plaquette of the planes without the last direction, which is time. */
  spatial_plaquette?: number | null;
  /** Average plaquette of the planes with the last direction. */
  temporal_plaquette?: number | null;
  /** Average plaquette of each plane. Directions are counted from 0. */
  planes?: { directions: [number, number]; plaquette: number | null }[];
  /** Re tr U / N of links, averaged over sites and directions. */
  link_trace?: number | null;
  /** Average link trace of each direction that has links. Directions are counted from 0. */
  directions?: { direction: number; link_trace: number | null }[];
  /** Largest modulus of an element of U U† - 1. */
  max_unitarity_deviation?: number | null;
  /** Absent unless the kind is SU(N) or SO(N). */
  max_determinant_deviation?: number | null;
  /** Observables of each time slice; only with the option `slices`. */
  slices?: SliceEntry[];
  /** Other entries are described in the schema. */
  [entry: string]: unknown;
}

/** Shape of a field as an array. */
export interface ArrayEntry {
  /** Type of the numbers; `u8` if the data are not known to be numbers. */
  type: 'f32' | 'f64' | 'i32' | 'u8';
  /** Extent of each axis. The last axis changes fastest. */
  shape: number[];
  /**
   * Name of each axis. The axes of the lattice come first, slowest first: `t`, `z`, `y`, `x`. Global data have none of
   * them. The axes of a site follow, such as `mu`, `row` and `column` for links, or `spin` and `color`. A last axis
   * `re/im` has the real and imaginary part.
   */
  axes: string[];
}

/** Observables of one time slice. A plaquette belongs to the slice of its first site. Null: not finite. */
export interface SliceEntry {
  /** Number of the time slice, counted from 0. */
  time: number;
  plaquette: number | null;
  spatial_plaquette: number | null;
  temporal_plaquette: number | null;
  link_trace: number | null;
}

/** A section of an scda file. */
export interface SectionEntry {
  /** Position of the section. */
  offset: Count;
  /** `F` file header, `I` inline, `B` block, `A` array, `V` array whose elements have different sizes. */
  type: 'F' | 'I' | 'B' | 'A' | 'V';
  /** User string. */
  user: string;
  /** Number of elements of an array; absent for other sections. */
  n?: Count;
  /** Size of a block, or of an element of an array of type `A`; absent for other sections. */
  e?: Count;
  /** Size of the data in the file; null if not all sizes of elements could be read. */
  bytes: Count | null;
  /**
   * Place in a compressed section, which is two sections in the file: `header` has the sizes, `data` the data. Absent
   * for other sections. The following entries exist for `data` only.
   */
  convention?: 'header' | 'data';
  /** Type of the section before compression. */
  uncompressed_type?: 'B' | 'A' | 'V';
  /** Size of the data before compression; null if it exceeds the range of integers. */
  uncompressed_bytes?: Count | null;
  /** True if all data were decompressed and their checksums are OK. */
  verified?: boolean;
  /** Other entries are described in the schema. */
  [entry: string]: unknown;
}

/** The matrix of an INEBIN file. */
export interface MatrixEntry {
  /** `B` booleans, `Z` integers, `R` real numbers, `C` complex numbers. */
  type: 'B' | 'Z' | 'R' | 'C';
  rows: number;
  columns: number;
}
