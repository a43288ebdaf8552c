/** Hooks of the ensemble. */

import { useEffect, useRef, useState } from 'preact/hooks';
import { unpressed } from '../press';

/** Time in milliseconds between two drawings while files are read. Thousands of files change many times a second. */
const BETWEEN = 250;

/**
 * The latest of frequently changing values, at most a few times a second and not while a button is pressed: rows that
 * move would make the click miss. The last value is never missed.
 */
export function useCalm<Value>(value: Value): Value {
  const [shown, setShown] = useState(value);
  const at = useRef(0);
  useEffect(() => {
    let isLatest = true;
    const show = async () => {
      await unpressed();
      if (!isLatest) return;
      at.current = performance.now();
      setShown(value);
    };
    const timer = setTimeout(() => void show(), Math.max(0, at.current + BETWEEN - performance.now()));
    return () => {
      isLatest = false;
      clearTimeout(timer);
    };
  }, [value]);
  return shown;
}
