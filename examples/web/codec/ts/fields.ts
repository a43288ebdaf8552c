/** The fields of a report. */

import type { FieldEntry, Report } from './report.js';

/** Those of a LIME file, or the gauge field of a NERSC archive or MILC file in the same form. */
export function fieldsOf(report: Report): FieldEntry[] {
  return report.fields ?? gaugeField(report);
}

/** What the header of an archive has, as LIME files have it; none if it cannot be read. */
function gaugeField(report: Report): FieldEntry[] {
  const { format, dims, precision, data_offset: offset, header, checksum } = report;
  if (dims == null || precision == null || offset == null) return [];
  const entry: FieldEntry = {
    offset,
    kind: 'field',
    source: format,
    dims,
    datatype: header?.find(([key]) => key === 'DATATYPE')?.[1],
    precision,
    bytes_per_site: (4 * 18 * precision) / 8,
    sites: dims.reduce((product, extent) => product * extent, 1),
    links: { per_site: 4, rows: 3, columns: 3, numbers: 'complex' },
    checksum,
  };
  for (const figure of FIGURES) if (figure in report) entry[figure] = report[figure];
  return [entry];
}

/** What is measured of a gauge field, in the order of reports. */
const FIGURES = [
  'gauge_kind', 'plaquette', 'spatial_plaquette', 'temporal_plaquette', 'planes', 'link_trace', 'directions', 'max_unitarity_deviation',
  'unitarity_threshold', 'widened', 'slices', 'recorded',
];
