import type { Report } from 'linkstream';
import { expect, test } from 'vitest';
import { missingVolumes } from '../src/input/missing';

interface Parts {
  /** Numbers and sites of the volumes. */
  volumes?: [number | null, number][];
  dims?: string;
  isMissing?: boolean;
  format?: string;
}

const report = ({ volumes, dims, isMissing = true, format = 'multifile' }: Parts) => ({
  file: 'lat', volume_format: format, fields: [],
  volumes: volumes?.map(([number, sites]) => ({ file: 'lat', number, sites, findings: [] })),
  records: dims === undefined ? [] : [{ type: 'scidac-private-file-xml', text: `<scidacFile><dims>${dims}</dims></scidacFile>` }],
  findings: isMissing ? [{ rule: 'volume-missing' }] : [],
}) as unknown as Report;

test('complete sets and other files have no remark', () => {
  expect(missingVolumes(report({ isMissing: false }))).toBeUndefined();
  expect(missingVolumes(report({ volumes: [[0, 8], [2, 8]], dims: '2 2 2 2 ', isMissing: false }))).toBeUndefined();
  expect(missingVolumes(report({ volumes: [[0, 16]], dims: '2 2 2 2', isMissing: false }))).toBeUndefined();
});

test('volumes of equal size: their number follows from the lattice', () => {
  expect(missingVolumes(report({ volumes: [[0, 4], [3, 4]], dims: '2 2 2 2 ' }))).toBe(
    '2 volumes of the set were chosen. They have 8 of 16 sites. Volumes 1 and 2 of 4 are missing, if all have the same size. Choose all files lat.vol… together.',
  );
});

test('without equal sizes, the sites that are missing are all that is known', () => {
  expect(missingVolumes(report({ volumes: [[0, 4], [1, 5]], dims: '2 2 2 2' }))).toBe(
    '2 volumes of the set were chosen. They have 9 of 16 sites. Choose all files lat.vol… together.',
  );
  // The numbers of this set have gaps: the missing ones are unknown.
  expect(missingVolumes(report({ volumes: [[0, 4], [8, 4]], dims: '2 2 2 2' }))).not.toMatch(/are missing/);
});

test('one volume, also without the first volume and its document', () => {
  expect(missingVolumes(report({ volumes: [[2, 4]], isMissing: false }))).toBe('Only volume 2 of the set was chosen. Choose all files lat.vol… together.');
  expect(missingVolumes(report({ volumes: [[null, 8]], dims: '2 2 2 2', isMissing: false, format: 'partition-directory' }))).toBe(
    'Only one volume of the set was chosen. It has 8 of 16 sites. Choose the folder that contains the folders vol0000, vol0001 … with the volumes lat.',
  );
});
