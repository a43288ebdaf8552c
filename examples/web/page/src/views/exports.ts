/** Files made of what is shown: the report, and data as bytes, NPY or CSV. */

import type { FieldEntry, Report } from 'linkstream';
import { button, element } from '../dom';
import type { Item } from '../item';
import { npyHeader } from '../npy';
import { payloadOffset } from '../records';

export function exportsOf(item: Item, report: Report): HTMLElement {
  const root = element('div', {}, element('h3', {}, 'Export'),
    button('Report as JSON', () => save([JSON.stringify(report)], `${item.name}.json`, 'application/json'), { id: 'save-json' }));
  const [source] = item.sources;
  if (item.isSet || !(source instanceof Blob)) return root;
  const list = element('ul', {});
  report.fields?.forEach((field, index) => list.append(element('li', {}, `Field ${index + 1} (${field.datatype ?? field.kind}): `,
    field.precision ? button('.npy', () => saveField(item, source, field, index), { 'data-npy': index }) : null, ' ',
    button('raw bytes', () => save([payload(source, field)], `${item.name}.field-${index + 1}.bin`)), ' ',
    ...slice(item, source, field, index))));
  report.records?.slice(0, 500).forEach((record, index) => list.append(element('li', {}, `Record ${index + 1} (${record.type}): `,
    button('raw bytes', () => save([source.slice(payloadOffset(record), payloadOffset(record) + record.length)], `${item.name}.record-${index + 1}.bin`)))));
  if (report.format === 'inebin' && report.rows != null) {
    list.append(element('li', {}, 'Matrix: ',
      button('.npy', () => void saveMatrix(item, report), { id: 'save-matrix-npy' }), ' ',
      button('CSV', () => void saveCsv(item, report), { id: 'save-csv' })));
  }
  root.append(list);
  return root;
}

/** Data of a file are read only while they are saved. */
function payload(source: Blob, field: FieldEntry): Blob {
  const begin = field.offset + 144;
  return source.slice(begin, begin + field.sites * field.bytes_per_site);
}

/** The type and shape of a field as an array: slowest coordinate first, then links, rows and columns. */
function array(field: FieldEntry): { type: string; shape: number[] } {
  const bytes = (field.precision ?? 8) / 8;
  const sites = field.kind === 'field' ? [...field.dims].reverse() : [field.sites];
  const { links } = field;
  if (links) {
    const type = links.numbers === 'complex' ? `>c${2 * bytes}` : `>f${bytes}`;
    return { type, shape: [...sites, links.per_site, links.rows, links.columns] };
  }
  return { type: `>f${bytes}`, shape: [...sites, field.bytes_per_site / bytes] };
}

function saveField(item: Item, source: Blob, field: FieldEntry, index: number): void {
  const { type, shape } = array(field);
  save([npyHeader(type, shape), payload(source, field)], `${item.name}.field-${index + 1}.npy`);
}

/** A time slice, chosen by its number. */
function slice(item: Item, source: Blob, field: FieldEntry, index: number): (Node | string)[] {
  if (field.kind !== 'field' || !field.precision) return [];
  const extent = field.dims[field.dims.length - 1];
  const t = element('input', { type: 'number', min: 0, max: extent - 1, value: 0, 'aria-label': `Time slice of field ${index + 1}` });
  const saveSlice = () => {
    const at = Math.min(extent - 1, Math.max(0, Number(t.value)));
    const { type, shape } = array(field);
    const all = payload(source, field);
    const size = all.size / extent;
    save([npyHeader(type, shape.slice(1)), all.slice(at * size, (at + 1) * size)], `${item.name}.field-${index + 1}.t${at}.npy`);
  };
  return ['time slice ', t, ' ', button('.npy', saveSlice)];
}

const ROWS_AT_A_TIME = 1024;

/** The entries of a matrix piece by piece: the browser may keep what is there already on the disk. */
async function pieces(item: Item, report: Report, convert: (entries: ArrayLike<number | bigint> & ArrayBufferView) => BlobPart): Promise<Blob[]> {
  const rows = report.rows ?? 0;
  const file = await item.open();
  const parts: Blob[] = [];
  for (let from = 0; from < rows; from += ROWS_AT_A_TIME) {
    parts.push(new Blob([convert(await file.readMatrix({ from, to: Math.min(rows, from + ROWS_AT_A_TIME) }))]));
  }
  return parts;
}

async function saveMatrix(item: Item, report: Report): Promise<void> {
  const types: Record<string, string> = { B: '|b1', I: '<i8', R: '<f8', C: '<c16' };
  const header = npyHeader(types[report.type ?? ''], [report.rows ?? 0, report.columns ?? 0]);
  save([header, ...(await pieces(item, report, (entries) => entries as unknown as Uint8Array<ArrayBuffer>))], `${item.name}.npy`);
}

async function saveCsv(item: Item, report: Report): Promise<void> {
  const columns = report.columns ?? 0;
  const isComplex = report.type === 'C';
  const width = isComplex ? 2 * columns : columns;
  const lines = (entries: ArrayLike<number | bigint>) => {
    let text = '';
    for (let at = 0; at < entries.length; at += width) {
      const row: string[] = [];
      for (let column = 0; column < columns; column += 1) {
        const i = at + (isComplex ? 2 * column : column);
        row.push(isComplex ? `${entries[i]} ${entries[i + 1]}` : String(entries[i]));
      }
      text += `${row.join(',')}\n`;
    }
    return text;
  };
  save(await pieces(item, report, lines), `${item.name}.csv`, 'text/csv');
}

function save(parts: BlobPart[], name: string, type = 'application/octet-stream'): void {
  const url = URL.createObjectURL(new Blob(parts, { type }));
  element('a', { href: url, download: name }).click();
  // The browser has begun to read by then.
  setTimeout(() => URL.revokeObjectURL(url), 60_000);
}
