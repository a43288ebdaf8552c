/** The worker that does the arithmetic, so that the page stays responsive. */

import { actionDensity, type LinkShape, squaredNorm, unitarity } from './links';

type Numbers = Float32Array | Float64Array;

export type Task =
  | { task: 'density'; shape: LinkShape; current: Numbers; next: Numbers }
  | { task: 'unitarity'; shape: LinkShape; slice: Numbers }
  | { task: 'norm'; slice: Numbers };

self.onmessage = ({ data: { id, task } }: MessageEvent<{ id: number; task: Task }>) => {
  try {
    self.postMessage({ id, result: perform(task) });
  } catch (thrown) {
    self.postMessage({ id, error: thrown });
  }
};

function perform(task: Task): unknown {
  switch (task.task) {
    case 'density': return actionDensity(task.shape, task.current, task.next);
    case 'unitarity': return unitarity(task.shape, task.slice);
    case 'norm': return squaredNorm(task.slice);
  }
}
