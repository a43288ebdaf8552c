/** The findings on all files together, as `linkstream ensemble` has them. */

import { ensemble, type EnsembleEntry as EnsembleOfReport, type EnsembleFinding, type EnsembleReport } from 'linkstream';
import { unreadableLine } from '../line';
import type { EnsembleEntry } from './entry';

/** The findings, and the files that they are about. */
export interface Judgement {
  report: EnsembleReport;
  /** Files by their paths. */
  byPath: ReadonlyMap<string, EnsembleEntry>;
  /** Kinds of the findings on each file. */
  kinds: ReadonlyMap<number, string[]>;
}

export const OUTLIER = 'plaquette-outlier';

/** Judges files that have been read. It takes place in a worker. */
export async function judge(entries: EnsembleEntry[], signal: AbortSignal): Promise<Judgement> {
  const report = await ensemble(entries.map(lineOf), { signal });
  const byPath = new Map(entries.map((entry) => [entry.path, entry]));
  const kinds = new Map<number, string[]>();
  for (const { kind, files } of findingsOf(report)) {
    for (const file of files) {
      const id = byPath.get(file)?.id;
      if (id !== undefined) kinds.set(id, [...(kinds.get(id) ?? []), kind]);
    }
  }
  return { report, byPath, kinds };
}

export function findingsOf({ ensembles, store }: EnsembleReport): EnsembleFinding[] {
  return [...ensembles.flatMap(({ findings }) => findings), ...store.findings];
}

export function isOutlier({ kinds }: Pick<Judgement, 'kinds'>, id: number): boolean {
  return kinds.get(id)?.includes(OUTLIER) ?? false;
}

function lineOf({ path, size, line, message }: EnsembleEntry): string {
  return line ?? unreadableLine(path, size, message ?? 'the check was cancelled');
}

/** Properties of an ensemble, as the program prints them. */
export function headOf({ files, first, last, step, plaquette_median: median, plaquette_spread: spread }: EnsembleOfReport): string {
  const numbers = first === null ? '' : `, ${first} to ${last}${step === null ? '' : `, step ${step}`}`;
  const plaquette = median === null ? '' : `; plaquette ${median.toFixed(6)}, spread ${(spread ?? 0).toExponential(1)}`;
  return `${files} ${files === 1 ? 'file' : 'files'}${numbers}${plaquette}`;
}
