/** Rows of the table of an ensemble. */

import { fieldsOf, type Report } from 'linkstream';
import { isUnrecognised, otherFormat } from '../words';
import type { EnsembleEntry } from './entry';
import { type Update, updateOf } from './update';

export type Verdict = 'ok' | 'unverified' | 'wrong' | 'unreadable' | 'not read' | 'not recognised' | 'cancelled' | 'waiting' | 'reading';

export const VERDICTS: Verdict[] = ['ok', 'unverified', 'wrong', 'unreadable', 'not read', 'not recognised', 'cancelled', 'reading', 'waiting'];

export interface Row {
  id: number;
  name: string;
  verdict: Verdict;
  /** The error, or the first finding. */
  message: string;
  size: number | undefined;
  share: number | undefined;
  /** Extents of the lattice, x first. */
  extents: number[] | undefined;
  precision: number | undefined;
  datatype: string | undefined;
  update: Update | undefined;
  /** Undefined if it was not measured, or is not finite. */
  plaquette: number | undefined;
  /** The Polyakov loop, real and imaginary part; likewise. */
  loop: [number, number] | undefined;
  /** Largest deviation from unitarity. */
  unitarity: number | undefined;
}

type Facts = Pick<Row, 'extents' | 'precision' | 'datatype' | 'plaquette' | 'loop' | 'unitarity'>;

const known = new WeakMap<Report, { facts: Facts; name: string; update: Update | undefined }>();

const rows = new WeakMap<EnsembleEntry, Row>();

/** The row of an entry. It is the same object for the same entry, so that it is drawn once. */
export function rowOf(entry: EnsembleEntry): Row {
  let row = rows.get(entry);
  if (!row) rows.set(entry, (row = newRow(entry)));
  return row;
}

function newRow(entry: EnsembleEntry): Row {
  const { id, name, report, share } = entry;
  const size = entry.size ?? report?.bytes;
  const common = { id, name, size, share, verdict: verdictOf(entry), message: messageOf(entry) };
  if (!report) return { ...common, ...NOTHING, update: updateOf(undefined, name) };
  let found = known.get(report);
  if (found?.name !== name) known.set(report, (found = { facts: factsOf(report), name, update: updateOf(report, name) }));
  return { ...common, ...found.facts, update: found.update };
}

const NOTHING: Facts = { extents: undefined, precision: undefined, datatype: undefined, plaquette: undefined, loop: undefined, unitarity: undefined };

/** The properties of the first field that has a plaquette; without one, of the first field. */
function factsOf(report: Report): Facts {
  const fields = fieldsOf(report);
  const field = fields.find(({ plaquette }) => typeof plaquette === 'number') ?? fields[0];
  if (!field) return NOTHING;
  const { extents, precision, datatype, plaquette, polyakov_loop: loop, max_unitarity_deviation: unitarity } = field;
  return {
    extents, precision: precision ?? undefined, datatype, plaquette: plaquette ?? undefined, loop: loop ?? undefined, unitarity: unitarity ?? undefined,
  };
}

function verdictOf({ state, report }: EnsembleEntry): Verdict {
  switch (state) {
    case 'waiting': return 'waiting';
    case 'running': return 'reading';
    case 'cancelled': return 'cancelled';
    case 'failed': return 'unreadable';
    case 'done':
      if (!report) return 'unreadable';
      if (otherFormat(report)) return 'not read';
      return isUnrecognised(report) ? 'not recognised' : report.verdict;
  }
}

function messageOf({ message, report }: EnsembleEntry): string {
  const finding = report?.findings.find(({ severity }) => severity === 'error') ?? report?.findings[0];
  return message ?? finding?.message ?? report?.unverified[0]?.message ?? '';
}

export function latticeOf({ extents }: Pick<Row, 'extents'>): string {
  return extents?.join('×') ?? '';
}

export function precisionOf({ precision }: Pick<Row, 'precision'>): string {
  return precision === 32 ? 'single' : precision === 64 ? 'double' : '';
}
