import { expect, test } from 'vitest';
import { Gzip, isGzip, nameInside } from '../src/input/gzip';
import { identify, resolve } from '../src/input/resolve';

const TEXT = 'numbers of a lattice '.repeat(50_000);
const CONTENTS = new TextEncoder().encode(TEXT);
const compressed = new Uint8Array(await new Response(new Blob([CONTENTS]).stream().pipeThrough(new CompressionStream('gzip'))).arrayBuffer());
const gzip = (bytes: Uint8Array<ArrayBuffer>) => new Gzip(new File([bytes], 'lat.lime.gz'), 'lat.lime');

test('the contents, several times, with their own name and with progress', async () => {
  const file = gzip(compressed);
  const seen: number[] = [];
  for (let times = 0; times < 2; times += 1) {
    const contents = await file.contents({ onProgress: ({ bytes, total }) => { seen.push(bytes); expect(total).toBe(compressed.length); } });
    expect(contents.name).toBe('lat.lime');
    // Vitest takes seconds to compare long arrays.
    expect((await contents.text()) === TEXT).toBe(true);
  }
  expect(seen.at(-1)).toBe(compressed.length);
});

test('truncated at any place: an error, never a short file', async () => {
  for (const length of [3, 10, 11, 100, compressed.length - 8, compressed.length - 1]) {
    await expect(gzip(compressed.slice(0, length)).contents(), `${length} bytes`).rejects.toThrow(/truncated, damaged/);
  }
});

test('damaged data, checksum or size: an error', async () => {
  for (const at of [compressed.length >> 1, compressed.length - 7, compressed.length - 2]) {
    const damaged = compressed.slice();
    damaged[at] ^= 0xff;
    await expect(gzip(damaged).contents(), `byte ${at}`).rejects.toThrow(/truncated, damaged/);
  }
});

test('far more contents than a file of numbers has: an error, before they are all there', async () => {
  // A thousand to one, which is the most that gzip reaches.
  const zeros = new Blob([new Uint8Array(50_000_000)]).stream().pipeThrough(new CompressionStream('gzip'));
  const bomb = gzip(new Uint8Array(await new Response(zeros).arrayBuffer()));
  await expect(bomb.contents({}, { bytes: 1_000_000, ratio: 20 })).rejects.toThrow(/far more in it/);
  // Below the bytes that are allowed in any case; and not more for each byte than are allowed.
  expect((await bomb.contents({}, { bytes: 50_000_000, ratio: 20 })).size).toBe(50_000_000);
  expect((await gzip(compressed).contents({}, { bytes: 0, ratio: 2000 })).size).toBe(CONTENTS.length);
});

test('a file that only has the name of a gzip file is read as it is', async () => {
  const file = new File(['plain text'], 'lat.lime.gz');
  const { sources, isDecompressed } = await identify([new Gzip(file, 'lat.lime')]);
  expect([sources[0], isDecompressed]).toEqual([file, false]);
  expect(await (await new Gzip(file, 'lat.lime').contents()).text()).toBe('plain text');
});

test('a gzip file without the name of one is recognised', async () => {
  const { sources, isDecompressed } = await identify([new File([compressed], 'lat.lime'), new File(['no'], 'b')]);
  expect(isDecompressed).toBe(true);
  const [first, second] = await resolve(sources);
  expect((first as File).size).toBe(CONTENTS.length);
  expect(await (second as File).text()).toBe('no');
  expect((await identify([new File([], 'empty.gz')])).isDecompressed).toBe(false);
});

test('decompression is aborted', async () => {
  const abort = new AbortController();
  abort.abort();
  await expect(gzip(compressed).contents({ signal: abort.signal })).rejects.toThrow(/abort/i);
});

test('names and magic bytes', () => {
  expect(['a.gz', 'a.lime.GZ', 'a.gzip', 'gz', 'a.tgz'].map(nameInside)).toEqual(['a', 'a.lime', 'a', 'gz', 'a.tgz']);
  expect([isGzip(compressed), isGzip(Uint8Array.of(0x1f, 0x8b, 7)), isGzip(new Uint8Array())]).toEqual([true, false, false]);
});
