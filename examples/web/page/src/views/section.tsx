/** The view of an scda section: its data, decompressed, and its elements. */

import { useRef, useState } from 'preact/hooks';
import { bytes, integer } from '../format';
import { bytesAsNpy } from '../npy';
import { useReveal } from '../scroll';
import { Failure, TaskState, useLatest, useTask } from '../task';
import { Hex } from './hex';
import { Contents, decompressed, hasElements, inBlob, type Of, readSection, Saving, type SectionContents } from './section-contents';

/** Size in bytes of the largest data that are read at once. Larger data are read when the user requests it. */
const READ_AT_ONCE = 16 << 20;

export function OneSection({ item, section, index, count, words, visits }: Of & { count: number; words: string; visits: number }) {
  const root = useReveal<HTMLDivElement>(index, visits);
  const size = Number(section.bytes ?? 0);
  return (
    <div ref={root}>
      <h4>{`Section ${index}: ${section.user}`}</h4>
      <p>{`Section ${index}, of ${integer(count)} sections; ${words}`}</p>
      {/* The form is above the data, since data that arrive later would move it. */}
      {hasElements(section) && <ElementForm item={item} section={section} index={index} />}
      {size <= READ_AT_ONCE
        ? <Small item={item} section={section} index={index} />
        : <Large item={item} section={section} index={index} size={size} />}
    </div>
  );
}

/** Data that are read at once. */
function Small({ item, section, index }: Of) {
  const { value, error } = useLatest((signal) => readSection({ item, section, index }, { signal }), [item, index]);
  return value ? <Contents item={item} section={section} index={index} contents={value} /> : <Failure message={error} />;
}

/** Data that are read when the user requests it, with progress, until the user cancels it. */
function Large({ item, section, index, size }: Of & { size: number }) {
  const task = useTask();
  const [found, setFound] = useState<SectionContents>();
  const start = () => task.start(`Reading section ${index}`, async ({ signal, progress }) => {
    const onProgress = ({ bytes: done, total }: { bytes: number; total: number | undefined }) =>
      progress(total ? done / total : 0, total ? `${bytes(done)} of ${bytes(total)}` : bytes(done));
    const contents = await readSection({ item, section, index }, { signal, onProgress });
    if (!signal.aborted) setFound(contents);
  });
  if (found) return <Contents item={item} section={section} index={index} contents={found} />;
  return (
    <>
      <button type="button" id="read-data" disabled={task.state.kind === 'running'} onClick={start}>{`Read all data (${bytes(size)})`}</button>
      <TaskState task={task} />
    </>
  );
}

/** The form that shows one element by its number, counted from 0 like the index of an array. */
function ElementForm({ item, section, index }: Of) {
  const last = Number(section.n) - 1;
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<number>();
  const submit = (event: Event) => {
    event.preventDefault();
    setChosen(input.current?.valueAsNumber);
  };
  return (
    <form id="elements" class="actions" aria-label={`Elements of section ${index}`} onSubmit={submit}>
      <label for="element">{`Element, 0 to ${integer(last)}`}</label>
      <input type="number" id="element" min={0} max={last} step={1} defaultValue="0" required ref={input} />
      <button>Show the element</button>
      {chosen !== undefined && <Element item={item} section={section} index={index} chosen={chosen} />}
    </form>
  );
}

function Element({ item, section, index, chosen }: Of & { chosen: number }) {
  const { value, error } = useLatest(async (signal) => {
    const file = await item.open();
    return { chosen, data: (await file.readSectionAsBlob(index, { element: chosen, signal })).data };
  }, [item, index, chosen]);
  if (!value) return <Failure message={error} />;
  const { data } = value;
  const name = `${item.name}.section-${index}.element-${value.chosen}`;
  return (
    <div>
      <p role="status">{`Element ${integer(value.chosen)}: ${bytes(data.size)}${decompressed(section)}`}</p>
      <Saving what="element" name={name} data={data} npy={bytesAsNpy([data])} elements={{ data, first: value.chosen, count: 1, sizes: data.size }} />
      <Hex shown={inBlob(data, 'the element', `${item.id}/${index}/${value.chosen}`)} />
    </div>
  );
}
