/**
 * Computations that were started for a file. They and their results are kept as long as the file, whether their views
 * are shown or not.
 */

export type JobState<Result> =
  | { kind: 'idle' }
  | { kind: 'running'; done: number; total: number }
  | { kind: 'done'; result: Result }
  | { kind: 'cancelled' }
  | { kind: 'failed'; message: string };

export type Work<Result> = (signal: AbortSignal, progress: (done: number, total: number) => void) => Promise<Result>;

export class Job<Result> {
  state: JobState<Result> = { kind: 'idle' };
  #abort: AbortController | undefined;
  #listeners = new Set<() => void>();

  /** Starts the work. Work that is running already is abandoned: only the latest has a result. */
  async start(work: Work<Result>): Promise<void> {
    this.#abort?.abort();
    const abort = new AbortController();
    this.#abort = abort;
    const set = (state: JobState<Result>) => {
      if (this.#abort === abort) this.#set(state);
    };
    set({ kind: 'running', done: 0, total: 0 });
    try {
      const result = await work(abort.signal, (done, total) => set({ kind: 'running', done, total }));
      set({ kind: 'done', result });
    } catch (thrown) {
      set({ kind: 'failed', message: thrown instanceof Error ? thrown.message : String(thrown) });
    }
  }

  /** Cancels the work that is running, if any. */
  cancel(): void {
    if (this.state.kind !== 'running') return;
    this.#abort?.abort();
    this.#abort = undefined;
    this.#set({ kind: 'cancelled' });
  }

  subscribe(listener: () => void): () => void {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  }

  #set(state: JobState<Result>): void {
    this.state = state;
    for (const listener of this.#listeners) listener();
  }
}

const kept = new WeakMap<object, Map<string, Job<unknown>>>();

/** The job of a file with this name. It is made at the first call. */
export function jobOf<Result>(file: object, name: string): Job<Result> {
  let jobs = kept.get(file);
  if (!jobs) kept.set(file, (jobs = new Map()));
  let job = jobs.get(name);
  if (!job) jobs.set(name, (job = new Job()));
  return job as Job<Result>;
}

const values = new WeakMap<object, Map<string, unknown>>();

/** A place for a choice of the user that is kept as long as the file, such as the place of a slider. */
export function keptFor(file: object): Map<string, unknown> {
  let found = values.get(file);
  if (!found) values.set(file, (found = new Map()));
  return found;
}
