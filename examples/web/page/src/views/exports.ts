/** Files made of what is shown: the report, and data as bytes, NPY or CSV. */

import { fieldsOf, type FieldEntry, type Report } from 'linkstream';
import { attempt } from '../attempt';
import { button, element } from '../dom';
import { fieldAsBytes, fieldAsCsv, fieldAsNpy, isSliced, type Wanted } from '../export-field';
import { matrixAsBytes, matrixAsCsv, matrixAsNpy } from '../export-matrix';
import type { Item } from '../item';
import { recordBytes } from '../records';
import { save } from '../save';

const MAX_LISTED = 500;

export function exportsOf(item: Item, report: Report): HTMLElement {
  const problem = element('div', { 'aria-live': 'polite' });
  /** A button that saves what is made when it is pressed. */
  const saving: Saving = (label, name, make, properties = {}) =>
    button(label, () => void attempt(problem, async () => {
      problem.replaceChildren();
      save(await make(), `${item.name}.${name()}`);
    }), properties);
  const list = element('ul', { class: 'exports' });
  fieldsOf(report).forEach((field, index) => {
    if (field.precision) list.append(element('li', { class: 'actions' }, `Field ${index + 1} (${field.datatype ?? field.kind}):`, ...numbers(item, field, index, saving)));
  });
  report.records?.slice(0, MAX_LISTED).forEach((record, index) => {
    const name = `record-${index + 1}`;
    list.append(element('li', { class: 'actions' }, `Record ${index + 1} (${record.type}):`,
      saving('raw bytes', () => `${name}.bin`, () => recordBytes(item, record), { 'data-bin': name, 'aria-label': `raw bytes of record ${index + 1}` })));
  });
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

type Saving = (label: string, name: () => string, make: () => Promise<BlobPart[]>, properties?: Record<string, unknown>) => HTMLElement;

/** Buttons for the numbers of a field, and for those of a time slice that is chosen by its number. */
function numbers(item: Item, field: FieldEntry, index: number, saving: Saving): (Node | string)[] {
  const name = `field-${index + 1}`;
  const all = forms({ what: name, of: ` of field ${index + 1}`, name: () => name, wanted: () => ({ item, field, index }) }, saving);
  if (!isSliced(field)) return all;
  const last = field.dims[field.dims.length - 1] - 1;
  const t = element('input', { type: 'number', min: 0, max: last, value: 0, 'aria-label': `Time slice of field ${index + 1}` });
  const slice = () => Math.min(last, Math.max(0, Math.floor(Number(t.value))));
  const one = { what: `slice-of-${name}`, of: ` of the time slice of field ${index + 1}`, name: () => `${name}.t${slice()}`, wanted: () => ({ item, field, index, slice: slice() }) };
  return [...all, 'time slice', t, ...forms(one, saving)];
}

/** Something that can be saved in each form. */
interface Exported {
  /** In the attribute by which a button is found. */
  what: string;
  /** After the form, in the name of a button. */
  of: string;
  name: () => string;
  wanted: () => Wanted;
}

const FORMS = [['.npy', 'npy', fieldAsNpy], ['CSV', 'csv', fieldAsCsv], ['raw bytes', 'bin', fieldAsBytes]] as const;

function forms({ what, of, name, wanted }: Exported, saving: Saving): (Node | string)[] {
  return FORMS.map(([label, ending, make]) =>
    saving(label, () => `${name()}.${ending}`, () => make(wanted()), { [`data-${ending}`]: what, 'aria-label': `${label}${of}` }));
}
