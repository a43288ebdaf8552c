/** What is shown later than it was asked for, while a control is pressed. */

const CONTROLS = 'a, button, input, label, summary';
const ENDS = ['pointerup', 'pointercancel', 'pointermove', 'dragend', 'blur'];

let press: Promise<void> | undefined;

document.addEventListener('pointerdown', ({ target }) => {
  // Text is selected, and scroll bars are dragged, while what is read appears.
  if (press || !(target instanceof Element && target.closest(CONTROLS))) return;
  press = new Promise((resolve) => {
    const end = (event: Event) => {
      // The release may have been outside of the page. A control takes the focus from another with the press.
      if (event.type === 'pointermove' && (event as PointerEvent).buttons !== 0) return;
      if (event.type === 'blur' && event.target !== window) return;
      for (const type of ENDS) window.removeEventListener(type, end, true);
      press = undefined;
      // The click follows the release within the same task.
      setTimeout(resolve);
    };
    for (const type of ENDS) window.addEventListener(type, end, true);
  });
}, true);

/**
 * Waits until no control is pressed. There is no click if a control is moved or replaced between press and release:
 * changes that do not come from the user have to wait for this.
 */
export async function unpressed(): Promise<void> {
  while (press) await press;
}
