/** The work of a worker: it runs one call at a time in the compiled codec. */

import { ArrayCollector, BlobCollector } from './collectors.js';
import { toFailure } from './error.js';
import { suspendable, useMemory, useSources } from './host.js';
import { loader, type Module } from './module.js';
import type { ModuleName } from './platform.js';
import type { Answer, Call, Message, Request } from './protocol.js';
import initCheck, * as check from './wasm/check.js';
import initDiff, * as diff from './wasm/diff.js';
import initEnsemble, * as ensemble from './wasm/ensemble.js';
import initRead, * as read from './wasm/read.js';
import initSets, * as sets from './wasm/sets.js';
import { type OpenPath, Sources, type WorkerSource } from './worker-sources.js';

type CheckCodec = typeof check;
type SetsCodec = typeof sets;
type ReadCodec = typeof read;

/** The connection of the worker to the calling thread. */
export interface Port {
  post(answer: Answer, transfer: ArrayBuffer[]): void;
  listen(onMessage: (message: Message) => void): void;
}

let port: Port;
/** Opens files of the disk, where there are any. */
let openPath: OpenPath | undefined;

/** Answers the requests of the calling thread, one at a time. */
export function serve(connected: Port, open?: OpenPath): void {
  port = connected;
  openPath = open;
  port.listen((message) => {
    if (message.kind === 'module') arrived(message);
    else void answer(message);
  });
}

const expected = new Map<ModuleName, { resolve: (module: WebAssembly.Module) => void; reject: (error: unknown) => void }>();

/** Asks the calling thread for a compiled module. */
function compiled(name: ModuleName): Promise<WebAssembly.Module> {
  return new Promise((resolve, reject) => {
    expected.set(name, { resolve, reject });
    port.post({ kind: 'module', name }, []);
  });
}

function arrived({ name, result }: Extract<Message, { kind: 'module' }>): void {
  if ('failure' in result) expected.get(name)?.reject(result.failure);
  else expected.get(name)?.resolve(result.module);
  expected.delete(name);
}

const loadCheck = loader(initCheck, check, () => compiled('check'));
const loadSets = loader(initSets, sets, () => compiled('sets'));
const loadDiff = loader(initDiff, diff, () => compiled('diff'));
const loadEnsemble = loader(initEnsemble, ensemble, () => compiled('ensemble'));
const loadRead = loader(initRead, read, () => compiled('read'));
const LOADERS: Record<ModuleName, () => Promise<unknown>> = { check: loadCheck, sets: loadSets, diff: loadDiff, ensemble: loadEnsemble, read: loadRead };

async function answer(request: Request): Promise<void> {
  try {
    const result = await perform(request);
    const bytes = result instanceof Uint8Array ? result : (result as { data?: unknown }).data;
    port.post({ kind: 'done', result }, bytes instanceof Uint8Array ? [bytes.buffer as ArrayBuffer] : []);
  } catch (thrown) {
    port.post({ kind: 'failed', failure: toFailure(thrown) }, []);
  }
}

async function perform({ sources: messages, call }: Request): Promise<unknown> {
  if (call.call === 'load') {
    await Promise.all(call.modules.map((name) => LOADERS[name]()));
    return {};
  }
  const sources = await Sources.open(messages, (answer) => port.post(answer, []), openPath);
  useSources(sources.list);
  try {
    switch (call.call) {
      case 'survey': {
        // The smaller module knows neither file sets nor lines of manifests.
        const report = call.isSet || call.line ? undefined : await survey(await loadCheck(), 1, call);
        // The report is empty if the file is a volume.
        return report?.length ? report : await survey(await loadSets(), sources.list.length, call);
      }
      case 'ensemble': {
        const { codec, exports } = await loadEnsemble();
        codec.ensemble(call.lines, call.pattern);
        return await run(codec, exports);
      }
      case 'diff':
        return await compare(sources.list.length, call);
      case 'readField': {
        const volumes = call.isSet ? sources.list.length : undefined;
        return await reading(new ArrayCollector(), (codec, sink) => codec.read_field(call.file, volumes, call.index, call.slice, sink));
      }
      case 'readMatrix':
        return await reading(new ArrayCollector(), (codec, sink) => codec.read_matrix(call.file, call.from, call.to, sink));
      case 'readSection': {
        const sink = call.as === 'array' ? new ArrayCollector() : new BlobCollector();
        return await reading(sink, (codec, sink) => codec.read_section(call.index, call.element, call.as === 'place', sink));
      }
      case 'readBytes':
        return await readBytes(sources.list[0], call.offset, call.length);
    }
  } finally {
    // An idle worker must not keep the bytes in memory.
    useSources([]);
    sources.close();
  }
}

interface Codec {
  result(): Uint8Array;
}

interface Exports {
  memory: WebAssembly.Memory;
  run(): void;
}

/** Runs the call that has been prepared, and returns its result. */
async function run(codec: Codec, { memory, run }: Exports): Promise<Uint8Array> {
  useMemory(memory);
  await suspendable(run)();
  return codec.result();
}

type Survey = Extract<Call, { call: 'survey' }>;

/** Returns the report on the first `count` sources as a line of JSON, and the line of a manifest if it is asked for. */
function survey({ codec, exports }: Module<CheckCodec | SetsCodec>, count: number, call: Survey): Promise<Uint8Array> {
  const asked = new codec.SurveyOptions();
  asked.data = call.options.data;
  asked.observables = call.options.observables;
  asked.slices = call.options.slices;
  asked.lenient = call.options.lenient;
  asked.require_checksum = call.options.requireChecksum;
  asked.set = call.isSet;
  if (call.line && 'describe' in codec) codec.describe(count, call.name, asked, call.line.path, Date.now(), call.line.hash);
  else codec.survey(count, call.name, asked);
  return run(codec, exports);
}

/** Returns the comparison of two files, as a line of JSON. */
async function compare(count: number, { names: [a, b], settings }: Extract<Call, { call: 'diff' }>): Promise<Uint8Array> {
  const { codec, exports } = await loadDiff();
  const asked = new codec.DiffOptions();
  asked.tolerance = settings.tolerance;
  asked.relative_tolerance = settings.relativeTolerance;
  asked.data_only = settings.dataOnly;
  asked.damaged = settings.damaged;
  asked.first = settings.first;
  [asked.first_set, asked.second_set] = settings.sets;
  codec.diff(count, a, b, asked);
  return run(codec, exports);
}

async function reading<Sink extends ArrayCollector | BlobCollector>(
  sink: Sink,
  prepare: (codec: ReadCodec, sink: Sink) => void,
): Promise<unknown> {
  const { codec, exports } = await loadRead();
  prepare(codec, sink);
  await run(codec, exports);
  return sink.result();
}

async function readBytes(source: WorkerSource, from: number, length: number): Promise<unknown> {
  const sink = new ArrayCollector();
  for (let offset = from, end = from + length; offset < end; ) {
    const bytes = await source.read(offset, end - offset);
    if (bytes.length === 0) break;
    sink.put(bytes);
    offset += bytes.length;
  }
  return sink.result();
}
