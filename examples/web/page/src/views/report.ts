/** The report on one file: first the verdict, then the views of its contents. */

import { fieldsOf, type Report } from 'linkstream';
import { button, byId, element } from '../dom';
import { bytes, seconds } from '../format';
import type { Item, State } from '../item';
import { current, hash } from '../link';
import { placesView } from '../records';
import { explanation, words } from '../words';
import { bytesOf } from './bytes';
import { exportsOf } from './exports';
import { findings } from './findings';
import { header } from './header';
import { matrix } from './matrix';
import { physics } from './physics';
import { sections } from './sections';
import { structure } from './structure';

type View = (item: Item, report: Report) => HTMLElement;

/** Views of a report: name in links, title, and function. */
function viewsOf(item: Item, report: Report): [string, string, View][] {
  const views: [string, string, View][] = [];
  if (report.records?.length) views.push(['structure', 'Structure', structure]);
  if (report.sections) views.push(['sections', 'Sections', sections]);
  if (report.format === 'inebin' && report.rows != null) views.push(['matrix', 'Matrix', matrix]);
  if (report.header) views.push(['header', 'Header', header]);
  if ((placesView(report) === 'bytes' || item.isSet) && report.bytes > 0) views.push(['bytes', 'Bytes', bytesOf]);
  views.push(['findings', `Findings (${report.findings.length})`, findings]);
  if (fieldsOf(report).length > 0) views.push(['physics', 'Physics', physics]);
  views.push(['export', 'Export', exportsOf]);
  return views;
}

export function showReport(root: HTMLElement, item: Item): void {
  const { state } = item;
  const verdict = root.querySelector<HTMLElement>('#verdict');
  if (state.kind === 'running' && verdict?.dataset.running === item.name) {
    showProgress(root.querySelector('progress'), root.querySelector('#progress span'), state);
    return;
  }
  const { tone, symbol, word } = words(item);
  byId('announcement').textContent = `${item.name}: ${word}. ${explanation(item)}`;
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

type Running = Extract<State, { kind: 'running' }>;

function progress(item: Item, state: Running): HTMLElement {
  const bar = element('progress', { 'aria-label': 'Progress' });
  const text = element('span');
  showProgress(bar, text, state);
  return element('div', { id: 'progress' }, bar, text, button('Cancel', () => item.cancel(), { id: 'cancel' }));
}

/** Changes the progress in place, so that the button beside it keeps the focus. */
function showProgress(bar: HTMLProgressElement | null, text: Element | null, { progress, since }: Running): void {
  const { bytes: done, total } = progress;
  const elapsed = (performance.now() - since) / 1000;
  const rate = elapsed > 0 ? done / elapsed : 0;
  const parts = [total === undefined ? bytes(done) : `${bytes(done)} of ${bytes(total)}`];
  if (rate > 0) parts.push(`${bytes(rate)}/s`);
  if (rate > 0 && total !== undefined) parts.push(`${seconds(Math.max(0, total - done) / rate)} left`);
  if (text) text.textContent = parts.join(', ');
  if (bar && total !== undefined) {
    bar.max = total;
    bar.value = done;
  }
}

function details(item: Item, report: Report): HTMLElement {
  const views = viewsOf(item, report);
  const target = current();
  const isPlace = target.record !== undefined || target.offset !== undefined;
  const wanted = target.view ?? (isPlace ? placesView(report) : report.verdict === 'wrong' ? 'findings' : undefined);
  const [open, , view] = views.find(([name]) => name === wanted) ?? views[0];
  const links = views.map(([name, title]) =>
    element('a', { href: hash({ view: name }), 'aria-current': name === open ? 'page' : false }, title));
  return element('div', {},
    element('nav', { 'aria-label': 'Views of the file' }, ...links),
    element('div', { id: 'view', 'data-view': open }, view(item, report)),
  );
}
