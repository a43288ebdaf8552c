/** The bytes of a file without records, or of the volumes of a file set. */

import type { Item } from '../item';
import { hash } from '../link';
import { sizeOf } from '../place';
import type { ViewProperties } from './view';
import { Hex, inFile } from './hex';

export function Bytes({ item, report, target, visits }: ViewProperties) {
  const volume = Math.min(item.sources.length - 1, Math.max(0, target.volume ?? 0));
  return (
    <div>
      <h3>Bytes</h3>
      {item.isSet && <Volumes item={item} shown={volume} />}
      <Hex shown={inFile(item, 0, sizeOf(item, report, volume) ?? report.bytes, volume)} focus={target.offset} visits={visits} />
    </div>
  );
}

function Volumes({ item, shown }: { item: Item; shown: number }) {
  return (
    <ul aria-label="Volumes">
      {item.sources.map((source, volume) => (
        <li key={volume}>
          <a href={hash({ view: 'bytes', volume })} aria-current={volume === shown ? 'true' : undefined}>
            {source instanceof File ? source.name : `volume ${volume}`}
          </a>
        </li>
      ))}
    </ul>
  );
}
