/** Sections of scda files, their elements and data. */

import type { Report, SectionEntry } from 'linkstream';
import { attempt } from '../attempt';
import { button, element, table } from '../dom';
import { bytes, integer } from '../format';
import type { Item } from '../item';
import { plot } from '../plot';

const TYPES = { F: 'file header', I: 'inline', B: 'block', A: 'array', V: 'variable array' };
const MAX_LISTED = 1000;
/** Bytes of the data that are shown as text. */
const SHOWN = 4096;

export function sections(item: Item, report: Report): HTMLElement {
  const all = report.sections ?? [];
  const output = element('div', { id: 'section', 'aria-live': 'polite' });
  const rows = all.slice(0, MAX_LISTED).map((section, index) => [
    integer(index),
    TYPES[section.type],
    section.user,
    size(section),
    section.convention === 'data' ? (section.verified === true ? 'compressed, verified' : 'compressed')
      : section.convention === 'header' ? 'sizes of a compressed section' : '',
    section.type === 'F' || section.convention === 'header' ? ''
      : button('Show the data', () => void attempt(output, () => show(item, section, index, output)), { 'aria-label': `Show the data of section ${index}` }),
  ]);
  const sizes = all.map((section) => section.bytes ?? 0);
  return element('div', {},
    element('h3', {}, 'Sections'),
    table('Sections', ['number', 'type', 'user string', 'size', 'compression', 'data'], rows),
    all.length > MAX_LISTED ? element('p', {}, `The first ${MAX_LISTED} of ${integer(all.length)} sections are listed.`) : null,
    all.length > 1 ? histogram(sizes, 'Sections by their size') : null,
    output,
  );
}

function size(section: SectionEntry): string {
  const elements = section.n === undefined ? '' : `${integer(section.n)} ${section.n === 1 ? 'element' : 'elements'}, `;
  const unpacked = section.uncompressed_bytes == null ? '' : ` (${bytes(section.uncompressed_bytes)} decompressed)`;
  return `${elements}${section.bytes === null ? 'unknown' : bytes(section.bytes)}${unpacked}`;
}

/** Counts by powers of two. */
function histogram(sizes: number[], title: string): HTMLElement {
  const counts: number[] = [];
  for (const size of sizes) {
    const power = size === 0 ? 0 : Math.floor(Math.log2(size)) + 1;
    counts[power] = (counts[power] ?? 0) + 1;
  }
  const values = Array.from(counts, (count) => count ?? 0);
  const names = values.map((_, power) => (power === 0 ? '0' : bytes(2 ** (power - 1))));
  return plot(values.map((_, power) => power), [{ label: 'number', values }], { title, axis: 'size of at least', names, bars: true });
}

async function show(item: Item, section: SectionEntry, index: number, output: HTMLElement): Promise<void> {
  const file = await item.open();
  const { data, sizes } = await file.readSection(index);
  const text = new TextDecoder('utf-8').decode(data.subarray(0, SHOWN));
  // eslint-disable-next-line no-control-regex
  const isText = !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
  const shown = isText ? text : [...data.subarray(0, SHOWN / 4)].map((byte) => byte.toString(16).padStart(2, '0')).join(' ');
  const name = `section-${index}.bin`;
  output.replaceChildren(
    element('h4', {}, `Section ${index}: ${section.user}`),
    element('p', {}, `${bytes(data.length)}${section.convention ? ' decompressed' : ''} `,
      element('a', { href: URL.createObjectURL(new Blob([data as Uint8Array<ArrayBuffer>])), download: name }, 'Save the data')),
    element('pre', { tabindex: '0', 'aria-label': 'Data of the section' }, shown),
  );
  if (sizes.length > 1) output.append(histogram(sizes, 'Elements by their size'));
}
