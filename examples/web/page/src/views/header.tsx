/** The header of a NERSC archive or MILC file, and the form of its links. */

import { integer } from '../format';
import { NAMES } from '../physics/recorded';
import { Table } from '../table';
import type { ViewProperties } from './view';

export function Header({ report }: ViewProperties) {
  const field = report.fields[0];
  const form = field ? [
    ['extents', field.extents.join('×')],
    ['precision', `${field.precision} bits`],
    ['rows of a link', String(field.links?.rows)],
    ...(field.byte_order ? [['byte order', `${field.byte_order} endian`]] : []),
    ['order of sites', field.site_list ? 'as the site list has them' : 'natural'],
    ['first link', `at byte ${integer(field.offset)}`],
  ] : [];
  const sums = (field?.checksums ?? []).map(({ name, stored, computed }) => [NAMES[name] ?? name, stored ?? 'none stored', computed ?? 'not computed']);
  return (
    <div>
      <h3>Header</h3>
      {form.length > 0 && <Table caption="Form of the links" head={['property', 'value']} rows={form} />}
      <Table caption="Lines" head={['key', 'value']} rows={report.header ?? []} />
      {sums.length > 0 && <Table caption="Checksums" head={['name', 'stored', 'computed']} rows={sums} />}
    </div>
  );
}
