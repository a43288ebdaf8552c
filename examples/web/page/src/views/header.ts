/** How the links of a NERSC archive or MILC file are stored, and the lines of its header. */

import type { Report } from 'linkstream';
import { element, table } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';

export function header(_item: Item, report: Report): HTMLElement {
  const { dims, precision, rows, byte_order: order, site_list: hasList, data_offset: offset } = report;
  const form: [string, string | undefined][] = [
    ['lattice', dims?.join('×')],
    ['precision', precision == null ? undefined : `${precision} bits`],
    ['rows of a link', rows == null ? undefined : String(rows)],
    ['byte order', order == null ? undefined : `${order} endian`],
    ['order of sites', hasList == null ? undefined : hasList ? 'as a list has them' : 'natural'],
    ['first link', offset == null ? undefined : `at byte ${integer(offset)}`],
  ];
  const known = form.filter((row): row is [string, string] => row[1] !== undefined);
  const sums = (report.checksums ?? []).map(({ name, stored, computed }) => [name, stored ?? 'none', computed ?? 'not computed']);
  return element('div', {},
    element('h3', {}, 'Header'),
    known.length > 0 ? table('Form of the links', ['property', 'value'], known) : null,
    table('Lines', ['key', 'value'], report.header ?? []),
    sums.length > 0 ? table('Checksums', ['name', 'stored', 'computed'], sums) : null,
  );
}
