import { expect, test } from 'vitest';
import { pathAmong } from '../src/input/paths';

test('paths as a store has them, each once', () => {
  const none: ReadonlySet<string> = new Set();
  expect(pathAmong(none, '24c/lat.10')).toBe('24c/lat.10');
  expect(pathAmong(none, '/a//../b/./c\0')).toBe('a/b/c');
  expect(pathAmong(none, '..')).toBe('file');
  expect(pathAmong(new Set(['lat.10']), 'lat.10')).toBe('opened again (2)/lat.10');
  expect(pathAmong(new Set(['lat.10', 'opened again (2)/lat.10']), 'lat.10')).toBe('opened again (3)/lat.10');
});
