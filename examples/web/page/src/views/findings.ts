/** What is wrong with a file, with links to the record and byte concerned. */

import type { Report } from 'linkstream';
import { element } from '../dom';
import { integer } from '../format';
import type { Item } from '../item';
import { hash } from '../link';
import { placesView, recordAt } from '../records';

export function findings(_item: Item, report: Report): HTMLElement {
  if (report.findings.length === 0) return element('p', {}, 'There are no findings.');
  const list = report.findings.map((finding) => {
    const record = recordAt(report, finding.offset);
    const place = `byte ${integer(finding.offset)}${record === undefined ? '' : `, record ${record + 1} (${report.records?.[record].type})`}`;
    return element('li', { class: finding.severity },
      element('strong', {}, finding.severity), ` ${finding.message} `,
      element('a', { href: hash({ view: placesView(report), record: record === undefined ? undefined : record + 1, offset: finding.offset }) }, place),
      element('small', {}, ` ${finding.rule}${finding.clause ? `; ${finding.clause}` : ''}`),
    );
  });
  return element('div', {}, element('h3', {}, 'Findings'), element('ol', { class: 'findings' }, ...list));
}
