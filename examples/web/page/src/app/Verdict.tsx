/** The verdict on the selected file, or its progress. */

import type { Report } from 'linkstream';
import { useEffect, useState } from 'preact/hooks';
import { remove, retry } from '../actions';
import { contentsOf, verification } from '../banner';
import { bytes, seconds } from '../format';
import type { Item, State } from '../item';
import { onPage } from '../on-page';
import { explanation, isUnrecognised, otherFormat, words } from '../words';
import { Seeming } from './Seeming';
import { Share } from './Share';

export function Verdict({ item }: { item: Item }) {
  const { tone, symbol, word } = words(item);
  const { state } = item;
  return (
    <>
      <div id="verdict" class={tone}>
        <span class="symbol" aria-hidden="true">{symbol}</span>
        <div>
          <h2>{`${item.name}: ${word}`}</h2>
          {state.kind === 'done' && <p class="contents">{physicsLine(state.report)}</p>}
          <p>{explanation(item)}</p>
          {state.kind === 'done' && <Main report={state.report} />}
          {state.kind === 'done' && isUnrecognised(state.report) && !otherFormat(state.report) && <Seeming item={item} />}
          {item.note && <p class="note">{item.note}</p>}
          {state.kind === 'done' && <Share key={item.id} item={item} />}
        </div>
        <Actions item={item} />
      </div>
      {state.kind === 'running' && <Progress item={item} state={state} />}
    </>
  );
}

function physicsLine(report: Report): string {
  if (isUnrecognised(report)) return bytes(report.bytes);
  return [...contentsOf(report), verification(report)].join(', ');
}

/** The first error, or the first warning if there is no error: what has to be known before the details. */
function Main({ report }: { report: Report }) {
  if (isUnrecognised(report)) return null;
  const finding = report.findings.find(({ severity }) => severity === 'error') ?? report.findings[0];
  if (!finding) return null;
  const more = report.findings.length - 1;
  return (
    <p class={`main ${finding.severity}`}>
      <strong>{finding.severity}</strong> {onPage(finding.message)[0]}
      {more > 0 && <a href="#view=findings"> {`and ${more} more`}</a>}
    </p>
  );
}

function Actions({ item }: { item: Item }) {
  const { kind } = item.state;
  return (
    <div class="verdict-actions">
      {(kind === 'cancelled' || kind === 'failed') && <button type="button" id="retry" onClick={() => retry(item)}>Retry</button>}
      <button type="button" id="remove" class="discards" title="Removes the file from this page; the file itself stays as it is" onClick={() => remove(item)}>Remove</button>
    </div>
  );
}

type Running = Extract<State, { kind: 'running' }>;

function Progress({ item, state: { progress, since } }: { item: Item; state: Running }) {
  const { bytes: done, total } = progress;
  const elapsed = (performance.now() - since) / 1000;
  const rate = elapsed > 0 ? done / elapsed : 0;
  const parts = [total === undefined ? bytes(done) : `${bytes(done)} of ${bytes(total)}`];
  if (rate > 0) parts.push(`${bytes(rate)}/s`);
  if (rate > 0 && total !== undefined) parts.push(`${seconds(Math.max(0, total - done) / rate)} left`);
  return (
    <div id="progress">
      <progress aria-label="Progress" {...(total === undefined ? {} : { max: total || 1, value: done })} />
      <span>{parts.join(', ')}</span>
      <button type="button" id="cancel" onClick={() => item.cancel()}>Cancel</button>
    </div>
  );
}

/** The verdict for screen readers: said once, when it changes. */
export function Announcement({ item }: { item: Item | undefined }) {
  const text = item ? `${item.name}: ${words(item).word}. ${explanation(item)}` : '';
  const [said, say] = useState('');
  useEffect(() => say(text), [text]);
  return <p id="announcement" class="announcement" role="status">{said}</p>;
}
