/** When the page is rendered: once a frame, and not while a control is pressed. */

import { options } from 'preact';
import { unpressed } from './press';

/** Delays every rendering of Preact. A hidden page has no frames, but is rendered all the same. */
export function renderByFrames(): void {
  options.debounceRendering = (render) => {
    void unpressed().then(() => {
      if (document.hidden) setTimeout(render);
      else requestAnimationFrame(render);
    });
  };
}
