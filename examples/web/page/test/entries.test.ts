import { expect, test } from 'vitest';
import { walk } from '../src/input/entries';

/** A file or folder as a browser gives it. `readEntries` returns at most three entries at a time. */
function file(name: string, folder = '', failure?: Error): FileSystemEntry {
  const read = (resolve: (file: File) => void, reject: (error: Error) => void) => (failure ? reject(failure) : resolve(new File(['x'], name)));
  return { isDirectory: false, isFile: true, name, fullPath: `${folder}/${name}`, file: read } as unknown as FileSystemEntry;
}

function directory(name: string, children: (path: string) => FileSystemEntry[], folder = ''): FileSystemEntry {
  const fullPath = `${folder}/${name}`;
  const createReader = () => {
    const waiting = children(fullPath);
    return { readEntries: (resolve: (part: FileSystemEntry[]) => void) => resolve(waiting.splice(0, 3)) };
  };
  return { isDirectory: true, isFile: false, name, fullPath, createReader } as unknown as FileSystemEntry;
}

const paths = async (...entries: FileSystemEntry[]) => (await walk(entries)).found.map(({ path }) => path);

test('all parts of a folder, sorted with numbers by value, folders among files', async () => {
  const run = directory('run', (path) => [
    ...[10, 9, 1, 100, 2].map((number) => file(`lat.${number}`, path)),
    directory('lat.5', (inner) => [file('x', inner)], path),
  ]);
  expect(await paths(run, file('alone'))).toEqual(['alone', 'run/lat.1', 'run/lat.2', 'run/lat.5/x', 'run/lat.9', 'run/lat.10', 'run/lat.100']);
});

test('hidden files and folders are skipped and counted; a file that was dropped itself is kept', async () => {
  const run = directory('run', (path) => [file('.DS_Store', path), directory('.git', (inner) => [file('config', inner)], path), file('lat', path)]);
  const walked = await walk([run, file('.lat')]);
  expect(walked.found.map(({ path }) => path)).toEqual(['.lat', 'run/lat']);
  expect(walked.hidden).toBe(2);
});

test('the number of files is limited, also of folders within folders without end', async () => {
  const many = directory('many', (path) => Array.from({ length: 50 }, (_, index) => file(`${index}`, path)));
  const walked = await walk([many], undefined, 20);
  expect([walked.found.length, walked.isCut]).toEqual([20, true]);
  expect((await walk([many], undefined, 50)).isCut).toBe(false);
  const endless = (path: string): FileSystemEntry[] => [directory('d', endless, path.slice(-20))];
  expect(await walk([directory('loop', endless)])).toMatchObject({ found: [], isCut: true });
});

test('a file that cannot be read is reported, and the others are taken', async () => {
  const walked = await walk([file('bad', '', new Error('permission denied')), file('good')]);
  expect(walked.failed).toEqual(['bad: permission denied']);
  expect(walked.found.map(({ path }) => path)).toEqual(['good']);
});

test('the number of files so far is reported', async () => {
  const seen: number[] = [];
  await walk([directory('many', (path) => Array.from({ length: 450 }, (_, index) => file(`${index}`, path)))], (files) => seen.push(files));
  expect(seen).toEqual([200, 400, 450]);
});
