/** The comparison of two files. */

import { LinkstreamError, type Report } from 'linkstream';
import { useState } from 'preact/hooks';
import { bytes } from '../format';
import type { Input } from '../input/chosen';
import { resolve } from '../input/resolve';
import { onPage } from '../on-page';
import { Table } from '../table';
import { type Running, TaskState, useTask } from '../task';
import { diff, type DiffReport } from './diff';
import { Result } from './Result';
import { headers, observables, type Row } from './side-by-side';

/** A file to compare. */
export interface Compared {
  name: string;
  sources: Input[];
  isSet: boolean;
  report?: Report;
}

interface Settings {
  absolute: string;
  relative: string;
  data: boolean;
  damaged: boolean;
}

const INITIAL: Settings = { absolute: '0', relative: '0', data: false, damaged: false };

interface Finished {
  report: DiffReport;
  absolute: number;
  relative: number;
}

export function Compare({ a, b }: { a: Compared; b: Compared }) {
  const task = useTask();
  const [settings, setSettings] = useState(INITIAL);
  const [finished, finish] = useState<Finished>();
  const start = (event: Event) => {
    event.preventDefault();
    finish(undefined);
    task.start('Comparing', async (running) => finish(await compared(a, b, settings, running)));
  };
  return (
    <div class="compare">
      <SettingsForm settings={settings} change={(changed) => setSettings({ ...settings, ...changed })} start={start} />
      <div id="comparison" aria-live="polite">
        <TaskState task={task} />
        {finished && <Result {...finished} />}
      </div>
      {a.report && b.report && (
        <>
          <SideBySide caption="Observables of both files" rows={observables(a.report, b.report)} />
          <SideBySide caption="Entries of the headers that differ" rows={headers(a.report, b.report)} />
        </>
      )}
    </div>
  );
}

function SideBySide({ caption, rows }: { caption: string; rows: Row[] }) {
  if (rows.length === 0) return null;
  const hasDifferences = rows.some(({ difference }) => difference !== '');
  return (
    <Table
      caption={caption}
      head={['name', 'first file', 'second file', ...(hasDifferences ? ['difference'] : [])]}
      rows={rows.map(({ name, a, b, difference }) => [name, a, b, ...(hasDifferences ? [difference] : [])])}
      cards
    />
  );
}

interface FormProperties {
  settings: Settings;
  change(changed: Partial<Settings>): void;
  start(event: Event): void;
}

function SettingsForm({ settings, change, start }: FormProperties) {
  const number = (key: 'absolute' | 'relative', words: string) => (
    <label>
      {words}{' '}
      <input id={`${key}-tolerance`} type="number" min="0" step="any" size={8} value={settings[key]} onInput={(event) => change({ [key]: event.currentTarget.value })} />
    </label>
  );
  const choice = (key: 'data' | 'damaged', words: string) => (
    <label><input id={`compare-${key}`} type="checkbox" checked={settings[key]} onChange={(event) => change({ [key]: event.currentTarget.checked })} /> {words}</label>
  );
  return (
    <form class="actions" onSubmit={start}>
      {number('absolute', 'Absolute tolerance')}
      {number('relative', 'Relative tolerance')}
      {choice('data', 'Compare numbers only')}
      {choice('damaged', 'Compare what can be read of damaged files')}
      <button id="compare">Compare</button>
    </form>
  );
}

async function compared(a: Compared, b: Compared, settings: Settings, { signal, progress }: Running): Promise<Finished> {
  const [absolute, relative] = [Number(settings.absolute), Number(settings.relative)];
  // Gzip files are decompressed first. The share of that is not known before.
  const onDecompress = ({ bytes: done }: { bytes: number }) => progress(0, `${bytes(done)} decompressed`);
  const [first, second] = [await resolve(a.sources, { signal, onProgress: onDecompress }), await resolve(b.sources, { signal, onProgress: onDecompress })];
  try {
    const report = await diff(a.isSet ? first : first[0], b.isSet ? second : second[0], {
      tolerance: absolute,
      relativeTolerance: relative,
      data: settings.data,
      damaged: settings.damaged,
      signal,
      onProgress: ({ bytes: done, total }) => {
        // Both files are verified first, and compared after that: they are read twice.
        if (total === undefined) progress(0, bytes(done));
        else progress(Math.min(1, done / (2 * total)), `${bytes(Math.min(done, 2 * total))} of ${bytes(2 * total)}`);
      },
    });
    return { report, absolute, relative };
  } catch (thrown) {
    if (!(thrown instanceof LinkstreamError) || signal.aborted) throw thrown;
    const words = onPage(thrown.message).join('; ');
    const advice = settings.damaged || thrown.class === 'source' ? '' : ' If a file is damaged, what can be read of it is compared with the option “damaged files”.';
    throw new Error(`The files cannot be compared: ${words}.${advice}`, { cause: thrown });
  }
}
