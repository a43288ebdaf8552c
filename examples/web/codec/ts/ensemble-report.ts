/** Findings on many files together. `examples/report/manifest.schema.json` describes the same entries. */

/** Result of `ensemble`. */
export interface EnsembleReport {
  /** The ensembles: the files of a directory whose names differ in a number. */
  ensembles: EnsembleEntry[];
  store: StoreEntry;
  /**
   * Names of files that may be equal to others, but have no hash, which would tell: see the option `hash` of
   * `describe`.
   */
  unhashed: string[];
}

/** An ensemble: a line that `linkstream ensemble --json` prints. */
export interface EnsembleEntry {
  /** Version of the entries: the same as in reports. */
  schema: 3;
  /** Directory and name of the files, with `{n}` for the number. */
  ensemble: string;
  /** Number of files. */
  files: number;
  /** Smallest and largest number. */
  first: number | null;
  last: number | null;
  /** Usual difference of two numbers; null if there is none. */
  step: number | null;
  plaquette_median: number | null;
  /** Standard deviation, as the median absolute deviation estimates it. */
  plaquette_spread: number | null;
  findings: EnsembleFinding[];
  /** True if there are no findings. */
  ok: boolean;
}

/** Findings on files of several ensembles, or of none: the last line that `linkstream ensemble --json` prints. */
export interface StoreEntry {
  schema: 3;
  /** Number of ensembles. */
  ensembles: number;
  findings: EnsembleFinding[];
  /** True if neither the store nor an ensemble has findings. */
  ok: boolean;
}

export interface EnsembleFinding {
  /** Kind, such as `gap`: `linkstream ensemble --help` lists all. */
  kind: string;
  /** Names of the files. Files that are missing are named in the message. */
  files: string[];
  message: string;
}
