/** The view that compares the selected file with another one of the list. */

import { useState } from 'preact/hooks';
import type { Item } from '../item';
import { state } from '../store';
import type { ViewProperties } from '../views/view';
import { Compare } from './Compare';

/** Largest number of files to choose from: a longer list is of no use. */
const MOST_OFFERED = 1000;

const isReadable = (item: Item) => item.state.kind === 'done';
const comparedOf = (item: Item) => ({ name: item.name, sources: item.sources, isSet: item.isSet, report: item.state.kind === 'done' ? item.state.report : undefined });

export function CompareView({ item }: ViewProperties) {
  const [id, choose] = useState<number>();
  const others = state.items.filter((other) => other !== item && isReadable(other)).slice(0, MOST_OFFERED);
  // Without a choice, the next file of the list is offered.
  const other = others.find((one) => one.id === id) ?? others.find((one) => one.id > item.id) ?? others[0];
  if (!other) return <p>Open a second file to compare this one with it.</p>;
  return (
    <div>
      <h3>Compare with another file</h3>
      <div class="actions">
        <label for="other">{`First file: ${item.name}. Second file:`}</label>
        <select id="other" value={other.id} onChange={(event) => choose(Number(event.currentTarget.value))}>
          {others.map((one) => <option key={one.id} value={one.id}>{one.name}</option>)}
        </select>
      </div>
      <Compare key={other.id} a={comparedOf(item)} b={comparedOf(other)} />
    </div>
  );
}
