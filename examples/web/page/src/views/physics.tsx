/** The view with the physics of fields. */

import type { Report } from 'linkstream';
import type { Item } from '../item';
import { mounted } from '../mount';
import type { Opened } from '../opened';
import { Physics } from '../physics/Physics';

const opened = new WeakMap<Item, Opened>();
let last = 0;

export function physics(item: Item, report: Report): HTMLElement {
  let file = opened.get(item);
  if (!file) opened.set(item, (file = { key: (last += 1), open: () => item.open() }));
  return mounted(<Physics file={file} report={report} />);
}
