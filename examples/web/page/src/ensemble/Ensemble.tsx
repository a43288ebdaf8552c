/** An ensemble at a glance: findings, a table of all files, the history of the plaquette, a summary, and exports. */

import { useMemo, useState } from 'preact/hooks';
import { save } from '../save';
import { type Column, filtered, type Order, sorted } from './arrange';
import { withoutChance } from './chance';
import type { EnsembleEntry } from './entry';
import './ensemble.css';
import { exportedRows, toCsv, toJson } from './export';
import { isOutlier } from './findings';
import { FindingsPanel } from './FindingsPanel';
import { HistoryPlot } from './HistoryPlot';
import { type Describe, useCalm, useJudgement } from './hooks';
import { rowOf, type Verdict } from './row';
import { countsOf, groupsOf } from './statistics';
import { SummaryTable } from './SummaryTable';
import { Table } from './Table';

interface Props {
  entries: EnsembleEntry[];
  selected: number | undefined;
  onSelect: (id: number) => void;
  onDescribe: Describe;
}

const NONE: ReadonlySet<Verdict> = new Set();

export function Ensemble({ entries, selected, onSelect, onDescribe }: Props) {
  const isBusy = entries.some(({ state }) => state === 'waiting' || state === 'running');
  const calm = useCalm(entries, isBusy);
  const [text, setText] = useState('');
  const [verdicts, setVerdicts] = useState(NONE);
  const [order, setOrder] = useState<Order>({ column: 'name', isDescending: false });
  const rows = useMemo(() => withoutChance(calm.map(rowOf)), [calm]);
  const counts = useMemo(() => countsOf(rows), [rows]);
  const arranged = useMemo(() => sorted(rows, order), [rows, order]);
  const shown = useMemo(() => filtered(arranged, { text, verdicts }), [arranged, text, verdicts]);
  const groups = useMemo(() => groupsOf(rows), [rows]);
  const { judgement, words } = useJudgement(calm, onDescribe);
  const outliers = useMemo(() => new Set([...judgement?.kinds.keys() ?? []].filter((id) => judgement && isOutlier(judgement, id))), [judgement]);
  // A file of a finding is shown even if the filter does not let it pass.
  const show = (id: number) => {
    if (!shown.some((row) => row.id === id)) {
      setText('');
      setVerdicts(NONE);
    }
    onSelect(id);
  };
  // Two clicks within a frame count as two.
  const toggle = (verdict: Verdict) => setVerdicts((now) => {
    const next = new Set(now);
    if (!next.delete(verdict)) next.add(verdict);
    return next;
  });
  const sortBy = (column: Column) => setOrder((now) => ({ column, isDescending: now.column === column && !now.isDescending }));
  const isFiltered = shown.length < rows.length;
  return (
    <div class="ensemble">
      <FindingsPanel judgement={judgement} words={words} onSelect={show} />
      <div class="actions ensemble-controls">
        <label>Filter <input type="search" id="ensemble-filter" value={text} placeholder="name or verdict" onInput={(event) => setText(event.currentTarget.value)} /></label>
        <div class="ensemble-chips" role="group" aria-label="Verdicts to show">
          {counts.map(([verdict, count]) => (
            <button key={verdict} type="button" class="chip" aria-pressed={verdicts.has(verdict)} onClick={() => toggle(verdict)}>{count} {verdict}</button>
          ))}
        </div>
        <button type="button" id="ensemble-csv" onClick={() => save([toCsv(exportedRows(shown, judgement))], 'ensemble.csv', 'text/csv')}>CSV</button>
        <button type="button" id="ensemble-json" onClick={() => save([toJson(exportedRows(shown, judgement))], 'ensemble.json', 'application/json')}>JSON</button>
        <span role="status" id="ensemble-count">{isFiltered ? `${shown.length} of ${rows.length} files` : `${rows.length} files`}</span>
      </div>
      <Table rows={shown} order={order} onSort={sortBy} outliers={outliers} selected={selected} onSelect={onSelect} />
      <HistoryPlot groups={groups} outliers={outliers} selected={selected} onSelect={onSelect} />
      <SummaryTable groups={groups} files={rows.length} outliers={judgement && outliers} />
    </div>
  );
}
