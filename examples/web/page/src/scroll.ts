/** Scrolling to the part of the page that the user has asked for. */

import { useEffect, useRef } from 'preact/hooks';

/** An element whose top is within this part of the window counts as seen. */
const SEEN = 0.6;

/** Scrolls an element into view, unless its beginning can be seen already. */
export function reveal(element: Element | null): void {
  if (!element) return;
  const { top, height } = element.getBoundingClientRect();
  if (height > 0 && top >= 0 && top <= innerHeight * SEEN) return;
  const isCalm = matchMedia('(prefers-reduced-motion: reduce)').matches;
  element.scrollIntoView({ block: 'start', behavior: isCalm ? 'auto' : 'smooth' });
}

/** Returns a reference whose element is scrolled into view when an input changes and is not undefined. */
export function useReveal<E extends Element>(...inputs: unknown[]) {
  const reference = useRef<E>(null);
  useEffect(() => {
    if (inputs.every((input) => input !== undefined)) reveal(reference.current);
  }, inputs);
  return reference;
}
