/** Work that the user has started: its progress, its end, and a button that cancels it. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from './failure';

/** What a task can see of its user. */
export interface Running {
  signal: AbortSignal;
  /** Reports how much is done, from 0 to 1, and what it is. */
  progress(share: number, words: string): void;
}

type State = { kind: 'idle' } | { kind: 'running'; name: string; share: number; words: string } | { kind: 'failed'; message: string };

export interface Task {
  state: State;
  /** Starts the work. A task that is still running is cancelled. */
  start(name: string, work: (running: Running) => Promise<void>): void;
  cancel(): void;
}

export function useTask(): Task {
  const [state, setState] = useState<State>({ kind: 'idle' });
  const abort = useRef<AbortController | undefined>(undefined);
  useEffect(() => () => abort.current?.abort(), []);
  const start = (name: string, work: (running: Running) => Promise<void>) => {
    abort.current?.abort();
    const own = (abort.current = new AbortController());
    const { signal } = own;
    const show = (next: State) => {
      if (abort.current === own && !signal.aborted) setState(next);
    };
    show({ kind: 'running', name, share: 0, words: '' });
    work({ signal, progress: (share, words) => show({ kind: 'running', name, share, words }) }).then(
      () => show({ kind: 'idle' }),
      (thrown) => show({ kind: 'failed', message: messageOf(thrown) }),
    );
  };
  const cancel = () => {
    abort.current?.abort();
    setState({ kind: 'idle' });
  };
  return { state, start, cancel };
}

/** The progress or the error of a task. */
export function TaskState({ task: { state, cancel } }: { task: Task }) {
  if (state.kind === 'failed') return <p class="error" role="alert">{state.message}</p>;
  if (state.kind === 'idle') return null;
  return (
    <div class="task">
      <progress aria-label={`Progress: ${state.name}`} value={state.share} max={1} />
      <span>{state.name}{state.words && `: ${state.words}`}</span>
      <button type="button" onClick={cancel}>Cancel</button>
    </div>
  );
}

/** Result of an asynchronous request; the former one until the latest has arrived. */
export interface Latest<T> {
  value: T | undefined;
  error: string | undefined;
}

/** Loads again when an input changes. Only the latest request counts: earlier ones may end later. */
export function useLatest<T>(load: (signal: AbortSignal) => Promise<T>, inputs: unknown[]): Latest<T> {
  const [found, setFound] = useState<Latest<T>>({ value: undefined, error: undefined });
  useEffect(() => {
    const abort = new AbortController();
    load(abort.signal).then(
      (value) => abort.signal.aborted || setFound({ value, error: undefined }),
      (thrown) => abort.signal.aborted || setFound({ value: undefined, error: messageOf(thrown) }),
    );
    return () => abort.abort();
  }, inputs);
  return found;
}

export function Failure({ message }: { message: string | undefined }) {
  return message === undefined ? null : <p class="error" role="alert">{message}</p>;
}
