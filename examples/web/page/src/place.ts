/** Places that a link names: whether the file has them. */

import type { Report, SectionEntry } from 'linkstream';
import { integer, plural } from './format';
import type { Item } from './item';
import type { Target } from './link';

/** True unless the section is the file header. */
export function hasData(section: SectionEntry): boolean {
  return section.type !== 'F';
}

/** Size of a file, or of a volume of a file set, in bytes; `undefined` if it is not known. */
export function sizeOf(item: Pick<Item, 'isSet' | 'sources'>, report: Report, volume: number): number | undefined {
  if (!item.isSet) return report.bytes;
  const source = item.sources[volume];
  return source instanceof Blob ? source.size : undefined;
}

/** A sentence that says why there is no such place; `undefined` if there is one, or if the link names none. */
export function missingPlace(item: Pick<Item, 'isSet' | 'sources'>, report: Report, target: Target): string | undefined {
  return missingRecord(report, target) ?? missingSection(report, target) ?? missingByte(item, report, target);
}

function missingRecord({ records }: Report, { record }: Target): string | undefined {
  if (record === undefined) return undefined;
  if (!records) return `There is no record ${record}: only LIME files have records.`;
  return isWithin(record, records.length) ? undefined : none('record', record, records.length);
}

function missingSection({ sections }: Report, { section }: Target): string | undefined {
  if (section === undefined) return undefined;
  if (!sections) return `There is no section ${section}: only scda files have sections.`;
  if (!isWithin(section, sections.length)) return none('section', section, sections.length);
  return hasData(sections[section]) ? undefined : `Section ${section}, the file header, has no data.`;
}

function missingByte(item: Pick<Item, 'isSet' | 'sources'>, report: Report, { volume = 0, offset }: Target): string | undefined {
  const volumes = item.isSet ? item.sources.length : 1;
  if (!isWithin(volume, volumes)) {
    return `There is no volume ${volume}: ${item.isSet ? `the file set has ${integer(volumes)}, counted from 0` : 'this is a single file'}.`;
  }
  if (offset === undefined) return undefined;
  const size = sizeOf(item, report, volume);
  // The end is a place: findings about truncated files are there.
  if (isWithin(offset, size === undefined ? Number.MAX_SAFE_INTEGER : size + 1)) return undefined;
  const bytes = size === undefined ? '' : `: the ${item.isSet ? 'volume' : 'file'} has ${integer(size)} ${plural(size, 'byte')}, counted from 0`;
  return `There is no byte ${offset}${bytes}.`;
}

const isWithin = (number: number, count: number) => Number.isSafeInteger(number) && number >= 0 && number < count;

function none(what: string, number: number, count: number): string {
  return `There is no ${what} ${number}: the file has ${integer(count)} ${plural(count, what)}, counted from 0.`;
}
