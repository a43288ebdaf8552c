/** Observables of a gauge field: averages, and values of planes, directions and time slices. */

import type { FieldEntry } from 'linkstream';
import { useMemo } from 'preact/hooks';
import { value } from '../format';
import { Plot } from '../plots/Plot';

export function Observables({ field }: { field: FieldEntry }) {
  const { planes = [], directions = [], slices = [] } = field;
  const shown = useMemo(() => ({
    planes: named(planes.map(({ directions: pair, plaquette }) => [pair.map(letter).join(''), plaquette]), 'plaquette'),
    directions: named(directions.map(({ direction, link_trace: trace }) => [letter(direction), trace]), 'link trace'),
    times: slices.map(({ time }) => time),
    plaquettes: [
      { label: 'all planes', values: slices.map(({ plaquette }) => plaquette) },
      { label: 'spatial', values: slices.map((slice) => slice.spatial_plaquette) },
      { label: 'temporal', values: slices.map((slice) => slice.temporal_plaquette) },
    ],
    traces: [{ label: 'link trace', values: slices.map((slice) => slice.link_trace) }],
  }), [field]);
  const rows: [string, number | null | undefined][] = [
    ['average plaquette', field.plaquette],
    ['spatial plaquette', field.spatial_plaquette],
    ['temporal plaquette', field.temporal_plaquette],
    ['link trace', field.link_trace],
    ['Polyakov loop, real part', field.polyakov_loop && field.polyakov_loop[0]],
    ['Polyakov loop, imaginary part', field.polyakov_loop && field.polyakov_loop[1]],
    ['largest deviation from unitarity', field.max_unitarity_deviation],
    ['largest deviation of the determinant from 1', field.max_determinant_deviation],
  ];
  return (
    <div class="plots">
      <table class="numbers named">
        <caption>Averages</caption>
        <thead><tr><th scope="col">observable</th><th scope="col">value</th></tr></thead>
        <tbody>{rows.filter(([, number]) => number !== undefined).map(([name, number]) => <tr key={name}><td>{name}</td><td>{value(number)}</td></tr>)}</tbody>
      </table>
      {planes.length > 0 && <Plot title="Plaquette of each plane" xLabel="plane" yLabel="plaquette Re tr P / N" {...shown.planes} />}
      {directions.length > 0 && <Plot title="Link trace of each direction" xLabel="direction" yLabel="link trace Re tr U / N" {...shown.directions} />}
      {slices.length > 0 && <Plot title="Plaquette of each time slice" x={shown.times} xLabel="t" yLabel="plaquette Re tr P / N" series={shown.plaquettes} />}
      {slices.length > 0 && <Plot title="Link trace of each time slice" x={shown.times} xLabel="t" yLabel="link trace Re tr U / N" series={shown.traces} />}
    </div>
  );
}

function letter(direction: number): string {
  return 'xyzt'[direction] ?? `[${direction}]`;
}

/** One value for each name. */
function named(pairs: [string, number | null][], label: string) {
  return { x: pairs.map((_, place) => place), names: pairs.map(([name]) => name), series: [{ label, values: pairs.map(([, found]) => found) }] };
}
