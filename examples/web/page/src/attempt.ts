/** Work whose failure the user sees. */

import { element } from './dom';

export function messageOf(thrown: unknown): string {
  return thrown instanceof Error ? thrown.message : String(thrown);
}

/** Does something; what it throws is shown in `output`. */
export async function attempt(output: HTMLElement, work: () => Promise<void>): Promise<void> {
  try {
    await work();
  } catch (thrown) {
    output.replaceChildren(element('p', { class: 'error', role: 'alert' }, messageOf(thrown)));
  }
}
