/** The keyboard focus after the focused control has vanished: it stays nearby, and does not fall to the page. */

const FOCUSABLE = 'button:not([disabled]), a[href], input, select, summary, [tabindex="0"]';
/** Controls that discard something. A press of Enter that comes too late must not hit them. */
const DISCARDS = '.discards';

/** The place of an element: its ancestors, each with the index of the child that leads to the element. */
type Path = { parent: Element; index: number }[];

function pathOf(element: Element): Path {
  const path: Path = [];
  for (let child = element; child.parentElement; child = child.parentElement) {
    path.push({ parent: child.parentElement, index: [...child.parentElement.children].indexOf(child) });
  }
  return path;
}

const isShown = (element: Element) => element.isConnected && element.checkVisibility();

/** The first control within an element, or the element itself. */
function controlIn(element: Element): HTMLElement | undefined {
  const all = [element, ...element.querySelectorAll(FOCUSABLE)];
  return all.find((one): one is HTMLElement => one instanceof HTMLElement && one.matches(FOCUSABLE) && !one.matches(DISCARDS) && isShown(one));
}

/** The control nearest to a place: what is there now, or else what comes first in the smallest part around it. */
function nearest(path: Path): HTMLElement | undefined {
  for (const { parent, index } of path) {
    if (!isShown(parent)) continue;
    const there = parent.children[Math.min(index, parent.children.length - 1)];
    const found = (there && controlIn(there)) ?? controlIn(parent);
    if (found) return found;
  }
  return undefined;
}

/** Keeps the focus within a part of the page. */
export function keepFocus(root: HTMLElement): void {
  let focused: Element | undefined;
  let path: Path = [];
  root.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return;
    focused = target;
    path = pathOf(target);
  });
  root.addEventListener('focusout', ({ target, relatedTarget }) => {
    if (relatedTarget !== null || target !== focused || !(target instanceof Element)) return;
    // The user has left the control, unless it has vanished. Chromium sends this event before it removes the element.
    queueMicrotask(() => {
      if (target === focused && isShown(target)) focused = undefined;
    });
  });
  new MutationObserver(() => {
    if (!focused || isShown(focused)) return;
    focused = undefined;
    if (document.activeElement === document.body || document.activeElement === null) nearest(path)?.focus({ preventScroll: true });
  }).observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['hidden'] });
}
