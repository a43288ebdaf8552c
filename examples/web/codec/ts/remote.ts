/** A remote file that is read in parts: all parts must be of the same version of it. */

/** Size and validators of the file, as the server named them when it was first asked. */
export interface Version {
  /** Size in bytes, or -1 if the server sends the file as a whole only. */
  size: number;
  /** Entity tag, and time of the last change; absent if the server sends none, or does not show them to pages of others. */
  etag?: string;
  modified?: string;
}

/** The header of a response, or null. */
export type Header = (name: string) => string | null;

export function versionOf(header: Header, size: number): Version {
  return { size, etag: header('ETag') ?? undefined, modified: header('Last-Modified') ?? undefined };
}

/**
 * Headers of a request for a part. With `If-Range`, a server sends the whole file if it has changed (RFC 9110, section
 * 13.1.5); only a strong tag is allowed there. Servers of other origins would have to allow this header by name, so that a
 * page does not send it to them.
 */
export function headersFor({ etag, modified }: Version, offset: number, length: number, mayAsk: boolean): Record<string, string> {
  const condition = etag === undefined || etag.startsWith('W/') ? modified : etag;
  const range = { Range: `bytes=${offset}-${offset + length - 1}` };
  return mayAsk && condition !== undefined ? { ...range, 'If-Range': condition } : range;
}

/** Throws unless both are the same version. */
export function compare(before: Version, now: Version): void {
  const isSame = before.size === now.size && before.etag === now.etag && before.modified === now.modified;
  if (!isSame) throw new Error(CHANGED);
}

const CHANGED = 'the file has changed on the server since it was opened: read it again';

/** Throws unless a response has the wanted part of the same version. */
export function examine(version: Version, offset: number, length: number, asked: boolean, status: number, header: Header, received: number): void {
  // The part would be beyond the end of a file that has become shorter.
  if (status === 416 || (status === 200 && asked)) throw new Error(CHANGED);
  if (status !== 206) throw new Error(`the server answered ${status} to a range request`);
  const place = /^bytes (\d+)-(\d+)\/(\d+|\*)$/.exec(header('Content-Range') ?? '');
  if (place === null) throw new Error('the server does not say which part of the file it has sent');
  const [, first, last, size] = place;
  if (size !== '*' && Number(size) !== version.size) throw new Error(CHANGED);
  if (version.etag !== undefined && header('ETag') !== version.etag) throw new Error(CHANGED);
  // With `If-Range`, a server may leave out what the client knows.
  const modified = header('Last-Modified');
  if (version.modified !== undefined && modified !== null && modified !== version.modified) throw new Error(CHANGED);
  const wanted = Math.min(length, version.size - offset);
  if (Number(first) !== offset || Number(last) !== offset + wanted - 1 || received !== wanted) {
    throw new Error(`the server has sent ${received} bytes, as ${first} to ${last}, instead of ${wanted} bytes from ${offset}`);
  }
}
