/**
 * Addresses of remote files, and links that open them on this page: `?url=…&url=…#record=3`. An address in a link can be
 * relative to the page.
 */

import type { Input } from './chosen';
import { Gzip } from './gzip';

/** Largest number of addresses in a link. */
export const MOST_ADDRESSES = 1000;

export type Parsed = { url: URL; problem?: undefined } | { url?: undefined; problem: string };

/** Parses an address. Without `base`, it must be absolute. */
export function parseAddress(text: string, base?: URL): Parsed {
  let url: URL;
  try {
    url = new URL(text, base);
  } catch {
    return { problem: `“${text}” is no address: it must begin with https:// or http://.` };
  }
  if (url.protocol === 'file:') return { problem: `“${text}” is a file of this machine: a page may not open it by its address. Choose or drop the file itself.` };
  if (url.protocol !== 'https:' && url.protocol !== 'http:') return { problem: `“${text}” cannot be read: a page reads addresses that begin with https:// or http://, not ${url.protocol}` };
  if (url.username || url.password) return { problem: `“${url.host}${url.pathname}” cannot be read: a page sends no names and passwords that are part of an address.` };
  url.hash = '';
  return { url };
}

/** The files that a link to this page names. */
export function addressesOf(link: URL): { urls: URL[]; notes: string[] } {
  const urls: URL[] = [];
  const notes: string[] = [];
  const base = new URL(link.pathname, link.origin);
  const all = link.searchParams.getAll('url').map((text) => text.trim()).filter(Boolean);
  for (const text of all.slice(0, MOST_ADDRESSES)) {
    const { url, problem } = parseAddress(text, base);
    if (url) urls.push(url);
    else if (problem) notes.push(problem);
  }
  if (all.length > MOST_ADDRESSES) notes.push(`The link has ${all.length.toLocaleString('en')} addresses: the first ${MOST_ADDRESSES} were taken.`);
  return { urls, notes };
}

/** True if an address opens files on this page. */
export function isThisPage(url: URL, page: URL): boolean {
  return url.origin === page.origin && url.pathname === page.pathname && url.searchParams.has('url');
}

/** Path that names a remote file: host and path, without percent signs. */
export function namedBy({ host, pathname }: URL): string {
  const path = pathname.split('/').map(decoded).join('/').replace(/\/+$/, '');
  return path === '' ? host : host + path;
}

/** Decodes a part of an address. It stays as it is if it has a percent sign that encodes nothing. */
function decoded(part: string): string {
  try {
    // A slash that is encoded is part of a name.
    return decodeURIComponent(part).replaceAll('/', '%2F');
  } catch {
    return part;
  }
}

export type Shared = { link: string; reason?: undefined } | { link?: undefined; reason: string };

/**
 * A link that opens the same files on this page, at the place that `fragment` names, such as `#record=3`. Addresses on the
 * server of the page are written relative to it, so that links are short.
 */
export function shareLink(page: URL, sources: Input[], fragment = ''): Shared {
  const link = new URL(page.pathname, page.origin);
  const addresses: string[] = [];
  for (const source of sources) {
    const from = source instanceof Gzip ? source.from : source;
    if (!(from instanceof URL)) {
      return { reason: 'Only files that were read from an address can be shared by a link. This file is on your machine, and the page uploads nothing.' };
    }
    addresses.push(from.origin === page.origin ? from.pathname + from.search : from.href);
  }
  // Slashes and colons need no encoding in a query, and the link is easier to read with them.
  const query = addresses.map((address) => `url=${encodeURIComponent(address).replace(/%2F/g, '/').replace(/%3A/g, ':')}`).join('&');
  return { link: `${link.href}?${query}${fragment === '#' ? '' : fragment}` };
}
