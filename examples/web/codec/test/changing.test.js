// Files that change on their server, and servers that send other parts than they were asked for.

import assert from 'node:assert/strict';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { after, before, test } from 'node:test';

import { check, diff, open, pinned } from 'linkstream';

import { sample } from './program.js';

const contents = readFileSync(sample);
const changed = Uint8Array.from(contents);
// In the middle of the data: a mixture would be of both versions.
for (let at = contents.length >> 1; at < contents.length - 2000; at += 1) changed[at] ^= 1;

/** State of the server. `answer` can change the part that it sends. */
let state;
let server;
let url;

const usual = ({ bytes, first, last }) => ({
  status: 206,
  headers: { 'Content-Range': `bytes ${first}-${last}/${bytes.length}` },
  body: bytes.subarray(first, last + 1),
});

before(async () => {
  server = createServer((request, response) => {
    const { bytes, validators, answer = usual, honours = true } = state;
    const { range, cookie, 'if-range': condition } = request.headers;
    state.requests.push({ range, condition, cookie });
    if (request.url === '/other.lime') {
      response.writeHead(302, { Location: '/lat.lime' }).end();
      return;
    }
    const wanted = /^bytes=(\d+)-(\d+)$/.exec(range ?? '');
    const isSame = !honours || condition === undefined || Object.values(validators).includes(condition);
    if (wanted === null || !isSame) {
      response.writeHead(200, validators).end(bytes);
      return;
    }
    const [first, last] = [Number(wanted[1]), Math.min(Number(wanted[2]), bytes.length - 1)];
    const { status, headers, body } = state.requests.length > 1 ? answer({ bytes, first, last }) : usual({ bytes, first, last });
    response.writeHead(status, { ...validators, ...headers }).end(body);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  url = new URL(`http://127.0.0.1:${server.address().port}/lat.lime`);
});

after(() => {
  server.closeAllConnections();
  server.close();
});

const STRONG = { ETag: '"1"' };
const begin = (validators, more = {}) => {
  state = { bytes: contents, validators, requests: [], ...more };
};

test('a file that stays the same is read in parts, with a condition and without cookies', async () => {
  for (const [validators, condition] of [
    [STRONG, '"1"'],
    [{ ETag: 'W/"1"', 'Last-Modified': 'Sat, 28 Nov 2026 10:00:00 GMT' }, 'Sat, 28 Nov 2026 10:00:00 GMT'],
    [{ ETag: 'W/"1"' }, undefined],
    [{}, undefined],
  ]) {
    begin(validators);
    assert.equal((await check(url)).verdict, 'ok');
    const [probe, ...parts] = state.requests;
    assert.equal(probe.range, 'bytes=0-0');
    assert.ok(parts.length > 0);
    for (const part of parts) assert.equal(part.condition, condition);
    assert.ok(state.requests.every(({ cookie }) => cookie === undefined));
  }
});

test('a file that changes on the server is an error, and never mixed', async () => {
  for (const [old, next, honours] of [
    [STRONG, { ETag: '"2"' }, true],
    [STRONG, { ETag: '"2"' }, false],
    [STRONG, {}, false],
    [{ ETag: 'W/"1"' }, { ETag: 'W/"2"' }, true],
    [{ 'Last-Modified': 'Sat, 28 Nov 2026 10:00:00 GMT' }, { 'Last-Modified': 'Sat, 28 Nov 2026 10:00:01 GMT' }, true],
    [{ 'Last-Modified': 'Sat, 28 Nov 2026 10:00:00 GMT' }, { 'Last-Modified': 'Sat, 28 Nov 2026 10:00:01 GMT' }, false],
  ]) {
    begin(old, { honours });
    const file = await open(url);
    state.bytes = changed;
    state.validators = next;
    await assert.rejects(file.readField(0), /has changed on the server/, JSON.stringify([old, next, honours]));
  }
});

test('a pinned address is of one version for all calls', async () => {
  begin(STRONG);
  const address = pinned(url);
  assert.notEqual(address, url);
  assert.equal((await check(address)).verdict, 'ok');
  assert.equal((await open(address)).report.fields.length, 1);
  state.bytes = changed;
  state.validators = { ETag: '"2"' };
  for (const call of [() => check(address), () => open(address), () => diff(address, url)]) {
    await assert.rejects(call(), /has changed on the server/);
  }
  // The address itself means the file as it is.
  assert.equal((await check(url)).verdict, 'wrong');
});

test('an address of other servers is refused on request, and redirections are errors', async () => {
  begin(STRONG);
  const servers = ['https://example.org', url.origin];
  const allowed = pinned(url, { servers });
  assert.equal((await check(allowed)).verdict, 'ok');
  assert.equal((await open(allowed)).report.fields.length, 1);
  const asked = state.requests.length;
  for (const other of [`https://${url.host}/lat.lime`, `http://user@${url.host}/lat.lime`, 'http://127.0.0.1:1/', 'file:///etc/hostname', 'data:,x']) {
    assert.throws(() => pinned(new URL(other), { servers }), { name: 'RangeError', message: /not the address of an allowed server/ });
  }
  assert.throws(() => pinned(url, { servers: [] }), RangeError);
  for (const wrong of ['https://example.org', [1], ['example'], ['file:///etc']]) {
    assert.throws(() => pinned(url, { servers: wrong }), { name: 'TypeError', message: /"servers" must be an array of servers/ });
  }
  assert.equal(state.requests.length, asked);

  const moved = new URL('/other.lime', url);
  assert.equal((await check(moved)).verdict, 'ok');
  for (const call of [check, open]) await assert.rejects(call(pinned(moved, { servers })));
});

test('a file that becomes longer or shorter is an error without a tag, too', async () => {
  for (const bytes of [contents.subarray(0, 1000), Buffer.concat([contents, contents])]) {
    begin({});
    const file = await open(url);
    state.bytes = bytes;
    state.answer = (part) => (part.first < bytes.length ? usual(part) : { status: 416, headers: {}, body: '' });
    await assert.rejects(file.readField(0), /has changed on the server/);
  }
});

test('other parts than were asked for are errors', async () => {
  const shifted = ({ bytes, first, last }) => ({ ...usual({ bytes, first: first + 512, last }), status: 206 });
  const short = (part) => ({ ...usual(part), body: usual(part).body.subarray(1) });
  const unlabelled = (part) => ({ ...usual(part), headers: {} });
  const whole = ({ bytes }) => ({ status: 200, headers: {}, body: bytes });
  for (const answer of [shifted, short, unlabelled, whole]) {
    begin({}, { answer });
    const report = check(url).then(({ verdict }) => assert.fail(`${answer.name}: ${verdict}`));
    await assert.rejects(report, /the server (has sent|does not say|answered 200)/, answer.name);
  }
});
