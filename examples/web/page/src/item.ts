/** A file, or a set of volumes, that the user has chosen. */

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
    /** One, or the volumes of a set. */
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

  /** For reading data. */
  open(): Promise<OpenFile> {
    this.#opened ??= open(this.isSet ? this.sources : this.sources[0]).catch((thrown) => {
      // The next call tries again.
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

/** Files as items: the volumes of a set are one. */
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
