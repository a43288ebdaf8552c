// Use of the page in Chromium.

import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { copyFileSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { test } from 'node:test';
import binaryen from 'binaryen';

import { check, program, sample } from '../codec/test/program.js';
import { array, exported, numbers } from '../codec/test/npy.js';
import { sameReport } from '../codec/test/same-report.js';
import { asList, choose, fixtures, openView, rendered, root, saved, settled, sizeOf, usePage } from './browser.js';
import { serve } from './server.js';

let opened, page;
usePage((it) => ([opened, page] = [it, it.page]));

const download = (selector) => saved(page, selector);

test('no request is made while a file is checked', async () => {
  assert.match(await page.textContent('#privacy'), /stay on this machine/);
  // The page is complete, and stored for use without a network.
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await page.waitForLoadState('networkidle');
  const requests = [];
  // Requests for blobs stay in the browser.
  const note = (request) => request.url().startsWith('blob:') || requests.push(request.url());
  opened.context.on('request', note);
  const before = opened.server.requests.length;
  await choose(page, sample);
  await openView(page, 'Physics');
  await page.click('.show-density');
  await page.waitForSelector('.heat');
  await openView(page, 'Export');
  await download('#save-json');
  opened.context.off('request', note);
  assert.deepEqual(requests, []);
  // The browser itself asks for the service worker again some seconds after each visit.
  const paths = opened.server.requests.slice(before).map(({ path }) => path);
  assert.deepEqual(paths.filter((path) => path !== '/offline.js'), []);
});

test('a file set is one file', async () => {
  const folder = join(fixtures, 'qio/multi');
  const volumes = readdirSync(folder).filter((name) => name.startsWith('part4.lime.vol'));
  await choose(page, volumes.map((name) => join(folder, name)));
  assert.match(await page.textContent('#verdict h2'), /^part4\.lime: ok$/);
});

test('the module for file sets is loaded with the first file set', async () => {
  // A service worker would load all files.
  const context = await opened.browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const loaded = () => opened.server.requests.filter(({ path }) => path.includes('sets_bg')).length;
  const before = loaded();
  await page.goto(opened.server.url);
  await page.waitForSelector('body[data-ready]');
  await choose(page, sample);
  assert.match(await page.textContent('#verdict h2'), /: ok$/);
  assert.equal(loaded(), before);
  await choose(page, join(fixtures, 'qio/multi/part4.lime.vol0000'));
  assert.ok(loaded() > before);
  await context.close();
});

test('the fields of a file set are shown and exported', async () => {
  const folder = join(fixtures, 'qio/multi');
  const volumes = readdirSync(folder).filter((name) => name.startsWith('part4.lime.vol'));
  await choose(page, volumes.map((name) => join(folder, name)));
  await openView(page, 'Export');
  const npy = await download('[data-npy="field-0"]');
  const csv = (await download('[data-csv="field-0"]')).toString().trim().split('\n');
  const report = JSON.parse((await download('#save-json')).toString());
  const { extents, sites, bytes_per_site, precision } = report.fields[0];
  const data = npy.subarray(npy.length - sites * bytes_per_site);
  const last = csv.at(-1).split(',').map(Number);
  assert.equal(csv.length, sites);
  assert.deepEqual(last.slice(0, extents.length), extents.map((extent) => extent - 1));
  assert.equal(last.length - extents.length, (8 * bytes_per_site) / precision);
  const number = precision === 32 ? data.readFloatLE(data.length - 4) : data.readDoubleLE(data.length - 8);
  assert.equal(last.at(-1), number);
});

test('a million rows: few elements, and the last row is reached', async () => {
  const rows = 1_000_000;
  const path = join(mkdtempSync(join(tmpdir(), 'linkstream-')), 'million.bin');
  // An INEBIN file with two columns of real numbers. The numbers depend on their position.
  const header = Buffer.concat([Buffer.from('INEBIN\0R'), Buffer.from(Uint32Array.of(rows, 2).buffer)]);
  writeFileSync(path, Buffer.concat([header, Buffer.from(Float64Array.from({ length: 2 * rows }, (_, i) => i / 4).buffer)]));
  await choose(page, path);
  await openView(page, 'Matrix');
  await page.waitForSelector('.rows td');
  const texts = () => page.locator('.rows tbody tr:last-child td').allTextContents();
  await page.evaluate(() => { const view = document.querySelector('.virtual'); view.scrollTop = view.scrollHeight; });
  await page.waitForFunction(() => document.querySelector('.rows tbody tr:last-child td')?.textContent === '999,999');
  assert.deepEqual((await texts()).map((text) => Number(text.replaceAll(',', ''))), [999_999, 499_999.5, 499_999.75]);
  await page.evaluate(() => { const view = document.querySelector('.virtual'); view.scrollTop = view.scrollHeight / 2; });
  await page.waitForFunction(() => Math.abs(Number(document.querySelector('.rows tbody td')?.textContent.replaceAll(',', '')) - 500_000) < 50);
  const nodes = await page.evaluate(() => document.querySelectorAll('.virtual *').length);
  assert.ok(nodes < 300, `${nodes} elements`);
  rmSync(dirname(path), { recursive: true });
});

test('the views of a file that cannot be read any more show an error', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const path = join(folder, 'sample.lime');
  copyFileSync(sample, path);
  await choose(page, path);
  await openView(page, 'Physics');
  await page.waitForSelector('.show-density');
  // A browser refuses a file that has been changed since it was chosen.
  writeFileSync(path, 'changed');
  for (const kind of ['density', 'histogram']) {
    await page.click(`.show-${kind}`);
    await page.waitForSelector(`section:has(.show-${kind}) [role=alert]`);
  }
  assert.deepEqual(opened.complaints, []);
  rmSync(folder, { recursive: true });
});

test('the views of a remote file that changes on its server show an error', async () => {
  const headers = { 'Access-Control-Allow-Origin': '*', 'Access-Control-Expose-Headers': 'Content-Range, ETag', ETag: '"1"' };
  const server = await serve({ '/': join(root, 'examples') }, headers);
  await page.fill('#address', `${server.url}su3-4x4x4x8.lime`);
  await page.click('#url button');
  await page.waitForSelector('#verdict.good');
  await openView(page, 'Physics');
  await page.waitForSelector('.show-density');
  headers.ETag = '"2"';
  await page.click('.show-density');
  await page.waitForSelector('section:has(.show-density) [role=alert]');
  assert.match(await page.textContent('section:has(.show-density) [role=alert]'), /has changed on the server/);
  server.close();
});

test('a defect of the codec is reported, and the page goes on', async () => {
  // The codec with a trap in place of the function that runs a call.
  const module = binaryen.readBinary(readFileSync(join(root, 'examples/web/codec/dist/wasm/check_bg.wasm')));
  const { value } = binaryen.getExportInfo(module.getExport('run'));
  module.removeFunction(value);
  module.addFunction(value, binaryen.none, binaryen.none, [], module.unreachable());
  const broken = Buffer.from(module.emitBinary());
  // A service worker would deliver its copy of the codec.
  const context = await opened.browser.newContext({ serviceWorkers: 'block' });
  const page = await context.newPage();
  const answer = (route) => route.fulfill({ body: broken, contentType: 'application/wasm' });
  await page.route('**/check_bg*.wasm', answer);
  await page.goto(opened.server.url);
  await page.waitForSelector('body[data-ready]');
  await choose(page, sample);
  assert.match(await page.textContent('#verdict h2'), /: unreadable$/);
  assert.match(await page.textContent('#verdict'), /internal error \(.*\), please report/);
  // Grey: nothing is known about the file.
  assert.equal(await page.locator('#verdict.none').count(), 1);
  await page.unroute('**/check_bg*.wasm', answer);
  // Workers that were started before have the trap. They are replaced one by one.
  for (let tries = 0; tries < 5 && (await page.locator('#verdict.good').count()) === 0; tries += 1) await choose(page, sample);
  assert.match(await page.textContent('#verdict h2'), /: ok$/);
  await context.close();
});

test('a drop of a hundred files', async () => {
  const folder = join(fixtures, 'broken-scda');
  const names = readdirSync(folder).filter((name) => name.endsWith('.scda')).slice(0, 99);
  assert.equal(names.length, 99);
  const files = [['dropped.lime', sample], ...names.map((name) => [name, join(folder, name)])];
  const contents = files.map(([name, path]) => [name, readFileSync(path).toString('base64')]);
  await page.evaluate((contents) => {
    const transfer = new DataTransfer();
    for (const [name, text] of contents) transfer.items.add(new File([Uint8Array.from(atob(text), (c) => c.charCodeAt(0))], name));
    document.dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
  }, contents);
  await settled(page);
  await asList(page);
  assert.equal(await page.locator('.file').count(), 100);
  assert.match(await page.textContent('#verdict h2'), /^dropped\.lime: ok$/);
  const reports = check(folder, names);
  for (const [index, [name]] of files.entries()) {
    if (index === 0) continue;
    assert.match(await page.locator('.file').nth(index).textContent(), new RegExp(reports.get(name).verdict), name);
  }
  await page.locator('.file').nth(5).click();
  await rendered(page);
  assert.match(await page.textContent('#verdict h2'), /: wrong$/);
  assert.deepEqual(opened.complaints, []);
});

test('the sample', async () => {
  await page.click('#sample');
  await page.waitForSelector('#verdict.good');
});

test('a URL is read by ranges', async () => {
  opened.server.requests.length = 0;
  await page.fill('#address', `${opened.server.url}sample/su3-4x4x4x8.lime`);
  await page.click('#url button');
  await page.waitForSelector('#verdict.good');
  await openView(page, 'Export');
  const file = readFileSync(sample);
  const [record] = check(join(root, 'examples'), ['su3-4x4x4x8.lime']).get('su3-4x4x4x8.lime').records.filter(({ length }) => length > 100_000);
  const payload = file.subarray(record.offset + 144, record.offset + 144 + record.length);
  assert.ok((await download('[data-bin="record-6"]')).equals(payload));
  const parts = opened.server.requests.filter(({ path }) => path.startsWith('/sample/'));
  assert.ok(parts.length > 0 && parts.every(({ range }) => range?.startsWith('bytes=')), JSON.stringify(parts));
});

test('records, texts, search and bytes', async () => {
  await choose(page, sample);
  await page.fill('#search', 'ildgFormat');
  await rendered(page);
  assert.equal(await page.locator('.tree a').count(), 1);
  await page.click('.tree a');
  const text = await page.textContent('pre.text');
  assert.match(text, /\n {2}<field>su3gauge<\/field>\n/);
  await page.click('#show-bytes');
  await page.waitForSelector('.hex pre');
  assert.match(await page.textContent('.hex pre'), /1440 {2}3c 3f 78 6d 6c/);
});

test('a deep link opens a record', async () => {
  await page.goto(`${opened.server.url}#record=2`);
  await choose(page, sample);
  assert.match(await page.textContent('#record h3'), /^Record 2: scidac-private-record-xml$/);
});

test('physics: plots with their values, density, histogram', async () => {
  await choose(page, sample);
  await openView(page, 'Physics');
  await page.waitForSelector('.uplot');
  const report = check(join(root, 'examples'), ['su3-4x4x4x8.lime'], '--slices').get('su3-4x4x4x8.lime');
  assert.match(await page.textContent('#view'), new RegExp(report.fields[0].plaquette.toFixed(9)));
  await page.locator('summary').first().click();
  await page.waitForSelector('details tbody');
  for (const plane of report.fields[0].planes) {
    assert.match(await page.textContent('#view'), new RegExp(plane.plaquette.toFixed(9)));
  }
  const traces = page.locator('figure', { hasText: 'Link trace of each direction' });
  await traces.locator('summary').click();
  const expected = report.fields[0].directions.map(({ direction, link_trace: trace }) => ['xyzt'[direction], trace.toFixed(9)]);
  await traces.locator('details tbody').waitFor();
  const cells = await traces.locator('details tbody tr > *').allTextContents();
  assert.deepEqual(cells, expected.flat());
  const mean = expected.reduce((sum, [, trace]) => sum + Number(trace) / expected.length, 0);
  assert.ok(Math.abs(mean - report.fields[0].link_trace) < 1e-9, `${mean}`);
  // The legend shows name and value of the place under the pointer, here the third of six. Nothing moves when it appears.
  const legend = page.locator('.plot-legend').first();
  assert.equal(await legend.textContent(), 'plaquette');
  const place = () => page.locator('.plot-figure').first().locator('summary').boundingBox();
  const before = await place();
  const plot = page.locator('.u-over').first();
  const { width, height } = await sizeOf(page, '.u-over');
  await plot.hover({ position: { x: (2.6 / 6.2) * width, y: height / 2 } });
  const { plaquette } = report.fields[0].planes[2];
  await page.waitForFunction(() => document.querySelector('.plot-value').textContent !== '');
  assert.match(await legend.textContent(), new RegExp(`^plane yzplaquette${plaquette.toFixed(9)}$`));
  assert.deepEqual(await place(), before);
  // The checksums in the file, and those computed.
  const stored = page.locator('.stored tbody tr');
  assert.deepEqual(await stored.locator('td:last-child').allTextContents(), ['✓ agrees', '✓ agrees']);
  await page.click('.show-density');
  await page.waitForSelector('.heat');
  await page.click('.show-histogram');
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
  await page.click('section[aria-label="Deviation from unitarity"] summary');
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] details tbody');
  const rows = await page.locator('section[aria-label="Deviation from unitarity"] details tbody tr td:last-child').allTextContents();
  assert.equal(rows.length, 18);
  const links = rows.reduce((sum, count) => sum + Number(count.replaceAll(',', '')), 0);
  assert.equal(links, 4 * 512);
  assert.ok(rows.every((count) => /^[\d,]+$/.test(count)), rows.join(' '));
});

test('physics: the density of the time requested last, whichever is read first', async () => {
  await choose(page, sample);
  await openView(page, 'Physics');
  const shown = async (t) => {
    const map = page.locator(`.heat canvas[aria-label*="t = ${t}:"]`);
    await map.waitFor();
    return map.getAttribute('aria-label');
  };
  const ask = (...times) =>
    page.locator('#slider-0-t').evaluate((slider, times) => {
      for (const t of times) {
        slider.value = t;
        slider.dispatchEvent(new Event('change'));
      }
    }, times);
  await page.click('.show-density');
  await shown(0);
  await ask(1);
  const expected = await shown(1);
  // The density at t = 1 is kept; t = 0 has to be read again.
  await ask(0, 1);
  // The histogram reads all time slices. When it is shown, the earlier requests have been answered.
  await page.click('.show-histogram');
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
  assert.equal(await shown(1), expected);
});

test('a NERSC archive: header, plots, density and exports of its field', async () => {
  const path = join(fixtures, 'qio/nersc/n3x2_f_little.nersc');
  const lime = join(mkdtempSync(join(tmpdir(), 'linkstream-')), 'same.lime');
  const { status } = spawnSync(program, ['convert', path, lime, '--to', 'scidac']);
  assert.equal(status, 0);
  const expected = exported(lime);
  await choose(page, path);
  assert.match(await page.textContent('[data-view="header"]'), /little endian.*DATATYPE/s);
  await openView(page, 'Physics');
  await page.waitForSelector('.uplot');
  const [field] = check(dirname(path), ['n3x2_f_little.nersc']).get('n3x2_f_little.nersc').fields;
  assert.match(await page.textContent('#view'), new RegExp(field.plaquette.toFixed(9)));
  await page.click('.show-density');
  await page.waitForSelector('.heat canvas');
  await page.click('.show-histogram');
  await page.waitForSelector('section[aria-label="Deviation from unitarity"] .uplot');
  await openView(page, 'Export');
  assert.ok((await download('[data-bin="field-0"]')).equals(expected.data));
  const npy = await download('[data-npy="field-0"]');
  const made = array(npy);
  assert.deepEqual([made.type, made.shape], ['<c8', expected.shape]);
  assert.deepEqual(numbers(made), numbers(expected));
  // The second time slice.
  const [x, y, z, times] = field.extents;
  await page.fill('input[type=number]', '1');
  const bytes = expected.data.length / times;
  assert.ok((await download('[data-bin="slice-of-field-0"]')).equals(expected.data.subarray(bytes, 2 * bytes)));
  const csv = (await download('[data-csv="slice-of-field-0"]')).toString().trim().split('\n');
  assert.deepEqual([csv.length, csv[0].split(',').slice(0, 5).map(Number)], [x * y * z, [0, 0, 0, 1, numbers(expected)[bytes / 4]]]);
  assert.deepEqual(opened.complaints, []);
  rmSync(dirname(lime), { recursive: true });
});

test('physics: correlators of propagators, of one field and of all solutions, with effective masses', async () => {
  const path = join(fixtures, 'qio/usqcd/prop_c1d12.lime');
  await choose(page, path);
  await openView(page, 'Physics');
  // The first is of all solutions. There is none for the source, a complex field.
  assert.equal(await page.locator('.show-norms').count(), 13);
  const sums = (field) => {
    const all = numbers(exported(path, '--field', String(field)));
    return Array.from({ length: 4 }, (_, t) => all.subarray((t * all.length) / 4, ((t + 1) * all.length) / 4).reduce((sum, number) => sum + number * number, 0));
  };
  const isClose = (shown, expected) => assert.ok(Math.abs(Number(shown) - expected) <= 1e-8 * Math.abs(expected), `${shown} is not ${expected}`);
  const cells = (place, column) => page.locator('section[aria-label="Correlator"]').nth(place).locator(`details tbody td:nth-child(${column})`).allTextContents();
  for (const place of [0, 1]) {
    await page.locator('.show-norms').nth(place).click();
    await page.locator('section[aria-label="Correlator"]').nth(place).locator('.uplot').waitFor();
  }
  const one = sums(1);
  const [shown, masses] = [await cells(1, 2), await cells(1, 3)];
  assert.equal(shown.length, 4);
  shown.forEach((text, t) => isClose(text, one[t]));
  for (const t of [0, 1, 2]) assert.ok(Math.abs(Number(masses[t]) - Math.log(one[t] / one[t + 1])) < 1e-8, `${masses[t]} at t = ${t}`);
  assert.equal(masses[3], 'not defined');
  const all = Array.from({ length: 12 }, (_, solution) => sums(solution + 1));
  (await cells(0, 2)).forEach((text, t) => isClose(text, all.reduce((sum, norms) => sum + norms[t], 0)));
  // Another view and back: the plots are still there.
  await openView(page, 'Structure');
  await openView(page, 'Physics');
  await page.locator('section[aria-label="Correlator"]').nth(1).locator('.uplot').waitFor();
});

test('a finding in a volume of a set is linked to the byte of that volume', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'linkstream-'));
  const names = [0, 1, 2, 3].map((number) => `part4.lime.vol000${number}`);
  for (const name of names) copyFileSync(join(fixtures, 'qio/multi', name), join(folder, name));
  const [whole, at] = [readFileSync(join(folder, names[2])), 300];
  writeFileSync(join(folder, names[2]), whole.subarray(0, whole.length - at));
  await choose(page, names.map((name) => join(folder, name)));
  const [finding] = check(folder, names).get('part4.lime').findings;
  assert.match(finding.message, /^part4\.lime\.vol0002: /);
  await page.locator('.findings a').first().click();
  await page.waitForSelector('[data-view="bytes"] .hex pre');
  assert.equal(await page.locator('#missing').count(), 0);
  assert.match(await page.textContent('[aria-label="Volumes"] [aria-current]'), /vol0002/);
  const shown = await page.textContent('.hex p');
  assert.match(shown, new RegExp(`to ${(whole.length - at - 1).toLocaleString('en')} of the file`));
  const [offset, ...bytes] = (await page.textContent('.hex pre')).trim().split(/\s+/).slice(0, 17);
  assert.equal(bytes.join(''), whole.subarray(Number(offset), Number(offset) + 16).toString('hex'));
  rmSync(folder, { recursive: true });
});

test('a finding about the header of a record is linked to its byte', async () => {
  const name = 'data-before-format.lime';
  await choose(page, join(fixtures, 'broken/ildg', name));
  const { findings, records } = check(join(fixtures, 'broken/ildg'), [name]).get(name);
  const { offset } = findings.find((finding) => finding.offset > 0);
  assert.ok(records.some((record) => record.offset === offset));
  await page.click(`.findings a[href*="offset=${offset}"]`);
  await page.waitForSelector('#record .hex mark');
  // A header begins with the magic number.
  assert.match(await page.textContent('#record .hex mark'), new RegExp(`^ *${offset}  45 67 89 ab `));
});

test('a finding in a file without records is linked to the byte', async () => {
  await choose(page, join(fixtures, 'broken-inebin/trailing-1.bin'));
  await page.locator('.findings a').first().click();
  await page.waitForSelector('[data-view="bytes"] .hex mark');
  const [finding] = check(join(fixtures, 'broken-inebin'), ['trailing-1.bin']).get('trailing-1.bin').findings;
  const first = Number((await page.textContent('.hex mark')).trim().split(' ')[0]);
  assert.ok(finding.offset >= first && finding.offset < first + 16, `${finding.offset} in line ${first}`);
});

test('there is no view of the physics of a matrix', async () => {
  await choose(page, join(fixtures, 'inebin/real-large.bin'));
  assert.equal(await page.locator('nav a:has-text("Physics")').count(), 0);
});

test('a matrix: statistics, rows while scrolling, heat map, exports', async () => {
  const path = join(fixtures, 'inebin/real-asymmetric.bin');
  await choose(page, path);
  await openView(page, 'Matrix');
  await page.waitForSelector('.rows td');
  const { mean } = check(dirname(path), [basename(path)]).get(basename(path));
  assert.match(await page.textContent('#view table'), new RegExp(`mean${mean.toFixed(9)}`));
  await page.click('#show-map');
  await page.waitForSelector('.heat canvas');
  await openView(page, 'Export');
  const npy = await download('#save-matrix-npy');
  const expected = exported(path).data;
  assert.ok(npy.subarray(npy.length - expected.length).equals(expected));
  assert.ok((await download('#save-matrix-bytes')).equals(readFileSync(path).subarray(16)));
  const csv = (await download('#save-csv')).toString();
  assert.equal(csv.trim().split('\n').length * csv.split('\n')[0].split(',').length * 8, expected.length);
});

test('matrices of each type: title and exported array', async () => {
  const cases = [['bool', 'booleans', '|b1'], ['integer', 'integers', '<i8'], ['real', 'real numbers', '<f8'], ['complex', 'complex numbers', '<c16']];
  for (const [kind, words, type] of cases) {
    const path = join(fixtures, `inebin/doc-${kind}.bin`);
    await choose(page, path);
    await openView(page, 'Matrix');
    await page.waitForSelector('.rows td');
    assert.match(await page.textContent('#view h3'), new RegExp(` rows and \\d+ columns of ${words}$`));
    await openView(page, 'Export');
    const made = array(await download('#save-matrix-npy'));
    const expected = exported(path);
    assert.deepEqual([made.type, made.shape, made.data], [type, expected.shape, expected.data], kind);
  }
});

test('the report as JSON equals the report of the program', async () => {
  await choose(page, sample);
  await openView(page, 'Export');
  const report = JSON.parse((await download('#save-json')).toString());
  const expected = check(join(root, 'examples'), ['su3-4x4x4x8.lime'], '--slices').get('su3-4x4x4x8.lime');
  sameReport(report, expected, 'report');
  const npy = await download('[data-npy="field-0"]');
  assert.equal(npy.subarray(0, 6).toString('latin1'), '\x93NUMPY');
  assert.deepEqual(array(npy), exported(sample));
});

test('the views can be opened by keyboard', async () => {
  await choose(page, sample);
  await page.focus('nav a >> nth=0');
  await page.keyboard.press('Tab');
  await page.keyboard.press('Enter');
  await page.waitForSelector('[data-view="findings"]');
  const focused = await page.evaluate(() => document.activeElement?.textContent);
  assert.match(focused, /Findings/);
});

test('works offline after one visit: files are checked, read and shown, also the sample', async () => {
  const context = await opened.browser.newContext();
  const page = await context.newPage();
  await page.goto(opened.server.url);
  await page.evaluate(() => navigator.serviceWorker.ready.then(() => undefined));
  await context.setOffline(true);
  await page.reload();
  await page.waitForSelector('body[data-ready]');
  await choose(page, sample);
  assert.match(await page.textContent('#verdict h2'), /: ok$/);
  await openView(page, 'Physics');
  await page.click('.show-density');
  await page.waitForSelector('.heat canvas');
  await page.click('#sample');
  await page.waitForFunction(() => document.querySelectorAll('.file .word').length === 2);
  await page.waitForSelector('#verdict.good');
  await context.close();
});
