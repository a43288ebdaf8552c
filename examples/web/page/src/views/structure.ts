/** The view with the structure of a LIME file: messages and records, their texts, and their bytes. */

import type { RecordEntry, Report } from 'linkstream';
import { button, element } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';
import { current, hash } from '../link';
import { payloadOffset, recordAt } from '../records';
import { prettyXml } from '../xml';
import { hexView, inFile } from './hex';
import { fieldRow, recordRow, savingFor } from './saving';

/** Largest number of records that are listed. The search finds the others. */
const MAX_LISTED = 2000;

export function structure(item: Item, report: Report): HTMLElement {
  const records = report.records ?? [];
  const target = current();
  const selected = target.record !== undefined ? target.record - 1
    : target.offset !== undefined ? recordAt(report, target.offset) : undefined;
  const tree = element('ul', { class: 'tree' });
  const search = element('input', { type: 'search', id: 'search', on: { input: () => list() } });
  const found = element('p', { role: 'status' });
  function list(): void {
    const wanted = search.value.toLowerCase();
    const matching = records
      .map((record, index) => ({ record, index }))
      .filter(({ record }) => `${record.type} ${record.text ?? ''}`.toLowerCase().includes(wanted));
    found.textContent = wanted ? `${integer(matching.length)} of ${integer(records.length)} records` : '';
    tree.replaceChildren(...messages(matching.slice(0, MAX_LISTED), selected));
  }
  list();
  const chosen = selected === undefined ? undefined : records[selected];
  return element('div', { class: 'columns' },
    element('div', {},
      element('h3', {}, 'Messages and records'),
      element('label', { for: 'search' }, 'Search types and texts'), search, found, tree),
    chosen ? oneRecord(item, report, selected ?? 0, target.offset) : element('p', {}, 'Choose a record to see its text and bytes.'),
  );
}

function messages(entries: { record: RecordEntry; index: number }[], selected: number | undefined): HTMLElement[] {
  const groups = Map.groupBy(entries, ({ record }) => record.message);
  return [...groups].map(([number, members]) => element('li', {}, `message ${number}`,
    element('ul', {}, ...members.map(({ record, index }) => element('li', {},
      element('a', { href: hash({ record: index + 1 }), 'aria-current': index === selected ? 'true' : false }, record.type || '(no type)'),
      element('small', {}, ` ${integer(record.length)} bytes at ${integer(record.offset)}`)))),
  ));
}

function oneRecord(item: Item, report: Report, index: number, offset: number | undefined): HTMLElement {
  const records = report.records ?? [];
  const [record, number] = [records[index], index + 1];
  const hex = element('div', {});
  const begin = payloadOffset(record);
  const showHex = () => hex.replaceChildren(hexView(inFile(item, begin, record.length)));
  const root = element('div', { id: 'record' },
    element('h3', {}, `Record ${number}: ${record.type}`),
    element('p', {}, `${integer(record.length)} bytes; header at ${integer(record.offset)}, data at ${integer(begin)}`));
  if (record.text !== null) {
    const text = record.text.replace(/\0+$/, '');
    root.append(element('pre', { role: 'region', class: 'text', tabindex: '0', 'aria-label': `Text of record ${number}` }, prettyXml(text)));
    if (record.text_cut) root.append(element('p', {}, 'The text is longer; all of it is in the bytes.'));
  }
  root.append(exportsOf(item, report, index), button('Show the bytes', showHex, { id: 'show-bytes' }), hex);
  if (offset !== undefined) {
    // The byte may be in the header, in the padding, or in bytes that belong to no record.
    const end = records[index + 1]?.offset ?? (item.isSet ? begin + record.length : report.bytes);
    hex.append(hexView(inFile(item, record.offset, end - record.offset), offset));
  }
  return root;
}

/** Buttons that save the record, and the field whose data it contains. */
function exportsOf(item: Item, report: Report, index: number): HTMLElement {
  const { saving, problem } = savingFor(item);
  const record = (report.records ?? [])[index];
  const list = element('ul', { class: 'exports', 'aria-label': 'Exports' }, recordRow(item, record, index, saving));
  report.fields.forEach((field, number) => {
    if (field.precision && field.offset === record.offset) list.append(fieldRow(item, field, number, saving));
  });
  return element('div', {}, list, problem);
}
