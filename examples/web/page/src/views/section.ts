/** The view of an scda section: its data, decompressed, and its elements. */

import type { SectionEntry } from 'linkstream';
import { attempt, latest } from '../attempt';
import { button, element } from '../dom';
import { type Elements, elementsAsCsv, elementsAsNpy } from '../export-section';
import { bytes, integer } from '../format';
import type { Item } from '../item';
import { bytesAsNpy } from '../npy';
import { unpressed } from '../press';
import { save } from '../save';
import { sizesPlot } from '../sizes-plot';
import { hexView, type Shown } from './hex';

/** Number of bytes that are shown as text, at most. */
const SHOWN = 4096;
/** Size in bytes of the largest data that are read at once. Larger data are read when the user requests it. */
const READ_AT_ONCE = 16 << 20;

export function oneSection(item: Item, section: SectionEntry, index: number): HTMLElement {
  const data = element('div', {});
  const read = () => attempt(data, () => show(item, section, index, data));
  const size = Number(section.uncompressed_bytes ?? section.bytes ?? 0);
  if (size <= READ_AT_ONCE) void read();
  else data.append(button(`Read all data (${bytes(size)})`, () => void read()));
  return element('div', {},
    element('h4', {}, `Section ${index}: ${section.user}`),
    // This form is above the data, since data that arrive later would move it.
    hasElements(section) ? elements(item, section, index) : null,
    data,
  );
}

/** Returns whether the section is an array, of elements of one size or of various sizes, and not empty. */
function hasElements(section: SectionEntry): boolean {
  return ['A', 'V'].includes(typeOf(section)) && Number(section.n) > 0;
}

/** Type of a section before compression. */
function typeOf(section: SectionEntry): SectionEntry['type'] {
  return section.uncompressed_type ?? section.type;
}

/** Data of a section that can be saved, or one of its elements. */
interface Exported {
  what: 'data' | 'element';
  /** Name of the file without its ending. */
  name: string;
  data: Blob;
  /** The data as an NPY file; `undefined` if the elements have different sizes. */
  npy: BlobPart[] | undefined;
  /** Elements for the lines of a CSV file; `undefined` if the section has none. */
  elements: Elements | undefined;
}

function saving({ what, name, data, npy, elements }: Exported): HTMLElement {
  const problem = element('div', { 'aria-live': 'polite' });
  const csv = (rows: Elements) => () => void attempt(problem, async () => {
    problem.replaceChildren();
    save(await elementsAsCsv(rows), `${name}.csv`);
  });
  return element('div', { class: 'actions' },
    button(`Save the ${what}`, () => save([data], `${name}.bin`), { id: `save-${what}` }),
    npy ? button('.npy', () => save(npy, `${name}.npy`), { id: `save-${what}-npy`, 'aria-label': `.npy of the ${what}` }) : null,
    elements ? button('CSV', csv(elements), { id: `save-${what}-csv`, 'aria-label': `CSV of the ${what}` }) : null,
    npy ? null : element('small', {}, 'Not as .npy: the elements have different sizes.'),
    problem);
}

async function show(item: Item, section: SectionEntry, index: number, output: HTMLElement): Promise<void> {
  const file = await item.open();
  const { data, sizes } = await file.readSectionAsBlob(index);
  const first = await data.slice(0, SHOWN).arrayBuffer();
  // The last character may be incomplete.
  const text = new TextDecoder('utf-8').decode(first, { stream: data.size > SHOWN });
  // eslint-disable-next-line no-control-regex
  const isText = !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
  const elements = elementsOf(section, data, sizes);
  const npy = elements ? elementsAsNpy(elements) : bytesAsNpy([data]);
  await unpressed();
  output.replaceChildren(
    element('p', {}, `${bytes(data.size)}${decompressed(section)}`),
    saving({ what: 'data', name: `${item.name}.section-${index}`, data, npy, elements }),
    isText ? element('pre', { role: 'region', tabindex: '0', 'aria-label': 'Data of the section' }, text) : hexView(inBlob(data, 'the data')),
  );
  if (sizes.length > 1) output.append(sizesPlot(sizes, 'Elements by their size'));
}

function decompressed(section: SectionEntry): string {
  return section.convention ? ' decompressed' : '';
}

function elementsOf(section: SectionEntry, data: Blob, sizes: number[]): Elements | undefined {
  if (!hasElements(section)) return undefined;
  if (typeOf(section) === 'V') return { data, first: 0, count: sizes.length, sizes };
  // There may be any number of empty elements: they are not written one by one.
  const count = Number(section.n);
  return data.size > 0 ? { data, first: 0, count, sizes: data.size / count } : undefined;
}

function inBlob(data: Blob, of: string): Shown {
  const read = async (from: number, size: number) => new Uint8Array(await data.slice(from, from + size).arrayBuffer());
  return { begin: 0, length: data.size, of, read };
}

/** The form that shows one element by its number. */
function elements(item: Item, section: SectionEntry, index: number): HTMLElement {
  const last = Number(section.n) - 1;
  const output = element('div', {});
  const number = element('input', { type: 'number', id: 'element', min: 0, max: last, step: 1, value: 0, required: true });
  const showElement = latest(output, async (chosen: number) => {
    const file = await item.open();
    const { data } = await file.readSectionAsBlob(index, { element: chosen });
    const name = `${item.name}.section-${index}.element-${chosen}`;
    return [
      element('p', { role: 'status' }, `Element ${integer(chosen)}: ${bytes(data.size)}${decompressed(section)}`),
      saving({ what: 'element', name, data, npy: bytesAsNpy([data]), elements: { data, first: chosen, count: 1, sizes: data.size } }),
      hexView(inBlob(data, 'the element')),
    ];
  });
  const submit = (event: Event) => {
    event.preventDefault();
    void showElement(number.valueAsNumber);
  };
  return element('form', { id: 'elements', class: 'actions', 'aria-label': `Elements of section ${index}`, on: { submit } },
    element('label', { for: number.id }, `Element, 0 to ${integer(last)}`), number,
    element('button', {}, 'Show the element'), output);
}
