/** Tables with a header row. */

import type { ComponentChildren } from 'preact';

interface Properties {
  caption: string;
  head: string[];
  rows: ComponentChildren[][];
  /** Rows become cards on narrow screens. */
  cards?: boolean;
}

const REAL = String.raw`([-−]?(\d[\d,.]*(e[-+]?\d+)?|∞)|NaN)`;
/** A number, with its unit or imaginary part if it has one: it is aligned at the right. */
const NUMBER = new RegExp(`^${REAL}( (bytes?|[kMGT]B|bits|s|${REAL}i))?$`);

const isNumber = (cell: ComponentChildren) => typeof cell === 'number' || (typeof cell === 'string' && NUMBER.test(cell));

/**
 * With `cards`, the cells of a row are one below the other on narrow screens, each with the name of its column. The
 * roles of table elements are set explicitly, since some browsers drop them if CSS gives another layout.
 */
export function Table({ caption, head, rows, cards }: Properties) {
  const role = <Role extends 'table' | 'rowgroup' | 'row' | 'columnheader' | 'cell'>(name: Role) => (cards ? name : undefined);
  // All cells of a column have one alignment, and its title, too.
  const isNumeric = head.map((_, column) => rows.filter((row) => isNumber(row[column])).length > rows.length / 2);
  return (
    <table class={cards ? 'cards' : undefined} role={role('table')}>
      <caption>{caption}</caption>
      <thead role={role('rowgroup')}>
        <tr role={role('row')}>
          {head.map((title, column) => <th key={column} scope="col" role={role('columnheader')} class={isNumeric[column] ? 'number' : undefined}>{title}</th>)}
        </tr>
      </thead>
      <tbody role={role('rowgroup')}>
        {rows.map((row, index) => (
          <tr key={index} role={role('row')}>
            {row.map((cell, column) => (
              <td key={column} role={role('cell')} class={isNumeric[column] ? 'number' : undefined} data-column={cards ? head[column] : undefined}>{cell}</td>
            ))}
          </tr>
        ))}
      </tbody>
    </table>
  );
}
