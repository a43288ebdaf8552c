/** Statistics of each group of an ensemble. */

import { integer, value } from '../format';
import { type Group, summaryOf } from './statistics';

const HEAD = ['lattice, precision, datatype', 'files', 'left out: errors', 'mean plaquette', 'standard deviation', 'naive error', 'smallest', 'largest', 'outliers'];

const NONE: ReadonlySet<number> = new Set();

export function SummaryTable({ groups, files, outliers }: { groups: Group[]; files: number; outliers: ReadonlySet<number> | undefined }) {
  if (groups.length === 0) return null;
  const without = files - groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return (
    <div class="ensemble-summary">
      <table class="cards" role="table">
        <caption>Plaquette of each lattice, precision and datatype</caption>
        <thead role="rowgroup"><tr role="row">{HEAD.map((title, column) => <th key={title} scope="col" role="columnheader" class={column > 0 ? 'number' : undefined}>{title}</th>)}</tr></thead>
        <tbody role="rowgroup">
          {groups.map((group) => (
            <tr key={group.name} role="row">
              {cells(group, outliers).map((cell, column) => <td key={column} role="cell" data-column={HEAD[column]} class={column > 0 ? 'number' : undefined}>{cell}</td>)}
            </tr>
          ))}
        </tbody>
      </table>
      <p class="ensemble-note">
        {without > 0 && `${integer(without)} of ${integer(files)} files have no plaquette, and so no row. `}
        The naive error is the standard deviation divided by √n, without autocorrelation: the real error is usually larger.
      </p>
    </div>
  );
}

function cells(group: Group, outlying: ReadonlySet<number> | undefined): string[] {
  const found = summaryOf(group, outlying ?? NONE);
  if (!found) return [group.name, '0', String(group.rows.length), '', '', '', '', '', ''];
  const { count, mean, deviation, naiveError, least, most, outliers, withErrors } = found;
  return [
    group.name, String(count), String(withErrors), value(mean),
    deviation === undefined ? '' : short(deviation), naiveError === undefined ? '' : short(naiveError), value(least), value(most),
    outlying ? String(outliers) : '',
  ];
}

function short(number: number): string {
  return number === 0 ? '0' : number.toExponential(2);
}
