/** The view with the sections of an scda file. */

import type { Report, SectionEntry } from 'linkstream';
import { button, element, tableOfCards } from '../dom';
import { bytes, integer } from '../format';
import type { Item } from '../item';
import { sizesPlot } from '../sizes-plot';
import { oneSection } from './section';

const TYPES = { F: 'file header', I: 'inline', B: 'block', A: 'array', V: 'variable array' };
const MAX_LISTED = 1000;

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
      : button('Show the data', () => output.replaceChildren(oneSection(item, section, index)), { 'aria-label': `Show the data of section ${index}` }),
  ]);
  const sizes = all.map((section) => Number(section.bytes ?? 0));
  return element('div', {},
    element('h3', {}, 'Sections'),
    tableOfCards('In the order of the file', ['number', 'type', 'user string', 'size', 'compression', 'data'], rows),
    all.length > MAX_LISTED ? element('p', {}, `The first ${MAX_LISTED} of ${integer(all.length)} sections are listed.`) : null,
    all.length > 1 ? sizesPlot(sizes, 'Sections by their size') : null,
    output,
  );
}

function size(section: SectionEntry): string {
  const elements = section.n === undefined ? '' : `${integer(section.n)} ${section.n === 1 ? 'element' : 'elements'}, `;
  const decompressed = section.uncompressed_bytes == null ? '' : ` (${bytes(section.uncompressed_bytes)} decompressed)`;
  return `${elements}${section.bytes === null ? 'unknown' : bytes(section.bytes)}${decompressed}`;
}
