// @vitest-environment happy-dom
/** @jsxImportSource preact */
import { render } from 'preact';
import { act } from 'preact/test-utils';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useCalm } from '../src/ensemble/hooks';

let drawn: number[] = [];
let host: HTMLElement;

function Shown({ value, isChanging = true }: { value: number; isChanging?: boolean }) {
  drawn.push(useCalm(value, isChanging));
  return null;
}

beforeEach(() => {
  vi.useFakeTimers();
  drawn = [];
  host = document.createElement('div');
});
afterEach(() => vi.useRealTimers());

test('values that change all the time are shown a few times a second, and the last one is', async () => {
  for (let value = 0; value <= 100; value += 1) {
    await act(() => render(<Shown value={value} />, host));
    await act(async () => void (await vi.advanceTimersByTimeAsync(10)));
  }
  const during = new Set(drawn).size;
  expect(during).toBeGreaterThanOrEqual(3);
  expect(during).toBeLessThanOrEqual(7);
  await act(async () => void (await vi.advanceTimersByTimeAsync(2000)));
  expect(drawn.at(-1)).toBe(100);
});

test('the last value is shown at once when nothing changes any more', async () => {
  for (const value of [1, 2, 3]) await act(() => render(<Shown value={value} />, host));
  await act(async () => void (await vi.advanceTimersByTimeAsync(1)));
  expect(drawn.at(-1)).toBe(1);
  await act(() => render(<Shown value={4} isChanging={false} />, host));
  await act(async () => void (await vi.advanceTimersByTimeAsync(1)));
  expect(drawn.at(-1)).toBe(4);
  await act(async () => void (await vi.advanceTimersByTimeAsync(2000)));
  expect(drawn.at(-1)).toBe(4);
});
