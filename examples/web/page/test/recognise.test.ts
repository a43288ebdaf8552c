import { expect, test } from 'vitest';
import { recognise } from '../src/input/recognise';

const bytes = (...parts: (string | number[])[]) => Uint8Array.from(parts.flatMap((part) => (typeof part === 'string' ? [...part].map((letter) => letter.charCodeAt(0)) : part)));
const tar = new Uint8Array(512);
tar.set(bytes('lat.lime'));
tar.set(bytes('ustar'), 257);

/** Beginnings of files, and what they seem to be. */
const KNOWN: [Uint8Array, string][] = [
  [bytes([0x89], 'PNG\r\n', [0x1a], '\n'), 'a PNG image'],
  [bytes([0xff, 0xd8, 0xff, 0xe0]), 'a JPEG image'],
  [bytes('GIF89a'), 'a GIF image'],
  [bytes('%PDF-1.7\n'), 'a PDF document'],
  [bytes([0x1f, 0x8b, 8, 0]), 'a gzip file'],
  [bytes([0xfd], '7zXZ', [0]), 'an xz file'],
  [bytes([0x28, 0xb5, 0x2f, 0xfd]), 'a Zstandard file'],
  [bytes('PK', [3, 4]), 'a zip archive'],
  [tar, 'a tar archive'],
  [bytes([0x89], 'HDF\r\n', [0x1a], '\n'), 'an HDF5 file'],
  [bytes([0x93], 'NUMPY', [1, 0]), 'a NumPy array'],
  [bytes([0x7f], 'ELF', [2]), 'a program'],
  [bytes('CDF', [1]), 'a NetCDF file'],
  [bytes([0x80, 4, 0x95, 1, 0, 0]), 'a Python pickle'],
  [bytes([0, 5, 0x16, 7, 0, 2]), 'a file that macOS adds to copies (AppleDouble)'],
  [bytes('<!DOCTYPE html>\n<html>'), 'a web page'],
  [bytes('\n <html lang="en">'), 'a web page'],
  [bytes('<?xml version="1.0"?><a/>'), 'an XML document'],
  [bytes('{"schema": 2}'), 'JSON'],
  [bytes('[1, 2]'), 'JSON'],
  [bytes('[section]\nkey = 1\n'), 'a text'],
  [bytes('version https://git-lfs.github.com/spec/v1\noid sha256:0\n'), 'a pointer of Git LFS'],
  [bytes('1,2.5e-3,3\n4,5,6\n7,8'), 'a table (CSV)'],
  [bytes('update,plaquette\n10,0.59\n'), 'a table (CSV)'],
  [bytes('t\tC(t)\n0\t1.0\n'), 'a table (CSV)'],
  [bytes('Dear reader, this\nis a letter, really\n'), 'a text'],
  [bytes('one line'), 'a text'],
  [new Uint8Array(64), 'zeros only'],
  [new Uint8Array(), 'an empty file'],
];

test.each(KNOWN.map(([first, kind]) => [kind, first] as const))('%s', (kind, first) => {
  expect(recognise(first)?.kind).toBe(kind);
});

test('other data are not guessed', () => {
  expect(recognise(bytes([1, 2, 3, 200, 0, 17]))).toBeUndefined();
  // UTF-8 that is cut within a character is a text.
  expect(recognise(bytes('gr', [0xc3, 0xbc], 'n', [0xc3]))?.kind).toBe('a text');
});

test('advice is a sentence about this page, without commands', () => {
  for (const [first] of KNOWN) {
    const { advice } = recognise(first) ?? { advice: '' };
    expect(advice).toMatch(/^[A-Z].*\.$/);
    expect(advice).not.toMatch(/`|linkstream (check|inspect|convert|export|import|inebin|diff)\b|\$ /);
  }
});
