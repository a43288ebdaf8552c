/** The list of files with their verdicts. */

import { clear, remove, retry, select } from '../actions';
import { integer } from '../format';
import type { Item, State } from '../item';
import { memo } from '../memo';
import { state } from '../store';
import { words } from '../words';

/** Largest number of files that are listed. */
const MAX_LISTED = 500;
const ORDER = ['ok', 'unverified', 'wrong', 'unreadable', 'not recognised', 'cancelled', 'reading', 'waiting'];

export function FileList() {
  const { items, selected } = state;
  return (
    <section id="files" aria-label="Files" hidden={items.length < 2}>
      <div class="actions">
        <h2>{`${integer(items.length)} files`}</h2>
        <button type="button" id="clear" onClick={clear}>Remove all</button>
      </div>
      <p id="summary">{summary(items)}</p>
      <ul>
        {items.slice(0, MAX_LISTED).map((item) => <Row key={item.id} item={item} itemState={item.state} isSelected={item === selected} />)}
      </ul>
      {items.length > MAX_LISTED && <p>{`The first ${MAX_LISTED} are listed.`}</p>}
    </section>
  );
}

function summary(items: Item[]): string {
  const counts = Map.groupBy(items, (item) => words(item).word);
  return ORDER.filter((word) => counts.has(word)).map((word) => `${integer(counts.get(word)?.length ?? 0)} ${word}`).join(', ');
}

/** A row is rendered again only if its own file has changed. */
const Row = memo(({ item, isSelected }: { item: Item; itemState: State; isSelected: boolean }) => {
  const { tone, symbol, word } = words(item);
  return (
    <li>
      <button type="button" class={`file ${tone}`} aria-pressed={isSelected} onClick={() => select(item)}>
        <span class="symbol" aria-hidden="true">{symbol}</span><span class="word">{word}</span> {item.name}
      </button>
      <RowActions item={item} />
    </li>
  );
});

function RowActions({ item }: { item: Item }) {
  const { kind } = item.state;
  const isOpen = kind === 'waiting' || kind === 'running';
  return (
    <span class="row-actions">
      {isOpen && <button type="button" aria-label={`Cancel ${item.name}`} onClick={() => item.cancel()}>Cancel</button>}
      {(kind === 'cancelled' || kind === 'failed') && <button type="button" aria-label={`Retry ${item.name}`} onClick={() => retry(item)}>Retry</button>}
      <button type="button" aria-label={`Remove ${item.name}`} onClick={() => remove(item)}>Remove</button>
    </span>
  );
}
