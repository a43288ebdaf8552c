/** The plaquettes and Polyakov loops of a group, in the order of updates or names. */

import type { PlotSeries } from '../plots/series';
import { type Group, medianOf, soundPlaquettes } from './statistics';

export interface History {
  x: number[];
  names: string[] | undefined;
  series: PlotSeries[];
  /** The Polyakov loops of files without errors; empty if no file has one. */
  loops: PlotSeries[];
  /** Files of the places. */
  ids: number[];
  /** Number of files that are not drawn, since they have no update. */
  without: number;
}

const names = new Intl.Collator('en', { numeric: true });

export function historyOf(group: Group, by: 'update' | 'name', outliers: ReadonlySet<number>, selected: number | undefined): History {
  const rows = by === 'update'
    ? group.rows.filter(({ update }) => update !== undefined).sort((a, b) => (a.update?.number ?? 0) - (b.update?.number ?? 0))
    : [...group.rows].sort((a, b) => names.compare(a.name, b.name));
  const sound = soundPlaquettes(group);
  const pick = (chosen: (index: number) => boolean) => rows.map(({ plaquette = null }, index) => (chosen(index) ? plaquette : null));
  const series: PlotSeries[] = [{ label: 'plaquette', markers: 'dots', values: pick((index) => rows[index].verdict !== 'wrong') }];
  const add = (one: PlotSeries) => {
    if (one.values.some((value) => value !== null)) series.push(one);
  };
  add({ label: 'file with errors', markers: 'dots', color: '--series-2', values: pick((index) => rows[index].verdict === 'wrong') });
  add({ label: 'outlier', markers: 'rings', color: '--bad', values: pick((index) => outliers.has(rows[index].id)) });
  add({ label: 'selected file', markers: 'rings', color: '--series-4', values: pick((index) => rows[index].id === selected) });
  if (sound.length > 1) {
    const median = medianOf(sound);
    series.push({ label: 'median', dashed: true, color: '--text', values: rows.map(() => median) });
  }
  return {
    x: rows.map(({ update }, place) => (by === 'update' ? update?.number ?? 0 : place)),
    names: by === 'name' ? rows.map(({ name }) => name) : undefined,
    series,
    loops: ['real part', 'imaginary part'].map((label, part): PlotSeries => {
      const values = rows.map(({ loop, verdict }) => (loop && verdict !== 'wrong' ? loop[part] : null));
      return { label, markers: 'dots', values };
    }).filter(({ values }) => values.some((value) => value !== null)),
    ids: rows.map(({ id }) => id),
    without: group.rows.length - rows.length,
  };
}
