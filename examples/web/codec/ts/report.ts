/**
 * The report on a file: what `linkstream check --json` prints, described by `examples/report/schema.json`. Which
 * entries exist depends on the format. Integers beyond 2^53 are strings.
 */
export interface Report {
  /** Version of the entries: it increases when one is moved, renamed or removed, or changes its meaning. */
  schema: number;
  file: string;
  format: 'lime' | 'inebin' | 'scda' | 'nersc' | 'milc' | 'unknown';
  bytes: number;
  /** `ok`: all data are verified by checksums; `unverified`: no errors, but not all data have one; `wrong`: errors. */
  verdict: 'ok' | 'unverified' | 'wrong';
  findings: Finding[];
  /**
   * Rules by which numbers of a field cannot be right although a checksum shows that they were written so; absent if
   * there are none. The findings have them as warnings.
   */
  doubts?: string[];
  ok: boolean;
  /** LIME files. */
  records?: RecordEntry[];
  /** LIME files: the data. NERSC archives and MILC files: the gauge field; none if the header cannot be read. */
  fields?: FieldEntry[];
  /** LIME files: whether the file is one of, or a set of, QIO volumes. */
  volume_format?: string;
  /**
   * Sets of QIO volumes. Records, fields and offsets of findings without the name of a volume are those of the first.
   */
  volumes?: VolumeEntry[];
  /** scda files. */
  sections?: SectionEntry[];
  /** INEBIN files: `B`, `I`, `R` or `C`. */
  type?: string | null;
  rows?: number | null;
  columns?: number | null;
  /** NERSC archives and MILC files: keys and values. */
  header?: [string, string][];
  [entry: string]: unknown;
}

/** One volume of a set. */
export interface VolumeEntry {
  file: string;
  /** That of the node that wrote it. */
  number: number;
  /** Sites in the volume; null if it could not be read. */
  sites: number | null;
  /** What is wrong with this volume; the offsets are in it. */
  findings: Finding[];
}

/** Something that is wrong, or a remark. */
export interface Finding {
  /** Errors make the verdict `wrong`. */
  severity: 'error' | 'warning';
  /**
   * What kind of rule is broken, for all formats: `truncated`, `checksum`, `magic`, `format`, `rule`, `limit` and
   * others.
   */
  class: string;
  /** The stable name of the rule, such as `lime-payload-truncated`. */
  rule: string;
  /** Document and section of the rule. */
  clause: string | null;
  /** Where in the file, in bytes. */
  offset: number;
  /** For people. */
  message: string;
}

/** A record of a LIME file. */
export interface RecordEntry {
  /** Of its header of 144 bytes, after which the payload begins. */
  offset: number;
  /** The message that it belongs to, counted from 1. */
  message: number;
  /** Its number within the message, counted from 1. */
  record: number;
  /** The type in the header, such as `ildg-binary-data`. */
  type: string;
  /** Bytes of the payload. */
  length: number;
  /** Whether it begins a message. */
  mb: boolean;
  /** Whether it ends a message. */
  me: boolean;
  /** The payload if it is text; null if it is data. */
  text: string | null;
  /** Whether the text is longer than what is here. */
  text_cut?: boolean;
}

/** A field: data at each site of a lattice, or global data. */
export interface FieldEntry {
  /** Of the header of the record with the data; in NERSC archives and MILC files, of the first link. */
  offset: number;
  /** `field`: on all sites; `hypercube`: on some; `global`: not on sites. */
  kind: string;
  /** What describes the data: `scidac`, `ildg`, `nersc` or `milc`. */
  source: string;
  /** Extents of the lattice, x first. */
  dims: number[];
  /** Of a hypercube: its first and last site. */
  lower?: number[];
  upper?: number[];
  /** As SciDAC documents name it, such as `QDP_F3_ColorMatrix`, or the header of a NERSC archive. */
  datatype?: string;
  /** Bits of a number; null if the data are not floating-point numbers. */
  precision: 32 | 64 | null;
  /** Bytes of a site, as stored. */
  bytes_per_site: number;
  sites: number;
  /** Of gauge fields: the links of a site, and the matrix that each is, with the rows that are stored. */
  links?: { per_site: number; rows: number; columns: number; numbers: 'complex' | 'real' };
  /** The numbers as `readField` returns them and the program exports them. */
  array: ArrayEntry;
  /** NERSC archives and MILC files: null if the header does not name it, and the data do not show it. */
  byte_order?: 'big' | 'little' | null;
  /** NERSC archives and MILC files: whether a list names the site of each of the data. */
  site_list?: boolean;
  /** NERSC archives and MILC files: the sums that the format has. */
  checksums?: { name: string; stored: string | null; computed: string | null }[];
  /** Whether the stored checksum is that of the data; null if they were not read, as by `open`. */
  checksum?: 'match' | 'mismatch' | 'absent' | null;
  /**
   * Of gauge fields: Re tr U / N of plaquettes, averaged over sites and planes. This and the next figures are null if
   * not finite.
   */
  plaquette?: number | null;
  /** The same for planes without the last direction, which is time. */
  spatial_plaquette?: number | null;
  /** The same for planes with it. */
  temporal_plaquette?: number | null;
  /** The same for each plane. Directions are counted from 0. */
  planes?: { directions: [number, number]; plaquette: number | null }[];
  /** Re tr U / N of links, averaged over sites and directions. */
  link_trace?: number | null;
  /** The same for each direction that has links. */
  directions?: { direction: number; link_trace: number | null }[];
  /** The largest element of |U U† - 1|. */
  max_unitarity_deviation?: number | null;
  /** With the option `slices`. */
  slices?: SliceEntry[];
  [entry: string]: unknown;
}

/** Numbers of a field as an array. */
export interface ArrayEntry {
  /** Type of a number; `u8` if the data are not known to be numbers. */
  type: 'f32' | 'f64' | 'i32' | 'u8';
  /** Extent of each axis; the last one changes fastest. */
  shape: number[];
  /**
   * Name of each axis: `t`, `z`, `y`, `x` first (none of global data); then what a site holds, such as `mu`, `row` and
   * `column` of links, or `spin` and `color`. A last axis `re/im` has real and imaginary part.
   */
  axes: string[];
}

/** The averages of one time slice; the plaquettes are those that begin in it. */
export interface SliceEntry {
  time: number;
  plaquette: number | null;
  spatial_plaquette: number | null;
  temporal_plaquette: number | null;
  link_trace: number | null;
}

/** A section of an scda file. */
export interface SectionEntry {
  offset: number;
  /** File header, inline, block, array, or array of elements of various sizes. */
  type: 'F' | 'I' | 'B' | 'A' | 'V';
  /** The user string. */
  user: string;
  /** Elements of an array. */
  n?: number;
  /** Bytes of an element, in arrays of type `A`. */
  e?: number;
  /** Bytes of the data as they are stored; null if they could not be read. */
  bytes: number | null;
  /** Of the two sections that a compressed one consists of: the first has the sizes, the second the data. */
  convention?: 'header' | 'data';
  /** Of compressed sections: what they were before. */
  uncompressed_type?: 'B' | 'A' | 'V';
  uncompressed_bytes?: number | null;
  /** Of compressed sections: whether the data could be decompressed, and their checksums are right. */
  verified?: boolean;
  [entry: string]: unknown;
}

/** The matrix of an INEBIN file. */
export interface MatrixEntry {
  /** `B`: booleans, `I`: integers, `R`: real numbers, `C`: complex numbers. */
  type: string;
  rows: number;
  columns: number;
}
