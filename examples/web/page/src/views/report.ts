/** One file: the verdict first, then what is in it. */

import type { Report } from 'linkstream';
import { button, element } from '../dom';
import { bytes, seconds } from '../format';
import type { Item, State } from '../item';
import { current, hash } from '../link';
import { explanation, words } from '../words';
import { exportsOf } from './exports';
import { findings } from './findings';
import { matrix } from './matrix';
import { physics } from './physics';
import { sections } from './sections';
import { structure } from './structure';

type View = (item: Item, report: Report) => HTMLElement;

/** Views that a report has, and their names in links. */
function viewsOf(report: Report): [string, string, View][] {
  const views: [string, string, View][] = [['findings', `Findings (${report.findings.length})`, findings]];
  if (report.records?.length) views.unshift(['structure', 'Structure', structure]);
  if (report.fields?.length || report.plaquette !== undefined) views.push(['physics', 'Physics', physics]);
  if (report.sections) views.push(['sections', 'Sections', sections]);
  if (report.format === 'inebin' && report.rows != null) views.push(['matrix', 'Matrix', matrix]);
  views.push(['export', 'Export', exportsOf]);
  return views;
}

export function showReport(root: HTMLElement, item: Item): void {
  const { state } = item;
  const verdict = root.querySelector<HTMLElement>('#verdict');
  if (state.kind === 'running' && verdict?.dataset.running === item.name) {
    root.querySelector('#progress')?.replaceWith(progress(item, state));
    return;
  }
  const { tone, symbol, word } = words(item);
  root.replaceChildren(
    element('div', { id: 'verdict', class: tone, 'data-running': state.kind === 'running' && item.name },
      element('span', { class: 'symbol', 'aria-hidden': 'true' }, symbol),
      element('div', {},
        element('h2', {}, `${item.name}: ${word}`),
        element('p', {}, explanation(item)),
        state.kind === 'done' ? element('p', {}, about(state.report)) : null,
      ),
    ),
  );
  if (state.kind === 'running') root.append(progress(item, state));
  if (state.kind === 'done') root.append(details(item, state.report));
}

function about(report: Report): string {
  const names = { lime: 'LIME', inebin: 'INEBIN', scda: 'scda', nersc: 'NERSC archive', milc: 'MILC', unknown: 'Unrecognised format' };
  return `${names[report.format]}, ${bytes(report.bytes)}`;
}

function progress(item: Item, { progress: { bytes: done, total }, since }: Extract<State, { kind: 'running' }>): HTMLElement {
  const elapsed = (performance.now() - since) / 1000;
  const rate = elapsed > 0 ? done / elapsed : 0;
  const parts = [total === undefined ? bytes(done) : `${bytes(done)} of ${bytes(total)}`];
  if (rate > 0) parts.push(`${bytes(rate)}/s`);
  if (rate > 0 && total !== undefined) parts.push(`${seconds(Math.max(0, total - done) / rate)} left`);
  return element('div', { id: 'progress' },
    element('progress', { 'aria-label': 'Progress', max: total ?? false, value: total === undefined ? false : done }),
    element('span', {}, parts.join(', ')),
    button('Cancel', () => item.cancel(), { id: 'cancel' }),
  );
}

function details(item: Item, report: Report): HTMLElement {
  const views = viewsOf(report);
  const target = current();
  const wanted = target.view ?? (target.record !== undefined || target.offset !== undefined ? 'structure' : undefined);
  const [open, , view] = views.find(([name]) => name === wanted) ?? views[0];
  const links = views.map(([name, title]) =>
    element('a', { href: hash({ view: name }), 'aria-current': name === open ? 'page' : false }, title));
  return element('div', {},
    element('nav', { 'aria-label': 'Views of the file' }, ...links),
    element('div', { id: 'view', 'data-view': open }, view(item, report)),
  );
}
