/** The page. It checks all chosen files and shows one of them. */

import { render } from 'preact';
import { App } from './app/App';
import { renderByFrames } from './frame';
import { targetOf } from './link';
import { completeWhenIdle } from './offline';
import { loadWorkers } from './queue';
import { changed, state } from './store';
import './style.css';
import { installTheme } from './theme';

window.addEventListener('hashchange', () => {
  state.target = targetOf(location.hash);
  state.visits += 1;
  changed();
});
// A link to the present place changes no address, but is a visit.
document.addEventListener('click', ({ target }) => {
  const link = target instanceof Element ? target.closest('a') : null;
  if (link?.hash && link.hash === location.hash) {
    state.visits += 1;
    changed();
  }
});

renderByFrames();
installTheme(changed);
const root = document.getElementById('page');
if (root) {
  root.replaceChildren();
  render(<App />, root);
}
void loadWorkers().then(() => {
  document.body.setAttribute('data-ready', '');
  return completeWhenIdle();
});
