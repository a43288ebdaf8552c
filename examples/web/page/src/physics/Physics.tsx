/** The view with the physics of fields: observables, action density, deviations from unitarity, and correlators. */

import { fieldsOf, type FieldEntry } from 'linkstream';
import { useMemo } from 'preact/hooks';
import type { Item } from '../item';
import type { ViewProperties } from '../views/view';
import { Density } from './density';
import { Deviations } from './deviations';
import type { LinkShape } from './links';
import { Norms } from './norms';
import { Observables } from './observables';
import { Recorded } from './recorded';

/** Datatypes whose squared norm on each time slice is a correlator. */
const VECTORS = /(Propagator|DiracFermion|HalfFermion|ColorVector)$/;

export function Physics({ item, report }: ViewProperties) {
  const fields = useMemo(() => fieldsOf(report), [report]);
  return (
    <div>
      <h3>Physics</h3>
      {fields.map((field, index) => (
        <div key={index}>
          <h4>{`Field ${index}: ${field.datatype ?? field.kind}, ${field.dims.join('×')}, ${field.precision ?? '?'} bits`}</h4>
          <OneField item={item} field={field} index={index} />
        </div>
      ))}
    </div>
  );
}

function OneField({ item, field, index }: { item: Item; field: FieldEntry; index: number }) {
  const shape = useMemo(() => shapeOf(field), [field]);
  const hasNorms = !shape && field.precision !== null && VECTORS.test(field.datatype ?? '') && field.kind !== 'global';
  return (
    <>
      {field.plaquette !== undefined && <Observables field={field} />}
      <Recorded field={field} />
      {shape && <Density item={item} index={index} shape={shape} />}
      {shape && <Deviations item={item} index={index} shape={shape} />}
      {hasNorms && <Norms item={item} index={index} field={field} />}
      {!shape && !hasNorms && field.plaquette === undefined && <p>There are no observables or plots of these data.</p>}
    </>
  );
}

function shapeOf({ links, dims, kind }: FieldEntry): LinkShape | undefined {
  const isWhole = links && links.numbers === 'complex' && links.rows === links.columns && links.per_site === dims.length;
  return isWhole && kind === 'field' ? { dims, links: links.per_site, colors: links.rows } : undefined;
}
