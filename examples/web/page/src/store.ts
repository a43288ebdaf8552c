/** The state of the page. There is one; every change is followed by one rendering, in the next frame. */

import type { Question } from './input/consent';
import type { Item } from './item';
import { type Target, targetOf } from './link';

export interface State {
  items: Item[];
  selected: Item | undefined;
  /** Place in the selected file that the address names. */
  target: Target;
  /** Number of files that the user has selected so far. */
  selections: number;
  /** Number of changes of the target. A link to the present place scrolls to it again. */
  visits: number;
  /** File that was selected at the last visit; `undefined` before the first: the address may mean any file. */
  visitedBy: Item | undefined;
  /** Form of the list of files; `undefined` until the user chooses. */
  view: 'list' | 'table' | undefined;
  /** The question before the addresses of a link are opened, and the hosts that the user has agreed to. */
  question: Question | undefined;
  allowed: Set<string>;
  /** Remarks on what was chosen or dropped last. */
  notes: string[];
}

export const state: State = {
  items: [],
  selected: undefined,
  target: targetOf(location.hash),
  selections: 0,
  visits: 0,
  visitedBy: undefined,
  view: undefined,
  question: undefined,
  allowed: new Set(),
  notes: [],
};

let listener: () => void = () => {};

/** Sets the function that renders the state. */
export function onChange(render: () => void): void {
  listener = render;
}

/** Renders the state again. Preact combines all calls before the next frame. */
export function changed(): void {
  listener();
}
