/** Hooks of the ensemble. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { messageOf } from '../failure';
import { unpressed } from '../press';
import type { EnsembleEntry } from './entry';
import { judge, type Judgement } from './findings';

/** Time in milliseconds between two drawings while files are read. Thousands of files change many times a second. */
const BETWEEN = 250;
/** Drawing takes at most one part of this many of the time, since a plot of thousands of points takes a tenth of a second. */
const PARTS = 6;

/**
 * The latest of frequently changing values, at most a few times a second and not while a button is pressed: rows that
 * move would make the click miss. The last value is never missed, and is shown at once when nothing changes any more.
 */
export function useCalm<Value>(value: Value, isChanging: boolean): Value {
  const [shown, setShown] = useState(value);
  const latest = useRef(value);
  latest.current = value;
  const timer = useRef<ReturnType<typeof setTimeout> | undefined>(undefined);
  const at = useRef(0);
  const cost = useRef(0);
  // The effects of a component run after the effects of its children, which draw.
  useEffect(() => {
    if (at.current > 0) cost.current = performance.now() - at.current;
  }, [shown]);
  useEffect(() => {
    if (!isChanging && value !== shown) {
      clearTimeout(timer.current);
      timer.current = undefined;
      void unpressed().then(() => setShown(latest.current));
      return;
    }
    // A timer that is running will show this value, too. Starting it again with each value could delay it for ever.
    if (timer.current !== undefined || value === shown) return;
    const show = async () => {
      await unpressed();
      timer.current = undefined;
      at.current = performance.now();
      setShown(latest.current);
    };
    timer.current = setTimeout(() => void show(), Math.max(0, at.current + Math.max(BETWEEN, PARTS * cost.current) - performance.now()));
  }, [value, shown, isChanging]);
  useEffect(() => () => clearTimeout(timer.current), []);
  return shown;
}

/** Reads files with these paths again, for their lines or for the hashes of large files. */
export type Describe = (paths: string[], hash: boolean) => Promise<void>;

/** The findings on all files together; `words` say what is still to come. */
interface Judged {
  judgement: Judgement | undefined;
  words: string;
}

/** Judges the files when all have been read. Files without a line, and large ones that may be equal, are read again. */
export function useJudgement(entries: EnsembleEntry[], onDescribe: Describe): Judged {
  const [found, setFound] = useState<{ of: EnsembleEntry[]; judgement?: Judgement; error?: string }>();
  // Reports on files that were read again for their lines or hashes. It is tried once.
  const tried = useRef({ lines: new WeakSet<object>(), hashes: new WeakSet<object>() });
  const [waiting, setWaiting] = useState(0);
  const again = (some: EnsembleEntry[], hash: boolean) => {
    const known = hash ? tried.current.hashes : tried.current.lines;
    const wanted = some.filter(({ report }) => report && !known.has(report));
    if (wanted.length === 0) return;
    for (const { report } of wanted) if (report) known.add(report);
    setWaiting((others) => others + 1);
    void onDescribe(wanted.map(({ path }) => path), hash).then(() => setWaiting((others) => others - 1));
  };
  const isBusy = entries.some(({ state }) => state === 'waiting' || state === 'running');
  useEffect(() => {
    if (isBusy) return undefined;
    const unknown = entries.filter(({ report, line }) => report && line === undefined);
    if (unknown.length > 0) {
      again(unknown, false);
      return undefined;
    }
    const abort = new AbortController();
    const show = (one: { judgement?: Judgement; error?: string }) => abort.signal.aborted || setFound({ of: entries, ...one });
    judge(entries, abort.signal).then((judgement) => show({ judgement }), (thrown) => show({ error: messageOf(thrown) }));
    return () => abort.abort();
  }, [entries, isBusy]);
  useEffect(() => {
    const { report, byPath } = found?.judgement ?? {};
    again((report?.unhashed ?? []).flatMap((path) => byPath?.get(path) ?? []), true);
  }, [found]);
  if (isBusy) return { judgement: undefined, words: 'Findings are listed when all files have been read' };
  if (!found || !areSame(found.of, entries)) return { judgement: undefined, words: 'The files are compared with each other' };
  const { judgement, error } = found;
  const left = judgement?.report.unhashed.length ?? 0;
  const unhashed = left === 0 ? '' : `${left} large files may be equal${waiting > 0 ? ', and are read again' : ''}`;
  return { judgement, words: error ?? unhashed };
}

/** True for the same files, with or without hashes. */
function areSame(a: EnsembleEntry[], b: EnsembleEntry[]): boolean {
  return a === b || (a.length === b.length && a.every(({ id, report }, index) => b[index].id === id && b[index].report === report));
}
