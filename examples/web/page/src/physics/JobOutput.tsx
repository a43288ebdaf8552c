/** State of a computation: its progress with a button to cancel it, its result, or why it failed. */

import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import type { Job } from './jobs';

interface Props<Result> {
  job: Job<Result>;
  /** What is counted, such as `Time slice`. */
  unit: string;
  children: (result: Result) => ComponentChildren;
}

export function JobOutput<Result>({ job, unit, children }: Props<Result>) {
  const { state } = job;
  // An earlier result stays until there is another one, so that the page does not jump.
  const last = useRef<Result | undefined>(undefined);
  if (state.kind === 'done') last.current = state.result;
  return (
    <div class="job">
      {state.kind === 'running' && state.total > 1 && (
        <div class="job-progress">
          <progress max={state.total} value={state.done} aria-label={`${unit} ${state.done} of ${state.total}`} />
          <span>{unit} {state.done} of {state.total}</span>
          <button type="button" class="job-cancel" onClick={() => job.cancel()}>Cancel</button>
        </div>
      )}
      <p role="status" class="job-state">
        {state.kind === 'cancelled' ? 'Cancelled.' : state.kind === 'running' && state.total <= 1 ? 'Reading…' : ''}
      </p>
      {state.kind === 'failed' && <p class="error" role="alert">{state.message}</p>}
      {last.current !== undefined && state.kind !== 'failed' && children(last.current)}
    </div>
  );
}
