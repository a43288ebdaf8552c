/** Verdicts in words and symbols. */

import type { Report } from 'linkstream';
import type { Item } from './item';
import { plural } from './format';
import { onPage } from './on-page';

export interface Words {
  tone: 'good' | 'fair' | 'bad' | 'none';
  symbol: string;
  word: string;
}

export function words(item: Item): Words {
  const { state } = item;
  switch (state.kind) {
    case 'waiting': return { tone: 'none', symbol: '…', word: 'waiting' };
    case 'running': return { tone: 'none', symbol: '…', word: 'reading' };
    case 'cancelled': return { tone: 'none', symbol: '–', word: 'cancelled' };
    // A defect says nothing about the file.
    case 'failed': return state.isDefect ? { tone: 'none', symbol: '?', word: 'unreadable' } : { tone: 'bad', symbol: '✗', word: 'unreadable' };
    case 'done':
      if (otherFormat(state.report)) return { tone: 'none', symbol: '–', word: 'not read' };
      if (isUnrecognised(state.report)) return { tone: 'none', symbol: '?', word: 'not recognised' };
      switch (state.report.verdict) {
        case 'ok': return { tone: 'good', symbol: '✓', word: 'ok' };
        case 'unverified': return { tone: 'fair', symbol: '?', word: 'unverified' };
        case 'wrong': return { tone: 'bad', symbol: '✗', word: 'wrong' };
      }
  }
}

/** True if the file has none of the formats that the page knows. That does not mean that it is damaged. */
export function isUnrecognised({ format }: Report): boolean {
  return format === 'unknown';
}

/** Sentences about a file in a format of another program; undefined for other files, and for files that have to be unpacked. */
export function otherFormat({ findings }: Report): string | undefined {
  const message = findings.find(({ rule }) => rule === 'format-not-read')?.message;
  return message === undefined || message.includes('| linkstream') ? undefined : sentences(onPage(message));
}

/** Parts of a message as sentences. */
function sentences(parts: string[]): string {
  return parts.map((part) => `${part.charAt(0).toUpperCase()}${part.slice(1)}.`).join(' ');
}

/** Sentence about numbers that cannot be right although their checksum is OK; empty if there are none. */
function doubts({ doubts = [] }: Report): string {
  return doubts.length === 0 ? '' : ` But the numbers are in doubt: ${doubts.join(', ')}.`;
}

/** Reasons why data are not verified. */
function reasons({ unverified }: Report): string {
  const all = [...new Set(unverified.map(({ message }) => message))];
  return all.length > 0 ? all.join('; ') : 'there are no data';
}

export function explanation(item: Item): string {
  const { state } = item;
  switch (state.kind) {
    case 'waiting': return 'The file will be read next.';
    case 'running': return 'The file is being read.';
    case 'cancelled': return 'Reading was cancelled.';
    case 'failed': return state.message;
    case 'done': {
      const { report } = state;
      const count = (severity: string) => report.findings.filter((finding) => finding.severity === severity).length;
      const [errors, warnings] = [count('error'), count('warning')];
      const also = warnings === 0 ? '' : ` There ${warnings === 1 ? 'is' : 'are'} ${warnings} ${plural(warnings, 'warning')}.`;
      if (isUnrecognised(report)) return otherFormat(report) ?? 'The page does not know this format.';
      switch (report.verdict) {
        case 'ok': return `No errors; all data are verified by checksums stored in the file.${doubts(report)}${also}`;
        case 'unverified':
          return `No errors, but data are not verified: ${reasons(report)}.${doubts(report)}${also}`;
        case 'wrong': return `There ${errors === 1 ? 'is 1 error' : `are ${errors} errors`}.${also}`;
      }
    }
  }
}
