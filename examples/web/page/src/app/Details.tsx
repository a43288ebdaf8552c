/** The views of a report. A view that has been opened stays as it is while others are shown. */

import { fieldsOf, type Report } from 'linkstream';
import type { ComponentType } from 'preact';
import { useRef } from 'preact/hooks';
import { CompareView } from '../compare/CompareView';
import type { Item } from '../item';
import { hash, isPlace, type Target } from '../link';
import { Physics as FieldsOf } from '../physics/Physics';
import { missingPlace } from '../place';
import { placesView } from '../records';
import { useReveal } from '../scroll';
import { state } from '../store';
import { Bytes } from '../views/bytes';
import { Exports } from '../views/exports';
import { Findings } from '../views/findings';
import { Header } from '../views/header';
import { Matrix } from '../views/matrix';
import { Sections } from '../views/sections';
import { Structure } from '../views/structure';
import type { ViewProperties } from '../views/view';
import { isUnrecognised } from '../words';

function Physics({ item, report }: ViewProperties) {
  return <FieldsOf file={item} report={report} />;
}

/** Name in links, title, and component of a view. */
type View = [string, string, ComponentType<ViewProperties>];

function viewsOf(item: Item, report: Report): View[] {
  const views: View[] = [];
  if (report.records?.length) views.push(['structure', 'Structure', Structure]);
  if (report.sections) views.push(['sections', 'Sections', Sections]);
  if (report.format === 'inebin' && report.rows != null) views.push(['matrix', 'Matrix', Matrix]);
  if (report.header) views.push(['header', 'Header', Header]);
  if ((placesView(report) === 'bytes' || item.isSet) && report.bytes > 0) views.push(['bytes', 'Bytes', Bytes]);
  // The only finding of such a file is that no known format begins like it, which the verdict says.
  if (!isUnrecognised(report)) views.push(['findings', `Findings (${report.findings.length})`, Findings]);
  if (fieldsOf(report).length > 0) views.push(['physics', 'Physics', Physics]);
  views.push(['export', 'Export', Exports]);
  if (state.items.length > 1) views.push(['compare', 'Compare', CompareView]);
  return views;
}

/** Name of the view that a link asks for. */
function wantedBy(target: Target, report: Report): string | undefined {
  if (target.view !== undefined) return target.view;
  if (target.section !== undefined) return 'sections';
  if (isPlace(target)) return placesView(report);
  return report.verdict === 'wrong' ? 'findings' : undefined;
}

export function Details({ item, report }: { item: Item; report: Report }) {
  const views = viewsOf(item, report);
  const { target, visits, visitedBy } = state;
  // A place that was visited in another file need not exist in this one.
  const missing = visitedBy === undefined || visitedBy === item ? missingPlace(item, report, target) : undefined;
  const wanted = wantedBy(target, report);
  const [open] = views.find(([name]) => name === wanted) ?? views[0];
  // The place where each view was left. Only the current view follows the address.
  const places = useRef(new Map<string, Target>());
  const former = places.current.get(open);
  const isNamed = missing === undefined && (isPlace(target) || target.volume !== undefined);
  places.current.set(open, isNamed ? target : (former ?? {}));
  return (
    <div>
      <nav aria-label="Views of the file">
        {views.map(([name, title]) => <a key={name} href={hash({ view: name })} aria-current={name === open ? 'page' : undefined}>{title}</a>)}
      </nav>
      {missing !== undefined && <Missing text={missing} visits={visits} />}
      {views.filter(([name]) => places.current.has(name)).map(([name, , Component]) => (
        <div key={name} class="view" id={name === open ? 'view' : undefined} data-view={name === open ? name : undefined} hidden={name !== open}>
          <Component item={item} report={report} target={places.current.get(name) ?? {}} visits={name === open ? visits : 0} />
        </div>
      ))}
    </div>
  );
}

/** Says that the file has no such place, where the user sees it. */
function Missing({ text, visits }: { text: string; visits: number }) {
  const root = useReveal<HTMLParagraphElement>(text, visits);
  return <p id="missing" class="error" role="alert" ref={root}>{text}</p>;
}
