/** The bytes of a file that does not consist of records. */

import type { Report } from 'linkstream';
import { element } from '../dom';
import type { Item } from '../item';
import { current } from '../link';
import { hexView, inFile } from './hex';

export function bytesOf(item: Item, report: Report): HTMLElement {
  return element('div', {}, element('h3', {}, 'Bytes'), hexView(inFile(item, 0, report.bytes), current().offset ?? 0));
}
