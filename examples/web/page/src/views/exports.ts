/** The view with exports: the report as JSON, and data as NPY, CSV or raw bytes. */

import { fieldsOf, type Report } from 'linkstream';
import { button, element } from '../dom';
import { matrixAsBytes, matrixAsCsv, matrixAsNpy } from '../export-matrix';
import type { Item } from '../item';
import { save } from '../save';
import { fieldRow, recordRow, savingFor } from './saving';

const MAX_LISTED = 500;

export function exportsOf(item: Item, report: Report): HTMLElement {
  const { saving, problem } = savingFor(item);
  const list = element('ul', { class: 'exports' });
  fieldsOf(report).forEach((field, index) => {
    if (field.precision) list.append(fieldRow(item, field, index, saving));
  });
  report.records?.slice(0, MAX_LISTED).forEach((record, index) => list.append(recordRow(item, record, index, saving)));
  if (report.format === 'inebin' && report.rows != null) {
    list.append(element('li', { class: 'actions' }, 'Matrix:',
      saving('.npy', () => 'npy', () => matrixAsNpy(item, report), { id: 'save-matrix-npy' }),
      saving('CSV', () => 'csv', () => matrixAsCsv(item, report), { id: 'save-csv' }),
      saving('raw bytes', () => 'bin', () => matrixAsBytes(item, report), { id: 'save-matrix-bytes' })));
  }
  return element('div', {}, element('h3', {}, 'Export'),
    button('Report as JSON', () => save([JSON.stringify(report)], `${item.name}.json`, 'application/json'), { id: 'save-json' }),
    problem, list);
}
