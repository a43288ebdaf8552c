/** Hooks of computations. */

import { useEffect, useState } from 'preact/hooks';
import { unpressed } from '../press';
import { type Job, jobOf, keptFor } from './jobs';

/** The job of a file with this name. The component is drawn again if its state changes. */
export function useJob<Result>(file: object, name: string): Job<Result> {
  const job = jobOf<Result>(file, name);
  const [, draw] = useState(0);
  // A result moves what is below it. While a button is pressed, that would make the click miss.
  useEffect(() => job.subscribe(() => void unpressed().then(() => draw((count) => count + 1))), [job]);
  return job;
}

/** A state that is kept as long as the file. */
export function useKept<Value>(file: object, name: string, first: Value): [Value, (value: Value) => void] {
  const all = keptFor(file);
  const [, draw] = useState(0);
  const set = (value: Value) => {
    all.set(name, value);
    draw((count) => count + 1);
  };
  return [all.has(name) ? (all.get(name) as Value) : first, set];
}
