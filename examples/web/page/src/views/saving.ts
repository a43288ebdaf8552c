/** Buttons that save records and fields as files. */

import { type FieldEntry, type RecordEntry } from 'linkstream';
import { attempt } from '../attempt';
import { button, element } from '../dom';
import { fieldAsBytes, fieldAsCsv, fieldAsNpy, isSliced, timesOf, type Wanted } from '../export-field';
import type { Item } from '../item';
import { bytesAsNpy } from '../npy';
import { recordBytes } from '../records';
import { save } from '../save';

type Make = () => Promise<BlobPart[]>;
/** A button that saves what is made when it is pressed. `name` is that of the file after the name of the item. */
export type Saving = (label: string, name: () => string, make: Make, properties?: Record<string, unknown>) => HTMLElement;

/** Makes such buttons. What they fail with is shown in `problem`. */
export function savingFor(item: Item): { saving: Saving; problem: HTMLElement } {
  const problem = element('div', { 'aria-live': 'polite' });
  const saving: Saving = (label, name, make, properties = {}) =>
    button(label, () => void attempt(problem, async () => {
      problem.replaceChildren();
      save(await make(), `${item.name}.${name()}`);
    }), properties);
  return { saving, problem };
}

/** For the payload of a record. It is not saved as CSV: if it has numbers, they are those of a field. */
export function recordRow(item: Item, record: RecordEntry, index: number, saving: Saving): HTMLElement {
  const name = `record-${index + 1}`;
  const of = `of record ${index + 1}`;
  const bytes = () => recordBytes(item, record);
  return element('li', { class: 'actions' }, `Record ${index + 1} (${record.type}):`,
    saving('.npy of bytes', () => `${name}.npy`, async () => bytesAsNpy(await bytes()), { 'data-npy': name, 'aria-label': `.npy of bytes ${of}` }),
    saving('raw bytes', () => `${name}.bin`, bytes, { 'data-bin': name, 'aria-label': `raw bytes ${of}` }));
}

/** For the numbers of a field, and for those of a time slice that is chosen by its number. */
export function fieldRow(item: Item, field: FieldEntry, index: number, saving: Saving): HTMLElement {
  return element('li', { class: 'actions' }, `Field ${index} (${field.datatype ?? field.kind}):`, ...numbers(item, field, index, saving));
}

function numbers(item: Item, field: FieldEntry, index: number, saving: Saving): (Node | string)[] {
  const name = `field-${index}`;
  const all = forms({ what: name, of: ` of field ${index}`, name: () => name, wanted: () => ({ item, field, index }) }, saving);
  if (!isSliced(field)) return all;
  const last = timesOf(field) - 1;
  const t = element('input', { type: 'number', min: 0, max: last, value: 0, 'aria-label': `Time slice of field ${index}` });
  const slice = () => Math.min(last, Math.max(0, Math.floor(Number(t.value))));
  const one = { what: `slice-of-${name}`, of: ` of the time slice of field ${index}`, name: () => `${name}.t${slice()}`, wanted: () => ({ item, field, index, slice: slice() }) };
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
