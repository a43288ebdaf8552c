/** The view of a matrix: statistics, a table of the entries, and a heat map. */

import type { Report } from 'linkstream';
import { attempt } from '../attempt';
import { button, element, table } from '../dom';
import { integer, value } from '../format';
import { heatMap } from '../heat-map';
import type { Item } from '../item';
import { unpressed } from '../press';

const ROW_HEIGHT = 24;
/** Height of the table in pixels, at most. Some browsers do not support higher elements. */
const MAX_HEIGHT = 8_000_000;
const MAX_COLUMNS = 50;
/** Largest number of rows and of columns in the heat map. Of larger matrices, it shows evenly spaced ones. */
const MAP = 128;

export function matrix(item: Item, report: Report): HTMLElement {
  const [type, rows, columns] = [report.type ?? '', report.rows ?? 0, report.columns ?? 0];
  const words: Record<string, string> = { B: 'booleans', Z: 'integers', R: 'real numbers', C: 'complex numbers' };
  const map = element('div', { 'aria-live': 'polite' });
  return element('div', {},
    element('h3', {}, `${integer(rows)} rows and ${integer(columns)} columns of ${words[type] ?? type}`),
    statistics(report),
    rowsTable(item, type, rows, columns),
    rows > 0 && columns > 0 ? button('Show the heat map', () => void attempt(map, () => showMap(item, type, rows, columns, map)), { id: 'show-map' }) : null,
    map,
  );
}

/** Statistics in a report, and their names for people. */
const STATISTICS: Record<string, string> = {
  set_bits: 'entries that are true', min: 'smallest entry', max: 'largest entry', mean: 'mean', re: 'real parts',
  im: 'imaginary parts', nan_count: 'entries that are not a number', inf_count: 'infinite entries',
};

function statistics(report: Report): HTMLElement {
  const show = (found: unknown): string =>
    typeof found === 'number' ? (Number.isInteger(found) ? integer(found) : value(found))
      : found !== null && typeof found === 'object' ? Object.entries(found).map(([key, part]) => `${STATISTICS[key] ?? key} ${show(part)}`).join(', ')
        : String(found);
  const found = new Map(Object.entries(report));
  const rows = Object.entries(STATISTICS).filter(([key]) => found.has(key)).map(([key, name]) => [name, show(found.get(key))]);
  return table('Statistics', ['statistic', 'value'], rows);
}

/** The table of entries. Only visible rows are read and have elements, since a matrix may have millions of rows. */
function rowsTable(item: Item, type: string, rows: number, columns: number): HTMLElement {
  const shown = Math.min(columns, MAX_COLUMNS);
  const height = Math.min(MAX_HEIGHT, rows * ROW_HEIGHT);
  const body = element('div', { class: 'rows' });
  const spacer = element('div', {});
  spacer.style.height = `${height}px`;
  const view = element('div', { class: 'virtual', tabindex: '0', role: 'region', 'aria-label': 'Rows of the matrix' }, spacer, body);
  let wanted = -1;
  async function draw(): Promise<void> {
    const visible = Math.ceil((view.clientHeight || 400) / ROW_HEIGHT);
    const scrollable = Math.max(1, height - view.clientHeight);
    const first = Math.round((Math.min(view.scrollTop, scrollable) / scrollable) * Math.max(0, rows - visible));
    if (first === wanted) return;
    wanted = first;
    const to = Math.min(rows, first + visible + 1);
    const file = await item.open();
    const entries = await file.readMatrix({ from: first, to });
    if (wanted !== first) return;
    const cell = (row: number, column: number) => show(entries, type, (row - first) * columns + column);
    const lines = Array.from({ length: to - first }, (_, i) =>
      [integer(first + i), ...Array.from({ length: shown }, (_, column) => cell(first + i, column))]);
    const head = ['row', ...Array.from({ length: shown }, (_, column) => integer(column))];
    body.style.top = `${view.scrollTop}px`;
    body.replaceChildren(table(shown < columns ? `Entries of the first ${shown} columns` : 'Entries', head, lines));
  }
  view.addEventListener('scroll', () => void attempt(body, draw));
  requestAnimationFrame(() => void attempt(body, draw));
  return view;
}

type Entries = ArrayLike<number | bigint>;

function show(entries: Entries, type: string, index: number): string {
  if (type === 'C') return `${value(Number(entries[2 * index]))} ${value(Number(entries[2 * index + 1]))}i`;
  return type === 'R' ? value(Number(entries[index])) : String(entries[index]);
}

async function showMap(item: Item, type: string, rows: number, columns: number, output: HTMLElement): Promise<void> {
  const [height, width] = [Math.min(rows, MAP), Math.min(columns, MAP)];
  const values = new Float64Array(width * height);
  const file = await item.open();
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * rows) / height);
    const entries: Entries = await file.readMatrix({ from: row, to: row + 1 });
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor((x * columns) / width);
      values[y * width + x] = type === 'C'
        ? Math.hypot(Number(entries[2 * column]), Number(entries[2 * column + 1]))
        : Number(entries[column]);
    }
    await unpressed();
    output.textContent = `Row ${y + 1} of ${height}`;
    if (!output.isConnected) return;
  }
  await unpressed();
  const what = type === 'C' ? 'Moduli of entries' : 'Entries';
  const sampled = rows > MAP || columns > MAP ? `, ${height} of ${integer(rows)} rows and ${width} of ${integer(columns)} columns` : '';
  output.replaceChildren(heatMap(values, width, height, what + sampled));
}
