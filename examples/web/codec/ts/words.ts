/** Reports in words, for the element. */

import type { FieldEntry, Report } from './report.js';

export interface VerdictWords {
  symbol: string;
  word: string;
  /** A sentence that explains the word; empty if the findings do. */
  sentence: string;
}

const counted = (n: number, one: string, many: string): string => `${n.toLocaleString('en')} ${n === 1 ? one : many}`;

/** The verdict. `isRead` is false if only the structure has been read. Findings are listed elsewhere. */
export function verdictOf(report: Report, isRead: boolean): VerdictWords {
  if (report.format === 'unknown') return { symbol: '✗', word: 'Not recognised', sentence: 'This is no file of a known format.' };
  if (report.verdict === 'wrong') return { symbol: '✗', word: 'Wrong', sentence: '' };
  const doubts = report.doubts?.length ? ' The numbers are in doubt although their checksum is OK.' : '';
  if (report.verdict === 'ok') {
    return { symbol: doubts ? '!' : '✓', word: 'Verified', sentence: `All data match the checksums stored in the file.${doubts}` };
  }
  if (!isRead) return { symbol: '–', word: 'Structure read', sentence: 'The data were not read, so they are not verified.' };
  const reasons = report.unverified.map(({ message }) => message).join('; ');
  return { symbol: '?', word: 'Not verified', sentence: `No errors${reasons ? `, but: ${reasons}` : ''}.${doubts}` };
}

/** Errors and warnings, as a phrase; empty if there are none. */
export function counts(errors: number, warnings: number): string {
  return [errors && counted(errors, 'error', 'errors'), warnings && counted(warnings, 'warning', 'warnings')].filter(Boolean).join(' and ');
}

/** The contents of the file, such as `ILDG SU(3), 4×4×4×8, single precision, plaquette 0.59567`. */
export function contentsOf(report: Report): string {
  switch (report.format) {
    case 'scda': return `scda, ${counted(report.sections.length, 'section', 'sections')}`;
    case 'inebin': {
      const words = { B: 'booleans', Z: 'integers', R: 'real numbers', C: 'complex numbers' };
      return report.type === null ? 'INEBIN matrix' : `INEBIN matrix, ${report.rows}×${report.columns} ${words[report.type]}`;
    }
    case 'unknown': return '';
    default: {
      const [first] = report.fields;
      const volumes = report.volumes ? `, ${counted(report.volumes.length, 'volume', 'volumes')}` : '';
      if (first === undefined) return `${FORMATS[report.format]}, no fields${volumes}`;
      const more = report.fields.length > 1 ? `, and ${counted(report.fields.length - 1, 'more field', 'more fields')}` : '';
      // The SciDAC documents of an ILDG file describe its field, too.
      const isIldg = report.records?.some(({ type }) => type === 'ildg-format');
      return `${isIldg ? SOURCES.ildg : SOURCES[first.source]}${fieldWords(first)}${more}${volumes}`;
    }
  }
}

const FORMATS = { lime: 'LIME', nersc: 'NERSC archive', milc: 'MILC file', openqcd: 'openQCD configuration' };
const SOURCES = { scidac: 'SciDAC', ildg: 'ILDG', nersc: 'NERSC archive', milc: 'MILC file', openqcd: 'openQCD configuration' };

function fieldWords(field: FieldEntry): string {
  const group = /^(s?u|so)(\d+)/.exec(field.gauge_kind ?? '');
  const { links } = field;
  const matrices = links && `links of ${links.columns}×${links.columns} ${links.numbers} numbers`;
  const kind = group ? `${group[1].toUpperCase()}(${group[2]})` : (matrices ?? field.datatype);
  const parts = [
    field.region === 'global' ? 'global data' : field.extents.join('×'),
    field.precision === null ? '' : field.precision === 32 ? 'single precision' : 'double precision',
    typeof field.plaquette === 'number' ? `plaquette ${field.plaquette.toFixed(5)}` : '',
  ];
  return `${kind ? ` ${kind}` : ''}, ${parts.filter(Boolean).join(', ')}`;
}

/** A number of bytes, such as `3.1 MB`. */
export function bytesOf(bytes: number): string {
  const units = ['bytes', 'kB', 'MB', 'GB', 'TB'];
  const unit = Math.min(units.length - 1, bytes < 1000 ? 0 : Math.floor(Math.log10(bytes) / 3));
  return unit === 0 ? `${bytes} bytes` : `${(bytes / 1000 ** unit).toFixed(1)} ${units[unit]}`;
}
