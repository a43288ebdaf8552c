/** The table of stored and computed values. */

import type { FieldEntry } from 'linkstream';
import { comparisons } from './recorded';

const HEAD = ['quantity', 'stored in', 'stored', 'computed', 'difference', 'tolerance', 'result'];
const SYMBOLS = { agrees: '✓', differs: '✗', 'not computed': '–' };
const TONES = { agrees: 'good', differs: 'bad', 'not computed': 'none' };

export function Stored({ field }: { field: FieldEntry }) {
  const rows = comparisons(field);
  if (rows.length === 0) return <p class="stored-none">The file stores no plaquette, link trace or checksum to compare with.</p>;
  return (
    <table class="stored cards" role="table">
      <caption>Stored against computed values</caption>
      <thead role="rowgroup"><tr role="row">{HEAD.map((title, column) => <th key={title} scope="col" role="columnheader" class={isText(column) ? undefined : 'number'}>{title}</th>)}</tr></thead>
      <tbody role="rowgroup">
        {rows.map(({ quantity, where, stored, computed, difference, tolerance, result }, row) => (
          <tr key={row} role="row">
            {[quantity, where, stored, computed, difference, tolerance].map((cell, column) => (
              <td key={column} role="cell" data-column={HEAD[column]} class={isText(column) ? undefined : 'number'}>{cell}</td>
            ))}
            <td role="cell" data-column="result" class={TONES[result]}><span class="word"><span aria-hidden="true">{SYMBOLS[result]} </span>{result}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}

/** Returns whether a column has texts: quantity, place, and result. The others have numbers. */
function isText(column: number): boolean {
  return column < 2 || column === HEAD.length - 1;
}
