import { expect, test } from 'vitest';
import { addressesOf, namedBy, parseAddress, shareLink } from '../src/input/address';
import { explainFetch } from '../src/input/explain';
import { Gzip } from '../src/input/gzip';
import { linksOf } from '../src/input/links';

const PAGE = new URL('https://portal.example/check/');
const of = (query: string) => addressesOf(new URL(query, PAGE));
const hrefs = (urls: URL[]) => urls.map(({ href }) => href);

test('addresses of a link: several, relative and absolute', () => {
  const { urls, notes } = of('?url=../data/a.lime&url=/b.lime&url=https%3A%2F%2Fother.example%2Fc.lime%3Fv%3D1&url=&url=d%20e.lime#record=3');
  expect(hrefs(urls)).toEqual([
    'https://portal.example/data/a.lime', 'https://portal.example/b.lime', 'https://other.example/c.lime?v=1',
    'https://portal.example/check/d%20e.lime',
  ]);
  expect(notes).toEqual([]);
});

test('other schemes are refused, with the reason', () => {
  const { urls, notes } = of('?url=file:///etc/passwd&url=javascript:alert(1)&url=data:,x&url=ftp://a/b&url=https://me:secret@a.example/b&url=http://[');
  expect(urls).toEqual([]);
  expect(notes).toHaveLength(6);
  expect(notes[0]).toMatch(/Choose or drop the file itself/);
  expect(notes[1]).toMatch(/not javascript:/);
  expect(notes[4]).not.toMatch(/secret/);
  expect(notes[5]).toMatch(/is no address/);
});

test('a link has a limited number of addresses', () => {
  const { urls, notes } = of(`?${'url=a&'.repeat(1001)}`);
  expect([urls.length, notes.length]).toEqual([1000, 1]);
});

test('links to share name the same files again', () => {
  const sources = [new URL('https://portal.example/data/a b+c&d.lime?x=1&y=2'), new Gzip(new URL('https://other.example/c.lime.gz'), 'c.lime')];
  const { link } = shareLink(new URL('https://portal.example/check/?url=old#record=1'), sources, '#record=3');
  expect(link).toMatch(/^https:\/\/portal\.example\/check\/\?url=\/data\/.*&url=https:\/\/other\.example\/c\.lime\.gz#record=3$/);
  const parsed = new URL(link ?? '');
  expect(hrefs(addressesOf(parsed).urls)).toEqual([sources[0], (sources[1] as Gzip).from].map(String));
  expect(parsed.hash).toBe('#record=3');
  expect(shareLink(PAGE, [sources[0]], '#').link).not.toMatch(/#/);
});

test('local files cannot be shared', () => {
  expect(shareLink(PAGE, [new URL('https://a.example/a'), new File([], 'b')]).reason).toMatch(/on your machine/);
});

test('names of remote files', () => {
  expect(namedBy(new URL('https://a.example/x/lat%20%C3%A9.lime?download=1'))).toBe('a.example/x/lat é.lime');
  expect(namedBy(new URL('https://a.example/x%2Fy/100%'))).toBe('a.example/x%2Fy/100%');
  expect(namedBy(new URL('https://a.example/'))).toBe('a.example');
});

test('dropped links', () => {
  expect(hrefs(linksOf('# comment\r\nhttps://a.example/1\r\nhttps://a.example/2', 'ignored', PAGE).urls)).toEqual(['https://a.example/1', 'https://a.example/2']);
  expect(hrefs(linksOf('', 'http://a.example/lat.lime\n', PAGE).urls)).toEqual(['http://a.example/lat.lime']);
  expect(hrefs(linksOf('https://portal.example/check/?url=/data/a&url=/data/b', '', PAGE).urls)).toEqual(['https://portal.example/data/a', 'https://portal.example/data/b']);
  expect(linksOf('', 'just some words', PAGE)).toEqual({ urls: [], isNamed: false, notes: ['The dropped text is no address of a file: “just some words”. An address begins with https:// or http://.'] });
  expect(linksOf('https://portal.example/check/?url=https://a.example/1', '', PAGE).isNamed).toBe(true);
  expect(linksOf('https://a.example/1', '', PAGE).isNamed).toBe(false);
  expect(linksOf('file:///home/me/lat.lime', '', PAGE).notes[0]).toMatch(/Choose or drop the file itself/);
  expect(linksOf('', '', PAGE).notes).toEqual(['What was dropped has neither files nor a link.']);
  expect(parseAddress('https://a.example/x#frag').url?.href).toBe('https://a.example/x');
});

test('reasons why a remote file cannot be read', () => {
  const other = new URL('https://data.example/lat.lime');
  const why = (message: string, url = other, reachable?: boolean) => explainFetch(new Error(message), url, PAGE, reachable);
  for (const message of ['Failed to fetch', 'NetworkError when attempting to fetch resource.', 'Load failed']) {
    expect(why(message, other, true)).toMatch(/data\.example answers, .*Access-Control-Allow-Origin: \*.*Range.*Access-Control-Expose-Headers: Content-Range.*choose it here/);
    expect(why(message, other, false)).toBe('data.example cannot be reached. Check the address and the network.');
    expect(why(message)).toMatch(/cannot be reached, or does not let/);
  }
  expect(why('Failed to fetch', new URL('http://data.example/lat.lime'))).toMatch(/loaded by https.*https:\/\//);
  expect(why('Failed to fetch', new URL('https://portal.example/lat.lime'))).toMatch(/^The server of this page/);
  expect(why('the server answered 404')).toBe('data.example has no file /lat.lime (status 404). Check the address.');
  expect(why('the server answered 403')).toMatch(/login/);
  expect(why('the server answered 503')).toMatch(/Try again later/);
  expect(why('the server answered 200 to a range request')).toMatch(/parts of the file/);
  expect(why('the file is damaged')).toBe('the file is damaged');
});
