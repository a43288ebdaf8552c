/** Messages between the calling thread and a worker. */

import type { Failure } from './error.js';
import type { MailboxBuffer } from './mailbox.js';
import type { ModuleName } from './platform.js';
import type { Version } from './remote.js';

/** A source in the form that is sent to a worker. */
export interface SourceMessage {
  name: string;
  /** Number in the name of a volume, or -1. */
  volume: number;
  from:
    | { kind: 'bytes'; bytes: Uint8Array }
    | { kind: 'blob'; blob: Blob }
    | { kind: 'range'; url: string; version: Version }
    | { kind: 'path'; path: string }
    | { kind: 'mailbox'; buffer: MailboxBuffer; size: number };
}

export interface SurveyOptions {
  data: boolean;
  observables: boolean;
  slices: boolean;
  lenient: boolean;
  requireChecksum: boolean;
}

/** The line about a file that is asked for. */
export interface LineOptions {
  path: string;
  /** Hash large files, too. */
  hash: boolean;
}

export interface DiffSettings {
  tolerance: number;
  relativeTolerance: number;
  dataOnly: boolean;
  damaged: boolean;
  /** Number of sources of the first file, and whether the files are file sets. */
  first: number;
  sets: [boolean, boolean];
}

/** A call and its parameters. Calls about the same open file have the same number `file` and the same sources. */
export type Call =
  | { call: 'load'; modules: ModuleName[] }
  | { call: 'survey'; name: string; isSet: boolean; options: SurveyOptions; line?: LineOptions }
  | { call: 'ensemble'; lines: string; pattern?: string }
  | { call: 'diff'; names: [string, string]; settings: DiffSettings }
  | { call: 'readField'; file: number; isSet: boolean; index: number; slice?: number }
  | { call: 'readMatrix'; file: number; from: number; to?: number }
  | { call: 'readSection'; index: number; element?: number; as: 'array' | 'blob' | 'place' }
  | { call: 'readBytes'; offset: number; length: number };

/** A call with its sources. */
export interface Request {
  kind: 'call';
  sources: SourceMessage[];
  call: Call;
}

/** Message from the calling thread to the worker: a call, or a compiled module that the worker has asked for. */
export type Message =
  | Request
  | { kind: 'module'; name: ModuleName; result: { module: WebAssembly.Module } | { failure: Failure } };

/** Message from the worker to the calling thread. */
export type Answer =
  | { kind: 'module'; name: ModuleName }
  | { kind: 'progress'; bytes: number }
  | { kind: 'read'; source: number; offset: number; length: number }
  | { kind: 'done'; result: unknown }
  | { kind: 'failed'; failure: Failure };
