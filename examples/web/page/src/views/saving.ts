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
/** Makes a button that saves the result of `make`. `name` returns the end of the file name, after the item's name. */
export type Saving = (label: string, name: () => string, make: Make, properties?: Record<string, unknown>) => HTMLElement;

/** Returns the function that makes such buttons. Their errors are shown in `problem`. */
export function savingFor(item: Item): { saving: Saving; problem: HTMLElement } {
  const problem = element('div', { 'aria-live': 'polite' });
  const saving: Saving = (label, name, make, properties = {}) =>
    button(label, () => void attempt(problem, async () => {
      problem.replaceChildren();
      save(await make(), `${item.name}.${name()}`);
    }), properties);
  return { saving, problem };
}

/** Buttons for the payload of a record. There is no CSV: if the payload has numbers, the field offers them. */
export function recordRow(item: Item, record: RecordEntry, index: number, saving: Saving): HTMLElement {
  const name = `record-${index + 1}`;
  const of = `of record ${index + 1}`;
  const bytes = () => recordBytes(item, record);
  return element('li', { class: 'actions' }, `Record ${index + 1} (${record.type}):`,
    saving('.npy of bytes', () => `${name}.npy`, async () => bytesAsNpy(await bytes()), { 'data-npy': name, 'aria-label': `.npy of bytes ${of}` }),
    saving('raw bytes', () => `${name}.bin`, bytes, { 'data-bin': name, 'aria-label': `raw bytes ${of}` }));
}

/** Buttons for the numbers of a field, and for a time slice chosen by its number. */
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

/** A field or time slice that can be saved in each form. */
interface Exported {
  /** Value of the `data-` attribute that identifies a button. */
  what: string;
  /** End of the accessible name of a button, after the form. */
  of: string;
  name: () => string;
  wanted: () => Wanted;
}

const FORMS = [['.npy', 'npy', fieldAsNpy], ['CSV', 'csv', fieldAsCsv], ['raw bytes', 'bin', fieldAsBytes]] as const;

function forms({ what, of, name, wanted }: Exported, saving: Saving): (Node | string)[] {
  return FORMS.map(([label, ending, make]) =>
    saving(label, () => `${name()}.${ending}`, () => make(wanted()), { [`data-${ending}`]: what, 'aria-label': `${label}${of}` }));
}
