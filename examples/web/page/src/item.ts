/** Files and QIO file sets that the user has chosen. */

import { check, open, type OpenFile, type Progress, type Report, type Source } from 'linkstream';
import { messageOf } from './failure';
import type { Chosen } from './input/chosen';

export type State =
  | { kind: 'waiting' }
  | { kind: 'running'; progress: Progress; since: number }
  | { kind: 'done'; report: Report }
  | { kind: 'cancelled' }
  | { kind: 'failed'; message: string };

let last = 0;

export class Item {
  /** Number of the item. Two items may have the same name. */
  readonly id = (last += 1);
  readonly name: string;
  /** One source, or the volumes of a file set. */
  readonly sources: Source[];
  readonly isSet: boolean;
  readonly note: string | undefined;
  state: State = { kind: 'waiting' };
  #abort = new AbortController();
  #opened: Promise<OpenFile> | undefined;

  constructor(
    { name, sources, isSet, note }: Chosen,
    private readonly changed: () => void,
  ) {
    this.name = name;
    this.sources = sources;
    this.isSet = isSet;
    this.note = note;
  }

  /** Size of the file or file set in bytes, if it is known. */
  get size(): number | undefined {
    if (this.state.kind === 'done') return this.state.report.bytes;
    return this.sources.reduce<number | undefined>(
      (sum, source) => (sum !== undefined && source instanceof Blob ? sum + source.size : undefined), 0);
  }

  async run(): Promise<void> {
    if (this.state.kind !== 'waiting') return;
    const { signal } = this.#abort;
    const since = performance.now();
    this.#set({ kind: 'running', progress: { bytes: 0, total: undefined }, since });
    try {
      const report = await check(this.#source, {
        slices: true,
        signal,
        onProgress: (progress) => this.#set({ kind: 'running', progress, since }),
      });
      this.#set({ kind: 'done', report });
    } catch (thrown) {
      if (signal.aborted) this.#set({ kind: 'cancelled' });
      else this.#set({ kind: 'failed', message: messageOf(thrown) });
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
    this.#opened ??= open(this.#source).catch((thrown) => {
      // After a failure, the next call tries again.
      this.#opened = undefined;
      throw thrown;
    });
    return this.#opened;
  }

  get #source(): Source | Source[] {
    return this.isSet ? this.sources : this.sources[0];
  }

  #set(state: State): void {
    this.state = state;
    this.changed();
  }
}
