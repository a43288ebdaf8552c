import { expect, test } from 'vitest';
import { Job, jobOf, keptFor } from '../src/physics/jobs';

test('progress and result', async () => {
  const job = new Job<number>();
  const seen: string[] = [];
  job.subscribe(() => seen.push(JSON.stringify(job.state)));
  await job.start(async (_, progress) => {
    progress(1, 2);
    return 7;
  });
  expect(seen).toEqual(['{"kind":"running","done":0,"total":0}', '{"kind":"running","done":1,"total":2}', '{"kind":"done","result":7}']);
});

test('a cancelled job has no result, even if the work ends', async () => {
  const job = new Job<number>();
  let release = () => {};
  const started = job.start(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return 1;
  });
  job.cancel();
  release();
  await started;
  expect(job.state).toEqual({ kind: 'cancelled' });
});

test('the latest start wins, whichever ends first', async () => {
  const job = new Job<string>();
  let release = () => {};
  const first = job.start(async () => {
    await new Promise<void>((resolve) => (release = resolve));
    return 'first';
  });
  await job.start(async () => 'second');
  release();
  await first;
  expect(job.state).toEqual({ kind: 'done', result: 'second' });
});

test('a failure keeps its message, and the work can be started again', async () => {
  const job = new Job<number>();
  await job.start(() => Promise.reject(new Error('truncated')));
  expect(job.state).toEqual({ kind: 'failed', message: 'truncated' });
  await job.start(async () => 1);
  expect(job.state.kind).toBe('done');
});

test('jobs and choices belong to one file', () => {
  const [a, b] = [{}, {}];
  expect(jobOf(a, 'norm')).toBe(jobOf(a, 'norm'));
  expect(jobOf(a, 'norm')).not.toBe(jobOf(b, 'norm'));
  keptFor(a).set('t', 3);
  expect(keptFor(a).get('t')).toBe(3);
  expect(keptFor(b).has('t')).toBe(false);
});
