/** Files and QIO file sets that the user has chosen. */

import { check, open, type OpenFile, type Progress, type Report, type Source } from 'linkstream';
import { messageOf } from './attempt';

export type State =
  | { kind: 'waiting' }
  | { kind: 'running'; progress: Progress; since: number }
  | { kind: 'done'; report: Report }
  | { kind: 'cancelled' }
  | { kind: 'failed'; message: string };

export class Item extends EventTarget {
  state: State = { kind: 'waiting' };
  #abort = new AbortController();
  #opened: Promise<OpenFile> | undefined;

  constructor(
    readonly name: string,
    /** One source, or the volumes of a file set. */
    readonly sources: Source[],
    readonly isSet = false,
  ) {
    super();
  }

  async run(): Promise<void> {
    if (this.state.kind !== 'waiting') return;
    const since = performance.now();
    this.#set({ kind: 'running', progress: { bytes: 0, total: undefined }, since });
    try {
      const report = await check(this.isSet ? this.sources : this.sources[0], {
        slices: true,
        signal: this.#abort.signal,
        onProgress: (progress) => this.#set({ kind: 'running', progress, since }),
      });
      this.#set({ kind: 'done', report });
    } catch (thrown) {
      if (this.#abort.signal.aborted) this.#set({ kind: 'cancelled' });
      else this.#set({ kind: 'failed', message: messageOf(thrown) });
    }
  }

  cancel(): void {
    this.#abort.abort();
    if (this.state.kind === 'waiting') this.#set({ kind: 'cancelled' });
  }

  /** Opens the file to read data. Later calls return the same object. */
  open(): Promise<OpenFile> {
    this.#opened ??= open(this.isSet ? this.sources : this.sources[0]).catch((thrown) => {
      // After a failure, the next call tries again.
      this.#opened = undefined;
      throw thrown;
    });
    return this.#opened;
  }

  #set(state: State): void {
    this.state = state;
    this.dispatchEvent(new Event('change'));
  }
}

const VOLUME = /^(.*)\.vol\d{4,}$/;

/** Makes items of files. The volumes of a file set become one item. */
export function group(files: File[]): Item[] {
  const sets = new Map<string, File[]>();
  for (const file of files) {
    const key = VOLUME.exec(file.name)?.[1] ?? `/${file.name}/${sets.size}`;
    sets.set(key, [...(sets.get(key) ?? []), file]);
  }
  return [...sets].map(([name, members]) =>
    members.length === 1
      ? new Item(members[0].name, members)
      : new Item(name, members.sort((a, b) => (a.name < b.name ? -1 : 1)), true),
  );
}
