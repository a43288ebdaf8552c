/** Hooks of the ensemble. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { unpressed } from '../press';

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
