/** The table of an ensemble. Only visible rows have elements, since there may be thousands. */

import type { VNode } from 'preact';
import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { bytes, value } from '../format';
import type { Column, Order } from './arrange';
import { latticeOf, precisionOf, type Row, type Verdict } from './row';

const ROW_HEIGHT = 32;
/** Rows above and below the visible ones that have elements, so that scrolling shows no gaps. */
const BEYOND = 12;
/** Browsers do not support much higher elements. */
const MAX_HEIGHT = 8_000_000;

const HEAD: { column: Column; title: string; isNumber?: boolean }[] = [
  { column: 'name', title: 'name' },
  { column: 'lattice', title: 'lattice' },
  { column: 'precision', title: 'precision' },
  { column: 'update', title: 'update', isNumber: true },
  { column: 'plaquette', title: 'plaquette', isNumber: true },
  { column: 'unitarity', title: 'unitarity', isNumber: true },
  { column: 'verdict', title: 'verdict' },
  { column: 'size', title: 'size', isNumber: true },
];

const SYMBOLS: Record<Verdict, string> = { ok: '✓', unverified: '?', wrong: '✗', unreadable: '✗', 'not read': '–', 'not recognised': '?', cancelled: '–', waiting: '…', reading: '…' };
const TONES: Record<Verdict, string> = { ok: 'good', unverified: 'fair', wrong: 'bad', unreadable: 'bad', 'not read': 'none', 'not recognised': 'none', cancelled: 'none', waiting: 'none', reading: 'none' };

interface Props {
  rows: Row[];
  order: Order;
  onSort: (column: Column) => void;
  outliers: ReadonlySet<number>;
  selected: number | undefined;
  onSelect: (id: number) => void;
}

export function Table({ rows, order, onSort, outliers, selected, onSelect }: Props) {
  const view = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [height, setHeight] = useState(480);
  useEffect(() => {
    const node = view.current;
    if (!node) return undefined;
    const observer = new ResizeObserver(() => node.clientHeight > 0 && setHeight(node.clientHeight));
    observer.observe(node);
    return () => observer.disconnect();
  }, []);
  // A file that is selected elsewhere, as in the plot, is scrolled to. The order of rows does not scroll.
  useLayoutEffect(() => {
    const at = rows.findIndex(({ id }) => id === selected);
    const node = view.current;
    if (at < 0 || !node) return;
    const from = at * ROW_HEIGHT;
    const isSeen = from >= node.scrollTop && from + 2 * ROW_HEIGHT <= node.scrollTop + node.clientHeight;
    if (!isSeen) node.scrollTop = from - node.clientHeight / 2;
  }, [selected]);

  const line = useLines();
  const click = ({ target }: MouseEvent) => {
    const id = target instanceof Element ? target.closest('tr')?.dataset.id : undefined;
    if (id !== undefined) onSelect(Number(id));
  };
  const shown = Math.min(rows.length, Math.floor(MAX_HEIGHT / ROW_HEIGHT));
  // Steps of several rows, so that not every event of the wheel draws.
  const first = Math.min(Math.max(0, Math.floor(top / ROW_HEIGHT / 4) * 4 - BEYOND), Math.max(0, shown - 1));
  const end = Math.min(shown, first + Math.ceil(height / ROW_HEIGHT) + 2 * BEYOND + 4);
  return (
    <div class="ensemble-view" ref={view} tabIndex={0} role="region" aria-label="Table of the files" onScroll={(event) => setTop(event.currentTarget.scrollTop)}>
      <table class="ensemble-table" role="table" aria-rowcount={rows.length + 1}>
        <thead role="rowgroup">
          <tr role="row" aria-rowindex={1}>
            {HEAD.map(({ column, title, isNumber }) => {
              const isSorted = order.column === column;
              const sort = isSorted ? (order.isDescending ? 'descending' : 'ascending') : 'none';
              return (
                <th key={column} role="columnheader" scope="col" aria-sort={sort} class={isNumber ? 'number' : undefined} data-column={column}>
                  <button type="button" onClick={() => onSort(column)}>
                    {title}<span aria-hidden="true" class="arrow">{isSorted ? (order.isDescending ? '▼' : '▲') : ''}</span>
                  </button>
                </th>
              );
            })}
          </tr>
        </thead>
        <tbody role="rowgroup" onClick={click}>
          <Space rows={first} />
          {rows.slice(first, end).map((row, index) => line({ row, at: first + index, isSelected: row.id === selected, isOutlier: outliers.has(row.id) }))}
          <Space rows={shown - end} />
        </tbody>
      </table>
      {shown < rows.length && <p>{rows.length - shown} more files are not shown. Filter the table, or export it.</p>}
    </div>
  );
}

/** Elements of rows. Preact compares an element with its former one only if it is another object: scrolling draws new rows only. */
function useLines(): (props: LineProps) => VNode {
  const former = useRef(new Map<number, { props: LineProps; node: VNode }>());
  const present = new Map<number, { props: LineProps; node: VNode }>();
  useLayoutEffect(() => {
    former.current = present;
  });
  return (props) => {
    const known = former.current.get(props.row.id);
    const isSame = known && (Object.keys(props) as (keyof LineProps)[]).every((key) => known.props[key] === props[key]);
    const found = isSame ? known : { props, node: <Line key={props.row.id} {...props} /> };
    present.set(props.row.id, found);
    return found.node;
  };
}

function Space({ rows }: { rows: number }) {
  return rows > 0 ? <tr aria-hidden="true" class="space" style={{ height: `${rows * ROW_HEIGHT}px` }} /> : null;
}

interface LineProps {
  row: Row;
  at: number;
  isSelected: boolean;
  isOutlier: boolean;
}

function Line({ row, at, isSelected, isOutlier }: LineProps) {
  const { id, name, update, plaquette, unitarity, verdict, size, share, message } = row;
  return (
    <tr role="row" aria-rowindex={at + 2} aria-selected={isSelected} class={isSelected ? 'selected' : undefined} data-id={id}>
      <td role="cell" class="name">
        {/* On narrow screens, the column with the verdict is out of view at first. */}
        <span class={`at-name ${TONES[verdict]}`} aria-hidden="true" data-symbol={SYMBOLS[verdict]} />
        <button type="button" title={name} aria-pressed={isSelected}>{name}</button>
      </td>
      <td role="cell">{latticeOf(row)}</td>
      <td role="cell">{precisionOf(row)}</td>
      <td role="cell" class="number" title={update && `from: ${update.from}`}>{update?.number}{update?.from === 'file name' && <small> (name)</small>}</td>
      <td role="cell" class="number">{isOutlier && <small class="outlier">outlier </small>}{plaquette === undefined ? '' : value(plaquette)}</td>
      <td role="cell" class="number">{unitarity === undefined ? '' : unitarity === 0 ? '0' : unitarity.toExponential(2)}</td>
      <td role="cell" class={`verdict ${TONES[verdict]}`} title={message || undefined}>
        <span class="word"><span aria-hidden="true">{SYMBOLS[verdict]} </span>{verdict}{verdict === 'reading' && share !== undefined ? ` ${Math.floor(share * 100)} %` : ''}</span>
      </td>
      <td role="cell" class="number">{size === undefined ? '' : bytes(size)}</td>
    </tr>
  );
}
