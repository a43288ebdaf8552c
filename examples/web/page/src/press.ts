/** Delay of changes of the page while a control is pressed. */

// A slider shows its value while it is moved.
const CONTROLS = 'a, button, input:not([type=range]), select, label, summary';
const ENDS = ['pointerup', 'pointercancel', 'pointermove', 'dragend', 'blur'];

let press: Promise<void> | undefined;

document.addEventListener('pointerdown', ({ target }) => {
  // Only presses on controls count: users may select text or drag a scroll bar while results appear.
  if (press || !(target instanceof Element && target.closest(CONTROLS))) return;
  press = new Promise((resolve) => {
    const end = (event: Event) => {
      // A release outside the page is noticed by the next movement. A blur of another control is part of the press.
      if (event.type === 'pointermove' && (event as PointerEvent).buttons !== 0) return;
      if (event.type === 'blur' && event.target !== window) return;
      for (const type of ENDS) window.removeEventListener(type, end, true);
      press = undefined;
      // The click follows the release within the same task. Changes have to wait for it.
      setTimeout(resolve);
    };
    for (const type of ENDS) window.addEventListener(type, end, true);
  });
}, true);

/**
 * Waits until no control is pressed. Every rendering waits for this: a control that content above it moves between
 * press and release gets no click.
 */
export async function unpressed(): Promise<void> {
  while (press) await press;
}
