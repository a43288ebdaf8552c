/** The list of files with their verdicts. */

import { button, element } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';
import { words } from '../words';

/** Largest number of files that are listed. More are only counted, so that the list stays readable. */
const MAX_LISTED = 500;

export function showFiles(root: HTMLElement, items: Item[], shown: Item | undefined, select: (item: Item) => void): void {
  root.hidden = items.length < 2;
  const count = (word: string) => items.filter((item) => words(item).word === word).length;
  const summary = ['ok', 'unverified', 'wrong', 'unreadable', 'cancelled', 'reading', 'waiting']
    .map((word) => [word, count(word)] as const)
    .filter(([, number]) => number > 0)
    .map(([word, number]) => `${integer(number)} ${word}`);
  const rows = items.slice(0, MAX_LISTED).map((item) => {
    const { tone, symbol, word } = words(item);
    const row = button('', () => select(item), { class: `file ${tone}`, 'aria-pressed': String(item === shown) });
    row.append(element('span', { class: 'symbol', 'aria-hidden': 'true' }, symbol), element('span', { class: 'word' }, word), ` ${item.name}`);
    return element('li', {}, row);
  });
  root.replaceChildren(
    element('h2', {}, `${integer(items.length)} files`),
    element('p', { id: 'summary' }, summary.join(', ')),
    element('ul', {}, ...rows),
  );
  if (items.length > MAX_LISTED) root.append(element('p', {}, `The first ${MAX_LISTED} are listed.`));
}
