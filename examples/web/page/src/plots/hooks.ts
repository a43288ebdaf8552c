/** Hooks of plots: they are drawn again if the theme or their width changes. */

import type { RefObject } from 'preact';
import { useEffect, useState } from 'preact/hooks';

/** A number that changes with the theme. */
export function useTheme(): number {
  const [count, setCount] = useState(0);
  useEffect(() => {
    const changed = () => setCount((before) => before + 1);
    document.addEventListener('themechange', changed);
    return () => document.removeEventListener('themechange', changed);
  }, []);
  return count;
}

/**
 * The width of an element in pixels. It is 0 until the element is part of the page. While the element is hidden, the
 * last width is kept.
 */
export function useWidth(element: RefObject<HTMLElement | null>, most: number): number {
  const [width, setWidth] = useState(0);
  useEffect(() => {
    const node = element.current;
    if (!node) return undefined;
    const observer = new ResizeObserver(() => {
      const found = Math.min(node.clientWidth, most);
      if (found > 0) setWidth(found);
    });
    observer.observe(node);
    return () => observer.disconnect();
  }, [element, most]);
  return width;
}
