/**
 * The report on a file: what `linkstream check --json` prints, described by `examples/report/schema.json`. Which entries
 * exist depends on the format. Integers beyond 2^53 are strings.
 */
export interface Report {
  file: string;
  format: 'lime' | 'inebin' | 'scda' | 'nersc' | 'milc' | 'unknown';
  bytes: number;
  /** `ok`: all data are verified by checksums; `unverified`: no errors, but not all data have one; `wrong`: errors. */
  verdict: 'ok' | 'unverified' | 'wrong';
  findings: Finding[];
  ok: boolean;
  /** LIME files. */
  records?: RecordEntry[];
  /** LIME files: the data. */
  fields?: FieldEntry[];
  /** LIME files: whether the file is one of, or a set of, QIO volumes. */
  volume_format?: string;
  /** scda files. */
  sections?: SectionEntry[];
  /** INEBIN files: `B`, `I`, `R` or `C`. */
  type?: string | null;
  /** Of an INEBIN matrix; in NERSC archives and MILC files, the rows of a link that are stored. */
  rows?: number | null;
  columns?: number | null;
  /** NERSC archives and MILC files: extents, x first; null if the header cannot be read, as are the next ones. */
  dims?: number[] | null;
  precision?: 32 | 64 | null;
  byte_order?: 'big' | 'little' | null;
  site_list?: boolean | null;
  /** Of the first link. */
  data_offset?: number | null;
  /** Keys and values. */
  header?: [string, string][];
  checksums?: { name: string; stored: string | null; computed: string | null }[];
  checksum?: 'match' | 'mismatch' | 'absent' | null;
  [entry: string]: unknown;
}

export interface Finding {
  severity: 'error' | 'warning';
  class: string;
  rule: string;
  /** Document and section of the rule. */
  clause: string | null;
  offset: number;
  message: string;
}

export interface RecordEntry {
  offset: number;
  message: number;
  record: number;
  type: string;
  length: number;
  mb: boolean;
  me: boolean;
  text: string | null;
  text_cut?: boolean;
}

export interface FieldEntry {
  /** Of the header of the record with the data; in NERSC archives and MILC files, of the first link. */
  offset: number;
  kind: string;
  source: string;
  dims: number[];
  datatype?: string;
  precision: 32 | 64 | null;
  bytes_per_site: number;
  sites: number;
  links?: { per_site: number; rows: number; columns: number; numbers: 'complex' | 'real' };
  checksum?: 'match' | 'mismatch' | 'absent' | null;
  plaquette?: number | null;
  [entry: string]: unknown;
}

export interface SectionEntry {
  offset: number;
  type: 'F' | 'I' | 'B' | 'A' | 'V';
  user: string;
  n?: number;
  e?: number;
  bytes: number | null;
  convention?: 'header' | 'data';
  /** Of compressed sections: what they were before. */
  uncompressed_type?: 'B' | 'A' | 'V';
  uncompressed_bytes?: number | null;
  [entry: string]: unknown;
}

export interface MatrixEntry {
  type: string;
  rows: number;
  columns: number;
}
