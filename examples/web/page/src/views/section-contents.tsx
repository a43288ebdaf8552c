/** The data of an scda section: read, shown and saved. */

import type { JobOptions, SectionEntry } from 'linkstream';
import { type Elements, elementsAsCsv, elementsAsNpy } from '../export-section';
import { bytes } from '../format';
import type { Item } from '../item';
import { bytesAsNpy } from '../npy';
import { SizesPlot } from '../plots/SizesPlot';
import { save } from '../save';
import { TaskState, useTask } from '../task';
import { Hex, type Shown } from './hex';
import { Save } from './saving';

/** Number of bytes that are shown as text, at most. */
const SHOWN = 4096;

/** A section of a file. */
export interface Of {
  item: Item;
  section: SectionEntry;
  /** Number of the section, counted from 0. */
  index: number;
}

/** The data of a section. */
export interface SectionContents {
  data: Blob;
  /** Sizes of the elements of a variable array in bytes. */
  sizes: number[];
  /** The first bytes, if they are a text. */
  text: string | undefined;
  elements: Elements | undefined;
  npy: BlobPart[] | undefined;
}

/** Returns whether the section is an array, of elements of one size or of various sizes, and not empty. */
export function hasElements(section: SectionEntry): boolean {
  return ['A', 'V'].includes(section.type) && Number(section.n) > 0;
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

export function Saving({ what, name, data, npy, elements }: Exported) {
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

export function Contents({ item, section, index, contents: { data, sizes, text, elements, npy } }: Of & { contents: SectionContents }) {
  return (
    <div>
      <p>{`${bytes(data.size)}${decompressed(section)}`}</p>
      <Saving what="data" name={`${item.name}.section-${index}`} data={data} npy={npy} elements={elements} />
      {text !== undefined
        ? <pre role="region" tabIndex={0} aria-label="Data of the section">{text}</pre>
        : <Hex shown={inBlob(data, 'the data', `${item.id}/${index}`)} />}
      {sizes.length > 1 && <SizesPlot sizes={sizes} title={`Elements of section ${index} by their size${decompressed(section)}`} yLabel="number of elements" />}
    </div>
  );
}

export async function readSection({ item, section, index }: Of, options: JobOptions): Promise<SectionContents> {
  const file = await item.open();
  const { data, sizes } = await file.readSectionAsBlob(index, options);
  const first = await data.slice(0, SHOWN).arrayBuffer();
  // The last character may be incomplete.
  const text = new TextDecoder('utf-8').decode(first, { stream: data.size > SHOWN });
  // eslint-disable-next-line no-control-regex
  const isText = !/[\u0000-\u0008\u000e-\u001f\ufffd]/.test(text);
  const elements = elementsOf(section, data, sizes);
  return { data, sizes, text: isText ? text : undefined, elements, npy: elements ? elementsAsNpy(elements) : bytesAsNpy([data]) };
}

export function decompressed(section: SectionEntry): string {
  return section.compressed ? ' decompressed' : '';
}

function elementsOf(section: SectionEntry, data: Blob, sizes: number[]): Elements | undefined {
  if (!hasElements(section)) return undefined;
  if (section.type === 'V') return { data, first: 0, count: sizes.length, sizes };
  // There may be any number of empty elements: they are not written one by one.
  const count = Number(section.n);
  return data.size > 0 ? { data, first: 0, count, sizes: data.size / count } : undefined;
}

export function inBlob(data: Blob, of: string, key: string): Shown {
  const read = async (from: number, size: number) => new Uint8Array(await data.slice(from, from + size).arrayBuffer());
  return { key, begin: 0, length: data.size, of, read };
}
