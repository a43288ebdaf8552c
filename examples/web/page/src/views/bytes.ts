/** The bytes of a file without records, or of the volumes of a file set. */

import type { Report } from 'linkstream';
import { element } from '../dom';
import type { Item } from '../item';
import { current, hash } from '../link';
import { hexView, inFile } from './hex';

export function bytesOf(item: Item, report: Report): HTMLElement {
  const { volume = 0, offset } = current();
  const [source] = item.sources.slice(volume);
  const length = item.isSet && source instanceof Blob ? source.size : report.bytes;
  return element('div', {},
    element('h3', {}, 'Bytes'),
    item.isSet ? volumes(item, volume) : null,
    hexView(inFile(item, 0, length, volume), offset),
  );
}

function volumes(item: Item, shown: number): HTMLElement {
  const links = item.sources.map((source, volume) => element('li', {},
    element('a', { href: hash({ view: 'bytes', volume }), 'aria-current': volume === shown ? 'true' : false },
      source instanceof File ? source.name : `volume ${volume}`)));
  return element('ul', { 'aria-label': 'Volumes' }, ...links);
}
