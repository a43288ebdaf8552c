/** The header of a NERSC archive or MILC file, and the form of its links. */

import type { Report } from 'linkstream';
import { element, table } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';

export function header(_item: Item, report: Report): HTMLElement {
  const field = report.fields[0];
  const form = field ? [
    ['extents', field.dims.join('×')],
    ['precision', `${field.precision} bits`],
    ['rows of a link', String(field.links?.rows)],
    ...(field.byte_order ? [['byte order', `${field.byte_order} endian`]] : []),
    ['order of sites', field.site_list ? 'as the site list has them' : 'natural'],
    ['first link', `at byte ${integer(field.offset)}`],
  ] : [];
  const sums = (field?.checksums ?? []).map(({ name, stored, computed }) => [name, stored ?? 'none stored', computed ?? 'not computed']);
  return element('div', {},
    element('h3', {}, 'Header'),
    form.length > 0 ? table('Form of the links', ['property', 'value'], form) : null,
    table('Lines', ['key', 'value'], report.header ?? []),
    sums.length > 0 ? table('Checksums', ['name', 'stored', 'computed'], sums) : null,
  );
}
