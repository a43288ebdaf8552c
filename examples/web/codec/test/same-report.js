// Comparison of two reports.

import assert from 'node:assert/strict';

/**
 * Asserts that two reports have the same keys in the same order, and the same values. Numbers may differ in their last
 * digits: WebAssembly has no instruction that multiplies and adds, so that each product is rounded.
 */
export function sameReport(actual, expected, where) {
  if (typeof expected === 'number' && typeof actual === 'number') {
    const scale = Math.max(Math.abs(expected), 1e-3);
    assert.ok(Math.abs(actual - expected) <= 1e-12 * scale, `${where}: ${actual}, not ${expected}`);
  } else if (expected !== null && typeof expected === 'object') {
    assert.ok(actual !== null && typeof actual === 'object', where);
    assert.deepEqual(Object.keys(actual), Object.keys(expected), where);
    for (const key of Object.keys(expected)) sameReport(actual[key], expected[key], `${where}.${key}`);
  } else {
    assert.equal(actual, expected, where);
  }
}
