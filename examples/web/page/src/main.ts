/** The page. It checks all chosen files and shows one of them. */

import sampleUrl from '../../../su3-4x4x4x8.lime?url';
import { byId } from './dom';
import { group, Item } from './item';
import { unpressed } from './press';
import { enqueue, loadWorkers } from './queue';
import './style.css';
import { installTheme } from './theme';
import { showFiles } from './views/files';
import { showReport } from './views/report';

const items: Item[] = [];
let shown: Item | undefined;

function add(added: Item[]): void {
  if (added.length === 0) return;
  items.push(...added);
  for (const item of added) item.addEventListener('change', () => refresh(item));
  if (added.length > 0) select(added[0]);
  enqueue(added);
}

function select(item: Item): void {
  shown = item;
  showFiles(byId('files'), items, item, select);
  showReport(byId('report'), item);
}

/** The list is redrawn at most once a frame, since a hundred files may report their progress at the same time. */
let isScheduled = false;
function refresh(item: Item): void {
  if (item === shown) showReport(byId('report'), item);
  if (isScheduled) return;
  isScheduled = true;
  requestAnimationFrame(async () => {
    await unpressed();
    isScheduled = false;
    showFiles(byId('files'), items, shown, select);
  });
}

const input = byId<HTMLInputElement>('input');
input.addEventListener('change', () => {
  add(group([...(input.files ?? [])]));
  input.value = '';
});

byId('sample').addEventListener('click', async () => {
  const response = await fetch(sampleUrl);
  add([new Item('su3-4x4x4x8.lime', [new File([await response.blob()], 'su3-4x4x4x8.lime')])]);
});

byId('url').addEventListener('submit', (event) => {
  event.preventDefault();
  const url = new URL(byId<HTMLInputElement>('address').value);
  add([new Item(url.pathname.split('/').pop() || url.href, [url])]);
});

document.addEventListener('dragover', (event) => {
  event.preventDefault();
  byId('choose').classList.add('over');
});
document.addEventListener('dragleave', () => byId('choose').classList.remove('over'));
document.addEventListener('drop', (event) => {
  event.preventDefault();
  byId('choose').classList.remove('over');
  add(group([...(event.dataTransfer?.files ?? [])]));
});

window.addEventListener('hashchange', () => {
  if (shown) showReport(byId('report'), shown);
});

installTheme(byId('theme'));
void loadWorkers().then(() => document.body.setAttribute('data-ready', ''));
if (import.meta.env.PROD && 'serviceWorker' in navigator) void navigator.serviceWorker.register('./offline.js');
