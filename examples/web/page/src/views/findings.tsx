/** The findings of a file, with links to the record and byte concerned. */

import type { Finding, Report } from 'linkstream';
import { integer } from '../format';
import { Gzip } from '../input/gzip';
import type { Item } from '../item';
import { hash, type Target } from '../link';
import { onPage } from '../on-page';
import { placesView, recordAt } from '../records';
import type { ViewProperties } from './view';

export function Findings({ item, report }: ViewProperties) {
  if (report.findings.length === 0) return <p>There are no findings.</p>;
  return (
    <div>
      <h3>Findings</h3>
      <ol class="findings">{report.findings.map((finding, index) => <One key={index} item={item} report={report} finding={finding} />)}</ol>
    </div>
  );
}

function One({ item, report, finding }: { item: Item; report: Report; finding: Finding }) {
  const { target, words } = place(item, report, finding);
  const [summary, ...more] = onPage(finding.message);
  return (
    <li class={finding.severity}>
      <p><strong>{finding.severity}</strong> {summary}</p>
      {more.map((line, index) => <p key={index} class="detail">{line}</p>)}
      <p>
        <a href={hash(target)}>{words}</a>
        <small> {finding.rule}{finding.clause ? `; ${finding.clause}` : ''}</small>
      </p>
    </li>
  );
}

/** Position of a finding, as a link and in words. The records of a file set are in its first volume. */
function place(item: Item, report: Report, { offset, message }: Finding): { target: Target; words: string } {
  const words = `byte ${integer(offset)}`;
  const volume = item.sources.findIndex((source) => (source instanceof File || source instanceof Gzip) && message.startsWith(`${source.name}: `));
  if (item.isSet && volume > 0) return { target: { view: 'bytes', volume, offset }, words: `${words} of the volume` };
  const record = recordAt(report, offset);
  if (record === undefined) return { target: { view: placesView(report), offset }, words };
  return { target: { view: 'structure', record, offset }, words: `${words}, record ${record} (${report.records?.[record].type})` };
}
