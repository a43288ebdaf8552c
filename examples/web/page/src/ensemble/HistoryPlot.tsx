/** The plots of the plaquettes and Polyakov loops of a group, where a click selects a file. */

import { useMemo, useState } from 'preact/hooks';
import { Plot } from '../plots/Plot';
import { historyOf } from './history';
import type { Group } from './statistics';

interface Props {
  groups: Group[];
  /** Files that are outliers. */
  outliers: ReadonlySet<number>;
  selected: number | undefined;
  onSelect: (id: number) => void;
}

export function HistoryPlot({ groups, outliers, selected, onSelect }: Props) {
  const [name, setName] = useState<string>();
  const [by, setBy] = useState<'update' | 'name'>();
  // The group that was chosen; without a choice the largest.
  const group = groups.find((one) => one.name === name) ?? groups[0];
  const hasUpdates = group?.rows.some(({ update }) => update !== undefined) ?? false;
  const over = by ?? (hasUpdates ? 'update' : 'name');
  const history = useMemo(() => group && historyOf(group, over, outliers, selected), [group, over, outliers, selected]);
  // A single file has no history.
  if (!group || !history || groups.every(({ rows }) => rows.length < 2)) return null;
  return (
    <section class="ensemble-history" aria-label="Plaquette history">
      <div class="actions">
        {groups.length > 1 && (
          <label>Lattice <select value={group.name} onChange={(event) => setName(event.currentTarget.value)}>
            {groups.map((one) => <option key={one.name} value={one.name}>{`${one.name}: ${one.rows.length} files`}</option>)}
          </select></label>
        )}
        <fieldset class="ensemble-by">
          <legend>Plaquette over</legend>
          {(['update', 'name'] as const).map((one) => (
            <label key={one}><input type="radio" name="ensemble-by" checked={over === one} onChange={() => setBy(one)} />{one}</label>
          ))}
        </fieldset>
      </div>
      {history.ids.length > 0
        ? <Plot title={`Plaquette history: ${group.name}`} x={history.x} names={history.names} xLabel={over} yLabel="plaquette Re tr P / N" series={history.series}
            onPick={(index) => onSelect(history.ids[index])} />
        : <p>No file has an update number in its documents or its name.</p>}
      {history.ids.length > 0 && history.loops.length > 0 && (
        <Plot title={`Polyakov loop history: ${group.name}`} x={history.x} names={history.names} xLabel={over} yLabel="Polyakov loop tr L / N" series={history.loops}
          onPick={(index) => onSelect(history.ids[index])} />
      )}
      <p class="ensemble-note">
        {history.without > 0 && history.ids.length > 0 && `${history.without} files without an update number are not drawn. `}
        The findings say how far an outlier is from its neighbours. Click a point to select its file.
      </p>
    </section>
  );
}
