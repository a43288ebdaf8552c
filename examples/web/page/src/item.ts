/** Files and QIO file sets that the user has chosen. */

import { check, describe, LinkstreamError, open, pinned, type OpenFile, type Progress, type Report, type Source } from 'linkstream';
import { messageOf } from './failure';
import type { Chosen, Input } from './input/chosen';
import { explained } from './input/explain';
import { type Decompressing, Gzip } from './input/gzip';
import { missingVolumes } from './input/missing';
import { DECOMPRESSED, identify, resolve } from './input/resolve';
import { unreadableLine } from './line';

export type State =
  | { kind: 'waiting' }
  | { kind: 'running'; progress: Progress; since: number }
  /** `line`: the line about the file in a manifest, if it has been asked for. */
  | { kind: 'done'; report: Report; line?: string }
  | { kind: 'cancelled' }
  /** `isDefect`: linkstream failed, not the file. */
  | { kind: 'failed'; message: string; isDefect?: boolean };

/** Files up to this size in bytes are read again without a thought. */
const SMALL = 8 << 20;

let last = 0;

export class Item {
  /** Number of the item. Two items may have the same name. */
  readonly id = (last += 1);
  readonly name: string;
  /** Path among all files that are open. */
  readonly path: string;
  /** One source, or the volumes of a file set. */
  sources: Input[];
  readonly isSet: boolean;
  /** Remark for the user: missing volumes, or that the file is compressed. */
  note: string | undefined;
  state: State = { kind: 'waiting' };
  #abort = new AbortController();
  #pins = new Map<string, URL>();
  #opened: Promise<OpenFile> | undefined;
  #isDecompressed = false;

  constructor(
    { name, path, sources, isSet, note }: Chosen,
    private readonly changed: () => void,
  ) {
    this.name = name;
    this.path = path;
    this.sources = sources;
    this.isSet = isSet;
    this.note = note;
  }

  /** Size of the file or file set in bytes, if it is known. */
  get size(): number | undefined {
    if (this.state.kind === 'done') return this.state.report.bytes;
    return this.sources.reduce<number | undefined>(
      (sum, source) => (sum !== undefined && (source instanceof Blob || source instanceof Gzip) && source.size !== undefined ? sum + source.size : undefined), 0);
  }

  /** Address of a remote file, or of one of its volumes. */
  get remote(): URL | undefined {
    return this.sources.map((source) => (source instanceof Gzip ? source.from : source)).find((from) => from instanceof URL);
  }

  get #isSmall(): boolean {
    return !this.remote && this.size !== undefined && this.size <= SMALL;
  }

  /**
   * Checks the file. Of several files, each gets a line, which the findings on all of them need. The module that makes lines
   * is larger, so that it is not used for a file that can soon be read again.
   */
  async run(isAlone: boolean): Promise<void> {
    if (this.state.kind !== 'waiting') return;
    const { signal } = this.#abort;
    this.#pins.clear();
    const since = performance.now();
    this.#set({ kind: 'running', progress: { bytes: 0, total: undefined }, since });
    try {
      const onProgress = (progress: Progress) => this.#set({ kind: 'running', progress, since });
      const source = await this.#resolved({ signal, onProgress });
      const options = { slices: true, signal, onProgress };
      const { report, line } = isAlone && this.#isSmall ? { report: await check(source, options), line: undefined } : await describe(source, { path: this.path, ...options });
      const missing = missingVolumes(report);
      // The report knows more than the numbers of the volumes.
      if (report.volumes && this.isSet) this.note = missing;
      else if (missing) this.note = missing;
      if (this.#isDecompressed) this.note = [this.note, DECOMPRESSED].filter(Boolean).join(' ');
      this.#set({ kind: 'done', report, line });
    } catch (thrown) {
      if (signal.aborted) return this.#set({ kind: 'cancelled' });
      const remote = this.remote;
      const message = remote ? await explained(thrown, remote) : messageOf(thrown);
      this.#set(signal.aborted ? { kind: 'cancelled' } : { kind: 'failed', message, isDefect: thrown instanceof LinkstreamError && thrown.rule === 'internal-error' });
    }
  }

  /** Reads a file again for its line, or for the hash of a large file. Returns a function that changes the line. */
  async describe(hash: boolean): Promise<() => void> {
    const { signal } = this.#abort;
    if (this.state.kind !== 'done') return () => {};
    const { report, line: former } = this.state;
    try {
      const { line } = await describe(await this.#resolved({ signal }), { path: this.path, hash, signal });
      return () => this.#set({ kind: 'done', report, line });
    } catch (thrown) {
      // The file has changed since it was checked, or was removed.
      const line = former ?? unreadableLine(this.path, this.size, messageOf(thrown));
      return () => this.#set({ kind: 'done', report, line });
    }
  }

  cancel(): void {
    this.#abort.abort();
    if (this.state.kind === 'waiting') this.#set({ kind: 'cancelled' });
  }

  /** Makes the item wait for another check. Returns false if it is being checked or has a report. */
  retry(): boolean {
    if (this.state.kind !== 'cancelled' && this.state.kind !== 'failed') return false;
    this.#abort = new AbortController();
    this.#set({ kind: 'waiting' });
    return true;
  }

  /** Opens the file to read data. Later calls return the same object. */
  open(): Promise<OpenFile> {
    this.#opened ??= this.#resolved({}).then((source) => open(source)).catch((thrown) => {
      // After a failure, the next call tries again.
      this.#opened = undefined;
      throw thrown;
    });
    return this.#opened;
  }

  /** An address that stays with the version that is checked: what is shown later must belong to the report. */
  #pinned(source: Source): Source {
    if (!(source instanceof URL)) return source;
    const known = this.#pins.get(source.href) ?? pinned(source);
    this.#pins.set(source.href, known);
    return known;
  }

  /** The source for the package. Gzip files are recognised and decompressed. */
  async #resolved(options: Decompressing): Promise<Source | Source[]> {
    const { sources, isDecompressed } = await identify(this.sources);
    this.sources = sources;
    this.#isDecompressed = isDecompressed;
    const resolved = (await resolve(sources, options)).map((source) => this.#pinned(source));
    return this.isSet ? resolved : resolved[0];
  }

  #set(state: State): void {
    this.state = state;
    this.changed();
  }
}
