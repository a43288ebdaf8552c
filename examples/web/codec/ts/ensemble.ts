/** Judgement of many files together. */

import { checkLines, checkOptions, JOB, TEXT } from './arguments.js';
import type { EnsembleEntry, EnsembleReport, StoreEntry } from './ensemble-report.js';
import { run, type JobOptions } from './job.js';

export interface EnsembleOptions extends Pick<JobOptions, 'signal'> {
  /**
   * Only files named like `lat.{n}.ildg` or `cfg_{n}/lat.ildg` are an ensemble: `{n}` is the number, `*` any text. If absent,
   * the files of a directory whose names differ in a number are one.
   */
  name?: string;
}

const OPTIONS = { signal: JOB.signal, name: TEXT };

/**
 * Finds what does not fit among files: gaps and repeats in the sequence of their numbers, copies, other lattices or
 * parameters, outliers of the plaquette. `lines` are lines about files, as `describe` returns them or `linkstream manifest`
 * writes them, without the last line of a manifest.
 *
 * Resolves with what `linkstream ensemble --json` prints. Rejects with a `LinkstreamError` if a line is not about a file,
 * or two are about the same one.
 */
export async function ensemble(lines: string[], options: EnsembleOptions = {}): Promise<EnsembleReport> {
  checkLines('ensemble', lines);
  checkOptions('ensemble', options, OPTIONS);
  const found = await run([], { call: 'ensemble', lines: lines.join('\n'), pattern: options.name }, { signal: options.signal });
  const objects: unknown[] = new TextDecoder().decode(found as Uint8Array).trimEnd().split('\n').map((line) => JSON.parse(line));
  const [store, unhashed] = objects.splice(-2) as [StoreEntry, string[]];
  return { ensembles: objects as EnsembleEntry[], store, unhashed };
}
