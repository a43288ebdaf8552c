/** The view of a matrix: statistics, a table of the entries, and a heat map. */

import type { Report } from 'linkstream';
import { useEffect, useRef, useState } from 'preact/hooks';
import { integer, plural, value } from '../format';
import type { Item } from '../item';
import { HeatMap, type HeatMapProps } from '../plots/HeatMap';
import { Table } from '../table';
import { Failure, type Running, TaskState, useLatest, useTask } from '../task';
import type { ViewProperties } from './view';

const ROW_HEIGHT = 24;
/** Height of the table in pixels, at most. Some browsers do not support higher elements. */
const MAX_HEIGHT = 8_000_000;
const MAX_COLUMNS = 50;
/** Largest number of rows and of columns in the heat map. Of larger matrices, it shows evenly spaced ones. */
const MAP = 512;

const WORDS: Record<string, string> = { B: 'booleans', Z: 'integers', R: 'real numbers', C: 'complex numbers' };

export function Matrix({ item, report }: ViewProperties) {
  const [type, rows, columns] = [report.type ?? '', report.rows ?? 0, report.columns ?? 0];
  const shown = Math.min(columns, MAX_COLUMNS);
  const [map, setMap] = useState<HeatMapProps>();
  const task = useTask();
  const showMap = () => task.start('Reading rows', async (running) => setMap(await mapOf(item, type, rows, columns, running)));
  return (
    <div>
      <h3>{`${integer(rows)} ${plural(rows, 'row')} and ${integer(columns)} ${plural(columns, 'column')} of ${WORDS[type] ?? type}`}</h3>
      <Statistics report={report} />
      <p>{shown < columns && `The first ${shown} of ${integer(columns)} columns are shown; exports have all. `}Rows and columns are counted from 0.</p>
      <Rows item={item} type={type} rows={rows} columns={columns} />
      {rows > 0 && columns > 0 && <button type="button" id="show-map" onClick={showMap}>Show the heat map</button>}
      <TaskState task={task} />
      {map && <HeatMap {...map} />}
    </div>
  );
}

/** Statistics in a report, and their names for people. */
const STATISTICS: Record<string, string> = {
  set_bits: 'entries that are true', min: 'smallest entry', max: 'largest entry', mean: 'mean', re: 'real parts',
  im: 'imaginary parts', nan_count: 'entries that are not a number', inf_count: 'infinite entries',
};

function Statistics({ report }: { report: Report }) {
  const show = (found: unknown): string =>
    found === null || found === undefined ? 'none'
      : typeof found === 'number' ? (Number.isInteger(found) ? integer(found) : String(found))
        : typeof found === 'object' ? Object.entries(found).map(([key, part]) => `${STATISTICS[key] ?? key} ${show(part)}`).join(', ')
          : String(found);
  const rows = Object.entries(STATISTICS).filter(([key]) => key in report).map(([key, name]) => [name, show((report as unknown as Record<string, unknown>)[key])]);
  return <Table caption="Statistics" head={['statistic', 'value']} rows={rows} />;
}

interface RowsProperties {
  item: Item;
  type: string;
  rows: number;
  columns: number;
}

/** The table of entries. Only visible rows are read and have elements, since a matrix may have millions of rows. */
function Rows({ item, type, rows, columns }: RowsProperties) {
  const shown = Math.min(columns, MAX_COLUMNS);
  const height = Math.min(MAX_HEIGHT, rows * ROW_HEIGHT);
  const view = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState({ first: 0, to: 0, top: 0 });
  const look = () => {
    if (!view.current) return;
    const { clientHeight, scrollTop } = view.current;
    const visible = Math.ceil((clientHeight || 400) / ROW_HEIGHT);
    const scrollable = Math.max(1, height - clientHeight);
    const first = Math.round((Math.min(scrollTop, scrollable) / scrollable) * Math.max(0, rows - visible));
    setPlace({ first, to: Math.min(rows, first + visible + 1), top: scrollTop });
  };
  useEffect(look, [item]);
  const { value, error } = useLatest(async (signal) => {
    const { first, to, top } = place;
    const entries = to > first ? await (await item.open()).readMatrix({ from: first, to, signal }) : [];
    return { first, to, top, entries };
  }, [item, place.first, place.to]);
  return (
    <div class="virtual" ref={view} tabIndex={0} role="region" aria-label="Rows of the matrix" onScroll={look}>
      <div style={{ height: `${height}px` }} />
      <div class="rows" style={{ top: `${value?.top ?? 0}px` }}>
        {value && (
          <Table
            caption="Entries"
            head={['row', ...Array.from({ length: shown }, (_, column) => integer(column))]}
            rows={Array.from({ length: value.to - value.first }, (_, i) =>
              [integer(value.first + i), ...Array.from({ length: shown }, (_, column) => entry(value.entries, type, i * columns + column))])}
          />
        )}
        <Failure message={error} />
      </div>
    </div>
  );
}

type Entries = ArrayLike<number | bigint>;

function entry(entries: Entries, type: string, index: number): string {
  if (type === 'C') return `${number(Number(entries[2 * index]))} ${number(Number(entries[2 * index + 1]))}i`;
  return type === 'R' ? number(Number(entries[index])) : String(entries[index]);
}

/** A number of the file, which need not be finite. */
function number(found: number): string {
  if (Number.isNaN(found)) return 'NaN';
  return Number.isFinite(found) ? value(found) : found > 0 ? '∞' : '-∞';
}

async function mapOf(item: Item, type: string, rows: number, columns: number, { signal, progress }: Running): Promise<HeatMapProps> {
  const [height, width] = [Math.min(rows, MAP), Math.min(columns, MAP)];
  const values = new Float64Array(width * height);
  const file = await item.open();
  for (let y = 0; y < height; y += 1) {
    const row = Math.floor((y * rows) / height);
    const entries: Entries = await file.readMatrix({ from: row, to: row + 1, signal });
    for (let x = 0; x < width; x += 1) {
      const column = Math.floor((x * columns) / width);
      values[y * width + x] = type === 'C'
        ? Math.hypot(Number(entries[2 * column]), Number(entries[2 * column + 1]))
        : Number(entries[column]);
    }
    progress((y + 1) / height, `row ${y + 1} of ${height}`);
  }
  const what = type === 'C' ? 'Moduli of entries' : 'Entries';
  const sampled = rows > MAP || columns > MAP
    ? `: only ${height} of ${integer(rows)} rows and ${width} of ${integer(columns)} columns, evenly spaced; the range is the range of these entries` : '';
  return {
    title: what + sampled, quantity: type === 'C' ? 'modulus' : 'entry', values, width, height,
    xLabel: 'column', yLabel: 'row', origin: 'top',
    columns: (at) => Math.floor((at * columns) / width), rows: (at) => Math.floor((at * rows) / height),
  };
}
