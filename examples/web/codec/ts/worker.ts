/** The worker. It runs one call at a time in the compiled codec. */

import { ArrayCollector, BlobCollector } from './collectors.js';
import { toFailure } from './error.js';
import { suspendable, useMemory, useSources } from './host.js';
import { loadCheck, loadDiff, loadRead, loadSets, type Module } from './module.js';
import type { Answer, Call, Request } from './protocol.js';
import { Sources, type WorkerSource } from './worker-sources.js';

type CheckCodec = typeof import('./wasm/check.js');
type ReadCodec = typeof import('./wasm/read.js');

interface Port {
  post(answer: Answer, transfer: ArrayBuffer[]): void;
  listen(onRequest: (request: Request) => void): void;
}

const port = await connect();
port.listen((request) => void serve(request));

async function connect(): Promise<Port> {
  if (typeof self !== 'undefined' && 'postMessage' in self) {
    return {
      post: (answer, transfer) => self.postMessage(answer, { transfer }),
      listen: (onRequest) => (self.onmessage = (event: MessageEvent<Request>) => onRequest(event.data)),
    };
  }
  const name = 'node:worker_threads';
  const { parentPort }: typeof import('node:worker_threads') = await import(/* @vite-ignore */ name);
  if (parentPort === null) throw new Error('this module runs in a worker');
  return {
    post: (answer, transfer) => parentPort.postMessage(answer, transfer),
    listen: (onRequest) => parentPort.on('message', onRequest),
  };
}

async function serve(request: Request): Promise<void> {
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
    await Promise.all([loadCheck(), loadRead()]);
    return {};
  }
  const sources = await Sources.open(messages, (answer) => port.post(answer, []));
  useSources(sources.list);
  try {
    switch (call.call) {
      case 'survey': {
        const report = call.isSet ? undefined : await survey(await loadCheck(), 1, call);
        // The report is empty if the file is a volume: then the larger module is needed.
        return report?.length ? report : await survey(await loadSets(), sources.list.length, call);
      }
      case 'diff':
        return await diff(sources.list.length, call);
      case 'readField': {
        const volumes = call.isSet ? sources.list.length : undefined;
        return await read(new ArrayCollector(), (codec, sink) => codec.read_field(call.file, volumes, call.index, call.slice, sink));
      }
      case 'readMatrix':
        return await read(new ArrayCollector(), (codec, sink) => codec.read_matrix(call.file, call.from, call.to, sink));
      case 'readSection': {
        const sink = call.as === 'array' ? new ArrayCollector() : new BlobCollector();
        return await read(sink, (codec, sink) => codec.read_section(call.index, call.element, call.as === 'place', sink));
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

/** Returns the report on the first `count` sources, as a line of JSON. */
function survey({ codec, exports }: Module<CheckCodec>, count: number, call: Survey): Promise<Uint8Array> {
  const asked = new codec.SurveyOptions();
  asked.data = call.options.data;
  asked.observables = call.options.observables;
  asked.slices = call.options.slices;
  asked.lenient = call.options.lenient;
  asked.require_checksum = call.options.requireChecksum;
  asked.set = call.isSet;
  codec.survey(count, call.name, asked);
  return run(codec, exports);
}

/** Returns the comparison of two files, as a line of JSON. */
async function diff(count: number, { names: [a, b], settings }: Extract<Call, { call: 'diff' }>): Promise<Uint8Array> {
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

async function read<Sink extends ArrayCollector | BlobCollector>(
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
