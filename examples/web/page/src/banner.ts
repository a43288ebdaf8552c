/** The contents of a file in one line: the physics first. */

import { type FieldEntry, fieldsOf, type Report } from 'linkstream';
import { bytes, integer, plural } from './format';
import { solutions } from './physics/solutions';

const FORMATS = { lime: 'LIME', inebin: 'INEBIN', scda: 'scda', nersc: 'NERSC archive', milc: 'MILC', openqcd: 'openQCD', unknown: 'unknown format' };

const MATRICES: Record<string, string> = { B: 'booleans', Z: 'integers', R: 'real numbers', C: 'complex numbers' };

/** Parts of the line, such as `ILDG SU(3)`, `4×4×4×8`, `single precision`, `plaquette 0.59567`, `149.8 kB`. */
export function contentsOf(report: Report): string[] {
  const size = bytes(report.bytes);
  if (report.format === 'inebin' && report.rows != null && report.columns != null) {
    return [`INEBIN matrix of ${MATRICES[report.type ?? ''] ?? 'entries'}`, `${integer(report.rows)}×${integer(report.columns)}`, size];
  }
  if (report.sections) return ['scda file', `${integer(report.sections.length)} ${plural(report.sections.length, 'section')}`, size];
  const fields = fieldsOf(report);
  const [field] = fields;
  if (!field) return [FORMATS[report.format], size];
  const set = report.volumes ? [`file set of ${integer(report.volumes.length)} ${plural(report.volumes.length, 'volume')}`] : [];
  return [...set, ...ofFields(report, fields, field), size];
}

function ofFields(report: Report, fields: FieldEntry[], field: FieldEntry): string[] {
  const others = fields.length > 1 ? [`${integer(fields.length)} fields`] : [];
  const gauge = fields.find(({ links, plaquette }) => links !== undefined || plaquette !== undefined);
  const all = solutions(report, fields);
  const shown = gauge ?? (all ? fields[all[0]] : field);
  return [
    `${origin(report, shown)} ${all && !gauge ? `propagator of ${all.length} solutions (${kindOf(shown)})` : kindOf(shown)}`,
    ...others,
    ...(shown.region === 'global' ? [] : [shown.extents.join('×')]),
    ...(shown.precision === null ? [] : [shown.precision === 32 ? 'single precision' : 'double precision']),
    ...(typeof shown.plaquette === 'number' ? [`plaquette ${shown.plaquette.toFixed(5)}`] : []),
  ];
}

function origin(report: Report, { source }: FieldEntry): string {
  if (source === 'nersc' || source === 'milc' || source === 'openqcd') return FORMATS[source];
  return report.records?.some(({ type }) => type === 'ildg-format') ? 'ILDG' : 'SciDAC';
}

/** Kind of a field for people. A link for each direction makes a gauge field. */
function kindOf({ links, extents, datatype, region, max_determinant_deviation: determinant }: FieldEntry): string {
  if (links && links.per_site === extents.length) {
    const group = determinant !== undefined ? (links.numbers === 'real' ? 'SO' : 'SU') : links.numbers === 'real' ? 'O' : 'U';
    return `${group}(${links.columns}) gauge field`;
  }
  const name = datatype?.replace(/^(QDP_|USQCD_|QLA_)?[FD]\d?_/, '') ?? '';
  const words = name.replace(/([a-z])([A-Z])/g, '$1 $2').toLowerCase().replace(/^dirac/, 'Dirac');
  if (region === 'global') return words ? `global data (${words})` : 'global data';
  return words || 'field';
}

/** State of the verification in one word. */
export function verification(report: Report): string {
  if (report.verdict === 'ok') return 'verified';
  return report.verdict === 'wrong' ? 'wrong' : 'not verified';
}
