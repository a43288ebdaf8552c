/** The view with the physics of fields: observables, stored values, action density, deviations, and correlators. */

import { fieldsOf, type FieldEntry, type Report } from 'linkstream';
import { useMemo } from 'preact/hooks';
import type { Opened } from '../opened';
import { Correlator } from './Correlator';
import { Density } from './Density';
import { Deviations } from './Deviations';
import type { LinkShape } from './links';
import { Observables } from './Observables';
import './physics.css';
import { timesOf } from './read';
import { solutions } from './solutions';
import { Stored } from './Stored';

/** Datatypes whose squares, summed over each time slice, are a correlator. */
const PROPAGATORS = /(Propagator|DiracFermion|HalfFermion|ColorVector)$/;

export function Physics({ file, report }: { file: Opened; report: Report }) {
  const fields = useMemo(() => fieldsOf(report), [report]);
  const all = useMemo(() => solutions(report, fields), [report, fields]);
  return (
    <div>
      <h3>Physics</h3>
      {all && (
        <>
          <h4>{`The propagator: ${all.length} solutions`}</h4>
          <Correlator file={file} name="solutions" indices={all} times={timesOf(fields[all[0]])} button={`Show the correlator of all ${all.length} solutions`}
            title={`Correlator: sum of |G|² over space, spins and colors, and over ${all.length} solutions. It is the correlator of the pion if the source is a point; it is not normalised`} />
        </>
      )}
      {fields.map((field, index) => <FieldPhysics key={index} file={file} field={field} index={index} />)}
    </div>
  );
}

interface FieldProps {
  file: Opened;
  field: FieldEntry;
  index: number;
}

function FieldPhysics({ file, field, index }: FieldProps) {
  const shape = useMemo(() => shapeOf(field), [field]);
  const times = useMemo(() => timesOf(field), [field]);
  const isPropagator = field.precision !== null && PROPAGATORS.test(field.datatype ?? '') && field.region !== 'global';
  return (
    <>
      <h4>{`Field ${index}: ${field.datatype ?? field.region}, ${sitesOf(field)}, ${field.precision ?? '?'} bits`}</h4>
      {field.plaquette !== undefined && <Observables field={field} />}
      <Stored field={field} />
      {shape && <Density file={file} index={index} shape={shape} />}
      {shape && <Deviations file={file} index={index} shape={shape} />}
      {isPropagator && (
        <Correlator file={file} name={`correlator-${index}`} indices={[index]} times={times} button="Show the correlator"
          title="Correlator: sum of |G|² over space, spins and colors of each time slice" />
      )}
      {!shape && !isPropagator && field.plaquette === undefined && <p>There are no observables or plots of these data.</p>}
    </>
  );
}

/** Extents of the lattice, and the part of it that a hypercube covers. */
function sitesOf({ extents, lower, upper }: FieldEntry): string {
  const all = extents.join('×');
  return lower && upper ? `sites (${lower.join(', ')}) to (${upper.join(', ')}) of ${all}` : all;
}

function shapeOf({ links, extents, region }: FieldEntry): LinkShape | undefined {
  const isWhole = links && links.numbers === 'complex' && links.rows === links.columns && links.per_site === extents.length;
  return isWhole && region === 'lattice' ? { extents, links: links.per_site, colors: links.rows } : undefined;
}
