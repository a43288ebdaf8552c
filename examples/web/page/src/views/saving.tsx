/** Buttons that save records and fields as files. */

import type { FieldEntry, RecordEntry } from 'linkstream';
import { useRef } from 'preact/hooks';
import { fieldAsBytes, fieldAsCsv, fieldAsNpy, isSliced, timesOf, type Wanted } from '../export-field';
import type { Item } from '../item';
import { bytesAsNpy } from '../npy';
import { recordBytes } from '../records';
import { save } from '../save';
import type { Running, Task } from '../task';

type Make = (running: Running) => Promise<BlobPart[]>;

interface SaveProperties {
  task: Task;
  label: string;
  /** Returns the name of the file to save. It is asked for when the button is clicked. */
  file: () => string;
  make: Make;
  [attribute: string]: unknown;
}

/** A button that saves the result of `make`. Its progress and errors are shown by the task. */
export function Save({ task, label, file, make, ...attributes }: SaveProperties) {
  const start = () => {
    const name = file();
    task.start(`Making ${name}`, async (running) => {
      const parts = await make(running);
      running.signal.throwIfAborted();
      save(parts, name);
    });
  };
  return <button type="button" onClick={start} {...attributes}>{label}</button>;
}

/** Buttons for the payload of a record. There is no CSV: if the payload has numbers, the field offers them. */
export function RecordRow({ item, record, index, task }: { item: Item; record: RecordEntry; index: number; task: Task }) {
  const name = `record-${index}`;
  const of = `of record ${index}`;
  const bytes = (running: Running) => recordBytes(item, record, running);
  return (
    <li class="actions">
      {`Record ${index} (${record.type}):`}
      <Save task={task} label=".npy of bytes" file={() => `${item.name}.${name}.npy`} make={async (running) => bytesAsNpy(await bytes(running))}
        data-npy={name} aria-label={`.npy of bytes ${of}`} />
      <Save task={task} label="raw bytes" file={() => `${item.name}.${name}.bin`} make={bytes} data-bin={name} aria-label={`raw bytes ${of}`} />
    </li>
  );
}

interface FieldProperties {
  item: Item;
  field: FieldEntry;
  index: number;
  task: Task;
}

/** Buttons for the numbers of a field, and for a time slice chosen by its number. */
export function FieldRow({ item, field, index, task }: FieldProperties) {
  const name = `field-${index}`;
  return (
    <li class="actions">
      {`Field ${index} (${field.datatype ?? field.region}):`}
      <small>{shapeOf(field)}</small>
      <Forms task={task} what={name} of={` of field ${index}`} name={() => name} wanted={() => ({ item, field, index })} />
      {isSliced(field) && <Slice item={item} field={field} index={index} task={task} />}
    </li>
  );
}

/** The array in words, such as `f32, shape (8, 4, 4, 4), axes t, z, y, x`. */
function shapeOf({ array: { type, shape, axes } }: FieldEntry): string {
  return `${type}, shape (${shape.join(', ')}), axes ${axes.join(', ')}`;
}

function Slice({ item, field, index, task }: FieldProperties) {
  const last = timesOf(field) - 1;
  const input = useRef<HTMLInputElement>(null);
  // The input is read when a button is clicked: it may have changed since the last rendering.
  const slice = () => Math.min(last, Math.max(0, Math.floor(Number(input.current?.value))));
  return (
    <>
      time slice
      <input type="number" ref={input} min={0} max={last} defaultValue="0" aria-label={`Time slice of field ${index}`} />
      <Forms task={task} what={`slice-of-field-${index}`} of={` of the time slice of field ${index}`}
        name={() => `field-${index}.t${slice()}`} wanted={() => ({ item, field, index, slice: slice() })} />
    </>
  );
}

const FORMS = [['.npy', 'npy', fieldAsNpy], ['CSV', 'csv', fieldAsCsv], ['raw bytes', 'bin', fieldAsBytes]] as const;

interface FormsProperties {
  task: Task;
  /** Value of the `data-` attribute that identifies a button. */
  what: string;
  /** End of the accessible name of a button, after the form. */
  of: string;
  name: () => string;
  wanted: () => Wanted;
}

/** A button for each form of a field or time slice. */
function Forms({ task, what, of, name, wanted }: FormsProperties) {
  return (
    <>
      {FORMS.map(([label, ending, make]) => (
        <Save key={ending} task={task} label={label} file={() => `${wanted().item.name}.${name()}.${ending}`}
          make={(running) => make(wanted(), running)} {...{ [`data-${ending}`]: what }} aria-label={`${label}${of}`} />
      ))}
    </>
  );
}
