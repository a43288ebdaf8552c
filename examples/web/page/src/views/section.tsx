/** The view of an scda section: its data, decompressed, and its elements. */

import type { SectionEntry } from 'linkstream';
import { useRef, useState } from 'preact/hooks';
import { type Elements, elementsAsCsv, elementsAsNpy } from '../export-section';
import { bytes, integer } from '../format';
import type { Item } from '../item';
import { bytesAsNpy } from '../npy';
import { SizesPlot } from '../plots/SizesPlot';
import { save } from '../save';
import { useReveal } from '../scroll';
import { Failure, TaskState, useLatest, useTask } from '../task';
import { Hex, type Shown } from './hex';
import { Save } from './saving';

/** Number of bytes that are shown as text, at most. */
const SHOWN = 4096;
/** Size in bytes of the largest data that are read at once. Larger data are read when the user requests it. */
const READ_AT_ONCE = 16 << 20;

interface Properties {
  item: Item;
  section: SectionEntry;
  /** Number of the section, counted from 0. */
  index: number;
}

export function OneSection({ item, section, index, visits }: Properties & { visits: number }) {
  const root = useReveal<HTMLDivElement>(index, visits);
  const size = Number(section.uncompressed_bytes ?? section.bytes ?? 0);
  const [isRead, setRead] = useState(size <= READ_AT_ONCE);
  return (
    <div ref={root}>
      <h4>{`Section ${index + 1}: ${section.user}`}</h4>
      {/* The form is above the data, since data that arrive later would move it. */}
      {hasElements(section) && <ElementForm item={item} section={section} index={index} />}
      {isRead
        ? <Data item={item} section={section} index={index} />
        : <button type="button" onClick={() => setRead(true)}>{`Read all data (${bytes(size)})`}</button>}
    </div>
  );
}

/** Returns whether the section is an array, of elements of one size or of various sizes, and not empty. */
function hasElements(section: SectionEntry): boolean {
  return ['A', 'V'].includes(typeOf(section)) && Number(section.n) > 0;
}

/** Type of a section before compression. */
function typeOf(section: SectionEntry): SectionEntry['type'] {
  return section.uncompressed_type ?? section.type;
}

/** Data of a section that can be saved, or one of its elements. */
interface Exported {
  what: 'data' | 'element';
  /** Name of the file without its ending. */
  name: string;
  data: Blob;
  /** The data as an NPY file; `undefined` if the elements have different sizes. */
  npy: BlobPart[] | undefined;
  /** Elements for the lines of a CSV file; `undefined` if the section has none. */
  elements: Elements | undefined;
}

function Saving({ what, name, data, npy, elements }: Exported) {
  const task = useTask();
  return (
    <div class="actions">
      <button type="button" id={`save-${what}`} onClick={() => save([data], `${name}.bin`)}>{`Save the ${what}`}</button>
      {npy && <button type="button" id={`save-${what}-npy`} aria-label={`.npy of the ${what}`} onClick={() => save(npy, `${name}.npy`)}>.npy</button>}
      {elements && <Save task={task} label="CSV" file={() => `${name}.csv`} make={(running) => elementsAsCsv(elements, running)}
        id={`save-${what}-csv`} aria-label={`CSV of the ${what}`} />}
      {!npy && <small>Not as .npy: the elements have different sizes.</small>}
      <TaskState task={task} />
    </div>
  );
}

function Data({ item, section, index }: Properties) {
  const { value, error } = useLatest((signal) => read(item, section, index, signal), [item, index]);
  if (!value) return <Failure message={error} />;
  const { data, sizes, text, elements, npy } = value;
  return (
    <div>
      <p>{`${bytes(data.size)}${decompressed(section)}`}</p>
      <Saving what="data" name={`${item.name}.section-${index + 1}`} data={data} npy={npy} elements={elements} />
      {text !== undefined
        ? <pre role="region" tabIndex={0} aria-label="Data of the section">{text}</pre>
        : <Hex shown={inBlob(data, 'the data', `${item.id}/${index}`)} />}
      {sizes.length > 1 && <SizesPlot sizes={sizes} title="Elements by their size" yLabel="number of elements" />}
    </div>
  );
}

async function read(item: Item, section: SectionEntry, index: number, signal: AbortSignal) {
  const file = await item.open();
  const { data, sizes } = await file.readSectionAsBlob(index, { signal });
  const first = await data.slice(0, SHOWN).arrayBuffer();
  // The last character may be incomplete.
  const text = new TextDecoder('utf-8').decode(first, { stream: data.size > SHOWN });
  // eslint-disable-next-line no-control-regex
  const isText = !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
  const elements = elementsOf(section, data, sizes);
  return { data, sizes, text: isText ? text : undefined, elements, npy: elements ? elementsAsNpy(elements) : bytesAsNpy([data]) };
}

function decompressed(section: SectionEntry): string {
  return section.convention ? ' decompressed' : '';
}

function elementsOf(section: SectionEntry, data: Blob, sizes: number[]): Elements | undefined {
  if (!hasElements(section)) return undefined;
  if (typeOf(section) === 'V') return { data, first: 0, count: sizes.length, sizes };
  // There may be any number of empty elements: they are not written one by one.
  const count = Number(section.n);
  return data.size > 0 ? { data, first: 0, count, sizes: data.size / count } : undefined;
}

function inBlob(data: Blob, of: string, key: string): Shown {
  const read = async (from: number, size: number) => new Uint8Array(await data.slice(from, from + size).arrayBuffer());
  return { key, begin: 0, length: data.size, of, read };
}

/** The form that shows one element by its number, counted from 0 like the index of an array. */
function ElementForm({ item, section, index }: Properties) {
  const last = Number(section.n) - 1;
  const input = useRef<HTMLInputElement>(null);
  const [chosen, setChosen] = useState<number>();
  const submit = (event: Event) => {
    event.preventDefault();
    setChosen(input.current?.valueAsNumber);
  };
  return (
    <form id="elements" class="actions" aria-label={`Elements of section ${index + 1}`} onSubmit={submit}>
      <label for="element">{`Element, 0 to ${integer(last)}`}</label>
      <input type="number" id="element" min={0} max={last} step={1} defaultValue="0" required ref={input} />
      <button>Show the element</button>
      {chosen !== undefined && <Element item={item} section={section} index={index} chosen={chosen} />}
    </form>
  );
}

function Element({ item, section, index, chosen }: Properties & { chosen: number }) {
  const { value, error } = useLatest(async (signal) => {
    const file = await item.open();
    return { chosen, data: (await file.readSectionAsBlob(index, { element: chosen, signal })).data };
  }, [item, index, chosen]);
  if (!value) return <Failure message={error} />;
  const { data } = value;
  const name = `${item.name}.section-${index + 1}.element-${value.chosen}`;
  return (
    <div>
      <p role="status">{`Element ${integer(value.chosen)}: ${bytes(data.size)}${decompressed(section)}`}</p>
      <Saving what="element" name={name} data={data} npy={bytesAsNpy([data])} elements={{ data, first: value.chosen, count: 1, sizes: data.size }} />
      <Hex shown={inBlob(data, 'the element', `${item.id}/${index}/${value.chosen}`)} />
    </div>
  );
}
