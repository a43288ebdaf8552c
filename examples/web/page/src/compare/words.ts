/** The result of a comparison in words. */

import type { Count } from 'linkstream';
import { integer, plural } from '../format';
import type { Change, ChangedValue, DataComparison, DiffReport, LargestDifference } from './diff';

export interface Verdict {
  tone: 'good' | 'fair' | 'bad';
  /** Result in one sentence. */
  summary: string;
}

/** Says whether the files are equal, and if not, what differs. */
export function verdictOf({ same, structure, documents, data, damage, documents_compared }: DiffReport, tolerances: { absolute: number; relative: number }): Verdict {
  const within = tolerances.absolute > 0 || tolerances.relative > 0 ? ' within the tolerance' : '';
  const compared = data.filter(({ compared_as }) => compared_as !== null).length;
  const refused = refusal(structure);
  if (refused) return { tone: 'bad', summary: refused };
  const readable = damage.length > 0 ? ', as far as they can be read' : '';
  if (same) {
    if (compared === 0 && documents_compared === 0) return { tone: 'fair', summary: 'Nothing was compared: the files have neither data nor documents.' };
    return { tone: damage.length > 0 ? 'fair' : 'good', summary: `The files are equal${within}${readable}.` };
  }
  const different = data.filter((one) => !one.same).length;
  const parts = [
    ...(different > 0 ? [data.length === 1 ? 'their data' : `${integer(different)} of ${integer(data.length)} sets of data`] : []),
    ...(structure.length > 0 ? ['the structure'] : []),
    ...(documents.length > 0 ? [`${integer(documents.length)} ${plural(documents.length, 'document')}`] : []),
  ].join(' and ');
  if (different > 0 || compared === 0) return { tone: 'bad', summary: `The files differ in ${parts}${readable}.` };
  return { tone: 'fair', summary: `The numbers are equal${within}${readable}, but the files differ in ${parts}.` };
}

/** Reason why there is nothing to compare. */
function refusal(structure: Change[]): string | undefined {
  const format = structure.find((change): change is ChangedValue => 'path' in change && change.path === 'format');
  if (!format) return undefined;
  return `The files cannot be compared: the first is a file of the format ${format.a ?? 'unknown'}, and the second of the format ${format.b ?? 'unknown'}.`;
}

/** Result for a pair of data, in one sentence. */
export function dataWords(data: DataComparison): string {
  if (data.compared_as === null) return 'Not compared: their shapes differ.';
  if (data.compared_as === 'bytes') {
    const sizes = data.bytes[0] === data.bytes[1] ? `${integer(data.bytes[0])} bytes` : `${integer(data.bytes[0])} and ${integer(data.bytes[1])} bytes`;
    if (data.same) return `${sizes} compared; all are equal.`;
    const first = data.first === null ? '' : ` The first is byte ${integer(data.first)}.`;
    return `${sizes} compared; ${integer(data.differing)} ${Number(data.differing) === 1 ? 'differs' : 'differ'}.${first}`;
  }
  const finite = Number(data.not_finite) > 0 ? ` ${integer(data.not_finite)} ${pairs(data.not_finite)} not finite.` : '';
  const differing = Number(data.differing) === 0 ? 'none differs by more than the tolerance' : `${integer(data.differing)} ${Number(data.differing) === 1 ? 'differs' : 'differ'}`;
  const all = Number(data.differing) === 0 && data.largest_absolute === null ? 'all are equal' : differing;
  return `${integer(data.compared)} numbers compared; ${all}.${finite}`;
}

const pairs = (count: Count) => (Number(count) === 1 ? 'pair is' : 'pairs are');

/** Place of a largest difference. */
export function placeOf({ site, within }: LargestDifference): string {
  return site.length > 0 ? `site (${site.join(', ')}), ${within}` : within;
}

/** A number of a file, with all its digits. */
export function exact(number: Count): string {
  return String(number);
}

/** A change of a document or of the structure, as a row of a table. */
export function changeRow(change: Change): [string, string, string] {
  if ('left_out' in change) return [`${integer(change.left_out)} more`, '', ''];
  return [change.path, change.a ?? '(none)', change.b ?? '(none)'];
}
