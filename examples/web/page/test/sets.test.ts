import { expect, test } from 'vitest';
import { Gzip } from '../src/input/gzip';
import { group } from '../src/input/sets';

const found = (...paths: string[]) => paths.map((path) => ({ path, source: new File(['x'.repeat(path.length)], path.split('/').pop() ?? '') }));
const shape = (...paths: string[]) =>
  group(found(...paths)).map(({ name, isSet, sources }) => [name, isSet, sources.map((source) => (source as File).name)]);
const sizes = (...paths: string[]) => group(found(...paths)).map(({ name, sources }) => [name, sources.length]);

test('volumes are one item, in the order of their numbers', () => {
  expect(shape('b.lime', 'lat.vol0010', 'lat.vol0002', 'a.vol0000', 'lat.vol10000')).toEqual([
    ['b.lime', false, ['b.lime']],
    ['lat', true, ['lat.vol0002', 'lat.vol0010', 'lat.vol10000']],
    ['a', true, ['a.vol0000']],
  ]);
});

test('names that only resemble volumes are files', () => {
  for (const name of ['lat.vol12', 'lat.volume', 'vol0001', '.vol0001', 'lat.vol00001', 'lat.vol0001.txt']) {
    expect(shape(name), name).toEqual([[name, false, [name]]]);
  }
});

test('a partition-directory set: the folders have the numbers, and the volumes get them in their names', async () => {
  expect(shape('run/vol0001/lat.lime', 'run/vol0000/lat.lime', 'run/lat.lime')).toEqual([
    ['run/lat.lime', true, ['lat.lime.vol0000', 'lat.lime.vol0001']],
    ['run/lat.lime (2)', false, ['lat.lime']],
  ]);
  const [set] = group([
    { path: 'vol0000/lat', source: new File(['first'], 'lat') },
    { path: 'vol0001/lat', source: new File(['second'], 'lat') },
  ]);
  expect(set.size).toBe(11);
  expect(await (set.sources[1] as File).text()).toBe('second');
});

test('sets of one name in different runs are different sets', () => {
  expect(sizes('a/vol0000/lat', 'a/vol0001/lat', 'b/vol0000/lat', 'b/vol0001/lat')).toEqual([['a/lat', 2], ['b/lat', 2]]);
  expect(sizes('a/lat.vol0000', 'a/lat.vol0001', 'b/lat.vol0000', 'b/lat.vol0001')).toEqual([['a/lat', 2], ['b/lat', 2]]);
});

test('volumes in the folders of nodes are one set, since no number is repeated', () => {
  expect(shape('node0/lat.vol0000', 'node1/lat.vol0001')).toEqual([['lat', true, ['lat.vol0000', 'lat.vol0001']]]);
});

test('a file that is alone in a folder with the name of a volume is a file', () => {
  expect(shape('vol0001/notes.lime')).toEqual([['notes.lime', false, ['notes.lime']]]);
});

test('unrelated files of one name stay two, and their folders are shown', () => {
  expect(sizes('a/lat.lime', 'b/lat.lime', 'c/other.lime')).toEqual([['a/lat.lime', 1], ['b/lat.lime', 1], ['other.lime', 1]]);
  // Files from a search have no folders.
  expect(sizes('lat.lime', 'lat.lime')).toEqual([['lat.lime', 1], ['lat.lime (2)', 1]]);
});

test('the same volume twice makes two sets', () => {
  expect(sizes('lat.vol0000', 'lat.vol0001', 'lat.vol0000')).toEqual([['lat', 2], ['lat (2)', 1]]);
});

test('gzip files have the names of their contents, as volumes, too', () => {
  const [file, set] = group(found('lat.lime.gz', 'l.vol0001.gz', 'l.vol0000.gz'));
  expect(file.name).toBe('lat.lime');
  expect(file.sources[0]).toBeInstanceOf(Gzip);
  expect([set.name, set.isSet, set.sources.map((source) => (source as Gzip).name)]).toEqual(['l', true, ['l.vol0000', 'l.vol0001']]);
});

test('missing volumes are named', () => {
  const note = (...paths: string[]) => group(found(...paths))[0].note;
  expect(note('lat.vol0000', 'lat.vol0001')).toBeUndefined();
  expect(note('lat.vol0000', 'lat.vol0003')).toBe('Volumes 1 and 2 are not among the chosen files. If there are such files: choose all files lat.vol… together.');
  expect(note('lat.vol0001', 'lat.vol0002')).toMatch(/^Volume 0 is not among/);
  expect(note('lat.vol0002')).toBe('This is volume 2 alone. Choose all files lat.vol… together.');
  expect(note('lat.vol0000', 'lat.vol0100')).toMatch(/^Volumes 1, 2, 3, 4, 5, 6 and 93 more are/);
  expect(note('r/vol0000/lat', 'r/vol0002/lat')).toMatch(/choose the folder that contains the folders vol0000, vol0001 … with the volumes lat\.$/);
  // A number in a name can be of any size.
  expect(note('lat.vol0000', 'lat.vol999999999999')).toMatch(/more are not among/);
});

// With time quadratic in the number of files, this would exceed the time limit of a test.
test('20,000 volumes are one set', () => {
  const paths = Array.from({ length: 20_000 }, (_, index) => `run/lat.vol${String(index).padStart(4, '0')}`);
  const [set, ...others] = group(paths.map((path) => ({ path, source: new URL(path, 'https://a.example') })));
  expect([set.sources.length, others.length, set.note]).toEqual([20_000, 0, undefined]);
});
