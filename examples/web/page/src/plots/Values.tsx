/** The table of the values of a plot, for people who do not see the plot. */

import { useState } from 'preact/hooks';

/** Number of rows that are shown, at most. A browser needs seconds for tables of some ten thousand rows. */
const MOST_ROWS = 1000;
/** Tables with at most this many rows exist before they are opened, so that the browser's search finds their values. */
const SMALL = 100;

interface Props {
  caption: string;
  head: string[];
  count: number;
  /** The first column has names. */
  isNamed?: boolean;
  /** The cells of a row. */
  row: (index: number) => string[];
}

export function Values({ caption, head, count, isNamed, row }: Props) {
  const [isOpen, setOpen] = useState(false);
  const shown = Math.min(count, MOST_ROWS);
  return (
    <details onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>Values</summary>
      {(isOpen || count <= SMALL) && (
        <table class={isNamed ? 'numbers named' : 'numbers'}>
          <caption>{caption}{shown < count ? `: the first ${shown} of ${count}` : ''}</caption>
          <thead><tr>{head.map((title) => <th key={title} scope="col">{title}</th>)}</tr></thead>
          <tbody>
            {Array.from({ length: shown }, (_, index) => (
              <tr key={index}>{row(index).map((cell, column) => <td key={column}>{cell}</td>)}</tr>
            ))}
          </tbody>
        </table>
      )}
    </details>
  );
}
