/** The page. It checks all chosen files and shows one of them. */

import { render } from 'preact';
import { add, openNamed } from './actions';
import { App } from './app/App';
import { keepFocus } from './focus';
import { renderByFrames } from './frame';
import { addressesOf } from './input/address';
import { collectFiles } from './input/collect';
import { targetOf } from './link';
import { completeWhenIdle } from './offline';
import { restrict } from './policy';
import { loadWorkers } from './queue';
import { changed, state } from './store';
import './style.css';
import { installTheme } from './theme';

function visit(): void {
  state.visits += 1;
  state.visitedBy = state.selected;
  changed();
}

window.addEventListener('hashchange', () => {
  state.target = targetOf(location.hash);
  visit();
});
// A link to the present place changes no address, but is a visit.
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link?.hash && link.hash === location.hash) visit();
});

/** Adds files that were chosen before this script was loaded, or in a dialog that was open at that time. */
function takeEarly(input: HTMLInputElement): void {
  const take = () => {
    const files = [...(input.files ?? [])];
    if (files.length > 0) add(collectFiles(files));
  };
  input.addEventListener('change', take);
  take();
}

restrict(location);
renderByFrames();
installTheme(changed);
const root = document.getElementById('page');
if (root) {
  const early = root.querySelector('input');
  root.replaceChildren();
  render(<App />, root);
  keepFocus(root);
  if (early) takeEarly(early);
}
// A link can name files: `?url=…`.
const named = addressesOf(new URL(location.href));
if (named.urls.length > 0 || named.notes.length > 0) openNamed(named.urls, named.notes);
void loadWorkers().then(() => {
  document.body.setAttribute('data-ready', '');
  return completeWhenIdle();
});
