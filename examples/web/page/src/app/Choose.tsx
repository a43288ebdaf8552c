/** Where files are chosen: a large box with an introduction at first, a line as soon as there are files. */

import { useEffect, useRef, useState } from 'preact/hooks';
import sampleUrl from '../../../../su3-4x4x4x8.lime?url';
import { add, openNamed, say } from '../actions';
import { messageOf } from '../failure';
import { integer } from '../format';
import { collectDrop, collectFiles, collectTyped, isNamed } from '../input/collect';
import { state } from '../store';
import { Introduction } from './Introduction';
import { Question } from './Question';

async function addSample(): Promise<void> {
  try {
    const response = await fetch(sampleUrl);
    if (!response.ok) throw new Error(`the server answered ${response.status}`);
    add(collectFiles([new File([await response.blob()], 'su3-4x4x4x8.lime')]));
  } catch (thrown) {
    say(`The sample could not be loaded: ${messageOf(thrown)}`);
  }
}

export function Choose() {
  const input = useRef<HTMLInputElement>(null);
  const folder = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const take = ({ current }: { current: HTMLInputElement | null }) => {
    const files = [...(current?.files ?? [])];
    if (files.length === 0) return;
    if (current) current.value = '';
    add(collectFiles(files));
  };
  useEffect(() => {
    const over = (event: DragEvent) => {
      event.preventDefault();
      setOver(true);
    };
    const leave = () => setOver(false);
    const drop = (event: DragEvent) => {
      event.preventDefault();
      setOver(false);
      if (!event.dataTransfer) return;
      const onFound = (files: number) => say(`Reading the folder: ${integer(files)} files so far.`);
      collectDrop(event.dataTransfer, onFound).then((found) => (isNamed(found) ? openNamed(found.named, found.notes) : add(found)), (thrown) => say(messageOf(thrown)));
    };
    document.addEventListener('dragover', over);
    document.addEventListener('dragleave', leave);
    document.addEventListener('drop', drop);
  }, []);
  const isFirst = state.items.length === 0;
  return (
    <section id="choose" aria-label="Choose files" class={`${isFirst ? 'first' : 'line'} ${isOver ? 'over' : ''}`}>
      {isFirst && <p>Drop files, folders, or links here, or choose them. Choose all volumes of a QIO file set together.</p>}
      <div class="actions">
        <label class="button">Choose files<input id="input" ref={input} type="file" multiple onChange={() => take(input)} /></label>
        <label class="button">Choose a folder<input id="folder" ref={folder} type="file" {...{ webkitdirectory: true }} onChange={() => take(folder)} /></label>
        <button id="sample" type="button" onClick={() => void addSample()}>Open the sample</button>
      </div>
      <Address />
      {isFirst && <Introduction />}
      <Question />
      {state.notes.map((note) => <p key={note} class="note" role="status">{note}</p>)}
    </section>
  );
}

function Address() {
  const address = useRef<HTMLInputElement>(null);
  const submit = (event: Event) => {
    event.preventDefault();
    // The input is read now: it may have changed since the last rendering.
    add(collectTyped(address.current?.value ?? '', new URL(location.href)));
  };
  return (
    <form id="url" class="actions" onSubmit={submit}>
      <label for="address">Address of a remote file</label>
      <input id="address" type="text" inputMode="url" required placeholder="https://" ref={address} />
      <button>Read</button>
    </form>
  );
}
