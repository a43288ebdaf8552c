/** A section of an scda file: its data, decompressed, and single elements of them. */

import type { SectionEntry } from 'linkstream';
import { attempt, latest } from '../attempt';
import { button, element } from '../dom';
import { bytes, integer } from '../format';
import type { Item } from '../item';
import { npyHeader } from '../npy';
import { save } from '../save';
import { sizesPlot } from '../sizes-plot';
import { hexView, type Shown } from './hex';

/** Bytes of the data that are shown as text. */
const SHOWN = 4096;
/** Larger data are read only when asked for. */
const READ_AT_ONCE = 16 << 20;

export function oneSection(item: Item, section: SectionEntry, index: number): HTMLElement {
  const data = element('div', {});
  const read = () => attempt(data, () => show(item, section, index, data));
  const size = section.uncompressed_bytes ?? section.bytes ?? 0;
  if (size <= READ_AT_ONCE) void read();
  else data.append(button(`Read all data (${bytes(size)})`, () => void read()));
  return element('div', {},
    element('h4', {}, `Section ${index}: ${section.user}`),
    data,
    hasElements(section) ? elements(item, section, index) : null,
  );
}

/** Arrays, of elements of one size or of various sizes. */
function hasElements(section: SectionEntry): boolean {
  return ['A', 'V'].includes(typeOf(section)) && Number(section.n) > 0;
}

/** Before compression. */
function typeOf(section: SectionEntry): SectionEntry['type'] {
  return section.uncompressed_type ?? section.type;
}

/** Buttons that save bytes as they are, and, if they have the shape of an array, as one. */
function saving(data: Uint8Array, shape: number[] | undefined, what: string, name: string): (Node | string)[] {
  const content = data as Uint8Array<ArrayBuffer>;
  const raw = button(`Save the ${what}`, () => save([content], `${name}.bin`), { id: `save-${what}` });
  if (!shape) return [raw];
  return [raw, ' ', button('.npy', () => save([npyHeader('|u1', shape), content], `${name}.npy`), { id: `save-${what}-npy`, 'aria-label': `.npy of the ${what}` })];
}

async function show(item: Item, section: SectionEntry, index: number, output: HTMLElement): Promise<void> {
  const file = await item.open();
  const { data, sizes } = await file.readSection(index);
  const text = new TextDecoder('utf-8').decode(data.subarray(0, SHOWN));
  // eslint-disable-next-line no-control-regex
  const isText = !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
  // Elements of various sizes are no array.
  const count = Number(section.n ?? 0);
  const shape = !hasElements(section) ? [data.length] : typeOf(section) === 'A' ? [count, data.length / count] : undefined;
  output.replaceChildren(
    element('p', { class: 'actions' }, `${bytes(data.length)}${section.convention ? ' decompressed' : ''} `, ...saving(data, shape, 'data', `${item.name}.section-${index}`)),
    isText ? element('pre', { role: 'region', tabindex: '0', 'aria-label': 'Data of the section' }, text) : hexView(inMemory(data, 'the data')),
  );
  if (sizes.length > 1) output.append(sizesPlot(sizes, 'Elements by their size'));
}

function inMemory(data: Uint8Array, of: string): Shown {
  return { begin: 0, length: data.length, of, read: async (from, size) => data.subarray(from, from + size) };
}

/** A control for one element after the other. */
function elements(item: Item, section: SectionEntry, index: number): HTMLElement {
  const last = Number(section.n) - 1;
  const output = element('div', {});
  const number = element('input', { type: 'number', id: 'element', min: 0, max: last, step: 1, value: 0, required: true });
  const showElement = latest(output, async (chosen: number) => {
    const file = await item.open();
    const { data } = await file.readSection(index, { element: chosen });
    const name = `${item.name}.section-${index}.element-${chosen}`;
    return [
      element('p', { role: 'status', class: 'actions' }, `Element ${integer(chosen)}: ${bytes(data.length)}${section.convention ? ' decompressed' : ''} `,
        ...saving(data, [data.length], 'element', name)),
      hexView(inMemory(data, 'the element')),
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
