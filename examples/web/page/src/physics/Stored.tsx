/** The table of stored and computed values. */

import type { FieldEntry, RecordEntry } from 'linkstream';
import { comparisons } from './recorded';

const SYMBOLS = { agrees: '✓', differs: '✗', 'not computed': '–' };
const TONES = { agrees: 'good', differs: 'bad', 'not computed': 'none' };

export function Stored({ field, records }: { field: FieldEntry; records: RecordEntry[] | undefined }) {
  const rows = comparisons(field, records);
  if (rows.length === 0) return <p class="stored-none">The file stores no plaquette, link trace or checksum to compare with.</p>;
  return (
    <table class="stored">
      <caption>Stored against computed values</caption>
      <thead>
        <tr>{['quantity', 'stored in', 'stored', 'computed', 'difference', 'tolerance', 'verdict'].map((title) => <th key={title} scope="col">{title}</th>)}</tr>
      </thead>
      <tbody>
        {rows.map(({ quantity, where, stored, computed, difference, tolerance, verdict }, row) => (
          <tr key={row}>
            <td>{quantity}</td><td>{where}</td><td class="number">{stored}</td><td class="number">{computed}</td>
            <td class="number">{difference}</td><td class="number">{tolerance}</td>
            <td class={TONES[verdict]}><span class="word"><span aria-hidden="true">{SYMBOLS[verdict]} </span>{verdict}</span></td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
