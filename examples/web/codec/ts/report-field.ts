/** Fields in a report. */

import type { Alternatives } from './alternatives.js';

/** A field: numbers at the sites of a lattice, or global data. `source` decides which further entries there are. */
export type FieldEntry = Alternatives<LimeField | ArchiveField>;

/** Entries that all fields have. */
export interface CommonField {
  /** Position of the header of the data record; in NERSC archives, MILC and openQCD files, of the first link. */
  offset: number;
  /** Position of the first byte of the data. */
  data_offset?: number;
  /** Region of the data: `lattice` for all sites, `hypercube` for some of them, `global` for data without sites. */
  region: 'lattice' | 'hypercube' | 'global';
  /** Extents of the lattice, x first. */
  extents: number[];
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
  links?: LinksEntry;
  /** The numbers as an array, as `readField` returns them and the program exports them. */
  array: ArrayEntry;
  /** The checksums that the format has, stored and computed. */
  checksums: ChecksumEntry[];
  /**
   * State of the checksum. `match`: checksum OK; `mismatch`: checksum mismatch; `absent`: no checksum stored; null: not
   * verified, since the data were not read to their end, as by `open`.
   */
  checksum: 'match' | 'mismatch' | 'absent' | null;
  /** Kind of gauge field, such as `su3gauge`. Absent if no document names it and no observables were measured. */
  gauge_kind?: string;
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
  /**
   * tr L / N of the products L of all links in the direction of time, averaged over the sites of space: real and
   * imaginary part. Absent if no links are in this direction.
   */
  polyakov_loop?: [number, number] | null;
  /** Largest modulus of an element of U U† - 1. */
  max_unitarity_deviation?: number | null;
  /** Absent unless the kind is SU(N) or SO(N). */
  max_determinant_deviation?: number | null;
  /** Largest deviation from unitarity that rounding explains; null if unitarity is not checked, as of smeared links. */
  unitarity_threshold?: number | null;
  /** True if the numbers have 64 bits but were converted from single precision. */
  widened?: boolean;
  /** Observables of each time slice; only with the option `slices`. */
  slices?: SliceEntry[];
  /** Values that texts of the file record, with the computed ones. */
  recorded: RecordedEntry[];
}

/** A field of a LIME file. */
export interface LimeField extends CommonField {
  /** Sum of the command `cksum` over data of ILDG, the `crcCheckSum` of its catalogues. Absent for other data. */
  cksum?: number;
  /** Document that describes the data. */
  source: 'scidac' | 'ildg';
  /** Coordinates of the first and the last site of a hypercube, x first; absent for other fields. */
  lower?: number[];
  upper?: number[];
  /** Entries of the SciDAC document; absent without one. */
  date?: string;
  record_type?: 'field' | 'global' | 'hypercube';
  colors?: number;
  spins?: number;
  typesize?: number;
  datacount?: number;
  /** Logical file name (ildg-data-lfn); absent if the file has none for this field. */
  lfn?: string;
  /** Number of the update in the Markov chain (ildg-update), as text. */
  update?: string;
  /** Directions with open boundaries, and the number of absent links. Only for fields with an ildg-format. */
  open?: { direction: string; links: number }[];
}

/** The gauge field of a NERSC archive, a MILC file or a configuration of openQCD. */
export interface ArchiveField extends CommonField {
  source: 'nersc' | 'milc' | 'openqcd';
  region: 'lattice';
  precision: 32 | 64;
  links: LinksEntry;
  /** Byte order of the data; null if neither the header nor the data show it. */
  byte_order: 'big' | 'little' | null;
  /** MILC files: true if the file lists the order of its sites. False for NERSC archives. */
  site_list: boolean;
}

/**
 * A checksum: `suma` and `sumb` (SciDAC), `cksum` (the sum of the command `cksum`, which BQCD stores), `word_sum` (NERSC),
 * `sum29` and `sum31` (MILC).
 */
export interface ChecksumEntry {
  name: 'suma' | 'sumb' | 'cksum' | 'word_sum' | 'sum29' | 'sum31';
  /** In hexadecimal, of `cksum` in decimal digits; null if the file has none. */
  stored: string | null;
  /** In the same digits; null if the data were not read to their end. */
  computed: string | null;
}

/** The matrices of a gauge field. */
export interface LinksEntry {
  per_site: number;
  rows: number;
  columns: number;
  numbers: 'complex' | 'real';
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

/** A value that a text of the file records. */
export interface RecordedEntry {
  /** The traces of plaquettes are not divided by the number of colors; `norm2` is the sum of squares of all numbers. */
  quantity:
    | 'plaquette' | 'spatial_plaquette_trace' | 'temporal_plaquette_trace' | 'link_trace' | 'norm2'
    | 'suma' | 'sumb' | 'nersc_checksum';
  /** Type of the record that has the text; for a NERSC archive, the header. */
  record: string;
  /** Position of this record or header. */
  offset: number;
  /** The value as it is printed in the text. */
  recorded: string;
  /** The value computed from the data; of a checksum, in hexadecimal. Null if it was not computed or is not finite. */
  computed: number | string | null;
  /** True if both agree within the printed digits and the rounding of the links; null if nothing was computed. */
  agrees: boolean | null;
}
