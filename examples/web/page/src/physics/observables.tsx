/** The observables of a gauge field that its check has measured. */

import type { FieldEntry } from 'linkstream';
import { useMemo } from 'preact/hooks';
import { value } from '../format';
import { Plot, type Series } from '../plots/Plot';
import { Table } from '../table';

export function Observables({ field }: { field: FieldEntry }) {
  const { planes = [], directions = [] } = field;
  return (
    <div class="plots">
      <Averages field={field} />
      {planes.length > 0 && (
        <Named title="Plaquette of each plane" axis="plane" quantity="plaquette"
          named={planes.map(({ directions, plaquette }) => [directions.map(letter).join(''), plaquette])} />
      )}
      {directions.length > 0 && (
        <Named title="Link trace of each direction" axis="direction" quantity="link trace"
          named={directions.map(({ direction, link_trace: trace }) => [letter(direction), trace])} />
      )}
      <Slices field={field} />
    </div>
  );
}

function Averages({ field }: { field: FieldEntry }) {
  const rows: [string, number | null | undefined][] = [
    ['average plaquette', field.plaquette],
    ['spatial plaquette', field.spatial_plaquette],
    ['temporal plaquette', field.temporal_plaquette],
    ['link trace', field.link_trace],
    ['largest deviation from unitarity', field.max_unitarity_deviation],
    ['largest deviation of a determinant from 1', field.max_determinant_deviation],
  ];
  return <Table caption="Averages" head={['observable', 'value']} rows={rows.filter(([, number]) => number !== undefined).map(([name, number]) => [name, value(number)])} />;
}

function letter(direction: number): string {
  return 'xyzt'[direction] ?? `[${direction}]`;
}

interface NamedProperties {
  title: string;
  axis: string;
  quantity: string;
  named: [string, number | null][];
}

/** A plot with one value for each name. */
function Named({ title, axis, quantity, named }: NamedProperties) {
  const { x, names, series } = useMemo(() => ({
    x: named.map((_, place) => place),
    names: named.map(([name]) => name),
    series: [{ label: quantity, values: named.map(([, number]) => number) }],
  }), [JSON.stringify(named)]);
  return <Plot title={title} x={x} xLabel={axis} yLabel={quantity} series={series} names={names} />;
}

/** The observables of each time slice. */
function Slices({ field: { slices = [] } }: { field: FieldEntry }) {
  const { times, plaquettes, traces } = useMemo(() => ({
    times: slices.map(({ time }) => time),
    plaquettes: [
      { label: 'all planes', values: slices.map(({ plaquette }) => plaquette) },
      { label: 'spatial', values: slices.map((slice) => slice.spatial_plaquette) },
      { label: 'temporal', values: slices.map((slice) => slice.temporal_plaquette) },
    ] as Series[],
    traces: [{ label: 'link trace', values: slices.map((slice) => slice.link_trace) }] as Series[],
  }), [slices]);
  if (slices.length === 0) return null;
  return (
    <>
      <Plot title="Plaquette of each time slice" x={times} xLabel="t" yLabel="plaquette" series={plaquettes} />
      <Plot title="Link trace of each time slice" x={times} xLabel="t" yLabel="link trace" series={traces} />
    </>
  );
}
