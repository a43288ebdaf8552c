// Folders, links, file sets, gzip files and addresses, as users choose and drop them.

import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';

import { asList, choose, fixtures, openView, root, settled, usePage } from './browser.js';
import { serve } from './server.js';

const sample = join(root, 'examples/su3-4x4x4x8.lime');
const multi = join(fixtures, 'qio/multi');

let opened;
let page;
usePage((use) => {
  opened = use;
  page = use.page;
});

let folder;
before(() => {
  folder = mkdtempSync(join(tmpdir(), 'linkstream-inputs-'));
});
after(() => rmSync(folder, { recursive: true }));

/** Writes files into a new folder, and returns its path. A value is the path of a file to copy, or the contents. */
function folderOf(name, files) {
  for (const [path, contents] of Object.entries(files)) {
    const place = join(folder, name, path);
    mkdirSync(dirname(place), { recursive: true });
    if (typeof contents === 'string') copyFileSync(contents, place);
    else writeFileSync(place, contents);
  }
  return join(folder, name);
}

/** Drops files and folders of the disk, as a file manager does. */
async function dropFiles(...files) {
  const session = await opened.context.newCDPSession(page);
  const data = { items: [], files, dragOperationsMask: 1 };
  for (const type of ['dragEnter', 'dragOver', 'drop']) await session.send('Input.dispatchDragEvent', { type, x: 200, y: 150, data });
  await session.detach();
}

/** Drops a text or a list of addresses. */
const dropText = (type, text) => page.evaluate(([type, text]) => {
  const transfer = new DataTransfer();
  transfer.setData(type, text);
  document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
}, [type, text]);

const names = async () => (await page.locator('.file').allTextContents()).map((text) => text.replace(/^.*?(ok|unverified|wrong|unreadable|not read|not recognised) /, '$1 '));
const heading = () => page.textContent('#verdict h2');
const notes = async () => (await page.locator('#choose [role=status]').allTextContents()).join('\n');

test('files that are chosen before the script has loaded, or in a dialog that is open meanwhile', async () => {
  const context = await opened.browser.newContext({ serviceWorkers: 'block' });
  const early = await context.newPage();
  let release;
  const released = new Promise((resolve) => (release = resolve));
  await early.route(/assets\/index-.*\.js$/, async (route) => {
    await released;
    await route.continue();
  });
  await early.goto(opened.server.url, { waitUntil: 'commit' });
  await early.waitForSelector('#early');
  await early.setInputFiles('#early', sample);
  const input = await early.$('#early');
  release();
  await early.waitForSelector('#verdict.good');
  assert.match(await early.textContent('#verdict h2'), /^su3-4x4x4x8\.lime: ok$/);
  // The element is no longer in the page, but its dialog may end now.
  await input.evaluate((node) => {
    const transfer = new DataTransfer();
    transfer.items.add(new File(['text'], 'late.txt'));
    node.files = transfer.files;
    node.dispatchEvent(new Event('change'));
  });
  await early.waitForFunction(() => /1 not recognised/.test(document.querySelector('#summary')?.textContent ?? ''));
  await context.close();
});

test('a sample that cannot be loaded is said to be so', async () => {
  await page.evaluate(() => (window.fetch = async () => new Response('', { status: 404 })));
  await page.click('#sample');
  await page.waitForFunction(() => /could not be loaded: the server answered 404/.test(document.querySelector('#choose').textContent));
  await page.evaluate(() => (window.fetch = async () => { throw new TypeError('Failed to fetch'); }));
  await page.click('#sample');
  await page.waitForFunction(() => /could not be loaded: Failed to fetch/.test(document.querySelector('#choose').textContent));
  assert.equal(await page.locator('#verdict').count(), 0);
});

/** Waits until a number of files have a verdict. */
async function verdicts(count) {
  await page.waitForSelector('#verdict');
  await asList(page);
  await page.waitForFunction((count) => document.querySelectorAll('.file').length === count, count);
  await settled(page);
}

test('a dropped folder: all its files and folders, but no hidden ones', async () => {
  // A call of the browser returns a hundred entries of a folder.
  const many = Object.fromEntries(Array.from({ length: 120 }, (_, index) => [`many/${index}.lime`, sample]));
  await dropFiles(folderOf('drop', { ...many, '.hidden': Buffer.from('x'), '.git/config': Buffer.from('x'), 'a/lat.lime': sample, 'b/lat.lime': sample }));
  await verdicts(122);
  const listed = await names();
  assert.deepEqual(listed.slice(0, 2), ['ok drop/a/lat.lime', 'ok drop/b/lat.lime']);
  // Numbers are sorted by value.
  assert.deepEqual(listed.slice(2, 14), Array.from({ length: 12 }, (_, index) => `ok ${index}.lime`));
  assert.match(await notes(), /2 hidden files and folders were skipped/);
  assert.deepEqual(opened.complaints, []);
});

test('a folder is chosen in a dialog', async () => {
  const path = folderOf('dialog', { 'x/one.lime': sample, 'two.lime': sample, '.secret': Buffer.from('x') });
  await page.setInputFiles('#folder', path);
  await verdicts(2);
  assert.deepEqual((await names()).sort(), ['ok one.lime', 'ok two.lime']);
});

test('a folder without files', async () => {
  mkdirSync(join(folder, 'empty'));
  await dropFiles(join(folder, 'empty'));
  await page.waitForSelector('#choose [role=status]');
  assert.match(await notes(), /no files/);
});

test('a partition-directory set in a dropped folder is one item', async () => {
  await dropFiles(folderOf('sets', {
    'vol0000/partdir2.lime': join(multi, 'vol0000/partdir2.lime'),
    'vol0001/partdir2.lime': join(multi, 'vol0001/partdir2.lime'),
  }));
  await page.waitForSelector('#verdict.good');
  assert.equal(await heading(), 'partdir2.lime: ok');
  assert.equal(await page.locator('#verdict .note').count(), 0);
  // The folders themselves can be dropped, too.
  await dropFiles(join(folder, 'sets/vol0000'), join(folder, 'sets/vol0001'));
  await verdicts(2);
  assert.deepEqual(await names(), ['ok partdir2.lime', 'ok partdir2.lime']);
});

test('missing volumes are named; a set whose numbers have gaps need not lack one', async () => {
  const volume = (number) => join(multi, `part4.lime.vol000${number}`);
  await choose(page, [volume(0), volume(3)]);
  assert.match(await page.textContent('#verdict .note'), /2 volumes of the set were chosen\. They have 72 of 144 sites\. Volumes 1 and 2 of 4 are missing.*Choose all files part4\.lime\.vol… together\./);
  await choose(page, [volume(2)]);
  assert.match(await page.textContent('#verdict .note'), /volume 2 .*Choose all files part4\.lime\.vol… together\./);
  await choose(page, [volume(0)]);
  assert.match(await page.textContent('#verdict .note'), /Only volume 0 of the set was chosen\. It has 36 of 144 sites\. Volumes 1, 2 and 3 of 4 are missing/);
  await choose(page, [0, 2].map((number) => join(multi, `part4_io2.lime.vol000${number}`)));
  assert.match(await heading(), /: ok$/);
  assert.equal(await page.locator('#verdict .note').count(), 0);
});

test('a volume that is alone in its folder is described as such', async () => {
  await dropFiles(folderOf('alone', { 'vol0001/partdir2.lime': join(multi, 'vol0001/partdir2.lime') }));
  await page.waitForSelector('#verdict .note');
  assert.match(await page.textContent('#verdict .note'), /one volume|Only volume/i);
});

test('dropped links: files, several, and texts that are none', async () => {
  await dropText('text/uri-list', `# a list\r\n${opened.server.url}sample/su3-4x4x4x8.lime\r\n${opened.server.url}fixtures/qio/multi/multi2.lime.vol0000\r\n${opened.server.url}fixtures/qio/multi/multi2.lime.vol0001`);
  await verdicts(2);
  assert.deepEqual(await names(), ['ok su3-4x4x4x8.lime', 'ok multi2.lime']);
  await dropText('text/plain', 'no address at all');
  await page.waitForFunction(() => /no address of a file/.test(document.querySelector('#choose').textContent));
  await dropText('text/uri-list', 'file:///lat.lime');
  await page.waitForFunction(() => /Choose or drop the file itself/.test(document.querySelector('#choose').textContent));
  assert.equal(await page.locator('.file').count(), 2);
});

test('gzip files are decompressed, wherever they come from', async () => {
  const compressed = gzipSync(readFileSync(sample));
  const path = folderOf('gzip', { 'lat.lime.gz': compressed, 'without-its-name.lime': compressed });
  await choose(page, join(path, 'lat.lime.gz'));
  assert.equal(await heading(), 'lat.lime: ok');
  assert.match(await page.textContent('#verdict .note'), /Decompressed/);
  // Data come from the contents, not from the gzip file.
  await openView(page, 'Export');
  const [download] = await Promise.all([page.waitForEvent('download'), page.click('[data-bin="record-6"]')]);
  const saved = readFileSync(await download.path());
  assert.ok(readFileSync(sample).includes(saved) && saved.length > 100_000);
  await choose(page, join(path, 'without-its-name.lime'));
  await page.locator('.file').nth(1).click();
  assert.match(await page.textContent('#verdict .note'), /Decompressed/);
  const server = await serve({ '/': path }, { 'Access-Control-Allow-Origin': '*' });
  await page.fill('#address', `${server.url}lat.lime.gz`);
  await page.click('#url button');
  await verdicts(3);
  assert.equal(await heading(), 'lat.lime: ok');
  server.close();
});

test('truncated and damaged gzip files are never taken for short files', async () => {
  const compressed = gzipSync(readFileSync(sample));
  const damaged = Buffer.from(compressed);
  damaged[damaged.length - 6] ^= 1;
  const cut = compressed.subarray(0, compressed.length - 1000);
  const path = folderOf('gzip-broken', { 'cut.lime.gz': cut, 'damaged.lime.gz': damaged, 'followed.lime.gz': Buffer.concat([compressed, Buffer.from('x')]) });
  for (const name of ['cut', 'damaged', 'followed']) {
    await choose(page, join(path, `${name}.lime.gz`));
    await page.waitForFunction((name) => document.querySelector('#verdict h2').textContent === `${name}.lime: unreadable`, name);
    assert.match(await page.textContent('#verdict'), /the gzip file is truncated, damaged, or followed by other data/);
  }
});

test('gzip volumes are one set', async () => {
  const volumes = [0, 1].map((number) => `multi2.lime.vol000${number}`);
  const path = folderOf('gzip-set', Object.fromEntries(volumes.map((name) => [`${name}.gz`, gzipSync(readFileSync(join(multi, name)))])));
  await choose(page, volumes.map((name) => join(path, `${name}.gz`)));
  assert.equal(await heading(), 'multi2.lime: ok');
});

test('a link opens several files at a place, and a shared link opens them again', async () => {
  await page.goto(`${opened.server.url}?url=sample/su3-4x4x4x8.lime&url=/fixtures/qio/multi/part2.lime.vol0000&url=/fixtures/qio/multi/part2.lime.vol0001&url=ftp://a/b#record=3`);
  await verdicts(2);
  assert.deepEqual(await names(), ['ok su3-4x4x4x8.lime', 'ok part2.lime']);
  assert.match(await page.getAttribute('.tree a[aria-current]', 'href'), /record=3\b/);
  assert.match(await notes(), /not ftp:/);
  await opened.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await page.locator('.file').nth(1).click();
  await page.click('#share');
  await page.waitForSelector('.share [role=status]');
  assert.match(await page.textContent('.share'), /The link was copied/);
  const link = await page.evaluate(() => navigator.clipboard.readText());
  assert.equal(link, `${opened.server.url}?url=/fixtures/qio/multi/part2.lime.vol0000&url=/fixtures/qio/multi/part2.lime.vol0001#record=3`);
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForSelector('#verdict.good');
  assert.equal(await heading(), 'part2.lime: ok');
});

test('a link opens files of another server after a question only, and without cookies', async () => {
  const server = await serve({ '/': join(root, 'examples') }, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Content-Range' });
  const link = `${opened.server.url}?url=${server.url}su3-4x4x4x8.lime&url=sample/su3-4x4x4x8.lime`;
  await page.goto(link);
  await page.waitForSelector('#question');
  assert.match(await page.textContent('#question'), new RegExp(`2 files from another server.*${new URL(server.url).host}`));
  await page.click('#decline');
  await page.waitForFunction(() => !document.querySelector('#question'));
  assert.match(await notes(), /were not opened/);
  assert.deepEqual([await page.locator('.file').count(), server.requests.length], [0, 0]);
  await page.goto('about:blank');
  await page.goto(link);
  await page.waitForSelector('#question');
  assert.equal(server.requests.length, 0);
  await page.click('#agree');
  await verdicts(2);
  assert.ok(server.requests.length > 0);
  server.close();
});

test('a link to many files opens them after a question', async () => {
  const many = Array.from({ length: 21 }, (_, index) => `url=sample/su3-4x4x4x8.lime?${index}`).join('&');
  await page.goto(`${opened.server.url}?${many}`);
  await page.waitForSelector('#question');
  assert.match(await page.textContent('#question'), /21 files at once/);
  assert.equal(await page.locator('.file').count(), 0);
  await page.click('#agree');
  await page.waitForSelector('#verdict.good');
});

test('the content security policy lets no code in that is not of the page', async () => {
  const ran = await page.evaluate(async () => {
    const script = document.createElement('script');
    script.textContent = 'window.ran = "inline"';
    document.head.append(script);
    const image = document.createElement('img');
    image.setAttribute('onerror', 'window.ran = "handler"');
    image.src = 'data:,';
    document.body.append(image);
    const other = document.createElement('script');
    other.src = 'data:text/javascript,window.ran="data"';
    await new Promise((resolve) => {
      other.onload = resolve;
      other.onerror = resolve;
      document.head.append(other);
    });
    image.remove();
    return window.ran ?? 'nothing';
  });
  assert.equal(ran, 'nothing');
});

test('a file of this machine is not shared by a link, and the page says why', async () => {
  await choose(page, sample);
  await page.click('#share');
  await page.waitForSelector('.share [role=status]');
  assert.match(await page.textContent('.share'), /on your machine/);
});

test('without a clipboard, the link is shown', async () => {
  await page.goto(`${opened.server.url}?url=sample/su3-4x4x4x8.lime`);
  await page.waitForSelector('#verdict.good');
  await page.evaluate(() => {
    Object.defineProperty(navigator, 'clipboard', { value: undefined });
    document.execCommand = () => false;
  });
  await page.click('#share');
  await page.waitForSelector('.share input');
  assert.equal(await page.inputValue('.share input'), `${opened.server.url}?url=/sample/su3-4x4x4x8.lime`);
});

/** Reads a file of another server, and returns what the page says. */
async function readFrom(address) {
  await page.fill('#address', address);
  await page.click('#url button');
  const name = address.split('/').pop();
  await page.waitForFunction((name) => {
    const text = document.querySelector('#verdict h2')?.textContent ?? '';
    return text.startsWith(`${name}: `) && !/(reading|waiting)$/.test(text);
  }, name);
  return page.textContent('#verdict');
}

test('refusals of servers are explained', async () => {
  const examples = join(root, 'examples');
  const closed = await serve({ '/': examples });
  const refused = await readFrom(`${closed.url}su3-4x4x4x8.lime`);
  assert.match(refused, /unreadable.*answers, but does not let pages of other servers read the file \(CORS\).*Access-Control-Allow-Origin: \*.*Access-Control-Expose-Headers: Content-Range/s);
  const { url } = closed;
  closed.close();
  assert.match(await readFrom(`${url}gone.lime`), /cannot be reached/);
  assert.match(await readFrom(`${opened.server.url}sample/absent.lime`), /has no file \/sample\/absent\.lime \(status 404\)/);
  // With the headers that the page asks for, the file is read by ranges.
  const open = await serve({ '/': examples }, { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Content-Range' });
  assert.match(await readFrom(`${open.url}su3-4x4x4x8.lime`), /: ok/);
  assert.ok(open.requests.length > 0 && open.requests.every(({ range }) => range?.startsWith('bytes=')));
  open.close();
});
