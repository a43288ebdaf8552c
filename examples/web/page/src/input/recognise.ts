/** Guesses about files that have none of the formats of the page. */

export interface Seeming {
  /** Name of the format, with an article. */
  kind: string;
  /** Advice for the user, as a sentence. */
  advice: string;
}

const NOT_FOR_THIS_PAGE = 'Nothing in it can be checked here.';
const UNPACK = 'Unpack it, and choose the files that are in it.';

const PICKLE = { kind: 'a Python pickle', advice: 'A pickle can run commands when it is read, so this page does not. Save the data as a NumPy array or an ILDG file.' };

/** First bytes of formats. */
const MAGIC: [number[] | string, number, Seeming][] = [
  [[0x89, 0x50, 0x4e, 0x47], 0, { kind: 'a PNG image', advice: NOT_FOR_THIS_PAGE }],
  [[0xff, 0xd8, 0xff], 0, { kind: 'a JPEG image', advice: NOT_FOR_THIS_PAGE }],
  ['GIF8', 0, { kind: 'a GIF image', advice: NOT_FOR_THIS_PAGE }],
  ['%PDF', 0, { kind: 'a PDF document', advice: NOT_FOR_THIS_PAGE }],
  [[0x1f, 0x8b], 0, { kind: 'a gzip file', advice: UNPACK }],
  ['BZh', 0, { kind: 'a bzip2 file', advice: UNPACK }],
  [[0xfd, 0x37, 0x7a, 0x58, 0x5a], 0, { kind: 'an xz file', advice: UNPACK }],
  [[0x28, 0xb5, 0x2f, 0xfd], 0, { kind: 'a Zstandard file', advice: UNPACK }],
  [[0x50, 0x4b, 0x03, 0x04], 0, { kind: 'a zip archive', advice: UNPACK }],
  ['ustar', 257, { kind: 'a tar archive', advice: UNPACK }],
  [[0x89, 0x48, 0x44, 0x46], 0, { kind: 'an HDF5 file', advice: 'If it has a gauge field, export that as an ILDG file.' }],
  ['\x93NUMPY', 0, { kind: 'a NumPy array', advice: 'The Python package can write it as an ILDG file.' }],
  ['CDF', 0, { kind: 'a NetCDF file', advice: NOT_FOR_THIS_PAGE }],
  [[0x80, 0x02, 0x7d], 0, PICKLE], [[0x80, 0x03], 0, PICKLE], [[0x80, 0x04, 0x95], 0, PICKLE], [[0x80, 0x05, 0x95], 0, PICKLE],
  ['MATLAB 5.0 MAT-file', 0, { kind: 'a MATLAB file', advice: NOT_FOR_THIS_PAGE }],
  ['SQLite format 3', 0, { kind: 'an SQLite database', advice: NOT_FOR_THIS_PAGE }],
  [[0x00, 0x05, 0x16, 0x07], 0, { kind: 'a file that macOS adds to copies (AppleDouble)', advice: 'The data are in the file of the same name without the “._” at its front.' }],
  [[0x7f, 0x45, 0x4c, 0x46], 0, { kind: 'a program', advice: NOT_FOR_THIS_PAGE }],
];

export function recognise(first: Uint8Array): Seeming | undefined {
  if (first.length === 0) return { kind: 'an empty file', advice: 'Its copy or download may have failed: compare its size with the original.' };
  if (first.every((byte) => byte === 0)) return { kind: 'zeros only', advice: 'The beginning of the file may never have been written: compare it with the original.' };
  const found = MAGIC.find(([magic, at]) => startsWith(first.subarray(at), magic));
  return found ? found[2] : ofText(first);
}

function startsWith(bytes: Uint8Array, magic: number[] | string): boolean {
  const wanted = typeof magic === 'string' ? [...magic].map((letter) => letter.charCodeAt(0)) : magic;
  return bytes.length >= wanted.length && wanted.every((byte, index) => bytes[index] === byte);
}

function ofText(first: Uint8Array): Seeming | undefined {
  const text = new TextDecoder('utf-8').decode(first, { stream: true });
  // eslint-disable-next-line no-control-regex
  if (/[\u0000-\u0008\u000e-\u001a\u001c-\u001f\ufffd]/.test(text)) return undefined;
  const start = text.trimStart();
  if (/^<!doctype html|^<html/i.test(start)) {
    return { kind: 'a web page', advice: 'A server may have answered with a page, such as a login, in place of the file: download it again.' };
  }
  if (start.startsWith('<')) return { kind: 'an XML document', advice: 'Documents are checked as records of a LIME file, not alone.' };
  if (/^[[{]\s*(["[{\]}]|-?\d|true|false|null|$)/.test(start)) return { kind: 'JSON', advice: NOT_FOR_THIS_PAGE };
  if (/^version https:\/\/git-lfs/.test(start)) return { kind: 'a pointer of Git LFS', advice: 'The data were not downloaded: fetch them, and choose the file again.' };
  if (isTable(start)) return { kind: 'a table (CSV)', advice: 'Aion reads such a table as a matrix. It has no checksum.' };
  return { kind: 'a text', advice: NOT_FOR_THIS_PAGE };
}

/** True if the first lines have the same number of commas, semicolons or tabs. The last line may be cut. */
function isTable(text: string): boolean {
  const lines = text.split(/\r?\n/).slice(0, -1).slice(0, 4);
  return [',', ';', '\t'].some((separator) => {
    const counts = new Set(lines.map((line) => line.split(separator).length - 1));
    const isNumeric = lines.some((line) => line.split(separator).some((cell) => /^\s*[-+]?\.?\d[\d.eE+-]*\s*$/.test(cell)));
    return lines.length > 0 && counts.size === 1 && !counts.has(0) && isNumeric;
  });
}
