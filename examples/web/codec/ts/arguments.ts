/** Checks of arguments. They fail before anything is read, with a message that names what is accepted. */

import { MODULES } from './platform.js';

/** A kind of values: its description in messages, and its test. */
export interface Kind {
  readonly accepted: string;
  readonly accepts: (value: unknown) => boolean;
}

const integer = (value: unknown): boolean => Number.isSafeInteger(value) && (value as number) >= 0;
const tolerance = (value: unknown): boolean => typeof value === 'number' && value >= 0;

export const BOOLEAN: Kind = { accepted: 'true or false', accepts: (value) => typeof value === 'boolean' };
export const INTEGER: Kind = { accepted: 'an integer of at least 0', accepts: integer };
export const TOLERANCE: Kind = { accepted: 'a number of at least 0', accepts: tolerance };

export const TEXT: Kind = { accepted: 'a text', accepts: (value) => typeof value === 'string' };

/** Servers, as of `location.origin`. */
export const ORIGINS: Kind = {
  accepted: 'an array of servers, such as ["https://example.org"]',
  accepts: (value) => Array.isArray(value) && value.every((server) => URL.canParse(server) && new URL(server).origin !== 'null'),
};

/** The options of every call that reads a source. */
export const JOB: Record<string, Kind> = {
  onProgress: { accepted: 'a function', accepts: (value) => typeof value === 'function' },
  signal: {
    accepted: 'an AbortSignal',
    accepts: (value) => typeof value === 'object' && value !== null && 'aborted' in value && 'addEventListener' in value,
  },
};

/** Checks the names and the types of options. An undefined option counts as absent. */
export function checkOptions(call: string, options: unknown, kinds: Record<string, Kind>): void {
  if (typeof options !== 'object' || options === null || Array.isArray(options)) {
    throw new TypeError(`${call}: the options must be an object; this is ${described(options)}`);
  }
  for (const [name, value] of Object.entries(options)) {
    if (!Object.hasOwn(kinds, name)) {
      const known = Object.keys(kinds);
      const near = nearest(name, known);
      const hint = near === undefined ? '' : ` Did you mean "${near}"?`;
      throw new TypeError(`${call}: unknown option "${name}".${hint} The options are ${known.join(', ')}`);
    }
    const { accepted, accepts } = kinds[name];
    if (value !== undefined && !accepts(value)) {
      throw new TypeError(`${call}: the option "${name}" must be ${accepted}; this is ${described(value)}`);
    }
  }
}

/** Checks an argument that is an integer. */
export function checkInteger(call: string, name: string, value: unknown): void {
  if (!integer(value)) throw new TypeError(`${call}: ${name} must be ${INTEGER.accepted}; this is ${described(value)}`);
}

/** Checks a list of names of modules. */
export function checkModules(call: string, modules: unknown): void {
  const known: readonly unknown[] = MODULES;
  if (!Array.isArray(modules) || !modules.every((name) => known.includes(name))) {
    throw new TypeError(`${call}: the modules must be an array of names among ${MODULES.join(', ')}; this is ${described(modules)}`);
  }
}

/** Checks a list of lines. */
export function checkLines(call: string, lines: unknown): void {
  if (!Array.isArray(lines)) throw new TypeError(`${call}: the lines must be an array of texts; this is ${described(lines)}`);
  const at = lines.findIndex((line) => typeof line !== 'string' || line.includes('\n'));
  if (at >= 0) throw new TypeError(`${call}: line ${at} must be a text without a line feed; this is ${described(lines[at])}`);
}

/** Checks an index, which counts from 0, against the number of things. `what` names one of them and `of` their owner. */
export function checkIndex(call: string, what: string, index: number, of: string, count: number): void {
  if (index >= count) throw new RangeError(`${call}: no ${what} ${index}: ${of} has ${count}, counted from 0`);
}

const SOURCES = 'a File or Blob, a URL, a Uint8Array, or a ReadableStream of bytes';

/** Checks a source: a file, or a file set as the array of its volumes. `name` is its name in messages. */
export function checkSource(call: string, name: string, source: unknown): void {
  if (!Array.isArray(source)) return checkOne(call, name, source, `${SOURCES}; of a file set, the array of its volumes`);
  if (source.length === 0) {
    throw new TypeError(`${call}: ${name} is an empty array; a file set has at least one volume`);
  }
  source.forEach((one, index) => checkOne(call, `volume ${index} of ${name}`, one, SOURCES));
}

function checkOne(call: string, name: string, source: unknown, accepted: string): void {
  if (source instanceof ReadableStream) {
    if (source.locked) throw new TypeError(`${call}: ${name} is a stream that is read elsewhere already`);
    return;
  }
  if (source instanceof Blob || source instanceof URL || source instanceof Uint8Array) return;
  throw new TypeError(`${call}: ${name} must be ${accepted}; this is ${described(source)}${advice(source)}`);
}

/** Advice on making a source of a value that is none; empty if there is none. */
function advice(value: unknown): string {
  if (typeof value === 'string') {
    const isAddress = /^[a-z][a-z0-9+.-]+:/i.test(value);
    return isAddress ? `: pass new URL("${value}")` : ': pass a URL; in Node, pathToFileURL(path) of node:url makes one';
  }
  if (value instanceof ArrayBuffer || ArrayBuffer.isView(value)) return ': pass a Uint8Array of its bytes';
  if (typeof value !== 'object' || value === null) return '';
  if ('body' in value && 'status' in value) return ': pass its body';
  if ('getFile' in value) return ': pass await handle.getFile()';
  if ('length' in value && 'item' in value) return ': pass one of its files, or Array.from(files) for a file set';
  return '';
}

/** A value in messages. */
export function described(value: unknown): string {
  if (value === null || value === undefined) return String(value);
  if (typeof value === 'string') return `the string ${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)}`;
  if (typeof value === 'function') return 'a function';
  if (Array.isArray(value)) return value.length === 0 ? 'an empty array' : 'an array';
  if (typeof value !== 'object') return `the ${typeof value} ${String(value)}`;
  const name = value.constructor?.name;
  return !name || name === 'Object' ? 'an object' : `an object of type ${name}`;
}

/** The most similar of some names, if it is similar enough to be meant. */
function nearest(name: string, known: string[]): string | undefined {
  const distances = known.map((other) => [distance(name.toLowerCase(), other.toLowerCase()), other] as const);
  const [[least, other] = [Infinity, undefined]] = distances.sort(([a], [b]) => a - b);
  return least <= Math.max(2, name.length / 3) ? other : undefined;
}

/** Number of characters to insert, remove or replace to make `b` of `a`. */
function distance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, j) => j);
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i];
    for (let j = 1; j <= b.length; j += 1) {
      const replaced = row[j - 1] + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(replaced, row[j] + 1, next[j - 1] + 1));
    }
    row = next;
  }
  return row[b.length];
}
