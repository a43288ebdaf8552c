/** Asynchronous work whose failure is shown to the user. */

import { element } from './dom';
import { unpressed } from './press';

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Does some work. An error is shown in `output`. */
export async function attempt(output: HTMLElement, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    await unpressed();
    output.replaceChildren(failure(thrown));
  }
}

/**
 * Returns a function that shows in `output` what `find` returns or throws. Only the latest call is shown: earlier calls
 * may end later, since they read in other workers.
 */
export function latest<Asked extends unknown[]>(
  output: HTMLElement,
  find: (...asked: Asked) => Promise<Node[]>,
): (...asked: Asked) => Promise<void> {
  let calls = 0;
  return async (...asked) => {
    calls += 1;
    const call = calls;
    const found = await find(...asked).catch((thrown) => [failure(thrown)]);
    await unpressed();
    if (call === calls) output.replaceChildren(...found);
  };
}

function failure(thrown: unknown): HTMLElement {
  return element('p', { class: 'error', role: 'alert' }, messageOf(thrown));
}
