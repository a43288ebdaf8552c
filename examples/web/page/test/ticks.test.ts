import { describe, expect, test } from 'vitest';
import { decimalsOf, labelsOf, logLabels, niceStep, ticksBetween, wholeTicks } from '../src/plots/ticks';

describe('decimals of a step', () => {
  test.each([[5, 0], [1, 0], [0.5, 1], [2.5, 1], [0.25, 2], [0.001, 3], [0.00025, 5], [1e-9, 9], [200, 0], [0.1 + 0.2, 1]])('%d has %d', (step, decimals) => {
    expect(decimalsOf(step)).toBe(decimals);
  });
});

describe('labels', () => {
  test('differ if the ticks differ: four ticks of one value today', () => {
    expect(labelsOf([0.001, 0.0012, 0.0014, 0.0016], 0.0002)).toEqual(['0.0010', '0.0012', '0.0014', '0.0016']);
  });
  test('have the decimals of a step far below the values', () => {
    expect(labelsOf([0.59567, 0.595675, 0.59568], 0.000005)).toEqual(['0.595670', '0.595675', '0.595680']);
  });
  test('have an exponent where numbers are large or small', () => {
    expect(labelsOf([0, 2e9, 4e9], 2e9)).toEqual(['0', '2e9', '4e9']);
    expect(labelsOf([0, 5e-8, 1e-7, 1.5e-7], 5e-8)).toEqual(['0', '0.5e-7', '1.0e-7', '1.5e-7']);
  });
  test('have no negative zero', () => {
    expect(labelsOf([-0.5, -0, 0.5], 0.5)).toEqual(['-0.5', '0.0', '0.5']);
  });
  test('differ for any range', () => {
    for (const [from, to] of [[0.5956, 0.5957], [-1e-12, 1e-12], [1e6, 1e6 + 0.001], [-3e20, 1e20], [99.9999, 100.0001], [0, 1]]) {
      const { ticks, labels } = ticksBetween(from, to, 6);
      expect(ticks.length).toBeGreaterThan(1);
      expect(new Set(labels).size).toBe(labels.length);
      expect(labels.length).toBeLessThanOrEqual(6);
      labels.forEach((label, place) => expect(Math.abs(Number(label) - ticks[place])).toBeLessThan((to - from) / 100));
    }
  });
});

test('a step is 1, 2, 2.5 or 5 times a power of ten', () => {
  expect([0.3, 1, 1.1, 2.2, 4, 6, 0.00013].map(niceStep)).toEqual([0.5, 1, 2, 2.5, 5, 10, 0.0002]);
});

test('ticks of one value and of no finite values', () => {
  expect(ticksBetween(3, 3, 5)).toEqual({ ticks: [3], labels: ['3'] });
  expect(ticksBetween(Infinity, -Infinity, 5)).toEqual({ ticks: [], labels: [] });
});

test('whole numbers', () => {
  expect(wholeTicks(4, 8)).toEqual([0, 1, 2, 3]);
  expect(wholeTicks(32, 8)).toEqual([0, 5, 10, 15, 20, 25, 30]);
  expect(wholeTicks(1, 8)).toEqual([0]);
  expect(wholeTicks(0, 8)).toEqual([]);
});

describe('logarithmic axes', () => {
  test('only powers of ten are labelled', () => {
    const ticks = [0.5, 1, 2, 5, 10, 20, 100];
    expect(logLabels(ticks, 5)).toEqual(['', '1e0', '', '', '1e1', '', '1e2']);
  });
  test('within one decade, the ticks themselves are', () => {
    expect(logLabels([2, 3, 4, 5], 5)).toEqual(['2', '3', '4', '5']);
  });
  test('no more labels than fit', () => {
    const ticks = Array.from({ length: 30 }, (_, place) => Number(`1e${place - 20}`));
    expect(logLabels(ticks, 6).filter(Boolean)).toEqual(['1e-20', '1e-15', '1e-10', '1e-5', '1e0', '1e5']);
  });
});
