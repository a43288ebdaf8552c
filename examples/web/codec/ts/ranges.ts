/** Checks that a call asks for data that the file has. If its list is empty because of damage, the codec gives the reason. */

import { checkIndex, checkInteger, checkOptions, INTEGER, JOB } from './arguments.js';
import type { FieldEntry, MatrixEntry, Report, SectionEntry } from './report.js';

/** True if the file has none of something, and its report has an error that can be the reason. */
const isDamaged = (list: unknown[], report: Report): boolean => list.length === 0 && report.verdict === 'wrong';

export function checkField(fields: FieldEntry[], report: Report, index: number, options: { slice?: number }): void {
  checkInteger('readField', 'the index', index);
  checkOptions('readField', options, { ...JOB, slice: INTEGER });
  if (isDamaged(fields, report)) return;
  checkIndex('readField', 'field', index, 'the file', fields.length);
  const { region, array } = fields[index];
  if (options.slice === undefined) return;
  if (region === 'global') throw new RangeError(`readField: field ${index} has no time slices`);
  checkIndex('readField', 'time slice', options.slice, 'the field', array.shape[0]);
}

export function checkRows(matrices: MatrixEntry[], report: Report, options: { from?: number; to?: number }): void {
  checkOptions('readMatrix', options, { ...JOB, from: INTEGER, to: INTEGER });
  if (isDamaged(matrices, report)) return;
  if (matrices.length === 0) throw new RangeError('readMatrix: the file has no matrix');
  const [{ rows }] = matrices;
  const { from = 0, to = rows } = options;
  if (from > rows || to > rows) {
    throw new RangeError(`readMatrix: no rows from row ${from} to row ${to}: the matrix has ${rows} rows, counted from 0`);
  }
  if (from > to) throw new RangeError(`readMatrix: the range from row ${from} to row ${to} ends before it begins`);
}

export function checkSection(
  call: string,
  sections: SectionEntry[],
  report: Report,
  index: number,
  options: { element?: number },
): void {
  checkInteger(call, 'the index', index);
  checkOptions(call, options, { ...JOB, element: INTEGER });
  if (isDamaged(sections, report)) return;
  checkIndex(call, 'section', index, 'the file', sections.length);
  const { n } = sections[index];
  if (options.element === undefined) return;
  if (n === undefined) throw new RangeError(`${call}: section ${index} has no elements`);
  checkIndex(call, 'element', options.element, `section ${index}`, Number(n));
}

export function checkBytes(offset: number, length: number, volumes: number, options: { volume?: number }): void {
  checkInteger('readBytes', 'the offset', offset);
  checkInteger('readBytes', 'the length', length);
  checkOptions('readBytes', options, { ...JOB, volume: INTEGER });
  checkIndex('readBytes', 'volume', options.volume ?? 0, 'the file', volumes);
}
