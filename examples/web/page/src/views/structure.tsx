/** The view with the structure of a LIME file: messages and records, their texts, and their bytes. */

import type { RecordEntry, Report } from 'linkstream';

import { useMemo, useState } from 'preact/hooks';
import { integer, plural } from '../format';
import type { Item } from '../item';
import { hash, type Target } from '../link';
import { payloadOffset, recordAt } from '../records';
import { memo } from '../memo';
import { useReveal } from '../scroll';
import { prettyXml } from '../xml';
import { Hex, inFile } from './hex';
import { FieldRow, RecordRow } from './saving';
import { TaskState, useTask } from '../task';
import type { ViewProperties } from './view';

/** Largest number of records that are listed. The search finds the others. */
const MAX_LISTED = 2000;

interface Entry {
  record: RecordEntry;
  index: number;
}

export function Structure({ item, report, target, visits }: ViewProperties) {
  const records = report.records ?? [];
  const [search, setSearch] = useState('');
  const matching = useMemo(() => {
    const wanted = search.toLowerCase();
    return records.map((record, index) => ({ record, index }))
      .filter(({ record }) => `${record.type} ${record.text ?? ''}`.toLowerCase().includes(wanted));
  }, [records, search]);
  const selected = selectedOf(report, target);
  const chosen = selected === undefined ? undefined : records[selected];
  return (
    <div class="columns">
      <div>
        <h3>{`${integer(records.length)} ${plural(records.length, 'record')}`}</h3>
        <label for="search">Search types and texts</label>
        <input type="search" id="search" value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        <p role="status">{search && `${integer(matching.length)} of ${integer(records.length)} records`}</p>
        <Tree entries={matching} selected={selected} />
      </div>
      {chosen !== undefined && selected !== undefined
        ? <One key={selected} item={item} report={report} index={selected} offset={target.offset} visits={visits} />
        : <p>Choose a record to see its text and bytes.</p>}
    </div>
  );
}

/** Index of the record at a place; it may not exist. */
function selectedOf(report: Report, { record, offset }: Target): number | undefined {
  if (record !== undefined) return record;
  return offset === undefined ? undefined : recordAt(report, offset);
}

/** The list stays as it is while a record is chosen: it keeps its place. */
const Tree = memo(({ entries, selected }: { entries: Entry[]; selected: number | undefined }) => {
  const messages = Map.groupBy(entries.slice(0, MAX_LISTED), ({ record }) => record.message);
  return (
    <div class="tree-box">
      <ul class="tree">
        {[...messages].map(([number, members]) => (
          <li key={number}>
            {`message ${number}`}
            <ol>
              {members.map(({ record, index }) => (
                <li key={index} value={index}>
                  <a href={hash({ record: index })} aria-current={index === selected ? 'true' : undefined}>{record.type || '(no type)'}</a>
                  <small> {`${integer(record.length)} ${plural(record.length, 'byte')}, header at ${integer(record.offset)}`}</small>
                </li>
              ))}
            </ol>
          </li>
        ))}
      </ul>
      {entries.length > MAX_LISTED && <p>{`The first ${integer(MAX_LISTED)} are listed.`}</p>}
    </div>
  );
});

function One({ item, report, index, offset, visits }: { item: Item; report: Report; index: number; offset: number | undefined; visits: number }) {
  const records = report.records ?? [];
  const record = records[index];
  const [isHexShown, setHexShown] = useState(false);
  const root = useReveal<HTMLDivElement>(index, visits);
  const begin = payloadOffset(record);
  // The byte may be in the header, in the padding, or in bytes that belong to no record.
  const end = records[index + 1]?.offset ?? (item.isSet ? begin + record.length : report.bytes);
  return (
    <div id="record" ref={root}>
      <h3>{`Record ${index}: ${record.type}`}</h3>
      <p>{`Record ${index}, of ${integer(records.length)} records; ${integer(record.length)} ${plural(record.length, 'byte')}; header at ${integer(record.offset)}, data at ${integer(begin)}`}</p>
      {record.text !== null && <Text record={record} number={index} />}
      <Exports item={item} report={report} index={index} />
      <button type="button" id="show-bytes" onClick={() => setHexShown(true)}>Show the bytes</button>
      {offset !== undefined
        ? <Hex shown={inFile(item, record.offset, end - record.offset)} focus={offset} visits={visits} />
        : isHexShown && <Hex shown={inFile(item, begin, record.length)} />}
    </div>
  );
}

function Text({ record, number }: { record: RecordEntry; number: number }) {
  const stored = (record.text ?? '').replace(/\0+$/, '');
  const text = useMemo(() => prettyXml(stored), [record]);
  return (
    <>
      <pre role="region" class="text" tabIndex={0} aria-label={`Text of record ${number}`}>{text}</pre>
      {text !== stored && <p class="note">Lines and indentation are added for reading; the bytes have none of them.</p>}
      {record.text_cut && <p>The text is longer; all of it is in the bytes.</p>}
    </>
  );
}

/** Buttons that save the record, and the field whose data it contains. */
function Exports({ item, report, index }: { item: Item; report: Report; index: number }) {
  const task = useTask();
  const record = (report.records ?? [])[index];
  return (
    <div>
      <ul class="exports" aria-label="Exports">
        <RecordRow item={item} record={record} index={index} task={task} />
        {report.fields.map((field, number) => field.precision && field.offset === record.offset
          && <FieldRow key={number} item={item} field={field} index={number} task={task} />)}
      </ul>
      <TaskState task={task} />
    </div>
  );
}
