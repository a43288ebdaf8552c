/** Hooks of the ensemble. */

import { useEffect, useRef, useState } from 'preact/hooks';

/** Time in milliseconds between two drawings while files are read. Thousands of files change many times a second. */
const BETWEEN = 250;

/** The latest of frequently changing values, at most a few times a second. The last value is never missed. */
export function useCalm<Value>(value: Value): Value {
  const [shown, setShown] = useState(value);
  const at = useRef(0);
  useEffect(() => {
    const show = () => {
      at.current = performance.now();
      setShown(value);
    };
    const left = at.current + BETWEEN - performance.now();
    if (left <= 0) {
      show();
      return undefined;
    }
    const timer = setTimeout(show, left);
    return () => clearTimeout(timer);
  }, [value]);
  return shown;
}
