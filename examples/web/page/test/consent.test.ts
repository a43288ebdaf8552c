import { expect, test } from 'vitest';
import { questionOn, WITHOUT_QUESTION } from '../src/input/consent';

const PAGE = new URL('https://portal.example/check/');
const urls = (...all: string[]) => all.map((url) => new URL(url, PAGE));
const none = new Set<string>();

test('files of the own server are opened without a question, up to 20', () => {
  const many = (count: number) => urls(...Array.from({ length: count }, (_, index) => `/data/${index}`));
  expect(questionOn(many(WITHOUT_QUESTION), PAGE, none, false)).toBeUndefined();
  expect(questionOn(many(WITHOUT_QUESTION + 1), PAGE, none, false)).toMatchObject({ kind: 'many', hosts: [] });
  expect(questionOn(many(WITHOUT_QUESTION + 1), PAGE, none, true)).toBeUndefined();
  expect(questionOn([], PAGE, none, false)).toBeUndefined();
});

test('other servers are asked about once, private ones too', () => {
  const named = urls('/data/1', 'http://192.168.0.1/admin', 'https://a.example/1', 'https://a.example/2', 'http://localhost:8080/x', 'https://portal.example:8443/x');
  const question = questionOn(named, PAGE, none, false);
  expect(question).toMatchObject({ kind: 'hosts', urls: named, hosts: ['192.168.0.1', 'a.example', 'localhost:8080', 'portal.example:8443'] });
  expect(questionOn(named, PAGE, new Set(question?.hosts), false)).toBeUndefined();
  expect(questionOn(named, PAGE, new Set(['a.example']), false)?.hosts).toEqual(['192.168.0.1', 'localhost:8080', 'portal.example:8443']);
  // The same host by another protocol is another server.
  expect(questionOn(urls('http://portal.example/data/1'), PAGE, none, false)?.hosts).toEqual(['portal.example']);
});

test('hosts first, then the number', () => {
  const named = urls(...Array.from({ length: 30 }, (_, index) => `https://a.example/${index}`));
  expect(questionOn(named, PAGE, none, true)?.kind).toBe('hosts');
  expect(questionOn(named, PAGE, new Set(['a.example']), false)?.kind).toBe('many');
});
