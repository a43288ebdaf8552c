/** The findings of a file, with links to the record and byte concerned. */

import type { Finding, Report } from 'linkstream';
import { element } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';
import { hash, type Target } from '../link';
import { placesView, recordAt } from '../records';

export function findings(item: Item, report: Report): HTMLElement {
  if (report.findings.length === 0) return element('p', {}, 'There are no findings.');
  const list = report.findings.map((finding) => {
    const { target, words } = place(item, report, finding);
    return element('li', { class: finding.severity },
      element('strong', {}, finding.severity), ` ${finding.message} `,
      element('a', { href: hash(target) }, words),
      element('small', {}, ` ${finding.rule}${finding.clause ? `; ${finding.clause}` : ''}`),
    );
  });
  return element('div', {}, element('h3', {}, 'Findings'), element('ol', { class: 'findings' }, ...list));
}

/** Position of a finding, as a link and in words. The records of a file set are in its first volume. */
function place(item: Item, report: Report, { offset, message }: Finding): { target: Target; words: string } {
  const words = `byte ${integer(offset)}`;
  const volume = item.sources.findIndex((source) => source instanceof File && message.startsWith(`${source.name}: `));
  if (item.isSet && volume > 0) return { target: { view: 'bytes', volume, offset }, words: `${words} of the volume` };
  const record = recordAt(report, offset);
  if (record === undefined) return { target: { view: placesView(report), offset }, words };
  const number = record + 1;
  return { target: { view: 'structure', record: number, offset }, words: `${words}, record ${number} (${report.records?.[record].type})` };
}
