/** The report on a file. `examples/report/schema.json` describes the same entries. */

import type { Alternatives } from './alternatives.js';
import type { ChecksumEntry, FieldEntry } from './report-field.js';

export type * from './report-field.js';

/** A number of any size: integers beyond 2^53 are strings of decimal digits. */
export type Count = number | string;

/**
 * The report on a file: the object that `linkstream check --json` prints. Sizes and offsets are in bytes. `format` decides
 * which further entries there are: after `if (report.format === 'lime')`, the type is `LimeReport`. Without that, an entry
 * that only some formats have can be undefined, as in `report.records?.length`.
 */
export type Report = Alternatives<LimeReport | ScdaReport | InebinReport | NerscReport | MilcReport | OpenQcdReport | UnknownReport>;

/** Entries that all reports have. */
export interface CommonReport {
  /** Version of the entries. It increases when an entry is moved, renamed or removed, or changes its meaning. */
  schema: 3;
  /** Name of the file; of a file set, the name without the number of a volume; `file` if the source has no name. */
  file: string;
  /** Size of the file; of a stream, the number of bytes read. */
  bytes: number;
  /**
   * Compression and archive of the file, if the program found it in one, from the outside inwards. This package reads
   * files as they are.
   */
  packing?: ('gzip' | 'xz' | 'zstd' | 'bzip2' | 'tar')[];
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
   * True if there are no errors and, with the option `requireChecksum`, the verdict is `ok`. Without the option,
   * unverified files pass as well.
   */
  ok: boolean;
  /**
   * Fields of a LIME file, or the gauge field of a NERSC archive or MILC file. Empty if the header cannot be read, and
   * for other formats.
   */
  fields: FieldEntry[];
}

/** The report on a LIME file, also of ILDG and SciDAC (QIO), or on a QIO file set. */
export interface LimeReport extends CommonReport {
  format: 'lime';
  /** QIO's layout of the file on volumes; null if the first volume, which states it, is missing. */
  volume_format: 'single' | 'partition' | 'partition-directory' | 'multifile' | null;
  /**
   * Volumes of a QIO file set, in the order of their numbers. `records`, `fields`, and the offsets of findings whose
   * messages do not begin with the name of a volume, are of the first volume. Absent if the file is no volume.
   */
  volumes?: VolumeEntry[];
  /** The first 100,000 records in the order of the file. */
  records: RecordEntry[];
  /** Number of the other records, which are checked, but not listed. Absent if all are listed. */
  records_left_out?: number;
  /** Number of fields after the first 10,000, which are checked, but not listed. Absent if all are listed. */
  fields_left_out?: number;
  /**
   * Offsets of the records that no checksum covers although they are no text: neither fields nor documents. Absent if there
   * are none, or if the file was not read to its end.
   */
  uncovered?: number[];
  /** Contents in the USQCD format. Absent if the texts of the file do not follow it. */
  usqcd?: UsqcdContents;
  /**
   * Broken rules that show that the numbers of a field cannot be right although a stored checksum verifies them. Absent
   * if there are none. `findings` has these rules as warnings.
   */
  doubts?: string[];
}

/** The report on an scda file. */
export interface ScdaReport extends CommonReport {
  format: 'scda';
  /** The first 100,000 sections, beginning with the file header. */
  sections: SectionEntry[];
  /** Number of the other sections, which are checked, but not listed. Absent if all are listed. */
  sections_left_out?: number;
}

/** The report on an INEBIN matrix. */
export interface InebinReport extends CommonReport {
  format: 'inebin';
  /**
   * Type of the matrix: `B` booleans, `Z` integers, `R` real numbers, `C` complex numbers. This and the next four
   * entries are null if the header cannot be read.
   */
  type: 'B' | 'Z' | 'R' | 'C' | null;
  rows: number | null;
  columns: number | null;
  /** Number of entries. */
  entries: Count | null;
  /** Size of the entries. */
  data_bytes: Count | null;
  /** Type `B`: number of entries that are true. This and all following entries are null if the data were not read. */
  set_bits?: Count | null;
  /** Types `Z` and `R`: the smallest entry, the largest, and the mean; null if they are not finite. */
  min?: Count | null;
  max?: Count | null;
  mean?: number | null;
  /** Type `C`: range and mean of the real and of the imaginary parts. */
  re?: MatrixPart | null;
  im?: MatrixPart | null;
  /** Types `R` and `C`: number of entries that are NaN, and that are infinite. */
  nan_count?: Count | null;
  inf_count?: Count | null;
}

/** The report on a NERSC archive. */
export interface NerscReport extends ArchiveReport {
  format: 'nersc';
}

/** The report on a MILC file of version 5. */
export interface MilcReport extends ArchiveReport {
  format: 'milc';
}

/** The report on a configuration of openQCD. */
export interface OpenQcdReport extends ArchiveReport {
  format: 'openqcd';
}

/** Entries of all archive formats. `fields` has the gauge field. */
export interface ArchiveReport extends CommonReport {
  /** Keys and values of the header, at most 1000. */
  header: [string, string][];
  /** As in `LimeReport`. */
  doubts?: string[];
  /**
   * A random-number state of Grid or CPS, which has a header like an archive: the value of DATATYPE, the sum of its words,
   * and the result of comparing it (null if the words were not read). Absent in archives.
   */
  state?: { type: string; checksums: ChecksumEntry[]; checksum: 'match' | 'mismatch' | 'absent' | null };
}

/** The report on a file whose format is not recognised, or not read. A finding says what it is, if that is known. */
export interface UnknownReport extends CommonReport {
  format: 'unknown';
  /** Always empty. */
  records: RecordEntry[];
}

/** A reason why data are not verified. */
export interface Unverified {
  /** Name of the reason. */
  reason:
    | 'no-data' | 'one-volume' | 'not-read' | 'no-checksum' | 'empty-checksum' | 'half-checksum' | 'site-list'
    | 'format-without-checksum' | 'not-compressed';
  /** The reason in words. The wording may change with any version. */
  message: string;
  /** Number of fields or sections; 1 for a matrix, 0 if there are no data. */
  parts: number;
  /** Index of the first of them; null if the reason is about the whole file. */
  first: number | null;
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
  /** The bytes of the type in hexadecimal. Absent if the type is UTF-8. */
  type_hex?: string;
  /** Size of the payload, without padding. */
  length: number;
  /** Flag in the header: the record is the first of a message. */
  mb: boolean;
  /** Flag in the header: the record is the last of a message. */
  me: boolean;
  /** Payload up to its first NUL if it is text; null if it is data, or was not read. */
  text: string | null;
  /** True if the payload has more text than `text`, which is at most 64 KiB long; absent otherwise. */
  text_cut?: true;
}

/** Contents of a file in the USQCD format. */
export interface UsqcdContents {
  /** `lattice` for gauge fields with usqcdInfo, else the type of a propagator file; null if it is unknown. */
  format: 'lattice' | 'C1D12' | 'CD_PAIRS' | 'DD_PAIRS' | 'LHPC' | 'C1V3' | 'CV_PAIRS' | 'VV_PAIRS' | null;
  /** Version in the document of the file, or of the gauge field; empty if it is missing. */
  version: string;
  /** Fields that the documents describe, in the order of the file. */
  entries: UsqcdEntry[];
}

/** A field in the USQCD format. */
export interface UsqcdEntry {
  /** The same value as in `fields`. */
  offset: number;
  /** Part that the field has in a propagator; null for other fields. */
  role: 'source' | 'solution' | null;
  /** Spin and color of the source, counted from 0; null if the text of the record does not state them. */
  spin: number | null;
  color: number | null;
  /** Number of the time slice, counted from 0; null unless the data cover exactly one. */
  time: number | null;
  /** SciDAC datatype; null if it is unknown. */
  datatype: string | null;
}

/** A section of an scda file. */
export interface SectionEntry {
  /** Position of the section. A compressed one, which is two in the file, begins with the first of them. */
  offset: Count;
  /** Before compression: `F` file header, `I` inline, `B` block, `A` array, `V` array whose elements have different sizes. */
  type: 'F' | 'I' | 'B' | 'A' | 'V';
  /** User string. */
  user: string;
  /** Bytes of the user string in hexadecimal. */
  user_hex: string;
  /** Vendor string of the file header, which names the program that wrote the file. Absent in other sections. */
  vendor?: string;
  vendor_hex?: string;
  /** Number of elements of an array; absent for other sections. */
  n?: Count;
  /** Size of a block, or of an element of an array of type `A`, before compression; absent for other sections. */
  e?: Count;
  /** Size of the data before compression; null if not all sizes of elements could be read, or if it is too large. */
  bytes: Count | null;
  /** The data in the file. Absent if the section is not compressed. */
  compressed?: CompressedEntry;
}

/** The data of a compressed section in the file: texts, one for each element. */
export interface CompressedEntry {
  /** Their size; null if not all sizes could be read. */
  bytes: Count | null;
  /** True if all data were decompressed and their checksums are OK. */
  verified: boolean;
}

/** Range and mean of one part of complex numbers; null if they are not finite. */
export interface MatrixPart {
  min: number | null;
  max: number | null;
  mean: number | null;
}

/** The matrix of an INEBIN file. */
export interface MatrixEntry {
  /** `B` booleans, `Z` integers, `R` real numbers, `C` complex numbers. */
  type: 'B' | 'Z' | 'R' | 'C';
  rows: number;
  columns: number;
}
