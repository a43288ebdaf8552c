/** The view with the sections of an scda file. */

import type { SectionEntry } from 'linkstream';

import { bytes, integer, plural } from '../format';
import { hash } from '../link';
import { memo } from '../memo';
import { hasData } from '../place';
import { SizesPlot } from '../plots/SizesPlot';
import { Table } from '../table';
import { OneSection } from './section';
import type { ViewProperties } from './view';

const TYPES = { F: 'file header', I: 'inline', B: 'block', A: 'array', V: 'variable array' };
const MAX_LISTED = 1000;

export function Sections({ item, report, target, visits }: ViewProperties) {
  const all = report.sections ?? [];
  const number = target.section;
  const chosen = number === undefined ? undefined : all[number];
  return (
    <div>
      <h3>{`${integer(all.length)} ${plural(all.length, 'section')}`}</h3>
      <List all={all} />
      {chosen !== undefined && number !== undefined && hasData(chosen) && (
        <div id="section" aria-live="polite">
          <OneSection key={number} item={item} section={chosen} index={number} count={all.length} words={size(chosen)} visits={visits} />
        </div>
      )}
      {/* The plot is the last, since it would move what is below it when it is drawn. */}
      {all.length > 1 && <Sizes all={all} />}
    </div>
  );
}

const Sizes = memo(({ all }: { all: SectionEntry[] }) => (
  <SizesPlot sizes={all.map((section) => Number((section.compressed ?? section).bytes ?? 0))} title="Sections by their size in the file" yLabel="number of sections" />
));

const List = memo(({ all }: { all: SectionEntry[] }) => {
  const rows = all.slice(0, MAX_LISTED).map((section, index) => [
    integer(index),
    TYPES[section.type],
    section.user,
    size(section),
    compression(section),
    hasData(section) && <a class="button" href={hash({ section: index })} aria-label={`Show the data of section ${index}`}>Show the data</a>,
  ]);
  return (
    <>
      <Table caption="In the order of the file" head={['number', 'type', 'user string', 'size', 'compression', 'data']} rows={rows} cards />
      {all.length > MAX_LISTED && <p>{`The first ${MAX_LISTED} of ${integer(all.length)} sections are listed.`}</p>}
    </>
  );
});

function compression(section: SectionEntry): string {
  if (!section.compressed) return '';
  return section.compressed.verified ? 'compressed, verified' : 'compressed';
}

function size(section: SectionEntry): string {
  const elements = section.n === undefined ? '' : `${integer(section.n)} ${plural(section.n, 'element')}, `;
  const stored = section.compressed?.bytes == null ? '' : ` (${bytes(section.compressed.bytes)} in the file)`;
  return `${elements}${section.bytes === null ? 'unknown' : bytes(section.bytes)}${stored}`;
}
