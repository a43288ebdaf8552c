/** The files with their verdicts: a list of a few files, or the table of an ensemble. */

import { clear, describeAgain, remove, retry, select, showAs } from '../actions';
import { Ensemble } from '../ensemble/Ensemble';
import type { EnsembleEntry } from '../ensemble/entry';
import { integer } from '../format';
import type { Item, State } from '../item';
import { memo } from '../memo';
import { state } from '../store';
import { words } from '../words';

/** Largest number of files that are listed. */
const MAX_LISTED = 500;
/** More files than this are shown as a table, unless the user chooses the list. */
const FEW = 8;
const ORDER = ['ok', 'unverified', 'wrong', 'unreadable', 'not read', 'not recognised', 'cancelled', 'reading', 'waiting'];

export function FileList() {
  const { items, selected } = state;
  const view = state.view ?? (items.length > FEW ? 'table' : 'list');
  return (
    <section id="files" aria-label="Files" hidden={items.length < 2}>
      <div class="actions">
        <h2>{`${integer(items.length)} files`}</h2>
        {(['list', 'table'] as const).map((one) => (
          <button key={one} type="button" id={`as-${one}`} aria-pressed={view === one} onClick={() => showAs(one)}>{one === 'list' ? 'List' : 'Table'}</button>
        ))}
        <button type="button" id="clear" class="discards" onClick={clear}>Remove all</button>
      </div>
      <p id="summary">{summary(items)}</p>
      {items.length > 1 && view === 'table' && (
        <Ensemble entries={entriesOf(items)} selected={selected?.id} onSelect={(id) => items.filter((item) => item.id === id).forEach(select)} onDescribe={describeAgain} />
      )}
      {view === 'list' && (
        <ul>
          {items.slice(0, MAX_LISTED).map((item) => <Row key={item.id} item={item} itemState={item.state} isSelected={item === selected} />)}
        </ul>
      )}
      {view === 'list' && items.length > MAX_LISTED && <p>{`The first ${MAX_LISTED} are listed. The table has all of them.`}</p>}
    </section>
  );
}

const entries = new WeakMap<State, EnsembleEntry>();

/** The entry of a file. It stays the same until the state of the file changes. */
function entryOf(item: Item): EnsembleEntry {
  const { id, name, path, size, state: now } = item;
  let entry = entries.get(now);
  if (entry?.id !== id) {
    entry = { id, name, path, size, state: now.kind };
    if (now.kind === 'running' && now.progress.total) entry.share = now.progress.bytes / now.progress.total;
    if (now.kind === 'done') Object.assign(entry, { report: now.report, line: now.line });
    if (now.kind === 'failed') entry.message = now.message;
    entries.set(now, entry);
  }
  return entry;
}

let latest: EnsembleEntry[] = [];

/** The entries of all files. The array stays the same until an entry changes. */
function entriesOf(items: Item[]): EnsembleEntry[] {
  const found = items.map(entryOf);
  if (found.length !== latest.length || found.some((entry, index) => entry !== latest[index])) latest = found;
  return latest;
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
      <button type="button" class="discards" title="Removes the file from this page; the file itself stays as it is" aria-label={`Remove ${item.name}`} onClick={() => remove(item)}>Remove</button>
    </span>
  );
}
