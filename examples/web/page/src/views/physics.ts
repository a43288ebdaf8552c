/** The view with the physics of fields: observables, action density, deviations from unitarity, and norms. */

import { fieldsOf, type FieldEntry, type Report } from 'linkstream';
import { attempt, latest } from '../attempt';
import { button, element, table } from '../dom';
import { value } from '../format';
import { heatMap } from '../heat-map';
import type { Item } from '../item';
import { compute } from '../physics/compute';
import { DECADES, type LinkShape } from '../physics/links';
import { plot } from '../plot';
import { unpressed } from '../press';

/** Datatypes whose norm on each time slice is a correlator. */
const VECTORS = /(Propagator|DiracFermion|HalfFermion|ColorVector)$/;

export function physics(item: Item, report: Report): HTMLElement {
  const root = element('div', {}, element('h3', {}, 'Physics'));
  fieldsOf(report).forEach((field, index) => {
    const title = `Field ${index}: ${field.datatype ?? field.kind}, ${field.dims.join('×')}, ${field.precision ?? '?'} bits`;
    root.append(element('h4', {}, title));
    const shape = shapeOf(field);
    if (field.plaquette !== undefined) root.append(element('div', { class: 'plots' }, ...observables(field)));
    if (shape) root.append(density(item, index, shape), histogram(item, index, shape));
    else if (field.precision && VECTORS.test(field.datatype ?? '') && field.kind !== 'global') root.append(norms(item, index, field));
    else if (field.plaquette === undefined) root.append(element('p', {}, 'There are no observables or plots of these data.'));
  });
  return root;
}

function shapeOf(field: FieldEntry): LinkShape | undefined {
  const { links, dims, kind } = field;
  const isWhole = links && links.numbers === 'complex' && links.rows === links.columns && links.per_site === dims.length;
  return isWhole && kind === 'field' ? { dims, links: links.per_site, colors: links.rows } : undefined;
}

function observables(measured: FieldEntry): HTMLElement[] {
  const rows: [string, number | null | undefined][] = [
    ['average plaquette', measured.plaquette],
    ['spatial plaquette', measured.spatial_plaquette],
    ['temporal plaquette', measured.temporal_plaquette],
    ['link trace', measured.link_trace],
    ['largest deviation from unitarity', measured.max_unitarity_deviation],
  ];
  const parts: HTMLElement[] = [
    table('Averages', ['observable', 'value'], rows.filter(([, number]) => number !== undefined).map(([name, number]) => [name, value(number)])),
  ];
  const { planes = [], directions = [], slices = [] } = measured;
  if (planes.length > 0) {
    parts.push(ofNamed('Plaquette of each plane', 'plane', 'plaquette',
      planes.map(({ directions, plaquette }) => [directions.map(letter).join(''), plaquette])));
  }
  if (directions.length > 0) {
    parts.push(ofNamed('Link trace of each direction', 'direction', 'link trace',
      directions.map(({ direction, link_trace: trace }) => [letter(direction), trace])));
  }
  if (slices.length > 0) {
    const times = slices.map(({ time }) => time);
    parts.push(plot(times, [
      { label: 'all planes', values: slices.map(({ plaquette }) => plaquette) },
      { label: 'spatial', values: slices.map((slice) => slice.spatial_plaquette) },
      { label: 'temporal', values: slices.map((slice) => slice.temporal_plaquette) },
    ], { title: 'Plaquette of each time slice', axis: 't' }));
    parts.push(plot(times, [{ label: 'link trace', values: slices.map((slice) => slice.link_trace) }], { title: 'Link trace of each time slice', axis: 't' }));
  }
  return parts;
}

function letter(direction: number): string {
  return 'xyzt'[direction] ?? `[${direction}]`;
}

/** A plot with one value for each name. */
function ofNamed(title: string, axis: string, label: string, named: [string, number | null][]): HTMLElement {
  const names = named.map(([name]) => name);
  return plot(names.map((_, place) => place), [{ label, values: named.map(([, number]) => number) }], { title, axis, names });
}

/** The action density on a plane, with sliders for the other coordinates. */
function density(item: Item, index: number, shape: LinkShape): HTMLElement {
  const [width, height, depth = 1] = shape.dims;
  const times = shape.dims[shape.dims.length - 1];
  const output = element('div', { 'aria-live': 'polite' });
  let kept: { t: number; values: Float64Array } | undefined;
  const slider = (name: string, extent: number) =>
    element('input', { type: 'range', min: 0, max: extent - 1, value: 0, id: `slider-${index}-${name}`, on: { change: () => void show() } });
  const z = slider('z', shape.dims.length > 3 ? depth : 1);
  const t = slider('t', times);
  const show = latest(output, async () => {
    const at = Number(t.value);
    const layer = Number(z.value);
    let slice = kept;
    if (slice?.t !== at) {
      const file = await item.open();
      // The slices are read one after the other. Reading both at once would load another worker.
      const current = await file.readField(index, { slice: at });
      const next = await file.readField(index, { slice: (at + 1) % times });
      slice = { t: at, values: await compute<Float64Array>({ task: 'density', shape, current, next }) };
      kept = slice;
    }
    const plane = slice.values.subarray(layer * width * height);
    return [heatMap(plane, width, height, `Action density in the x-y plane at z = ${layer}, t = ${at}`)];
  });
  const labelled = (name: string, input: HTMLInputElement) => element('label', { class: 'slider' }, name, input);
  return element('section', { class: 'actions', 'aria-label': 'Action density' },
    button('Show the action density', () => void show(), { class: 'show-density' }),
    labelled('z', z), labelled('t', t), output);
}

/** The histogram of all links by their deviation from unitarity. */
function histogram(item: Item, index: number, shape: LinkShape): HTMLElement {
  const output = element('div', { 'aria-live': 'polite' });
  const times = shape.dims[shape.dims.length - 1];
  const show = () => attempt(output, async () => {
    const counts = new Array<number>(DECADES).fill(0);
    const file = await item.open();
    for (let slice = 0; slice < times; slice += 1) {
      await unpressed();
      output.textContent = `Time slice ${slice + 1} of ${times}`;
      const links = await file.readField(index, { slice });
      const found = await compute<number[]>({ task: 'unitarity', shape, slice: links });
      found.forEach((count, decade) => (counts[decade] += count));
      if (!output.isConnected) return;
    }
    await unpressed();
    const names = counts.map((_, decade) => `1e${decade + 1 - DECADES}`);
    output.replaceChildren(plot(counts.map((_, decade) => decade), [{ label: 'links', values: counts }],
      { title: 'Links by their deviation from unitarity', axis: 'deviation of at least', names, bars: true }));
  });
  return element('section', { 'aria-label': 'Deviation from unitarity' },
    button('Show the histogram of deviations from unitarity', () => void show(), { class: 'show-histogram' }), output);
}

/** The plot of the norm of each time slice. */
function norms(item: Item, index: number, field: FieldEntry): HTMLElement {
  const output = element('div', { 'aria-live': 'polite' });
  const times = timesOf(field);
  const show = () => attempt(output, async () => {
    const file = await item.open();
    const values: number[] = [];
    for (let slice = 0; slice < times.length; slice += 1) {
      await unpressed();
      output.textContent = `Time slice ${slice + 1} of ${times.length}`;
      values.push(await compute<number>({ task: 'norm', slice: await file.readField(index, { slice }) }));
      if (!output.isConnected) return;
    }
    await unpressed();
    output.replaceChildren(plot(times, [{ label: 'squared norm', values: values.map((norm) => (norm > 0 ? norm : null)) }],
      { title: 'Squared norm of each time slice', axis: 't', log: true }));
  });
  return element('section', { 'aria-label': 'Norms' }, button('Show the norm of each time slice', () => void show(), { class: 'show-norms' }), output);
}

/** Times of the slices of a field. A field on a hypercube, such as a source, may have only some of them. */
function timesOf({ dims, lower, upper }: FieldEntry): number[] {
  const [first, last] = [lower?.at(-1) ?? 0, upper?.at(-1) ?? dims[dims.length - 1] - 1];
  return Array.from({ length: last - first + 1 }, (_, slice) => first + slice);
}
